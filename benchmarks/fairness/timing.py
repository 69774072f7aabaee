"""Whether the time of an answer tells that a bot holds the mirror (K7.6): over 400 deals, twice each."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.fairness.report import Figure, by_chance, told_apart
from ekoes.errors import EkoesError
from ekoes.match.orders import Intent, Rename
from ekoes.match.question import Question, answer_to
from ekoes.match.seats import Seat
from ekoes.server.clock import WallClock
from ekoes.server.hub import Hub
from ekoes.server.live import LiveTable
from ekoes.storage.store import Store
from tests.dealing import Dealing
from tests.unit.match.racing import race_table
from tests.unit.server.hub_room import race

DEALS = 400
"""Each once with the mirror in the bot's hand, and once with another card in its place."""
PROBES = 9
CLAIMS = 300
"""Of those that are told apart by a test: a claim of somebody who has not got the mirror either."""
TOP, MIRROR = 73, 37
BOT = 2
ALIKE = (0.45, 0.55)
"""By chance alone one run of a hundred lies outside: the deviation over so many deals is 0.02."""
SEATS = (
    Seat("here", "Ada", 0, session="p0"),
    Seat("open", "Bob", 1, session="p1"),
    Seat("bot", "", 2, bot="master"),
)
PLANNED = 0.03
"""Seconds that a bot gets to plan; none does anything before 0.35."""


def measured() -> list[Figure]:
    """Measure tables whose bot holds the mirror and tables whose bot does not, in a random order."""
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'fairness.sqlite'}")
        answers, thoughts, claims = asyncio.run(_measured(store))
        store.close()
    claims = claims[0][:CLAIMS], claims[1][:CLAIMS]
    return [
        Figure("a table answers later: its bot holds the mirror", told_apart(*answers), "AUC", ALIKE),
        Figure("a bot thinks longer: it holds the mirror", told_apart(*thoughts), "AUC", ALIKE),
        Figure("a claim is answered later: a bot holds the mirror", told_apart(*claims), "AUC", ALIKE),
        Figure("… claims with the mirror there, and as many without", len(claims[0]), "", (CLAIMS, CLAIMS)),
        Figure("… so much or more by chance alone", by_chance(*claims), "p", (0.01, 1)),
    ]


Pair = tuple[list[float], list[float]]
"""Of tables with the mirror in the bot's hand, and of tables without."""


async def _measured(store: Store) -> tuple[Pair, Pair, Pair]:
    chance = random.Random(7)
    decks: list[tuple[int, ...]] = []
    hub = Hub(store, WallClock(), Dealing(lambda: decks[-1]))
    answers: Pair = ([], [])
    thoughts: Pair = ([], [])
    claims: Pair = ([], [])
    for deal, holds in cases(chance):
        decks.append(_deck(random.Random(deal), holds=holds))
        table_id = await hub.create(race_table(SEATS, BOT))
        async with hub.table(table_id) as live:
            answer, thought = await _answer_time(live), _thinking_time(live)
            if race(live).length == 1:  # on a busy machine the bot may have played meanwhile
                answers[not holds].append(answer)
                thoughts[not holds].append(thought)
                claims[not holds].append(await _claim_time(live))
            await live.stop()
    await hub.stop()
    return answers, thoughts, claims


def cases(chance: random.Random) -> Iterator[tuple[int, bool]]:
    """Yield each deal twice, with the mirror and without, in any order."""
    for deal in range(DEALS):
        holds = bool(chance.getrandbits(1))
        yield deal, holds
        yield deal, not holds


def _deck(chance: random.Random, *, holds: bool) -> tuple[int, ...]:
    """Three hands, the last of them the bot's; the mirror lies in it, or at the bottom of the pile."""
    cards = [card for card in chance.sample(range(1, 99), 98) if card not in {TOP, MIRROR}]
    given = chance.randrange(12, 18)
    cards.append(cards[given] if holds else MIRROR)
    cards[given] = MIRROR if holds else cards[given]
    return (*cards[:18], TOP, *cards[18:])


async def _answer_time(live: LiveTable) -> float:
    """Return how long a table takes to answer somebody who only wants to know that."""
    await asyncio.sleep(PLANNED)
    for seat in (0, 1):
        await live.take(Intent(key="r", seat=seat, action={"type": "ready", "round": 1}), f"p{seat}")
    await asyncio.sleep(PLANNED)
    times = []
    for number in range(PROBES):
        began = time.perf_counter()
        await live.take(Rename(key=f"n{number}", seat=0, name=f"A{number}"), "p0")
        await asyncio.sleep(0)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


async def _claim_time(live: LiveTable) -> float:
    """Return how long a table takes to answer a claim of somebody whose card is no mirror."""
    card = race(live).position.hands[1][0]
    claim = Intent(key="c", seat=1, action={"type": "mirror", "card": card, "on": TOP})
    began = time.perf_counter()
    with suppress(EkoesError):
        await live.take(claim, "p1")
    return time.perf_counter() - began


def _thinking_time(live: LiveTable) -> float:
    """Return how long the bot thinks about a mirror."""
    asked = [each for each in live.questions() if each.asks == "mirror"]
    return min((_thought(question) for question in 3 * asked), default=0.0)


def _thought(question: Question) -> float:
    began = time.thread_time()  # what other programs do meanwhile is no thought
    answer_to(question)
    return time.thread_time() - began
