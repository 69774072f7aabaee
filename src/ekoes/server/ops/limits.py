"""Rate limits and size limits: counters per user and address, token buckets, queues, background work."""

from __future__ import annotations

import asyncio
from collections import Counter as Counts
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from time import perf_counter, time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from ekoes.errors import AccountError, LimitError, TalkError
from ekoes.server.ops.clock import Clock

_LINES = (parse("6 per 10 seconds"), parse("60 per 10 minutes"))
_LINES_OF_A_TABLE = (parse("100 per minute"),)
_ASIDE = (parse("300 per hour"), parse("500 per day"))
_ASIDE_AT_A_TABLE = (parse("1000 per day"),)
_PROPOSALS = (parse("10 per minute"),)
_REPORTS = (parse("10 per hour"),)
_OF_A_CUSTOMER = 64
"""Bits of an IPv6 address that name a customer of a provider, who chooses the others freely."""


def network_of(host: str) -> str:
    """Return the form in which an address is counted: of IPv6 its /64, of a mapped one the IPv4 address.

    Other names, such as those of tests, are returned as they are.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if isinstance(address, IPv6Address) and not address.is_loopback:
        return str(IPv6Network((int(address), _OF_A_CUSTOMER), strict=False))
    return str(address)


class Counter:
    """A rate limiter in memory. name: of the counted events."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def wait(self, limits: Sequence[RateLimitItem], whose: str, cost: int = 1) -> int | None:
        """Count an event by its cost. Returns: None if it is allowed, else the seconds until it is."""
        for limit in limits:
            if not self._limiter.hit(limit, whose, cost=cost):
                return seconds_until(self._limiter.get_window_stats(limit, whose).reset_time)
        return None

    async def clear(self, limits: Sequence[RateLimitItem], whose: str) -> None:
        """Reset the counters of a key."""
        for limit in limits:
            self._limiter.clear(limit, whose)

    async def check(
        self,
        limits: Sequence[RateLimitItem],
        whose: str,
        what: str,
        *,
        code: str = "account/too-many",
        error: type[LimitError] = AccountError,
        cost: int = 1,
    ) -> None:
        """Count an event. what: its plural, for the error, which has the seconds to wait."""
        if wait := await self.wait(limits, whose, cost):
            raise error(f"too many {what}; try again in {wait} seconds", code=code, wait=wait)


Count = Callable[[str], Counter]
"""Creates a counter with a name."""
HERE: Count = Counter
"""Creates counters in the memory of this process."""


def seconds_until(moment: float) -> int:
    """Return the seconds until a time, at least one. moment: seconds since 1970."""
    return max(1, ceil(moment - time()))


class Tempo:
    """Limits chat lines, reports and orders that decide nothing; each is stored.

    Raises: TalkError or LimitError with the seconds to wait.
    """

    def __init__(self, count: Count = HERE) -> None:
        self._counter = count("talk")

    async def line(self, table_id: str, user: str, *, plays: bool) -> None:
        """Count a chat line of a user at a table. plays: spectators have limits of their own."""
        await self._count(_LINES, f"line {user}")
        await self._count(_LINES_OF_A_TABLE, f"table {table_id} {plays}")

    async def aside(self, table_id: str, user: str, *, plays: bool, proposes: bool) -> None:
        """Count an order of a user at a table that decides nothing in the game. plays: as for ``line``."""
        for limits, whose in (
            (_PROPOSALS if proposes else (), f"proposal {table_id} {user}"),
            (_ASIDE, f"aside {table_id} {user}"),
            (_ASIDE_AT_A_TABLE, f"aside {table_id} {plays}"),
        ):
            what = "proposals, offers, names and the like at this table"
            await self._counter.check(limits, whose, what, code="limit/orders", error=LimitError)

    async def report(self, user: str) -> None:
        """Count a report."""
        await self._count(_REPORTS, f"report {user}")

    async def _count(self, limits: Sequence[RateLimitItem], whose: str) -> None:
        await self._counter.check(limits, whose, "requests", code="talk/too-fast", error=TalkError)


RATE, BURST = 50, 200
"""Rate limit for the messages of one session to one table: per second on average, and at once."""
MOST_SOCKETS = 16
"""Sockets of one session at one table; each receives every update."""


class Bucket:
    """A token bucket: ``burst`` messages at once, ``rate`` per second on average."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """Create a full bucket. now: monotonic seconds, here and in its methods."""
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._filled_at = now

    def wait(self, now: float) -> float:
        """Take a token and return the seconds to wait before using it, 0 if one was left."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate) - 1
        self._filled_at = now
        return max(0.0, -self._tokens / self._rate)

    def take(self, tokens: int) -> None:
        """Take tokens without waiting."""
        self._tokens -= tokens

    def is_full(self, now: float) -> bool:
        """Return whether it is full again."""
        return self._tokens + (now - self._filled_at) * self._rate >= self._burst


class Lane:
    """Orders and limits the messages of one session to a table, over all its sockets.

    At most one message is handled at a time. ``async with`` waits for earlier ones, and for the rate limit.
    """

    def __init__(self, clock: Clock) -> None:
        self.sockets = 0
        self._clock = clock
        self._bucket = Bucket(RATE, BURST, clock.now().timestamp())
        self._lock = asyncio.Lock()

    @property
    def is_idle(self) -> bool:
        """Whether it can be deleted."""
        return not self.sockets and self._bucket.is_full(self._clock.now().timestamp())

    def weigh(self, messages: int) -> None:
        """Count the last message as several; the next one waits for them."""
        self._bucket.take(messages - 1)

    async def __aenter__(self) -> None:
        await self._lock.acquire()
        if pause := self._bucket.wait(self._clock.now().timestamp()):
            try:
                await self._clock.sleep(pause)
            except BaseException:
                self._lock.release()
                raise

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


class Lanes:
    """The lanes to one table, one for each session."""

    def __init__(self, clock: Clock) -> None:
        self._lanes: defaultdict[str, Lane] = defaultdict(lambda: Lane(clock))

    @property
    def number(self) -> int:
        """The number of sessions with a lane."""
        return len(self._lanes)

    @asynccontextmanager
    async def of(self, session: str) -> AsyncIterator[Lane]:
        """Open the lane of a session for a socket. Raises LimitError if the session has too many sockets."""
        lane = self._lanes[session]
        if lane.sockets >= MOST_SOCKETS:
            raise LimitError("too many connections of yours are open here", code="limit/lines", wait=1)
        lane.sockets += 1
        try:
            yield lane
        finally:
            lane.sockets -= 1
            for idle in [one for one, lane in self._lanes.items() if lane.is_idle]:
                del self._lanes[idle]


class Places:
    """The places of a queue, of which one address gets a quarter.

    Addresses are those by which limits count; None, this machine, may take all.
    """

    def __init__(self, number: int, things: str, wait: int) -> None:
        """Create a queue. things: that wait in it, for messages; wait: seconds after which to try again."""
        self._number = number
        self._things = things
        self._wait = wait
        self._share = max(1, number // 4)
        self._taken: Counts[str | None] = Counts()

    @contextmanager
    def place(self, address: str | None) -> Iterator[None]:
        """Take a place for the duration of a block. Raises LimitError if there is none for the address."""
        self.take(address)
        try:
            yield
        finally:
            self.leave(address)

    def take(self, address: str | None) -> None:
        """Take a place, which ``leave`` gives back. Raises LimitError if there is none for the address."""
        is_share_taken = address is not None and self._taken[address] >= self._share
        if is_share_taken or self._taken.total() >= self._number:
            raise self.busy()
        self._taken[address] += 1

    def busy(self) -> LimitError:
        """Return the error of a full queue."""
        message = f"too many {self._things} are waiting; try again in {self._wait} seconds"
        return LimitError(message, code="limit/busy", wait=self._wait)

    def leave(self, address: str | None) -> None:
        """Give a place back."""
        self._taken[address] -= 1
        self._taken += Counts()  # drops zero counts


_PAUSE_FACTOR = 3
"""The pause after a turn while there are users, as a multiple of the turn."""
_LONGEST_PAUSE = 0.1
"""Seconds; a longer turn is waiting for the store, where it delays no one."""


class BackgroundThrottle:
    """Gives unused tables one turn at a time, with a pause after each while other tables have users.

    So orders of players rarely wait for background work, however many unused tables are active. A table that
    gets a user stops waiting.
    """

    def __init__(self) -> None:
        self._users = 0
        self._is_taken = False
        self._waiting: dict[asyncio.Future[bool], str] = {}

    def enter(self, table_id: str) -> None:
        """Count one more user; their table stops waiting for a turn."""
        self._users += 1
        for turn in [turn for turn, waiting in self._waiting.items() if waiting == table_id]:
            del self._waiting[turn]
            _end_wait(turn, has_turn=False)

    def exit(self) -> None:
        """Count one user less."""
        self._users -= 1

    @asynccontextmanager
    async def turn(self, table_id: str) -> AsyncIterator[None]:
        """Wait for a turn, or until the table has a user."""
        if not await self._has_turn(table_id):
            yield
            return
        begun = perf_counter()
        try:
            yield
        finally:
            pause = min(_LONGEST_PAUSE, _PAUSE_FACTOR * (perf_counter() - begun)) if self._users else 0.0
            asyncio.get_running_loop().call_later(pause, self._next)

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """Hold all turns for the duration of a block."""
        await self._has_turn("")
        try:
            yield
        finally:
            self._next()

    async def _has_turn(self, table_id: str) -> bool:
        """Wait; return whether the table got a turn, which must be passed on."""
        if not self._is_taken:
            self._is_taken = True
            return True
        turn: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = table_id
        try:
            return await turn
        except asyncio.CancelledError:
            self._waiting.pop(turn, None)
            if not turn.cancelled() and turn.result():
                self._next()
            raise

    def _next(self) -> None:
        """Pass the turn on."""
        while self._waiting:
            turn = next(iter(self._waiting))
            del self._waiting[turn]
            if _end_wait(turn, has_turn=True):
                return
        self._is_taken = False


def _end_wait(turn: asyncio.Future[bool], *, has_turn: bool) -> bool:
    """End the wait for a turn; return whether its table still waits."""
    if turn.done():
        return False
    turn.set_result(has_turn)
    return True


MAX_CONNECTIONS_PER_CREDENTIAL, MAX_CONNECTIONS_PER_ADDRESS = 64, 1000
"""Most open sockets and streams: of one cookie or token, and from one address."""

COSTLY = frozenset({"table", "edit_conditional_moves", "seek"})
"""Messages that cost as much as ten: they send a whole table, judge up to forty decisions, or pair users."""
_WEIGHT = 10
_BYTES = 4096
"""A message costs one more for each of so many bytes."""


def weight_of(kind: str, size: int) -> int:
    """Return the cost of a message in messages, for the limits of a session at a table or in the lobby."""
    return (_WEIGHT if kind in COSTLY else 1) + size // _BYTES
