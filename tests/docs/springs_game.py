"""Plays with springs, where ``springs.apply`` has added them: run by ``test_contributing.py``."""

from __future__ import annotations

import json
from importlib.resources import files

import ekoes
from ekoes.envs.spaces_eko import static_planes
from ekoes.games.eko.game import EKO
from ekoes.games.eko.openings import board_of
from ekoes.games.eko.position.action import format_action
from ekoes.games.eko.presenter import PRESENTER
from ekoes.games.eko.rules.signs import Sign
from ekoes.games.eko.svg import position_svg

game = ekoes.eko.Game(players=3, variants=["springs"], seed=4)
layout = game.position.layout
assert [tile.tile for tile in layout.tiles].count("V") == len(layout.signs[Sign(3)]) == 2
assert "springs" in PRESENTER.about()["variants"]
assert len(PRESENTER.board(game.position)["springs"]) == 2
assert position_svg(game.position).count('fill="#4fa3d1"') == 2
assert str(game).count("spring among") == 2
assert board_of(layout).kind == "3st"
assert static_planes(layout)[-1].sum() == 6
for _ in range(30):
    game.push_bot("random")
assert ekoes.eko.Game.from_record(game.record()).position == game.position

lesson = json.loads(files("ekoes.games.eko").joinpath("lessons", "2-variants.json").read_text())["chapters"][
    -1
]
before = EKO.from_json(lesson["position"])
action = EKO.parse_action(lesson["task"]["solution"][0])
assert action in before.legal(0)
assert format_action(action, before) == "g5^h5=camp"
after = before.play(0, action)
assert (after.points(0)["springs"], after.total(0)) == (1, 2)
