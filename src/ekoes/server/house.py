"""What every live table of a server uses."""

from __future__ import annotations

from asyncio import Semaphore
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.match.state import Table
from ekoes.server.analyses import Analyses
from ekoes.server.clock import Clock
from ekoes.server.door import Door
from ekoes.server.scribe import Scribe
from ekoes.server.tempo import Tempo
from ekoes.server.thinking.thinkers import Thinkers
from ekoes.server.uptime import Uptime
from ekoes.storage.remembered import Remembered
from ekoes.storage.store import Store

__all__ = ["House"]

_LOGS = 16
_MOMENTS = 256


@dataclass(frozen=True, slots=True)
class House:
    """Store, its scribe, clock, chance, whoever answers what bots are asked, and how a new table comes about.

    create: keeps a new table and returns its id. aside: through which tables go on that nobody uses, a
    few at a time, so that nobody waits for them. analyses: positions that are searched for people. door: lets
    people sit down at rated tables. notice: is told each table as it is opened and as it changes. uptime:
    when the server was there. tempo: how often they may say something. logs, moments: what was read of
    tables a short while ago, for many who look at the same.
    """

    store: Store
    scribe: Scribe
    clock: Clock
    chance: Chance
    thinkers: Thinkers
    create: Callable[[Table], Awaitable[str]]
    aside: Semaphore
    analyses: Analyses
    door: Door
    notice: Callable[[str, Table], None]
    uptime: Uptime
    logs: Remembered[Sequence[str]] = field(default_factory=lambda: Remembered(_LOGS))
    tempo: Tempo = field(default_factory=Tempo)
    moments: Remembered[Json] = field(default_factory=lambda: Remembered(_MOMENTS))
