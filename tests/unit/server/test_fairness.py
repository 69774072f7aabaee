"""K7.6: the server does the same work whoever holds the mirror, so that no one waits for it.

Work is counted, not timed: calls of Python functions, which no other program on the machine changes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest

from ekoes.bots import BotRequest
from ekoes.games.api.contract import Answer
from ekoes.games.ekko.live.state import Verdict
from ekoes.games.ekko.rules.record import FITTING
from ekoes.server.runtime.table_actor import TableActor
from ekoes.server.workers.fair_queue import Whose
from ekoes.storage.store import Store
from ekoes.tables.orders import AnyOrder, Pace, Rename
from ekoes.tables.settings import Seat
from tests.unit.server.hub_room import Room, Swift, Viewer, in_loop, race, run, settled, watch
from tests.unit.tables.racing import race_table

DEALS = 4
TOP, MIRROR = 73, 37
SEATS = (
    Seat("here", "Ada", 0, session="p0"),
    Seat("open", "Bob", 1, session="p1"),
    Seat("bot", "", 2, bot="skilled"),
)
BOT_BEGINS, PERSON_BEGINS = 1, 2
"""Who deals."""
A_PLAN = 20
"""Calls, of some two thousand: no table does anything about a plan before its time."""


def deck(number: int, dealer: int, *, holds: bool) -> tuple[int, ...]:
    """Three hands, that of the bot with the mirror of 73 or another card in its place; 73 is turned over."""
    chance = random.Random(number)
    others = [card for card in chance.sample(range(1, 99), 98) if card not in {TOP, MIRROR}]
    hands, pile = others[:18], others[18:]
    first = 6 * ((2 - dealer - 1) % 3)
    given = chance.randrange(first, first + 6)
    pile.append(hands[given] if holds else MIRROR)
    hands[given] = MIRROR if holds else hands[given]
    return (*hands, TOP, *pile)


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count calls of Python functions meanwhile."""
    calls = [0]

    def note(_frame: Any, event: str, _argument: Any) -> None:
        calls[0] += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@dataclass
class Probed:
    """What a client can learn from orders without effect and their duration."""

    change: int
    nothing: int
    sent: list[str]
    asked: list[str]


def probed(store: Store, number: int, dealer: int, *, holds: bool, **options: Any) -> Probed:
    """Probe a table whose bot has planned what it will do, before it does."""

    async def serve() -> Probed:
        room = Room(store, lambda: deck(number, dealer, holds=holds))
        async with room.table(race_table(SEATS, dealer, **options)) as live:
            viewer = await watch(live, "eve")
            await settled()
            for seat in (0, 1):
                await room.send(live, seat, "ready", round=1)
            assert (MIRROR in race(live).position.hands[2]) is holds
            names = [Rename(key=f"name-{each}", seat=0, name=f"Ada {each}") for each in range(3)]
            change = min([await work(live, order) for order in names])
            again = [order.model_copy(update={"key": "same"}) for order in names[-1:]]
            nothing = min([await work(live, order) for order in (*names, *again)])
            assert race(live).length == 1, "nobody has played yet"
        sent = [message["type"] for message in viewer.messages]
        return Probed(change, nothing, sent, [key for _, key in room.thinkers.asked])

    return run(serve())


async def work(live: TableActor, order: AnyOrder) -> int:
    """Return how much work it makes to take an order, and all that follows at once."""
    with counted() as calls:
        await live.submit(order, "p0")
        await settled()
    return calls[0]


@pytest.mark.parametrize("options", [{}, {"turn_clock": None}, {"calm": True, "window": None}])
@pytest.mark.parametrize("dealer", [BOT_BEGINS, PERSON_BEGINS])
def test_k7_6_mirror_in_a_bot_s_hand_makes_no_work(
    store: Store, dealer: int, options: dict[str, Any]
) -> None:
    probed(store, 0, dealer, holds=True, **options)  # what is done once is done
    for number in range(DEALS):
        held, other = (probed(store, number, dealer, holds=holds, **options) for holds in (True, False))
        assert abs(held.change - other.change) <= A_PLAN, (held.change, other.change)
        assert abs(held.nothing - other.nothing) <= A_PLAN, (held.nothing, other.nothing)
        assert (held.sent, held.asked) == (other.sent, other.asked)


@pytest.mark.parametrize("dealer", [BOT_BEGINS, PERSON_BEGINS])
@in_loop
async def test_orders_without_effect_are_not_stored_or_sent(store: Store, dealer: int) -> None:
    """As hands are looked at, in a turn, and after it."""
    room = Room(store, lambda: deck(1, dealer, holds=True))
    async with room.table(race_table(SEATS, dealer, turn_clock=None)) as live:
        viewer = await watch(live, "eve")
        await settled()
        await room.send(live, 0, "ready", round=1)
        await waken_nobody(store, room, live, viewer)
        await room.send(live, 1, "ready", round=1)
        await waken_nobody(store, room, live, viewer)
        await room.clock.forward(20_000)
        # Where a person begins only the bot's mirror can come, and it may not notice that one.
        assert race(live).length > 1 or dealer == PERSON_BEGINS
        await waken_nobody(store, room, live, viewer)


async def waken_nobody(store: Store, room: Room, live: TableActor, viewer: Viewer) -> None:
    """Send what changes nothing: a round that was seen, a name and a pace that stand."""
    before, sent, questions = live.table, len(viewer.texts), len(room.thinkers.asked)
    stored = store.load(live.id)
    await room.send(live, 0, "ready", round=1)
    await live.submit(Rename(key=f"name-{sent}", seat=0, name="Ada"), "p0")
    await live.submit(Pace(key=f"pace-{sent}", milliseconds=before.pace), "p0")
    await settled()
    after = store.load(live.id)
    assert stored is not None
    assert after is not None
    assert live.table is before
    assert after.events == stored.events
    assert len(viewer.texts) == sent
    assert len(room.thinkers.asked) == questions


class Clumsy(Swift):
    """Wants a wrong card in each of its turns, for ever."""

    async def ask(self, question: BotRequest, whose: Whose, *, is_urgent: bool = True) -> Answer:
        answer = await super().ask(question, whose, is_urgent=is_urgent)
        if question.asks != "turn":
            return answer
        view = question.sight.view(question.seat)
        top = view["zone"][-1]
        low, high = map(int, FITTING[top])
        wrong = next(card for card in view["hand"] if not (low | high << 64) >> card & 1)
        return Answer({"type": "play", "card": wrong, "on": top}, 100)


@pytest.mark.parametrize("misplays", [False, True])
@in_loop
async def test_bot_that_misplays_delays_no_one(store: Store, *, misplays: bool) -> None:
    """It pays for them like anybody, and then something stands in for it, though no clock runs."""
    decks = (deck(number, BOT_BEGINS, holds=False) for number in count())
    fits = next(cards for cards in decks if min(cards[:6]) < TOP < max(cards[:6]))
    room = Room(store, lambda: fits, Clumsy())
    async with room.table(race_table(SEATS, BOT_BEGINS, turn_clock=None, misplays=misplays)) as live:
        for seat in (0, 1):
            await room.send(live, seat, "ready", round=1)
        await room.clock.forward(2000)
        verdicts = [entry.verdict for entry in race(live).log if entry.seat == 2]
        assert verdicts == [Verdict.MISPLAY] * misplays + [Verdict.PLAY]
