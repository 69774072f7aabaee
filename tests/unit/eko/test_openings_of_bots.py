"""The openings of bots that come with the package, and the tool that makes them."""

from __future__ import annotations

from ekoes.games.api.chance import Chance
from ekoes.games.api.openings import WIN
from ekoes.games.eko.fairness import named_layouts
from ekoes.games.eko.openings import moments, self_play
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.setup import deal
from tests.unit.eko.test_openings import WELL
from tools.openings import Play, counted


def test_bots_have_played_on_every_named_board() -> None:
    known = self_play()
    assert known.level == "greedy"
    for one in named_layouts():
        position = deal(Layout(one.players, one.tiles), 0, Chance(1))
        narrow, wide = (known.moments[moment] for moment in moments(position))
        assert narrow.games > 100
        assert wide.games >= narrow.games
        for scores in (narrow.scores, wide.scores):
            assert all(sum(score.wins) <= WIN * score.games for score in scores.values())
            assert sum(score.games for score in scores.values()) <= max(narrow.games, wide.games)


def test_games_of_bots_are_repeatable_and_counted() -> None:
    boards = (WELL, 3)
    one, again, other = ([Play(boards, seed)(n) for n in (0, 1)] for seed in (1, 1, 2))
    assert one == again != other
    lines = counted([one[0], again[0]])
    assert {moment for moment, *_ in lines} == {moment for moment, _ in one[0].entries}
    for _, games, scores in lines:
        assert games == 2
        for _, count, *wins in scores:
            assert (count, sum(wins)) == (2, 2 * WIN if one[0].winners else 0)
