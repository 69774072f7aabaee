"""No proposals, however many and whatever comes of them, block a table or change a game without all votes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.tables.create import table_from_plan
from ekoes.tables.orders import Absent, Act, AnyOrder, GoOn, Propose, Sit, Vote, What
from ekoes.tables.settings import TablePlan
from ekoes.tables.submit import submit
from ekoes.tables.turns import TurnTable
from tests.kit.examples import property_settings

BEGAN = datetime(2026, 5, 1, 12, tzinfo=UTC)
PLAYERS = 3
CLOCKS = [None, {"base": 14_400, "increment": 10, "up": "lose"}]


class Room:
    """A table for three, and an independent model of its votes."""

    def __init__(self, clock: Any) -> None:
        plan = {
            "game": "eko",
            "options": {"players": PLAYERS, "clock": clock},
            "seats": [{"kind": "open"}] * 3,
        }
        self.at = BEGAN
        self.table: Any = table_from_plan(TablePlan.model_validate(plan), "p0", fresh_seed=7)
        for seat in range(PLAYERS):
            self.give(Sit(key="k", seat=seat), f"p{seat}")
        self.said: set[int] = set()

    def give(self, order: AnyOrder, session: str | None) -> bool:
        try:
            after = submit(self.table, order, session, self.at)
        except EkoesError:
            return False
        self.table = from_and_to(after)
        return True

    def propose(self, seat: int, what: What, about: int) -> None:
        needs: dict[str, dict[str, Any]] = {
            "bot": {"about": about},
            "draw": {"about": about},
            "adjourn": {"days": 3},
        }
        before = self.table
        if self.give(Propose(key="k", seat=seat, what=what, **needs.get(what, {})), f"p{seat}"):
            self.said = {seat}
            self.check(before, what, about)

    def vote(self, seat: int, *, agree: bool) -> None:
        before, proposal = self.table, self.table.agreements.open
        order = Vote(key="k", seat=seat, number=max(1, before.agreements.count), agree=agree)
        if not self.give(order, f"p{seat}"):
            return
        if agree:
            self.said.add(seat)
            self.check(before, proposal.what, proposal.about)
        else:
            assert self.table.agreements.open is None, "one is enough"
            assert same(before, self.table)

    def check(self, before: Any, what: What, about: int | None) -> None:
        """Compare the effect of the last vote with the model."""
        there = {seat for seat in range(PLAYERS) if before.seats[seat].session is not None}
        gone = set(before.agreements.absent) if what in {"bot", "draw", "pause"} else set()
        needed = there - gone - ({about} if what in {"bot", "draw"} else set())
        is_done = self.table.agreements.open is None
        assert is_done == (needed <= self.said)
        if not is_done:
            assert same(before, self.table), "nothing comes of it before all agree"
            assert self.table.version == before.version, "what was decided meanwhile is still good"


def from_and_to(table: Any) -> Any:
    """Return a table as the store gives it back; its log, which lies elsewhere, with its positions."""
    again = TurnTable.from_state(table.to_state())
    assert again.to_state() == table.to_state()
    return table


def same(before: Any, after: Any) -> bool:
    """Tell whether a game stands as it stood, whatever has been asked."""
    left, right = ({**table.to_state(), "agreements": None} for table in (before, after))
    was, now = before.agreements, after.agreements
    return left == right and (was.pause, was.substitutes) == (now.pause, now.substitutes)


STEP = st.tuples(
    st.sampled_from(
        ["decide", "propose", "propose", "vote", "vote", "refuse", "away", "back", "sit", "wait", "go on"]
    ),
    st.integers(0, PLAYERS - 1),
    st.sampled_from(get_args(What)),
    st.integers(0, PLAYERS - 1),
)


def step(room: Room, word: str, seat: int, what: What, other: int) -> None:
    match word:
        case "propose":
            room.propose(seat, what, other)
        case "vote" | "refuse":
            room.vote(seat, agree=word == "vote")
        case "away" | "back":
            room.give(Absent(key="k", seat=seat, absent=word == "away"), None)
        case "sit":
            room.give(Sit(key="k", seat=seat), f"p{seat}")
        case "go on":
            room.give(GoOn(key="k", seat=seat), f"p{seat}")
        case "wait":
            room.at += timedelta(seconds=50)
        case "decide":
            decide(room, other)


def decide(room: Room, choice: int) -> bool:
    """Let the seat in turn decide, also a bot; return whether that was possible."""
    if not room.table.asked:
        return False
    seat = room.table.asked[0]
    action = Chance(choice).choice(room.table.position.legal(seat))
    order = Act(key="k", version=room.table.version, seat=seat, action=EKO.action_to_json(action))
    return room.give(order, room.table.seats[seat].session)


@property_settings(120)
@given(st.sampled_from(CLOCKS), st.lists(STEP, max_size=40))
def test_no_proposals_block_a_table_or_change_its_game_without_votes(clock: Any, steps: list[Any]) -> None:
    room = Room(clock)
    for one in steps:
        if room.table.outcome is not None:
            break
        step(room, *one)
    if room.table.outcome is not None:
        assert room.table.outcome.reason == "agreement"
        return
    if room.table.agreements.is_paused:
        held = next(seat for seat in range(PLAYERS) if room.table.seats[seat].session is not None)
        assert room.give(GoOn(key="k", seat=held), f"p{held}"), "whoever sits there can end a rest"
    room.at += timedelta(seconds=3)
    assert decide(room, 1), "whatever is proposed, the game goes on"
