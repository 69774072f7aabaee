"""Agreements at a table take effect when all players agree."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from ekoes.errors import TableError
from ekoes.games.api.contract import Outcome
from ekoes.games.eko.game import EKO
from ekoes.tables.create import rematch_table, table_from_plan
from ekoes.tables.orders import Absent, AnyOrder, GoOn, Propose, Sit, StandStill, Tick, Undo, Vote
from ekoes.tables.ratings import pool, ranks
from ekoes.tables.settings import ClockPlan, TablePlan
from ekoes.tables.submit import submit
from ekoes.tables.turns import TurnTable
from tests.kit.tables import NOW, act, next_move, refusal
from tests.unit.tables.racing import SECRET

LIVE = {"base": 600, "increment": 10, "up": "lose"}


class Room:
    """A table and its clock, which stands until the test moves it."""

    def __init__(self, players: int = 3, bots: int = 0, game: str = "eko", **options: Any) -> None:
        seats = [{"kind": "open"}] * (players - bots) + [{"kind": "bot"}] * bots
        plan = TablePlan.model_validate({
            "game": game, "options": {"players": players, **options}, "seats": seats,
        })  # fmt: skip
        self.at = NOW
        self.table: Any = table_from_plan(plan, "p0", fresh_seed=7)
        for seat in range(players - bots):
            self.give(Sit(key="k", seat=seat, name=f"P{seat}"), f"p{seat}")

    def give(self, order: AnyOrder, session: str | None) -> None:
        self.table = submit(self.table, order, session, self.at)

    def act(self, action: dict[str, Any] | None = None, *, hold: bool = False) -> None:
        self.table = act(self.table, action, hold=hold, at=self.at)

    def propose(self, seat: int, what: Any, **more: Any) -> None:
        self.give(Propose(key="k", seat=seat, what=what, **more), f"p{seat}")

    def vote(self, seat: int, *, agree: bool = True, number: int | None = None) -> None:
        number = self.table.agreements.count if number is None else number
        self.give(Vote(key="k", seat=seat, number=number, agree=agree), f"p{seat}")

    def agree(self, seat: int, other: int, what: Any, **more: Any) -> None:
        """Propose something, for which another one votes."""
        self.propose(seat, what, **more)
        self.vote(other)

    def away(self, seat: int, *, away: bool = True) -> None:
        self.give(Absent(key="k", seat=seat, absent=away), None)

    def wait(self, **time: float) -> None:
        self.at += timedelta(**time)

    def refused(self, what: str, seat: int, *args: Any, **more: Any) -> str:
        before = self.table
        code = refusal(getattr(self, what), seat, *args, **more)
        assert self.table is before
        return code

    @property
    def left(self) -> list[int | None]:
        shown: list[int | None] = self.table.shared_state(self.at)["left"]
        return shown


def decisions(room: Room, number: int) -> None:
    """Let so many decisions be made that each end a turn."""
    for _ in range(number):
        (seat,) = room.table.asked
        legal = room.table.position.legal(seat)
        room.act(EKO.action_to_json(next(action for action in legal if ends_turn(room.table, seat, action))))


def turns_of(room: Room) -> list[int]:
    """Return the seats in the order in which they have their turns from now on."""
    players = len(room.table.seats)
    return [(room.table.asked[0] + step) % players for step in range(players)]


def ends_turn(table: Any, seat: int, action: Any) -> bool:
    return bool(table.presenter.turn(table.position.play(seat, action)) != table.turn)


# ---------------------------------------------------------------- absent players


def test_connected_players_replace_an_absent_one_who_may_return() -> None:
    room = Room(3)
    assert room.refused("propose", 0, "bot", about=2) == "table/still-there"
    room.away(2)
    version = room.table.version
    room.propose(0, "bot", about=2)
    assert room.table.seats[2].kind == "open", "the other one has not agreed"
    assert room.table.version == version, "what was decided meanwhile is still good"
    room.vote(1)
    assert (room.table.seats[2].kind, room.table.seats[2].session) == ("bot", None)
    assert room.table.version == version + 1
    with pytest.raises(TableError, match="taken"):
        room.give(Sit(key="k", seat=2), "stranger")
    room.wait(minutes=29)
    room.give(Sit(key="k", seat=2), "p2")
    assert (room.table.seats[2].kind, room.table.seats[2].session) == ("open", "p2")
    assert not room.table.agreements.substitutes


def test_bot_keeps_the_seat_of_a_player_who_returns_too_late() -> None:
    room = Room(2)
    room.away(1)
    room.propose(0, "bot", about=1)
    assert room.table.seats[1].kind == "bot", "there is nobody else to ask"
    room.wait(minutes=30, seconds=1)
    assert refusal(room.give, Sit(key="k", seat=1), "p1") == "table/seat-taken"


def test_draw_by_absence_needs_all_others() -> None:
    room = Room(4)
    room.away(3)
    room.agree(0, 1, "draw", about=3)
    assert room.table.outcome is None
    room.vote(2)
    assert room.table.outcome == Outcome((), "agreement", "E11.5")


def test_absent_player_is_last_in_a_rated_draw() -> None:
    room = Room(3, rated=True)
    room.away(2)
    room.agree(1, 0, "draw", about=2)
    assert ranks(room.table) == (0, 0, 2)


def test_returning_player_ends_the_vote_about_their_seat() -> None:
    room = Room(3)
    room.away(2)
    room.propose(0, "bot", about=2)
    room.away(2, away=False)
    assert room.table.agreements_json()["proposal"] is None
    assert room.refused("vote", 1) == "table/no-proposal"


def test_absent_player_is_needed_for_takebacks_but_not_for_pauses() -> None:
    room = Room(3)
    decisions(room, 3)
    room.away(2)
    room.agree(0, 1, "pause")
    assert room.table.agreements.is_paused
    room.give(GoOn(key="k", seat=1), "p1")
    room.wait(seconds=3)
    room.agree(0, 1, "take_back")
    assert room.table.length == 3, "the absent player has not agreed"


# ---------------------------------------------------------------- proposals


def test_one_refusal_is_enough_and_a_proposal_can_be_withdrawn() -> None:
    room = Room(3)
    for seat in (1, 0):
        room.propose(0, "pause")
        room.vote(seat, agree=False)
        assert room.table.agreements.open is None
    assert room.table.agreements.pause is None


def test_one_proposal_at_a_time_and_votes_name_their_proposal() -> None:
    room = Room(3)
    room.propose(0, "pause")
    assert room.refused("propose", 1, "pause") == "table/proposal-open"
    room.vote(0, agree=False)
    room.propose(1, "pause")
    assert room.refused("vote", 2, number=1) == "table/no-proposal"


def test_proposal_expires_after_two_minutes() -> None:
    room = Room(2)
    room.propose(0, "pause")
    room.wait(minutes=2, seconds=1)
    assert room.refused("vote", 1) == "table/no-proposal"
    room.agree(1, 0, "pause")
    assert room.table.agreements.is_paused


def test_bots_agree() -> None:
    room = Room(4, bots=3)
    room.propose(0, "pause")
    assert room.table.agreements.is_paused
    assert next_move(room.table, room.at, SECRET) is None


def test_player_of_several_seats_votes_for_all_of_them() -> None:
    room = Room(3)
    *others, last = room.table.seats
    room.table = replace(room.table, seats=(*others, replace(last, session="p1")))
    room.agree(0, 1, "pause")
    assert room.table.agreements.is_paused


def test_vote_at_a_foreign_seat_is_refused() -> None:
    room = Room(2)
    room.propose(0, "pause")
    vote = Vote(key="k", seat=1, number=1, agree=True)
    assert refusal(room.give, vote, "stranger") == "table/not-your-seat"


def test_absent_player_has_no_vote_about_their_own_seat() -> None:
    room = Room(3)
    room.away(2)
    room.propose(0, "bot", about=2)
    assert room.refused("vote", 2, agree=False) == "table/not-yours-to-say"


# ---------------------------------------------------------------- turns taken back


def test_turn_is_taken_back_with_all_after_it() -> None:
    room = Room(3)
    first, second, third = turns_of(room)
    before = room.table
    decisions(room, 3)
    room.agree(first, second, "take_back")
    assert room.table.length == 3
    room.vote(third)
    after = room.table
    assert (after.position, after.begun, after.log) == (before.position, before.begun, ())
    assert (after.log_start, after.undoable, after.held) == (0, (), None)
    assert after.version == before.version + 4


def test_takeback_works_when_the_log_is_not_in_memory() -> None:
    room = Room(2)
    decisions(room, 2)
    room.table = replace(room.table, log=(), log_start=2)
    room.agree(0, 1, "take_back")
    assert (room.table.log, room.table.log_start) == ((), 0)


def test_decision_refuses_an_open_takeback() -> None:
    room = Room(2)
    decisions(room, 1)
    room.propose(0, "take_back")
    decisions(room, 1)
    assert room.refused("vote", 1) == "table/no-proposal"


def test_undo_of_a_turn_just_begun_leaves_the_turn_before_to_be_taken_back() -> None:
    room = Room(2)
    decisions(room, 2)
    mover = room.table.asked[0]
    room.act(hold=True)
    room.give(Undo(key="k", version=room.table.version, seat=mover), f"p{mover}")
    room.agree(mover, 1 - mover, "take_back")
    assert room.table.length == 0


def test_nothing_is_taken_back_before_a_turn_nor_at_a_rated_table() -> None:
    assert Room(2).refused("propose", 0, "take_back") == "table/nothing-to-take-back"
    rated = Room(2, rated=True)
    decisions(rated, 2)
    assert rated.refused("propose", 0, "take_back") == "table/no-take-back"


def test_games_of_bots_store_no_turn_starts() -> None:
    room = Room(2, bots=2)
    decisions(room, 3)
    assert room.table.starts == ()
    with_somebody = Room(2, bots=1)
    decisions(with_somebody, 3)
    assert with_somebody.table.starts


def test_takeback_restores_the_clocks_but_not_the_time_used() -> None:
    room = Room(2, clock=LIVE)
    decisions(room, 2)
    (one, other), before = turns_of(room), room.left
    room.wait(seconds=20)
    decisions(room, 1)
    room.wait(seconds=30)
    room.agree(one, other, "take_back")
    assert room.left[other] == before[other], "as if the turn had not been"
    assert room.left[one] == (before[one] or 0) - 50_000
    assert room.table.shared_state(room.at)["running"] == [one]


def test_takeback_is_refused_without_time_for_it() -> None:
    room = Room(2, clock={"base": 60, "increment": 0, "up": "lose"})
    decisions(room, 2)
    room.wait(seconds=30)
    decisions(room, 1)
    room.wait(seconds=31)
    room.propose(0, "take_back")
    assert room.refused("vote", 1) == "table/nothing-to-take-back"
    room.vote(1, agree=False)


# ---------------------------------------------------------------- pause


def test_clocks_stop_during_a_pause_and_three_seconds_more() -> None:
    room = Room(2, clock=LIVE)
    decisions(room, 2)
    mover = room.table.asked[0]
    begun = room.left[mover] or 0
    room.wait(seconds=10)
    room.agree(0, 1, "pause")
    room.wait(hours=5)
    assert room.left[mover] == begun - 10_000
    assert room.table.shared_state(room.at)["running"] == []
    assert room.table.deadline is None
    assert refusal(decisions, room, 1) == "table/paused"
    room.give(GoOn(key="k", seat=1), "p1")
    room.wait(seconds=2)
    with pytest.raises(TableError):
        decisions(room, 1)
    room.wait(seconds=2)
    assert room.left[mover] == begun - 11_000
    room.wait(seconds=5)
    assert room.left[mover] == begun - 16_000
    decisions(room, 1)
    assert room.table.length == 3


def test_undo_after_a_pause_does_not_charge_the_pause() -> None:
    room = Room(2, clock=LIVE)
    decisions(room, 2)
    mover = room.table.asked[0]
    begun = room.left[mover] or 0
    room.wait(seconds=10)
    room.act(hold=True)
    room.agree(0, 1, "pause")
    room.wait(hours=5)
    room.give(GoOn(key="k", seat=0), "p0")
    room.wait(seconds=13)
    room.give(Undo(key="k", version=room.table.version, seat=mover), f"p{mover}")
    assert room.left[mover] == begun - 20_000


def test_time_does_not_run_out_during_a_pause() -> None:
    room = Room(2, clock=LIVE)
    decisions(room, 2)
    room.agree(0, 1, "pause")
    room.wait(days=1)
    with pytest.raises(TableError):
        room.give(Tick(key="k"), None)
    assert room.refused("propose", 0, "pause") == "table/not-now"


# ---------------------------------------------------------------- correspondence


def test_live_game_goes_on_by_correspondence_with_all_its_time_anew() -> None:
    room = Room(2, clock=LIVE)
    decisions(room, 2)
    room.wait(minutes=5)
    room.agree(1, 0, "adjourn", days=3)
    assert room.table.clock == ClockPlan(days=3, up="lose")
    assert room.left == [3 * 86_400_000] * 2
    assert pool(room.table) == "eko/2/days"
    assert room.table.agreements.absence == 0
    room.wait(days=2)
    decisions(room, 1)
    assert room.left == [3 * 86_400_000] * 2
    assert room.refused("propose", 0, "adjourn", days=3) == "table/not-now"


def test_undo_after_going_on_by_correspondence_brings_no_old_clock_back() -> None:
    room = Room(2, clock=LIVE)
    decisions(room, 1)
    room.agree(1, 0, "adjourn", days=1)
    room.agree(0, 1, "take_back")
    assert room.left[0] == 86_400_000


# ---------------------------------------------------------------- stored, followed


def test_all_of_it_is_stored_and_read_again() -> None:
    room = Room(3, clock=LIVE)
    decisions(room, 4)
    room.away(2)
    room.propose(0, "bot", about=2)
    room.wait(microseconds=123_457)
    room.vote(1)
    room.agree(0, 1, "pause")
    room.propose(1, "adjourn", days=2)
    again = TurnTable.from_state(room.table.to_state())
    assert again == replace(room.table, log=(), log_start=room.table.length, begun=again.begun)
    assert again.to_state() == room.table.to_state()


def test_state_without_agreements_waits_for_all() -> None:
    value = Room(2).table.to_state()
    del value["agreements"]
    table = TurnTable.from_state(value)
    assert (table.agreements.absence, table.agreements.take_back) == (0, False)


def test_rematch_has_the_same_agreements_and_no_absent_player() -> None:
    room = Room(2, absence=5, back=10)
    room.away(1)
    again = rematch_table(room.table, 9)
    assert again.agreements == replace(room.table.agreements, absent=frozenset())


@pytest.mark.parametrize(("clock", "minutes"), [(None, 3), (LIVE, 3), ({"days": 3, "up": "lose"}, 0)])
def test_correspondence_players_are_not_absent_by_default(clock: dict[str, Any] | None, minutes: int) -> None:
    assert Room(2, clock=clock).table.agreements.absence == minutes
    assert Room(2, clock=clock, absence=7).table.agreements.absence == 7


def test_possible_proposals_are_listed() -> None:
    room = Room(2, clock=LIVE)
    assert room.table.agreements_json()["may"] == ["pause", "adjourn", "draw"]
    decisions(room, 1)
    assert room.table.shared_state(room.at)["take_back"] == [0]
    room.propose(0, "pause")
    answer = room.table.agreements_json()["proposal"]
    until = "2026-05-01T12:02:00.000+00:00"
    assert answer == {"number": 1, "what": "pause", "by": 0, "agreed": [0], "asked": [0, 1], "until": until}


def test_server_that_was_away_in_a_rest_takes_no_time() -> None:
    room = Room(2, clock=LIVE)
    decisions(room, 2)
    mover = room.table.asked[0]
    begun = room.left[mover] or 0
    room.agree(0, 1, "pause")
    room.wait(hours=1)
    assert room.table.clock_since is None
    room.give(GoOn(key="k", seat=0), "p0")
    room.wait(seconds=13)
    room.give(StandStill(key="k", milliseconds=4000), None)
    assert room.left[mover] == begun - 6000
