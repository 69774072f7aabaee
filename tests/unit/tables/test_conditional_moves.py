"""Conditional moves: which variations are played, suspended and shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import RefusedError
from ekoes.games.eko.game import EKO
from ekoes.tables.create import new_table
from ekoes.tables.orders import (
    Act,
    EditConditionalMoves,
    EndTurn,
    HandOver,
    PlayConditionalMove,
    Resign,
    SeatDecision,
    SuspendConditionalMoves,
)
from ekoes.tables.settings import ClockPlan, Seat
from ekoes.tables.submit import submit
from ekoes.tables.turns import TurnTable
from tests.kit.tables import NOW, act, refusal

Json = dict[str, Any]
KEEP: Json = {"type": "swap"}


def fresh(players: int = 2, **clock: Any) -> Any:
    """A table of days whose first turns have come."""
    seats = tuple(Seat("here", f"P{seat}", seat, session=f"p{seat}") for seat in range(players))
    plan = ClockPlan.model_validate(clock or {"days": 3, "up": "lose"})
    table: Any = new_table("eko", {"players": players}, 7, seats, clock=plan)
    for _ in range(players):
        table = act(table, KEEP)
    return table


def legal(table: Any, kind: str, skip: int = 0) -> Json:
    """One of the actions of some kind that the seat in turn may take."""
    actions = (EKO.action_to_json(one) for one in table.position.legal(table.asked[0]))
    found = [action for action in actions if action["type"] == kind]
    return found[skip]


def turn(table: TurnTable, build: int) -> list[tuple[int, Json]]:
    """The decisions of a turn that builds, and brings back no more than it has to."""
    first = legal(table, "build", build)
    then = act(table, first)
    more = rest(then) if then.turn == table.turn else []
    return [(table.asked[0], first), *more]


def rest(table: TurnTable) -> list[tuple[int, Json]]:
    """The fewest decisions that end the turn."""
    then, done, seat = table, [], table.asked[0]
    while then.turn == table.turn:
        ends = then.position.why_not(seat, EKO.parse_action({"type": "end"})) is None
        done.append({"type": "end"} if ends else legal(then, "reinforce"))
        then = act(then, done[-1])
    return [(seat, action) for action in done]


def played(table: Any, decisions: list[tuple[int, Json]]) -> Any:
    for _, action in decisions:
        table = act(table, action)
    return table


def prepare(table: Any, seat: int, *lines: list[tuple[int, Json]]) -> Any:
    """Add variations for a seat."""
    for line in lines:
        way = [SeatDecision(seat=who, action=action) for who, action in line]
        order = EditConditionalMoves(key="f", version=table.version, seat=seat, add=way)
        table = submit(table, order, f"p{seat}", NOW)
    return table


def drop(table: Any, seat: int, number: int) -> Any:
    order = EditConditionalMoves(key="f", version=table.version, seat=seat, drop=number)
    return submit(table, order, f"p{seat}", NOW)


def settled(table: Any, at: datetime = NOW) -> Any:
    """Take what the program itself has to order."""
    while (found := table.automatic_order(at, Chance(0))) is not None:
        table = submit(table, found[0], None, found[1])
    return table


def moves_of(table: TurnTable, seat: int) -> list[list[tuple[int, Json]]]:
    lines = table.conditional_moves_of(seat)
    return [] if lines is None else [[(step.seat, step.action) for step in way] for way in lines.variations]


@pytest.fixture
def asked() -> Any:
    """Player 0 is to decide, player 1 prepares moves."""
    table = fresh()
    assert table.asked == (0,)
    return table


def test_conditional_moves_are_played_when_their_position_is_reached(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    mine = turn(played(asked, theirs), 3)
    table = prepare(asked, 1, [*theirs, *mine])
    assert table.automatic_order(NOW, Chance(0)) is None
    table = settled(played(table, theirs))
    assert [(entry.seat, entry.written) for entry in table.log[-len(mine) :]] == mine
    assert (table.asked, table.conditional_moves) == ((0,), ())
    assert table.undo_seat is None


def test_variation_continues_over_several_turns(asked: TurnTable) -> None:
    way: list[tuple[int, Json]] = []
    for number in range(4):
        way += turn(played(asked, way), number)
    table = prepare(asked, 1, way)
    first = [step for step in way if step[0] == 0][: len(turn(asked, 0))]
    table = settled(played(table, first))
    third = turn(table, 2)
    assert moves_of(table, 1)[0][: len(third)] == third
    assert settled(played(table, third)).length == 2 + len(way)


def test_matching_variation_is_played_and_the_others_are_deleted(asked: TurnTable) -> None:
    branches = []
    for number in range(3):
        theirs = turn(asked, number)
        branches.append([*theirs, *turn(played(asked, theirs), 5 - number)])
    table = prepare(asked, 1, *branches)
    table = settled(played(table, [step for step in branches[1] if step[0] == 0]))
    mine = [action for seat, action in branches[1] if seat == 1]
    assert [entry.written for entry in table.log[-len(mine) :]] == mine
    assert table.conditional_moves == ()


def test_variations_match_by_the_resulting_position(asked: TurnTable) -> None:
    """Two buildings with a forced march between them, in either order, lead to one position."""
    table = asked
    for _ in range(12):
        table = played(table, turn(table, 0))
    one, other = (legal(table, "build", skip) for skip in (0, 1))
    ways = []
    for first, second in ((one, other), (other, one)):
        way = [(0, action) for action in (first, {"type": "march"}, second)]
        ways.append([*way, *rest(played(table, way))])
    thought, done = ways
    after = played(table, thought)
    assert after.position == played(table, done).position
    mine = turn(after, 4)
    table = settled(played(prepare(table, 1, [*thought, *mine]), done))
    assert [entry.written for entry in table.log[-len(mine) :]] == [action for _, action in mine]


def test_conditional_moves_wait_for_a_held_turn(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    table = prepare(asked, 1, [*theirs, *turn(played(asked, theirs), 3)])
    for number, (_, action) in enumerate(theirs, 1):
        table = act(table, action, hold=number == len(theirs))
    assert table.held == 0
    assert table.automatic_order(NOW, Chance(0)) is None
    table = submit(table, EndTurn(key="e", version=table.version, seat=0), "p0", NOW)
    assert isinstance(table.automatic_order(NOW, Chance(0)), tuple)
    assert settled(table).asked == (0,)


def test_variations_are_suspended_when_none_matches(
    asked: TurnTable,
) -> None:
    theirs = turn(asked, 0)
    way = [*theirs, *turn(played(asked, theirs), 3)]
    table = settled(played(prepare(asked, 1, way), turn(asked, 1)))
    assert table.asked == (1,)
    shown = table.own_state({1})["conditional_moves"]["1"]
    assert (shown["suspended"], len(shown["variations"])) == ("other", 1)
    assert settled(table) is table
    assert act(table, legal(table, "build", 6)).conditional_moves == ()


def test_variations_refused_by_the_rules_are_suspended(asked: TurnTable) -> None:
    """Another release of the rules may refuse what this one has allowed."""
    theirs = turn(asked, 0)
    table = prepare(asked, 1, [*theirs, *turn(played(asked, theirs), 3)])
    (lines,) = table.conditional_moves
    (way,) = lines.variations
    wrong = {"type": "end"}
    bent = tuple(replace(step, action=wrong) if step.seat == 1 else step for step in way)
    table = replace(table, conditional_moves=(replace(lines, variations=(bent,)),))
    table = settled(played(table, theirs))
    assert (table.asked, table.conditional_moves[0].suspended) == ((1,), "refused")


def test_conditional_moves_are_invisible_to_others(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    table = prepare(asked, 1, [*theirs, *turn(played(asked, theirs), 3)])
    assert table.version == asked.version
    assert table.shared_state(NOW) == asked.shared_state(NOW)
    assert table.own_state({0}) == asked.own_state({0})
    other = turn(asked, 1)
    assert settled(played(table, other)).version == settled(played(asked, other)).version


def test_conditional_moves_are_stored_with_the_table(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    table = prepare(asked, 1, [*theirs, *turn(played(asked, theirs), 3)])
    for one in (table, settled(played(table, turn(asked, 1)))):
        stored = one.to_state()
        assert TurnTable.from_state(stored).to_state() == stored
        assert TurnTable.from_state(stored).conditional_moves == one.conditional_moves
    assert "conditional_moves" not in asked.to_state()


def test_conditional_moves_are_validated_when_added(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    mine = turn(played(asked, theirs), 3)
    for way, code in (
        (theirs, "table/conditional-moves"),
        ([*theirs, (0, mine[0][1])], "table/conditional-moves"),
        ([(1, mine[0][1])], "table/conditional-moves"),
    ):
        assert refusal(prepare, asked, 1, way) == code
    with pytest.raises(RefusedError):
        prepare(asked, 1, [*theirs, (1, theirs[0][1])])
    other = [*theirs, *turn(played(asked, theirs), 4)]
    assert refusal(prepare, asked, 1, [*theirs, *mine], other) == "table/variations-differ"


def test_conditional_moves_are_for_correspondence_tables_out_of_turn(asked: TurnTable) -> None:
    assert refusal(prepare, asked, 0, turn(asked, 0)) == "table/conditional-moves"
    live = fresh(base=300, increment=10)
    assert refusal(prepare, live, 1, turn(live, 0)) == "table/conditional-moves"
    now, before = (EditConditionalMoves(key="f", version=asked.version - n, seat=1, drop=0) for n in (0, 1))
    assert refusal(submit, asked, before, "p1", NOW) == "table/stale"
    assert refusal(submit, asked, now, "p0", NOW) == "table/not-your-seat"


def test_variations_are_added_and_deleted_one_by_one(asked: TurnTable) -> None:
    ways = []
    for number in range(3):
        theirs = turn(asked, number)
        ways.append([*theirs, *turn(played(asked, theirs), 3)])
    table = prepare(asked, 1, *ways, ways[1])
    assert moves_of(table, 1) == ways
    assert moves_of(drop(table, 1, 1), 1) == [ways[0], ways[2]]
    assert drop(table, 1, 7) is table
    assert drop(prepare(asked, 1, ways[0]), 1, 0).conditional_moves == ()


def test_variation_added_mid_turn_keeps_earlier_ones(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    mine = turn(played(asked, theirs), 3)
    begun = act(prepare(asked, 1, [*theirs, *mine]), theirs[0][1])
    other = legal(begun, "reinforce", 1)
    after = act(begun, other)
    table = prepare(begun, 1, [(0, other), *turn(after, 5)])
    assert len(moves_of(table, 1)) == 2
    followed = settled(played(table, theirs[1:]))
    assert [entry.written for entry in followed.log[-len(mine) :]] == [action for _, action in mine]


def test_conditional_moves_are_played_by_the_server_alone(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    mine = turn(played(asked, theirs), 3)
    table = played(prepare(asked, 1, [*theirs, *mine]), theirs)
    follow, other = (
        PlayConditionalMove(key="l", seat=1, action=one) for one in (mine[0][1], legal(table, "build", 5))
    )
    assert refusal(submit, table, follow, "p1", NOW) == "table/not-your-seat"
    assert refusal(submit, table, other, None, NOW) == "table/not-now"
    assert submit(asked, SuspendConditionalMoves(key="a", seat=1, why="other"), None, NOW) is asked


def test_resigning_deletes_variations_and_changing_device_keeps_them() -> None:
    table = fresh(3)
    theirs = turn(table, 0)
    after = played(table, theirs)
    (seat,) = after.asked
    table = prepare(table, seat, [*theirs, *turn(after, 3)])
    resigned = submit(table, Resign(key="r", version=table.version, seat=seat), f"p{seat}", NOW)
    assert (resigned.seats[seat].kind, resigned.conditional_moves) == ("bot", ())
    handed = submit(table, HandOver(key="h", seat=seat, user="other"), None, NOW)
    assert handed.conditional_moves == table.conditional_moves


def test_conditional_moves_take_no_time(asked: TurnTable) -> None:
    theirs = turn(asked, 0)
    table = prepare(asked, 1, [*theirs, *turn(played(asked, theirs), 3)])
    later = NOW + timedelta(days=2)
    for _, action in theirs:
        order = Act(key="k", version=table.version, seat=0, action=action)
        table = submit(table, order, "p0", later)
    table = settled(table, later)
    assert table.clocks is not None
    assert (table.clocks.running, table.clocks.left_at(later)) == ({0}, (3 * 86_400_000,) * 2)
