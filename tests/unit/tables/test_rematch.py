"""Rematches: rotated seats, absent players, and beginning with free seats."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.bots import stand_in
from ekoes.games.api.contract import Outcome
from ekoes.games.api.values import changed
from ekoes.records import read_record, replay
from ekoes.tables.create import new_table, rematch_table, table_class, with_parts_of
from ekoes.tables.deals import Joint
from ekoes.tables.orders import Begin, Fill, GivePart, Order, Rematch, Rematched, Resign, Sit, Stand
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table
from tests.kit.tables import NOW, refusal

GAMES = pytest.mark.parametrize("game", ["eko", "ekko"])


def table(game: str, taken: int, free: int = 0, bots: int = 0, **options: Any) -> Table:
    seats = [Seat("open", f"P{n}", n, session=f"p{n}") for n in range(taken)]
    seats += [Seat("open", "", taken + n) for n in range(free)]
    seats += [Seat("bot", "", taken + free + n, bot=stand_in(game)) for n in range(bots)]
    fresh = new_table(game, {"players": len(seats)} | options, 1, tuple(seats))
    return changed(fresh, public=True)


def over(game: str, taken: int, **more: int) -> Table:
    return changed(table(game, taken, **more), outcome=Outcome((0,), "points", "E3.1"))


def give(before: Table, order: type[Order], session: str, **content: Any) -> Table:
    return submit(before, order(key="k", **content), session, NOW)


def code_of(before: Table, order: type[Order], session: str, **content: Any) -> str:
    return refusal(give, before, order, session, **content)


def from_first(table: Table) -> list[str]:
    """Return the players, the one who begins (deals) first."""
    first = table.position.player if table.game == "eko" else table.position.dealer
    return [seat.bot or seat.name for seat in (*table.seats[first:], *table.seats[:first])]


@GAMES
def test_only_person_among_bots_resigns_and_plays_again(game: str) -> None:
    before = table(game, 1, bots=2)
    left = give(before, Resign, "p0", seat=0, version=before.version)
    assert left.outcome == Outcome((1, 2), "resignation", "")
    assert give(left, Rematch, "p0", seat=0).wants_rematch
    shared = table(game, 2, bots=1)
    assert give(shared, Resign, "p0", seat=0, version=shared.version).outcome is None


@GAMES
def test_rematch_that_is_declined_can_be_asked_for_again(game: str) -> None:
    asked = give(over(game, 2), Rematch, "p0", seat=0)
    declined = give(asked, Rematch, "p1", seat=1, wanted=False)
    assert (asked.agreed, declined.agreed) == (frozenset({0}), frozenset())
    assert declined.version == asked.version + 1
    again = give(give(declined, Rematch, "p1", seat=1), Rematch, "p0", seat=0)
    assert again.wants_rematch
    assert give(changed(again, rematch="next"), Rematch, "p0", seat=0, wanted=False).agreed == {0, 1}


@GAMES
def test_next_player_begins_the_rematch_whatever_the_seed(game: str) -> None:
    before = over(game, 3, bots=1)
    for seed in range(8):
        again = rematch_table(before, seed)
        first, *others = from_first(before)
        assert from_first(again) == [*others, first]
        assert again.people == {n for n, seat in enumerate(again.seats) if seat.kind != "bot"}
        assert (again.options, again.public, again.outcome, again.length) == (before.options, True, None, 0)
        before = changed(again, outcome=before.outcome)


@GAMES
def test_rematch_leaves_out_absent_players(game: str) -> None:
    before = give(over(game, 3), Rematch, "p0", seat=0)
    assert not before.wants_rematch
    agreed = give(before, Rematch, "p1", seat=1, absent={"2": "out"})
    assert agreed.wants_rematch
    players = from_first(agreed)
    following = [*players[1:], players[0]]
    assert from_first(rematch_table(agreed, 5)) == [name for name in following if name != "P2"]
    other = give(agreed, Rematch, "p0", seat=0, absent={"2": "bot"})
    replaced = [stand_in(game) if name == "P2" else name for name in following]
    assert from_first(rematch_table(other, 5)) == replaced


@GAMES
def test_returning_player_is_not_left_out_of_the_rematch(game: str) -> None:
    before = give(over(game, 3), Rematch, "p0", seat=0, absent={"2": "out"})
    back = give(before, Rematch, "p2", seat=2)
    assert (back.absent, back.wants_rematch) == (frozenset(), False)
    assert give(back, Rematch, "p1", seat=1).wants_rematch
    gone = give(give(back, Rematch, "p0", seat=0, absent={"2": "out"}), Rematch, "p1", seat=1)
    assert (gone.agreed, gone.wants_rematch) == (frozenset({0, 1}), True)


@GAMES
def test_a_rated_game_is_rated_again_between_people_alone(game: str) -> None:
    before = changed(over(game, 3), rated=True)
    assert rematch_table(before, 5).rated
    without = give(before, Rematch, "p0", seat=0, absent={"2": "out"})
    with_bot = give(before, Rematch, "p0", seat=0, absent={"2": "bot"})
    assert (rematch_table(without, 5).rated, rematch_table(with_bot, 5).rated) == (True, False)


def test_rematch_needs_two_players_and_keeps_bots() -> None:
    before = over("eko", 2)
    assert code_of(before, Rematch, "p1", seat=0) == "table/not-your-seat"
    assert code_of(before, Rematch, "p0", seat=0, absent={"1": "out"}) == "table/too-few"
    assert give(before, Rematch, "p0", seat=0, absent={"1": "bot"}).wants_rematch
    assert (
        code_of(over("eko", 1, bots=2), Rematch, "p0", seat=0, absent={"1": "out"}) == "table/not-your-seat"
    )


@GAMES
def test_the_host_begins_with_bots_where_seats_are_free(game: str) -> None:
    before = changed(table(game, 1, free=2), version=3)
    begun = give(before, Fill, "p0", seat=0, free="bot")
    assert [seat.bot for seat in begun.seats] == [None, stand_in(game), stand_in(game)]
    assert (begun.is_started, begun.version, begun.public) == (True, 4, True)
    assert begun.to_state()["version"] == 4
    assert code_of(begun, Fill, "p0", seat=0, free="bot") == "table/started"


@GAMES
def test_the_host_begins_without_free_seats_at_another_table(game: str) -> None:
    before = table(game, 2, free=1)
    going = give(before, Fill, "p0", seat=0, free="out")
    assert (going.wants_rematch, going.is_started) == (True, False)
    smaller = rematch_table(going, 5)
    assert [seat.name for seat in smaller.seats] == ["P0", "P1"]
    assert smaller.options["players"] == 2
    stored = table_class(game).from_state(going.to_state())
    assert (stored.absent, stored.public) == (going.absent, True)
    moved = submit(going, Rematched(key="m", table="other"), None, NOW)
    assert code_of(moved, Sit, "p2", seat=2) == "table/moved"
    assert (going.status("p0"), moved.status("p0")) == ("waiting", "over")


def test_only_the_host_begins() -> None:
    before = table("eko", 2, free=1)
    assert before.host == "p0"
    assert code_of(before, Fill, "p1", seat=1, free="bot") == "table/not-your-seat"
    made = changed(before, seats=(*before.seats[:1], changed(before.seats[1], kind="here"), before.seats[2]))
    assert made.host == "p1"
    assert table("eko", 0, free=2).host is None
    assert code_of(table("eko", 1, free=1), Fill, "p0", seat=0, free="out") == "table/too-few"


@GAMES
def test_part_of_a_seed_goes_with_the_seat_that_is_left(game: str) -> None:
    fresh = changed(table(game, taken=1, free=2), joint=Joint((), frozenset()))
    for order, session in (
        (GivePart(key="1", seat=0, part="a" * 32), "p0"),
        (Sit(key="2", seat=1, gives_part=True), "eve"),
        (GivePart(key="3", seat=1, part="e" * 32), "eve"),
        (Stand(key="4", seat=1), "eve"),
        (Sit(key="5", seat=2, gives_part=True), "bo"),
        (Fill(key="6", seat=0, free="bot"), "p0"),
    ):
        fresh = submit(fresh, order, session, NOW)
    assert fresh.joint == Joint(parts=((0, "a" * 32),), awaits=frozenset({2}))
    assert (fresh.is_full, fresh.is_started, fresh.is_busy) == (True, False, True)
    assert fresh.awaits_parts
    gone = submit(fresh, Resign(key="r", version=fresh.version, seat=2), "bo", NOW)
    assert (gone.is_drawn_now, gone.awaits_parts, gone.length) == (True, False, 0)
    begun = submit(fresh, Begin(key="7", seed="5" * 64), None, NOW)
    assert begun.is_started
    assert begun.joint is not None
    assert begun.joint.text(3) == f"{'a' * 32} - -"
    late = GivePart(key="8", seat=2, part="b" * 32)
    assert refusal(submit, begun, late, "bo", NOW) == "table/no-part"
    assert refusal(submit, begun, Begin(key="9", seed="6" * 64), None, NOW) == "table/no-part"
    assert refusal(submit, begun, Stand(key="10", seat=2), "bo", NOW) == "table/started"
    again = rematch_table(changed(begun, outcome=Outcome((0,), "resignation", "")), 1)
    assert again.joint is not None
    assert again.joint.first == again.first_seat
    assert [again.seats[seat].session for seat in again.joint.awaits] == ["p0"]
    for number in range(8):
        other = submit(again, Begin(key="11", seed=f"{number}" * 64), None, NOW)
        assert other.first_seat == again.first_seat


@GAMES
def test_who_resigns_while_parts_are_awaited_loses_a_game_that_is_never_dealt(game: str) -> None:
    fresh = with_parts_of(table(game, taken=2), {"p0", "p1"})
    after = submit(fresh, Resign(key="1", version=fresh.version, seat=1), "p1", NOW)
    assert after.outcome is not None
    assert (after.outcome.winners, after.is_drawn_now, "deal" in after.options_json()) == ((0,), False, False)
    late = GivePart(key="2", seat=0, part="a" * 32)
    assert refusal(submit, after, late, "p0", NOW) == "table/no-part"
    made, log = fresh, after.log
    assert next(iter(replay(read_record(after.record_text(made, log, []))))) == made.position
    assert rematch_table(after, 1).joint is not None
