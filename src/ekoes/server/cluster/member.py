"""This process as one of several: what it owns, who the others are, and what happens when one is gone."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import monotonic
from typing import TypeVar

from ekoes.errors import StorageError
from ekoes.server.clock import Clock
from ekoes.server.cluster.bus import Word
from ekoes.server.cluster.heard import Heard
from ekoes.server.cluster.watch import Watch
from ekoes.server.cluster.ways import Ways
from ekoes.server.logs import log_of
from ekoes.server.owner import ElsewhereError
from ekoes.server.tasks import Errands, end
from ekoes.storage.leases import Lease, Leases, Peer

__all__ = ["BEAT", "PATIENCE", "Member"]

T = TypeVar("T")

_LOG = log_of("ekoes.server")
BEAT = 0.4
"""Seconds between two signs of life."""
PATIENCE = 1.8
"""Seconds of silence after which somebody is gone."""
_GAP = 1.2
"""Seconds between two looks after which one has not listened."""
_TRIES = 5
_CALLS = 10
_CALL = "call"
"""The topic of a word that calls a table from its owner."""


class Member:
    """One of the processes that share a database.

    id: changes when the others have ended it, because it was not heard, and it comes back. ways:
    to the others.
    """

    def __init__(self, leases: Leases, address: str, ways: Ways, clock: Clock) -> None:
        """Begin outside. address: where the others reach this process, such as ``10.0.0.5:8765``.

        clock: is told to the others, so that whoever comes goes on with it.
        """
        self.address = address
        self._clock = clock
        self.id = ""
        self._leases = leases
        self.ways = ways
        self._bus = ways.bus
        self._numbers = count()
        self._heard = Heard()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="member")
        self._peers: Mapping[str, Peer] = {}
        self._owned: dict[str, Lease] = {}
        self._elsewhere: dict[str, str] = {}
        self._gone: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._hearers: dict[str, Callable[[str], None]] = {}
        self._task: asyncio.Task[None] | None = None
        self._heard_at = float("-inf")
        self._was_heard = asyncio.Event()
        self._errands = Errands("taking over")
        self._dropped: Callable[[], Awaitable[None]] = _nothing
        self._left: Callable[[list[str]], Awaitable[None]] = _nothing_more
        self._given: Callable[[str], Awaitable[None]] = _nothing_more
        self._at_beat: Callable[[], None] = lambda: None

    async def join(
        self,
        dropped: Callable[[], Awaitable[None]],
        left: Callable[[list[str]], Awaitable[None]],
        given: Callable[[str], Awaitable[None]],
        beat: Callable[[], None],
    ) -> None:
        """Be there from now on. Raises StorageError.

        dropped: lets go of all that this process owned, as others have ended it; left: takes over the tables
        of who is gone, as far as they go on by themselves; given: lets go of a table that another one called;
        beat: is called with each sign of life.
        """
        self._dropped, self._left, self._given, self._at_beat = dropped, left, given, beat
        await self._enter()
        await self._bus.start(self.hear)
        self._task = asyncio.create_task(self._keep(), name="member")

    async def leave(self) -> None:
        """Be there no more: all that this process owns is free at once."""
        await end(self._task)
        await self._errands.end()
        try:
            await self._ask(self._leases.end, self.id)
        except StorageError as error:
            _LOG.warning("the others will have to find out that this process is gone", error=str(error))
        await self._bus.stop()
        self._thread.shutdown()

    # ------------------------------------------------------------ who owns what

    @property
    def leases(self) -> int:
        """How much this process owns: tables, and what there is one of."""
        return len(self._owned)

    def first(self, name: str) -> Lease:
        """Return the lease of a table that is made here."""
        return Lease(name, self.id, 1)

    async def claim(self, name: str) -> Lease | None:
        """Own something from now on; None: there is no such table. Raises ElsewhereError, StorageError."""
        if name in self._owned:
            await self._be_sure()
        if (own := self._owned.get(name)) is not None:
            return own
        for tries_left in reversed(range(_TRIES)):
            try:
                found = await self._ask(self._leases.claim, self.id, name)
                break
            except StorageError as error:
                if error.code != "storage/conflict" or not tries_left:
                    raise
        if found is not None and found.member != self.id:
            self._elsewhere[name] = found.member
            raise ElsewhereError(found.member)
        if found is not None:
            self._owned[name] = found
            if ":" in name:
                self._take_over()
        return found

    async def _be_sure(self) -> None:
        """Return once no other can have ended this process without its knowing. Raises StorageError.

        Who has stood still shows nothing of before: it may be another one's, and have gone on.
        """
        if monotonic() - self._heard_at < PATIENCE:
            return
        self._was_heard.clear()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._was_heard.wait()
        except TimeoutError:
            raise StorageError("whose this is can't be told just now; please try again") from None

    async def call(self, name: str) -> None:
        """Own what another one owns, which gives it up. Raises ElsewhereError, StorageError."""
        for tries_left in reversed(range(_CALLS)):
            owner = await self.owner(name)
            if owner is None:
                return
            if not await self._say(_CALL, name, *owner):
                if not tries_left:
                    raise ElsewhereError(owner[0])
                await asyncio.sleep(BEAT)
            self.forget(name)

    async def _give(self, name: str) -> None:
        """Own a table no more, as another one calls it. Raises StorageError."""
        lease = self._owned.pop(name, None)
        if lease is not None:
            await self._ask(self._leases.give_back, lease)
            await self._given(name)

    async def owner(self, name: str) -> tuple[str, str] | None:
        """Return id and address of who owns something; None: this process does, or nobody could.

        What is free is this process's from now on. Raises StorageError.
        """
        member = self._elsewhere.get(name, "")
        while member not in self._peers:
            try:
                await self.claim(name)
            except ElsewhereError as error:
                member = error.member
                await self._know(member)
            else:
                return None
        return member, self._peers[member].address

    def forget(self, name: str) -> None:
        """Look anew who owns something: who was thought to does not answer."""
        self._elsewhere.pop(name, None)

    async def _know(self, member: str) -> None:
        """Know somebody who has come since the last look."""
        if member not in self._peers:
            self._peers = await self._ask(self._leases.peers)

    # ------------------------------------------------------------ news

    def listen(self, topic: str, hear: Callable[[str], None]) -> None:
        """Have somebody hear what others tell."""
        self._hearers[topic] = hear

    async def hear(self, word: Word) -> bool:
        """Hear what another one says, once. Returns: whether it was said to this process, and is done."""
        if word.to != self.id:
            return False
        if self._heard.has(word.by, word.number):
            return True
        if word.topic == _CALL:
            try:
                await self._give(word.text)
            except StorageError:
                return False
        elif word.topic in self._hearers:
            self._hearers[word.topic](word.text)
        self._heard.note(word.by, word.number)
        return True

    async def tell(self, name: str, topic: str, text: str) -> None:
        """Tell news to the owner of something; nobody, if that is this process. Raises StorageError."""
        owner = await self.owner(name)
        if owner is not None and not await self._say(topic, text, *owner):
            self.forget(name)

    async def tell_all(self, topic: str, text: str) -> None:
        """Tell news to all others that are there."""
        others = [(member, peer.address) for member, peer in self._peers.items() if member != self.id]
        await asyncio.gather(*(self._say(topic, text, *other) for other in others))

    async def _say(self, topic: str, text: str, member: str, address: str) -> bool:
        word = Word(member, self.id, self.address, next(self._numbers), topic, text)
        return await self._bus.say(word, address)

    def gone(self, member: str) -> asyncio.Event:
        """Return what is set when somebody is gone."""
        return self._gone[member]

    # ------------------------------------------------------------ being there

    async def _enter(self) -> None:
        began = monotonic()
        self.id = await self._ask(self._leases.join, self.address, self._clock.now())
        self._note_heard(began)

    def _note_heard(self, at: float) -> None:
        """Note that the others have heard this process at a moment or later, by its even clock."""
        self._heard_at = at
        self._was_heard.set()

    async def _keep(self) -> None:
        """Be heard, and hear the others."""
        watch = Watch(PATIENCE, _GAP)
        while True:
            try:
                await self._beat(watch)
            except StorageError as error:
                _LOG.warning("the other processes can't be heard", error=str(error))
            await asyncio.sleep(BEAT)

    async def _beat(self, watch: Watch) -> None:
        self._at_beat()
        began = monotonic()
        peers = await self._ask(self._leases.beat, self.id, self._clock.now())
        if peers is None:
            await self._come_back()
            return
        self._note_heard(began)
        gone = self._peers.keys() - peers.keys()
        self._peers = peers
        for silent in watch.silent({name: peer.beats for name, peer in peers.items()}, monotonic()):
            _LOG.warning("another process is gone: others take over", at=peers[silent].address)
            await self._ask(self._leases.end, silent, peers[silent].beats)
            gone |= {silent}
        for member in (self._gone.keys() - peers.keys()) | (self._gone.keys() & gone):
            self._gone.pop(member).set()
        if gone:
            self._take_over()

    def _take_over(self) -> None:
        """Take over what those have left who are gone, beside being heard."""
        self._errands.run(self._take_what_is_left())

    async def _take_what_is_left(self) -> None:
        try:
            await self._left(await self._ask(self._leases.left))
        except StorageError as error:
            _LOG.error("what others have left can't be taken over", error=str(error))

    async def _come_back(self) -> None:
        """Let go of everything, and be there anew."""
        _LOG.warning("the others thought that this process was gone: it has lost all that it owned")
        self._owned.clear()
        self._elsewhere.clear()
        self._peers = {}
        await self._dropped()
        await self._enter()
        self._take_over()

    async def _ask(self, work: Callable[..., T], *arguments: object) -> T:
        """Ask the database in a thread for that alone: who is there must not wait for anything else."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)


async def _nothing() -> None:
    return


async def _nothing_more(_: object) -> None:
    return
