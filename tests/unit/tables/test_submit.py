from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ekoes.errors import IllegalActionError, NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Outcome, RefusedError
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.rules.record import Phase
from ekoes.records import read_record
from ekoes.tables.create import new_table
from ekoes.tables.orders import Act, Draw, EndTurn, Order, Pace, Pause, Rename, Resign, Sit, Stand, Undo
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from ekoes.tables.turns import TurnTable
from tests.kit import tables
from tests.kit.tables import NOW, act, next_move, refusal
from tests.unit.tables.racing import SECRET


def people(players: int) -> tuple[Seat, ...]:
    return tuple(Seat("here", f"P{seat}", seat, session="all") for seat in range(players))


def fresh(players: int = 2, **options: Any) -> TurnTable:
    turn_limit = options.pop("turn_limit", None)
    return table_of(people(players), turn_limit, **options)


def table_of(seats: tuple[Seat, ...], turn_limit: int | None = None, **options: Any) -> TurnTable:
    table = new_table("eko", {"players": len(seats), **options}, 1, seats, turn_limit=turn_limit)
    assert isinstance(table, TurnTable)
    return table


def give(
    table: TurnTable, order: Callable[..., Order], *, session: str | None = "all", **content: Any
) -> TurnTable:
    """Give an order for the table's version."""
    if order in {Act, Undo, EndTurn, Resign, Draw}:
        content["version"] = table.version
    return submit(table, order(key="k", **content), session, NOW)


def by_chance(table: TurnTable, chance: Chance, *, hold: bool = False) -> TurnTable:
    (seat,) = table.asked
    action = chance.choice(table.position.legal(seat))
    return act(table, EKO.action_to_json(action), hold=hold)


def refused(table: TurnTable, order: Callable[..., Order], **content: Any) -> str:
    return refusal(give, table, order, **content)


def test_order_leaves_the_old_table_as_it_was() -> None:
    table = fresh()
    before = replace(table)
    after = by_chance(table, Chance(1))
    assert table == before
    assert (after.version, len(after.log)) == (1, 1)
    assert after.position != before.position


@pytest.mark.parametrize("players", [2, 3, 4])
def test_undo_is_the_inverse_of_every_decision_of_the_own_turn(players: int) -> None:
    """A long game; before each decision another one is tried out, held, and taken back."""
    table, chance = (
        fresh(players, variants=["moon", "sandtemple", "wind", "labyrinth"], turn_limit=25),
        Chance(3),
    )
    undone = 0
    while table.outcome is None:
        (seat,) = table.asked
        tried = by_chance(table, chance, hold=True)
        if tried.undo_seat == seat:
            back = give(tried, Undo, seat=seat)
            undone += 1
            assert (back.position, back.log, back.held) == (table.position, table.log, None)
            assert (back.begun, back.undoable, back.offers) == (table.begun, table.undoable, table.offers)
            assert back.version == table.version + 2
        else:
            assert tried.outcome is not None or table.turn.player != seat
        table = by_chance(table, chance)
    assert undone > 40
    assert table.outcome.reason == "turn-limit"


def test_turn_that_has_passed_is_not_taken_back() -> None:
    table = act(fresh(), {"type": "swap"})
    for seat in (0, 1):
        assert refused(table, Undo, seat=seat) == "table/nothing-to-undo"


def test_turn_held_and_ended_is_the_turn_passed_at_once() -> None:
    table, chance = fresh(3, turn_limit=12), Chance(8)
    while table.outcome is None:
        (seat,) = table.asked
        action = EKO.action_to_json(chance.choice(table.position.legal(seat)))
        held, at_once = act(table, action, hold=True), act(table, action)
        if held.held is not None:
            assert held.asked == ()
            held = give(held, EndTurn, seat=seat)
        assert (held.position, held.outcome, held.asked) == (at_once.position, at_once.outcome, at_once.asked)
        table = at_once


def ransom_table() -> TurnTable:
    """Seat 0 is about to capture the Emperor of seat 1, who holds those of seats 2 and 3."""
    table = fresh(4)
    value = table.position.to_json()
    sand = list(value["stacks"])
    index = {str(space): n for n, space in enumerate(eko(table).layout.spaces)}
    near = eko(table).layout.neighbours
    source = sand[0]
    target = next(space for space in sand if index[space] in near[index[source]])
    others = [space for space in sand if space not in {source, target}]
    stacks = {
        source: {"owner": 0, "height": 4, "emperor": True},
        target: {"owner": 1, "height": 1, "emperor": True},
        others[3]: {"owner": 0, "height": 1, "emperor": False},
        others[0]: {"owner": 1, "height": 2, "emperor": False},
        others[1]: {"owner": 2, "height": 2, "emperor": False},
        others[2]: {"owner": 3, "height": 2, "emperor": False},
    }
    value |= {
        "stacks": {space: stacks[space] for space in sorted(stacks, key=index.__getitem__)},
        "reserve": [{"discs": 2, "emperor": False}, *value["reserve"][1:]],
        "removed": [9, 13, 13, 13],
        "captives": [[], [2, 3], [], []],
        "turn": {"number": 7, "player": 0, "phase": "action"},
    }
    position = EKO.from_json(value)
    table = replace(table, position=position, begun=())
    return act(table, {"type": "move", "from": source, "to": target}, hold=True)


def eko(table: TurnTable) -> EkoPosition:
    position = table.position
    assert isinstance(position, EkoPosition)
    return position


def test_attack_may_be_undone_until_the_ransom_is_chosen() -> None:
    table = ransom_table()
    assert (table.asked, table.held) == ((1,), None)
    assert eko(table).plain.phase == Phase.RANSOM
    assert table.undo_seat == 0
    assert give(table, Undo, seat=0).log == ()


def test_a_placement_of_the_draft_can_be_taken_back_until_the_next_player_places() -> None:
    table = fresh(3, setup="draft")
    first = by_chance(table, Chance(1), hold=True)
    (was,), (asked,) = table.asked, first.asked
    assert first.undo_seat == was
    assert (eko(first).plain.phase, first.own_state(range(3))["undo"]) == (Phase.PLACE, [was])
    assert give(first, Undo, seat=was).position == table.position
    second = by_chance(first, Chance(2))
    assert second.undo_seat == asked
    assert refused(second, Undo, seat=was) == "table/nothing-to-undo"
    back = give(second, Undo, seat=asked)
    assert (back.position, back.log) == (first.position, first.log)


def test_undo_never_takes_back_a_decision_of_another_player() -> None:
    table = act(ransom_table(), {"type": "ransom", "captive": 2})
    assert [entry.seat for entry in table.log] == [0, 1]
    assert table.asked == (0,), "the turn goes on"
    assert table.undo_seat is None
    for seat in (0, 1):
        assert refused(table, Undo, seat=seat) == "table/nothing-to-undo"


def test_turn_limit_ends_the_game_as_the_next_turn_would_begin() -> None:
    table, chance = fresh(turn_limit=4), Chance(2)
    while table.outcome is None:
        assert table.turn.number <= 4
        table = by_chance(table, chance)
    assert (table.outcome.winners, table.outcome.reason, table.outcome.rule) == ((), "turn-limit", "E11.5")
    assert table.turn.number == 5


def test_bots_alone_have_the_turn_limit_of_simulations() -> None:
    table = fresh(3)
    assert table.last_turn is None
    for seat in range(3):
        table = table.with_bot(seat)
    assert (table.people, table.last_turn, table.outcome) == (frozenset(), 400, None)
    assert [seat.bot for seat in table.seats] == ["greedy"] * 3


def test_the_record_of_a_game_that_people_left_behind_that_limit_reads_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(EKO), "table_ends", replace(EKO.table_ends, longest=2))
    table, chance = fresh(3), Chance(2)
    while table.turn.number < 5:
        table = by_chance(table, chance)
    for seat in range(3):
        table = table.with_bot(seat)
    while table.outcome is None:
        (seat,) = table.asked
        action = EKO.action_to_json(chance.choice(table.position.legal(seat)))
        table = give(table, Act, seat=seat, action=action, session=None)
    assert (table.outcome.reason, table.turn.number) == ("turn-limit", 6)
    record = read_record(tables.record(table))
    assert (record.outcome, record.turn_limit) == (table.outcome, 5)


def test_resigning_gives_a_game_of_two_to_the_other() -> None:
    table = give(fresh(), Resign, seat=1)
    assert table.outcome == Outcome((0,), "resignation", "E11.5")
    assert refused(table, Resign, seat=0) == "table/game-over"


def test_resigning_in_a_held_turn_ends_it() -> None:
    table = act(act(act(fresh(3), {"type": "swap"}), {"type": "swap"}), {"type": "swap"}, hold=True)
    seat = table.held
    assert seat is not None
    after = give(table, Resign, seat=seat)
    assert (after.held, len(after.asked)) == (None, 1)


def test_draw_offers() -> None:
    table = fresh(3)
    first = table.asked[0]
    one = give(table, Draw, seat=first, offer=True)
    assert give(one, Draw, seat=first, offer=False).offers == frozenset()
    two = give(one, Draw, seat=(first + 1) % 3, offer=True)
    assert len(two.offers) == 2
    assert give(two, Draw, seat=(first + 2) % 3, offer=False).offers == frozenset()
    drawn = give(two, Draw, seat=(first + 2) % 3, offer=True)
    assert (drawn.outcome, drawn.asked) == (Outcome((), "agreement", "E11.5"), ())
    left = give(two, Resign, seat=(first + 2) % 3)
    assert left.outcome is not None
    assert left.outcome.reason == "agreement"


def test_bot_is_not_asked_for_a_draw() -> None:
    table = table_of((*people(2), Seat("bot", "", 2, bot="greedy")))
    one = give(table, Draw, seat=0, offer=True)
    assert (one.shared_state(NOW)["draw_offers"], one.outcome) == ([0], None)
    assert give(one, Draw, seat=1, offer=True).outcome == Outcome((), "agreement", "E11.5")


def test_player_offers_one_draw_in_a_turn() -> None:
    table = fresh()
    first = table.asked[0]
    table = give(table, Draw, seat=first, offer=True)
    assert give(table, Draw, seat=first, offer=True) is table
    table = give(table, Draw, seat=first, offer=False)
    assert refused(table, Draw, seat=first, offer=True) == "table/draw-offered"
    assert table.shared_state(NOW)["draw_spent"] == [first]
    theirs = give(table, Draw, seat=1 - first, offer=True)
    assert give(theirs, Draw, seat=first, offer=True).outcome is not None
    declined = give(theirs, Draw, seat=first, offer=False)
    assert refused(declined, Draw, seat=1 - first, offer=True) == "table/draw-offered"
    assert give(act(table, {"type": "swap"}), Draw, seat=first, offer=True).offers == {first}


def test_offer_lapses_as_the_own_turn_begins() -> None:
    table = fresh(3)
    first = table.asked[0]
    table = give(table, Draw, seat=first, offer=True)
    for _ in range(2):
        table = act(table, {"type": "swap"})
        assert table.offers == {first}
    assert act(table, {"type": "swap"}).offers == frozenset()


def test_draw_offer_ends_when_its_player_stands_up() -> None:
    seats = (Seat("here", "", 0, session="all"), Seat("open", "", 1))
    table = give(table_of(seats), Sit, seat=1, session="grace")
    offered = give(table, Draw, seat=1, offer=True, session="grace")
    left = give(offered, Stand, seat=1, session="grace")
    assert left.offers == frozenset()
    assert give(give(left, Sit, seat=1, session="hal"), Draw, seat=0, offer=True).outcome is None


def test_nothing_is_done_at_a_table_that_waits_for_people() -> None:
    table = replace(fresh(), seats=(people(1)[0], Seat("open", "", 1)))
    assert table.asked == ()
    seat = table.position.actors()[0]
    table = replace(table, seats=(table.seats[1 - seat], table.seats[seat])) if seat else table
    assert refused(table, Resign, seat=seat) == "table/not-started"
    sat = give(table, Sit, seat=1 - seat, name="Grace", session="grace")
    assert (sat.seats[1 - seat].name, sat.asked, sat.version) == ("Grace", (seat,), 0)
    assert refused(sat, Sit, seat=1 - seat) == "table/seat-taken"
    assert refused(sat, Stand, seat=seat) == "table/not-your-seat"
    stood = give(sat, Stand, seat=1 - seat, session="grace")
    assert stood.asked == ()


@pytest.mark.parametrize("seat", [0, 1, 2, 7])
@pytest.mark.parametrize("order", [Undo, EndTurn, Resign])
def test_stranger_has_no_seat(order: Callable[..., Order], seat: int) -> None:
    assert refused(fresh(), order, seat=seat, session="stranger") == "table/not-your-seat"


def test_stranger_changes_neither_name_nor_pace() -> None:
    assert refused(fresh(), Rename, seat=0, name="X", session="stranger") == "table/not-your-seat"
    assert refused(fresh(), Pace, milliseconds=0, session="stranger") == "table/not-your-seat"


def test_person_does_not_play_for_a_bot_nor_a_bot_for_a_person() -> None:
    table = table_of((people(1)[0], Seat("bot", "", 1, bot="random")))
    table = table if table.asked == (0,) else act_as_bot(table)
    assert refused(table, Act, seat=1, action={"type": "swap"}) == "table/not-your-seat"
    assert refused(table, Act, seat=0, action={"type": "swap"}, session=None) == "table/not-your-seat"
    assert refused(table, Resign, seat=1) == "table/not-your-seat"


@pytest.mark.parametrize(
    ("seat", "code"), [(0, "table/seat-taken"), (1, "table/seat-taken"), (2, "table/not-your-seat")]
)
def test_only_a_free_seat_is_taken(seat: int, code: str) -> None:
    table = table_of((people(1)[0], Seat("bot", "", 1, bot="random")))
    assert refused(table, Sit, seat=seat, session="grace") == code


def act_as_bot(table: TurnTable) -> TurnTable:
    assert table.asked_bot == 1
    return give(table, Act, seat=1, action={"type": "swap"}, session=None)


def test_illegal_action_brings_the_refusal() -> None:
    table = fresh()
    (seat,) = table.asked
    with pytest.raises(RefusedError) as error:
        give(table, Act, seat=seat, action={"type": "march"})
    assert isinstance(error.value, IllegalActionError)
    assert (error.value.code, error.value.refusal.code) == ("action/illegal", "wrong-phase")
    assert error.value.rule == error.value.refusal.rule
    with pytest.raises(RefusedError) as error:
        give(table, Act, seat=1 - seat, action={"type": "swap"})
    assert error.value.refusal.code == "not-your-turn"
    with pytest.raises(NotationError):
        give(table, Act, seat=seat, action={"type": "fly"})


def test_views_hide_sessions() -> None:
    table = fresh()
    shared = table.shared_state(NOW)
    seen = [table.seats_json(session, {"all"}) for session in ("all", "stranger")]
    assert [[seat["yours"] for seat in seats] for seats in seen] == [[True, True], [False, False]]
    assert "session" not in seen[0][0]
    assert tables.past(by_chance(table, Chance(1)), 0)["position"] == shared["position"]


@pytest.mark.parametrize("setup", ["standard", "draft"])
def test_record_of_a_table_reads_back(setup: str) -> None:
    table, chance = fresh(3, setup=setup, variants=["portals"], turn_limit=10), Chance(4)
    while table.outcome is None:
        table = by_chance(table, chance)
    record = read_record(tables.record(table))
    assert (record.outcome, record.names) == (table.outcome, ("P0", "P1", "P2"))
    assert [decision.action for decision in record.decisions] == [entry.action for entry in table.log]


def bots_alone() -> TurnTable:
    return table_of(tuple(Seat("bot", "", seat, bot="random") for seat in range(2)))


def test_spectators_of_bots_set_pace_and_pause() -> None:
    table = bots_alone()
    assert give(table, Pace, session="watcher", milliseconds=1200).pace == 1200
    resting = give(table, Pause, session="watcher", paused=True)
    assert (resting.paused, resting.version) == (True, table.version)
    assert next_move(resting, NOW, SECRET) is None
    assert give(resting, Pause, session="watcher", paused=True) is resting
    assert resting.to_state()["paused"] is True
    assert TurnTable.from_state(resting.to_state()).paused
    going = give(resting, Pause, session="another", paused=False)
    assert next_move(going, NOW, SECRET) == next_move(table, NOW, SECRET)
    assert next_move(going, NOW, SECRET) is not None
    assert "paused" not in going.to_state()


def test_bots_cannot_be_paused_at_a_table_with_a_person() -> None:
    table = table_of((people(1)[0], Seat("bot", "", 1, bot="random")))
    assert refused(table, Pause, session="all", paused=True) == "table/not-your-seat"
    assert refused(table, Pace, session="watcher", milliseconds=0) == "table/not-your-seat"
