"""`ekoes warm`: afterwards nothing is left to compile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EKOES = str(Path(sys.executable).with_name("ekoes"))

PLAY_AND_TELL_WHAT_WAS_COMPILED = """
import sys
from numba.core.registry import CPUDispatcher
from ekoes.bots import bot, bots as names_of
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import playouts as ekko_playouts
from ekoes.games.ekko.game import EKKO
from ekoes.games.eko.presenter import PRESENTER
from ekoes.games.eko.game import perft
from ekoes.games.eko.game import playouts
from ekoes.games.eko.game import EKO
from ekoes.games.eko.puzzles import listed, puzzle

variants = ["portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind"]
for options in ({"players": 2}, {"players": 3, "setup": "draft"}, {"players": 4, "variants": variants}):
    position, chance = EKO.new(options, 5), Chance(5)
    for turn in range(20):
        (seat,) = position.actors()
        list(PRESENTER.actions(position, seat))
        position.points(seat)
        position.prospects(seat)
        action = bot("eko", names_of("eko")[turn % 2]).choose(position, seat, chance)
        assert position.why_not(seat, action) is None
        position = EKO.from_json(position.play(seat, action).to_json())
    perft(position, 1)
    playouts(position, 2, seed=1)

names = names_of("ekko")
for players in (2, 3, 5, 8):
    position, chance = EKKO.new({"players": players}, 5), Chance(5)
    for turn in range(20):
        (seat,) = position.actors()
        if seat == CHANCE:
            action = position.chance_action(chance)
        else:
            action = bot("ekko", names[turn % len(names)]).choose(position, seat, chance)
        assert position.why_not(seat, action) is None
        position = EKKO.from_json(position.play(seat, action).to_json())
    ekko_playouts(position, 2, seed=1)

some = puzzle(next(iter(listed())))
some.judge(some.position)

modules = [module for name, module in list(sys.modules.items()) if name.startswith("ekoes")]
found = [value for module in modules for value in vars(module).values() if isinstance(value, CPUDispatcher)]
kernels = {kernel.__qualname__: kernel for kernel in found}
assert len(kernels) > 10
print(sorted(name for name, kernel in kernels.items() if kernel.stats.cache_misses))
"""


@pytest.mark.long
def test_nothing_is_left_to_compile() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "0"}
    subprocess.run([EKOES, "warm"], check=True, capture_output=True, env=environment)
    command = [sys.executable, "-c", PLAY_AND_TELL_WHAT_WAS_COMPILED]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


def test_interpreted_rules_are_not_noted_as_compiled(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "EKOES_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([EKOES, "warm"], check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.rglob("*.done"))
