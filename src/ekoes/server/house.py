"""What every live table of a server uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.match.state import Table
from ekoes.server.analyses import Analyses
from ekoes.server.aside import Aside
from ekoes.server.clock import Clock
from ekoes.server.door import Door
from ekoes.server.metrics import Metrics
from ekoes.server.owner import Owner
from ekoes.server.scribe import Scribe
from ekoes.server.tempo import Tempo
from ekoes.server.thinking.thinkers import Thinkers
from ekoes.server.traces import Span
from ekoes.server.uptime import Uptime
from ekoes.storage.remembered import Remembered
from ekoes.storage.store import Store

__all__ = ["House"]

_LOGS = 16
_MOMENTS = 256


@dataclass(frozen=True, slots=True)
class House:
    """Store, its scribe, clock, chance, whoever answers what bots are asked, and how a new table comes about.

    create: keeps a new table under an id, unless it is there already. aside: through which tables go on that
    nobody uses, so that nobody waits for them. analyses: positions that are searched for people. door: lets
    people sit down. notice: is told each table as it is opened and as it changes, and as those see it who
    have no seat. told: is told of which table everybody knows now that it is over. uptime: when the server
    was there. metrics: what is counted and measured. is_away: whether somebody is on vacation. tempo: how
    often people may say something. owner: claims each table before it is opened. span: begins a span of an
    order's way. logs, moments: what was read of tables a short while ago, for many who look at the same.
    """

    store: Store
    scribe: Scribe
    clock: Clock
    chance: Chance
    thinkers: Thinkers
    create: Callable[[Table, str], Awaitable[str]]
    aside: Aside
    analyses: Analyses
    door: Door
    notice: Callable[[str, Table, Table], None]
    told: Callable[[str], None]
    uptime: Uptime
    metrics: Metrics
    is_away: Callable[[str], bool]
    owner: Owner
    span: Span
    tempo: Tempo
    logs: Remembered[Sequence[str]] = field(default_factory=lambda: Remembered(_LOGS))
    moments: Remembered[Json] = field(default_factory=lambda: Remembered(_MOMENTS))
