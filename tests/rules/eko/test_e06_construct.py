"""E6: construct."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ekoes.games.eko.position.action import Build
from tests.rules.eko.board import (
    allowed,
    at,
    build,
    draw,
    move,
    of_type,
    phase,
    play,
    refused,
    reinforce,
    reserve,
)

if TYPE_CHECKING:
    from ekoes.games.eko.position.position import EkoPosition


def buildings(position: EkoPosition, start: str) -> set[str]:
    """What one stack may build: `0,3 camp`, and ` E` if the Emperor is spent."""
    return {
        f"{action.site} {action.kind}{' E' * action.emperor}"
        for action in of_type(position, "build")
        if isinstance(action, Build) and str(action.source) == start
    }


# --- the examples of the rulebook: 0,2 lies next to two regs, a canyon and a mountain -------


def test_e6_2_first_example_only_camps_on_empty_spaces() -> None:
    position = draw("3@0,2 1E@-4,2", "1E@-1,-1")
    assert buildings(position, "0,2") == {"0,1 camp", "-1,2 camp", "1,1 camp", "0,3 camp"}
    refused(position, build("0,2", "1,1", "tower"), "E6.2", "kind-order")
    refused(position, build("0,2", "0,3", "castle"), "E6.2", "kind-order")


def test_e6_2_second_example_upgrade_by_one() -> None:
    position = draw("3@0,2 1E@-4,2 camp@0,1 camp@-1,2 camp@1,1 camp@0,3", "1E@-1,-1")
    assert buildings(position, "0,2") == {"1,1 tower", "0,3 tower"}
    refused(position, build("0,2", "0,1", "tower"), "E6.2", "terrain-too-weak")
    refused(position, build("0,2", "0,3", "castle"), "E6.2", "kind-order")
    refused(position, build("0,2", "0,3", "camp"), "E6.2", "kind-order")
    after = allowed(position, build("0,2", "1,1", "tower"))
    assert (at(after, "1,1"), at(after, "0,2"), reserve(after, 0)) == ("0:tower", "0:1", "2")


def test_e6_2_third_example_replace_an_enemy_building() -> None:
    """A brown camp on the reg (C), a blue one on the mountain (D); both cost one disc more."""
    position = draw("3@0,2 1E@-4,2", "1E@-1,-1 camp@0,1", "1E@3,-3 camp@0,3", "1E@0,-3")
    assert {"0,1 camp", "0,3 camp", "0,3 tower"} <= buildings(position, "0,2")
    refused(position, build("0,2", "0,1", "tower"), "E6.2", "terrain-too-weak")
    refused(position, build("0,2", "0,3", "castle"), "E6.2", "kind-order")
    camp = allowed(position, build("0,2", "0,1", "camp"))
    assert (at(camp, "0,1"), at(camp, "0,2"), reserve(camp, 0)) == ("0:camp", "0:1", "2")
    tower = allowed(position, build("0,2", "0,3", "tower"))
    assert (at(tower, "0,3"), at(tower, "0,2"), reserve(tower, 0)) == ("0:tower", "", "3")


def test_e6_3_third_example_castle_and_the_tower_that_costs_too_much() -> None:
    """3,-3 lies next to two mountains: an own tower (E), a white one (F); B is another own stack."""
    position = draw("3@3,-3 1@4,-3 1E@-4,2 tower@2,-3", "1E@-1,-1 tower@3,-2")
    assert buildings(position, "3,-3") == {"2,-3 castle", "3,-2 tower"}
    castle = allowed(position, build("3,-3", "2,-3", "castle"))
    assert (at(castle, "2,-3"), at(castle, "3,-3"), at(castle, "4,-3")) == ("0:castle", "", "0:1")
    refused(position, build("3,-3", "3,-2", "castle"), "E6.3", "too-few-discs")
    four = draw("4@3,-3 1E@-4,2", "1E@-1,-1 tower@3,-2")
    assert at(allowed(four, build("3,-3", "3,-2", "castle")), "3,-2") == "0:castle"


def test_e6_3_discs_come_from_one_stack() -> None:
    position = draw("2@3,-3 1@4,-3 1E@-4,2 tower@2,-3", "1E@-1,-1")
    refused(position, build("3,-3", "2,-3", "castle"), "E6.3", "too-few-discs")


def test_e6_1_only_adjacent_spaces() -> None:
    position = draw("4E@0,2", "1E@-1,-1")
    refused(position, build("0,2", "0,0", "camp"), "E6.1", "not-adjacent")
    refused(position, build("0,2", "-2,2", "camp"), "E6.1", "not-adjacent")


def test_e6_1_one_own_stack_builds() -> None:
    position = draw("4E@0,2", "1E@1,2")
    refused(position, build("1,2", "0,3", "camp"), "E6.1", "not-your-stack")
    assert buildings(position, "1,2") == set()


def test_e6_1_construction_spaces_alone() -> None:
    position = draw("4E@-3,2 1@1,0", "1E@1,2")
    refused(position, build("-3,2", "-3,3", "camp"), "E1.5", "not-a-site")
    refused(position, build("-3,2", "-4,3", "camp"), "E1.5", "not-a-site")


def test_e6_1_one_building_per_space() -> None:
    after = allowed(draw("3E@0,2", "1E@-1,-1 camp@0,3"), build("0,2", "0,3", "camp"))
    assert after.buildings() == {
        space: value for space, value in after.buildings().items() if value == (0, 1)
    }
    assert len(after.buildings()) == 1


def test_e6_3_a_stack_may_be_used_up() -> None:
    after = allowed(draw("1@0,2 1E@-4,2", "1E@-1,-1"), build("0,2", "0,3", "camp"))
    assert (at(after, "0,2"), reserve(after, 0)) == ("", "1")


def test_e6_4_the_emperor_may_be_spent_or_kept() -> None:
    position = draw("3E@0,2", "1E@-1,-1")
    stored = allowed(position, build("0,2", "0,3", "camp"))
    assert (at(stored, "0,2"), reserve(stored, 0)) == ("0:2E", "1")
    spent = allowed(position, build("0,2", "0,3", "camp", emperor=True))
    assert (at(spent, "0,2"), reserve(spent, 0)) == ("0:2", "0E")


def test_e6_4_the_emperor_must_be_spent_with_the_whole_stack() -> None:
    position = draw("2E@0,2 camp@0,3", "1E@-1,-1")
    refused(position, build("0,2", "0,3", "tower"), "E6.4", "emperor-must-be-spent")
    spent = allowed(position, build("0,2", "0,3", "tower", emperor=True))
    assert (at(spent, "0,2"), reserve(spent, 0)) == ("", "1E")


def test_e6_4_only_an_emperor_of_this_stack() -> None:
    position = draw("2@0,2 1E@1,2", "1E@-1,-1")
    refused(position, build("0,2", "0,3", "camp", emperor=True), "E6.4", "no-emperor-in-stack")


def test_e6_5_the_building_must_be_in_supply() -> None:
    camps = "camp@0,1 camp@-1,2 camp@1,1 camp@0,0 camp@3,1"
    position = draw(f"3E@0,2 {camps}", "1E@-1,-1")
    refused(position, build("0,2", "0,3", "camp"), "E6.5", "no-supply")
    allowed(position, build("0,2", "1,1", "tower"))
    towers = draw("4E@0,2 tower@0,0 tower@-2,2 tower@3,-2 camp@1,1", "1E@-1,-1")
    refused(towers, build("0,2", "1,1", "tower"), "E6.5", "no-supply")
    castle = draw("4E@0,2 tower@0,3 castle@2,-3", "1E@-1,-1")
    refused(castle, build("0,2", "0,3", "castle"), "E6.5", "no-supply")


def test_e6_5_a_replaced_building_returns_to_its_owner() -> None:
    """Player 1's five camps stand; once one is replaced, the next can be built."""
    position = draw("2@0,2 1E@4,-3", "3E@-3,2 camp@0,3 camp@0,1 camp@-2,2 camp@0,0 camp@3,1")
    passed = play(position, move("4,-3", "3,-3"))
    refused(passed, build("-3,2", "-3,1", "camp"), "E6.5", "no-supply")
    replaced = play(position, build("0,2", "0,3", "camp"))
    assert phase(replaced) == "0 after"
    following = play(replaced, reinforce("4,-3", 1))
    allowed(following, build("-3,2", "-3,1", "camp"))


@pytest.mark.parametrize("kind", ["camp", "tower"])
@pytest.mark.parametrize("owner", [1, 2, 3])
def test_e6_2_a_building_of_any_enemy_is_replaced(owner: int, kind: str) -> None:
    """On both sides of the board: 2,-3 lies next to 3,-3 in the north, 0,3 next to 0,2 in the south."""
    players = ["4@3,-3 4@0,2 1E@-4,2", "1E@-1,-1", "1E@5,-2", "1E@0,5"]
    players[owner] += f" {kind}@2,-3 {kind}@0,3"
    position = draw(*players)
    higher = {"camp": "tower", "tower": "castle"}[kind]
    for start, site in (("3,-3", "2,-3"), ("0,2", "0,3")):
        assert {what for what in buildings(position, start) if site in what} == {
            f"{site} {kind}",
            f"{site} {higher}",
        }
        after = allowed(position, build(start, site, kind))
        assert at(after, site) == f"0:{kind}"
        assert reserve(after, 0) == {"camp": "2", "tower": "3"}[kind]
