"""Openings: what two games have in common although their discs lie elsewhere, and those of bots."""

from __future__ import annotations

from ekoes.games.api.chance import Chance
from ekoes.games.api.parts import WIN
from ekoes.games.api.table import Decision
from ekoes.games.eko.fairness import named_layouts
from ekoes.games.eko.openings import ROUNDS, board_of, entries, gists, moments, place, self_play
from ekoes.games.eko.position.action import parse_action
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.setup import deal, draft
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.rules.record import Phase
from ekoes.games.eko.rules.signs import Sign
from tests.rules.eko.board import draw, standard_layout
from tests.unit.games import random_steps
from tools.openings import Play, counted

WELL = next(Layout(one.players, one.tiles) for one in named_layouts() if one.name == "well")


STANDARD = standard_layout(2)
FAR = STANDARD.coordinates[max(space for space, near in enumerate(STANDARD.steps) if near)]
"""A space on which a disc of the second player stands out of the way."""


def gist(position: EkoPosition, text: str) -> tuple[str, str]:
    return gists(position, parse_action(text, position))


def played(position: EkoPosition, seed: int, most: int = 400) -> list[Decision]:
    """Return the decisions of a random game."""
    return [Decision(seat, action) for _, seat, action in random_steps(position, Chance(seed), most)]


def neighbours(layout: Layout, count: int) -> tuple[str, list[str]]:
    """Return a sand space, and so many that are next to it."""
    space = next(space for space, near in enumerate(layout.steps) if len(near) >= count)
    return layout.coordinates[space], [layout.coordinates[near] for near in layout.steps[space][:count]]


def test_boards_are_told_apart_by_all_that_lies_on_them() -> None:
    letters = [*(terrain.letter for terrain in Terrain), *(sign.letter for sign in Sign), "o"]
    assert len(letters) == len(set(letters)) == len(Terrain) + len(Sign) + 1


def test_the_same_decision_of_another_stack_is_the_same_move() -> None:
    target, (one, other, third) = neighbours(STANDARD, 3)
    position = draw(f"2E@{one} 2@{other} 3@{third}", f"1@{target} +E")
    attack = gist(position, f"{one}>{target}")
    assert gist(position, f"{other}>{target}") == gist(position, f"{third}>{target}") == attack
    assert attack[1] == ">x1"
    assert gist(position, f"{one}>{other}")[1] == ">=4"


def test_what_is_gained_tells_moves_to_a_space_apart() -> None:
    target, (one,) = neighbours(STANDARD, 1)
    found = {
        gist(draw(f"{own}E@{one}{mine}", f"1@{FAR}{theirs}"), f"{one}>{target}")
        for own, mine, theirs in (
            (1, "", " +E"),
            (1, f" 1@{target}", " +E"),
            (2, "", f" 1@{target} +E"),
            (2, "", f" 1E@{target}"),
            (1, "", f" 4@{target} +E"),
        )
    }
    assert len(found) == 5
    assert {wide for _, wide in found} == {">", ">=2", ">x1", ">x1E", ">k"}
    assert len({narrow.strip(">=xkE")[:2].rstrip("=xk") for narrow, _ in found}) == 1, "all to one space"


def test_deals_of_a_board_share_their_moments_and_boards_of_a_kind_the_wide_ones() -> None:
    one, other = deal(WELL, 0, Chance(1)), deal(WELL, 1, Chance(2))
    assert one != other
    assert moments(one) == moments(other)
    elsewhere = moments(deal(STANDARD, 0, Chance(1)))
    assert elsewhere[0] != moments(one)[0]
    assert elsewhere[1] == moments(one)[1]
    names = {board_of(Layout(each.players, each.tiles)).name for each in named_layouts()}
    assert len(names) == len(named_layouts())


def test_order_of_tiles_does_not_make_another_board() -> None:
    assert board_of(Layout(2, list(WELL.tiles)[::-1])) == board_of(WELL)


def test_an_opening_has_four_turns_of_each_player() -> None:
    start = deal(WELL, 1, Chance(3))
    decisions = played(start, 4)
    found = entries(start, decisions)
    assert found == sorted(set(found))
    turns = {int(moment.partition("/")[2].lstrip("actbk")) for moment, _ in found if "/act" in moment}
    assert turns == set(range(1, 2 * ROUNDS + 1))
    assert {moment.partition("/")[2] for moment, _ in found if "swap" in moment} == {"swap1", "swap2"}
    position = start
    for decision in decisions:
        assert bool(moments(position)) == (
            position.turn_number <= 2 * ROUNDS and position.phase != Phase.RANSOM
        )
        position = position.play(decision.seat, decision.action)
    assert moments(position) == ()


def test_both_actions_of_a_turn_are_one_moment() -> None:
    players = f"1E@{neighbours(STANDARD, 1)[0]}", f"1E@{FAR}"
    assert moments(draw(*players, phase="second", marched=True)) == moments(draw(*players))


def test_a_draft_counts_discs_and_has_no_wide_moment() -> None:
    position = draft(WELL, 0)
    found = []
    for decision in played(position, 1, 9):
        found.append(moments(position))
        position = position.play(decision.seat, decision.action)
    assert [len(one) for one in found] == [1] * (2 * ROUNDS) + [0]
    assert [one[0].partition("/")[2] for one in found[:2]] == ["place1", "place2"]


def test_places_follow_the_order_of_turns() -> None:
    position = deal(WELL, 1, Chance(3))
    assert [place(position, seat) for seat in (0, 1)] == [1, 0]
    for decision in played(position, 5, 12):
        position = position.play(decision.seat, decision.action)
    assert position.turn_number > 1
    assert [place(position, seat) for seat in (0, 1)] == [1, 0]


def test_a_game_that_begins_later_has_no_opening() -> None:
    start = deal(WELL, 0, Chance(3))
    decisions = played(start, 4, 8)
    later = start
    for decision in decisions[:4]:
        later = later.play(decision.seat, decision.action)
    assert later.turn_number > 0
    assert entries(later, decisions[4:]) == []


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
