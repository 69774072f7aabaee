"""This process as a node of the cluster: its leases, heartbeats and clock, and messages to other nodes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import monotonic, sleep
from typing import TypeVar

from ekoes.errors import StorageError
from ekoes.server.cluster.redis import Message, RedisBus, ReplayWindow
from ekoes.server.ops.clock import Clock, WallClock, clock_after
from ekoes.server.ops.logs import LOG
from ekoes.server.ops.tasks import Errands, end
from ekoes.server.runtime.commands import ElsewhereError, Owner
from ekoes.storage.leases import Lease, Leases
from ekoes.storage.schema import MemberRow
from ekoes.storage.store import Store

T = TypeVar("T")

_CLAIM_ATTEMPTS = 5
_CALL_ATTEMPTS = 10
_CALL = "call"
"""The topic that asks the owner of a table to release it."""
HEARTBEAT = 0.4
"""Seconds between two heartbeats."""
TIMEOUT = 1.8
"""Seconds without a heartbeat after which a node is gone."""
LONGEST_GAP = 1.2
"""Seconds between two checks after which a node may have missed heartbeats itself."""
_POLL = 0.05
_SAME_TIME = 0.5
"""Seconds by which equal clocks may seem to differ: heartbeats are read with a delay."""
_WARN_AFTER = 1.0


class HeartbeatMonitor:
    """Finds nodes without heartbeats, by its own monotonic clock."""

    def __init__(self, timeout: float = TIMEOUT, longest_gap: float = LONGEST_GAP) -> None:
        """Start empty. longest_gap: it starts afresh after a longer gap between two checks."""
        self._timeout = timeout
        self._longest_gap = longest_gap
        self._looked_at = float("-inf")
        self._seen: dict[str, tuple[int, float]] = {}

    def silent(self, beats: Mapping[str, int], now: float) -> list[str]:
        """Return the nodes that are gone. beats: the count of heartbeats of each node by now."""
        known = self._seen if now - self._looked_at <= self._longest_gap else {}
        self._looked_at = now
        self._seen = {
            node: known[node] if node in known and known[node][0] == count else (count, now)
            for node, count in beats.items()
        }
        return [node for node, (_, since) in self._seen.items() if now - since >= self._timeout]


def cluster_clock(store: Store, timeout: float = TIMEOUT) -> WallClock:
    """Return a clock that continues the time of the other nodes; without any, ``clock_after``.

    A table that moves to a process with another time would have clocks that jump. If the wall clock shows
    about the same time it is used: heartbeats are read late, and from node to node that would add up.
    Blocks for up to ``timeout`` seconds until a heartbeat shows that a node runs. Raises StorageError.
    """
    before, until = store.leases.peers(), monotonic() + timeout
    while before and monotonic() < until:
        sleep(_POLL)
        clocks = [
            peer.clock
            for node, peer in store.leases.peers().items()
            if peer.clock is not None and (node not in before or peer.beats != before[node].beats)
        ]
        if clocks:
            return _wall_clock_unless_different(WallClock(max(clocks)))
    return clock_after(store)


def _wall_clock_unless_different(others: WallClock) -> WallClock:
    own = WallClock()
    ahead = (own.now() - others.now()).total_seconds()
    if abs(ahead) <= _SAME_TIME:
        return own
    if abs(ahead) > _WARN_AFTER:
        LOG.warning("wall clock differs from the other processes", seconds_ahead=ahead)
    return others


class ClusterNode(Owner):
    """One of the processes that share a database.

    id: a new one whenever the process joins again, after the others have removed it. on_lost: all leases
    are lost, and this process has to drop what it owned. on_left: takes over tables without an owner.
    on_called: another process asked for a table.
    """

    on_lost: Callable[[], Awaitable[None]]
    on_left: Callable[[list[str]], Awaitable[None]]
    on_called: Callable[[str], Awaitable[None]]

    def __init__(self, leases: Leases, address: str, bus: RedisBus, clock: Clock) -> None:
        """Create it before it joins. address: of this node. clock: its time is sent with heartbeats."""
        self.address = address
        self.id = ""
        self._clock = clock
        self._leases = leases
        self._bus = bus
        self._numbers = count()
        self._received = ReplayWindow()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="cluster")
        self._peers: Mapping[str, MemberRow] = {}
        self._owned: dict[str, Lease] = {}
        self._elsewhere: dict[str, str] = {}
        self._gone: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._handlers: dict[str, Callable[[str], object]] = {}
        self._beating: asyncio.Task[None] | None = None
        self._beat_at = float("-inf")
        self._has_beat = asyncio.Event()
        self._tasks = Errands("take over")

    async def start(self) -> None:
        """Join the cluster. Raises StorageError."""
        await self._join()
        await self._bus.start(self._receive)
        self._beating = asyncio.create_task(self._keep_beating(), name="heartbeat")

    async def stop(self) -> None:
        """Leave the cluster, so that others can take over at once what this process owns."""
        await end(self._beating)
        await self._tasks.end()
        try:
            await self._ask(self._leases.end, self.id)
        except StorageError as error:
            LOG.warning("can't leave the cluster; the others will time out", error=str(error))
        await self._bus.stop()
        self._thread.shutdown()

    # ------------------------------------------------------------ leases

    @property
    def leases(self) -> int:
        """The number of tables and other things that this process owns."""
        return len(self._owned)

    def first(self, name: str) -> Lease:
        """Return the lease of a table that this process creates."""
        return Lease(name, self.id, 1)

    async def claim(self, name: str) -> Lease | None:
        """Claim a table without an owner; None if it does not exist. Raises ElsewhereError, StorageError."""
        if name in self._owned:
            await self._ensure_membership()
        if (own := self._owned.get(name)) is not None:
            return own
        for attempts_left in reversed(range(_CLAIM_ATTEMPTS)):
            try:
                lease = await self._ask(self._leases.claim, self.id, name)
                break
            except StorageError as error:
                if error.code != "storage/conflict" or not attempts_left:
                    raise
        if lease is not None and lease.member != self.id:
            self._elsewhere[name] = lease.member
            raise ElsewhereError(lease.member)
        if lease is not None:
            self._owned[name] = lease
            if ":" in name:
                self._take_over()
        return lease

    async def _ensure_membership(self) -> None:
        """Wait for a heartbeat if other nodes may have removed this one since the last. Raises StorageError.

        A process that was suspended must not show what it has in memory: the table may have changed.
        """
        if monotonic() - self._beat_at < TIMEOUT:
            return
        self._has_beat.clear()
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._has_beat.wait()
        except TimeoutError:
            raise StorageError(
                "the process that owns this is unknown at the moment; please try again"
            ) from None

    async def owner(self, name: str) -> tuple[str, str] | None:
        """Return id and address of the owner; None if this process owns it or it does not exist.

        Claims it if it has no owner. Raises StorageError.
        """
        node = self._elsewhere.get(name, "")
        while node not in self._peers:
            try:
                await self.claim(name)
            except ElsewhereError as error:
                node = error.member
                if node not in self._peers:
                    self._peers = await self._ask(self._leases.peers)
            else:
                return None
        return node, self._peers[node].address

    def forget_owner(self, name: str) -> None:
        """Evict an owner that does not answer from the cache."""
        self._elsewhere.pop(name, None)

    async def call(self, name: str) -> None:
        """Have the owner release something, and claim it. Raises ElsewhereError, StorageError."""
        for attempts_left in reversed(range(_CALL_ATTEMPTS)):
            owner = await self.owner(name)
            if owner is None:
                return
            if not await self._publish(_CALL, name, *owner):
                if not attempts_left:
                    raise ElsewhereError(owner[0])
                await asyncio.sleep(HEARTBEAT)
            self.forget_owner(name)

    async def _give_back(self, name: str) -> bool:
        lease = self._owned.pop(name, None)
        if lease is None:
            return True
        try:
            await self._ask(self._leases.give_back, lease)
            await self.on_called(name)
        except StorageError:
            return False
        return True

    # ------------------------------------------------------------ messages

    def handle(self, topic: str, handler: Callable[[str], object]) -> None:
        """Handle the messages of a topic."""
        self._handlers[topic] = handler

    async def publish_to_owner(self, name: str, topic: str, text: str) -> bool:
        """Send a message to the owner of something, unless that is this process. Raises StorageError.

        Returns: False if it has to be sent again.
        """
        owner = await self.owner(name)
        if owner is None or await self._publish(topic, text, *owner):
            return True
        self.forget_owner(name)
        return False

    async def publish_to_all(self, topic: str, text: str) -> None:
        """Send a message to each other node until it is delivered or the node is gone."""
        others = [(node, peer.address) for node, peer in self._peers.items() if node != self.id]
        await asyncio.gather(*(self._deliver(topic, text, *other) for other in others))

    async def _deliver(self, topic: str, text: str, node: str, address: str) -> None:
        while node in self._peers:
            if await self._publish(topic, text, node, address):
                return
            await asyncio.sleep(HEARTBEAT)

    async def _publish(self, topic: str, text: str, node: str, address: str) -> bool:
        message = Message(node, self.id, self.address, next(self._numbers), topic, text)
        return await self._bus.publish(message, address)

    async def _receive(self, message: Message) -> bool:
        """Handle a message once. Returns: whether it was sent to this node, and is handled."""
        if message.recipient != self.id:
            return False
        if message in self._received:
            return True
        if message.topic == _CALL:
            if not await self._give_back(message.text):
                return False
        elif message.topic in self._handlers:
            self._handlers[message.topic](message.text)
        self._received.add(message)
        return True

    # ------------------------------------------------------------ membership

    def gone(self, node: str) -> asyncio.Event:
        """Return an event that is set when a node is gone."""
        return self._gone[node]

    async def _join(self) -> None:
        began = monotonic()
        self.id = await self._ask(self._leases.join, self.address, self._clock.now())
        self._note_beat(began)

    def _note_beat(self, at: float) -> None:
        self._beat_at = at
        self._has_beat.set()

    async def _keep_beating(self) -> None:
        monitor = HeartbeatMonitor()
        while True:
            try:
                await self._beat(monitor)
            except StorageError as error:
                LOG.warning("heartbeat failed", error=str(error))
            await asyncio.sleep(HEARTBEAT)

    async def _beat(self, monitor: HeartbeatMonitor) -> None:
        began = monotonic()
        peers = await self._ask(self._leases.beat, self.id, self._clock.now())
        if peers is None:
            await self._rejoin()
            return
        self._note_beat(began)
        gone = self._peers.keys() - peers.keys()
        self._peers = peers
        for silent in monitor.silent({node: peer.beats for node, peer in peers.items()}, monotonic()):
            LOG.warning("cluster process timed out", at=peers[silent].address)
            await self._ask(self._leases.end, silent, peers[silent].beats)
            gone |= {silent}
        for node in (self._gone.keys() - peers.keys()) | (self._gone.keys() & gone):
            self._gone.pop(node).set()
        if gone:
            self._take_over()

    async def _rejoin(self) -> None:
        LOG.warning("removed from the cluster: dropping all tables and rejoining")
        self._owned.clear()
        self._elsewhere.clear()
        self._peers = {}
        await self.on_lost()
        await self._join()
        self._take_over()

    def _take_over(self) -> None:
        """Take over tables without an owner, in a task: heartbeats must not wait for it."""
        self._tasks.run(self._take_over_left())

    async def _take_over_left(self) -> None:
        try:
            await self.on_left(await self._ask(self._leases.left))
        except StorageError as error:
            LOG.error("can't take over tables", error=str(error))

    async def _ask(self, work: Callable[..., T], *arguments: object) -> T:
        """Query the database in a separate thread: heartbeats must not wait for anything else."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)
