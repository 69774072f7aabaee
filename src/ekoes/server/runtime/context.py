"""`ServerContext`: what all open tables of a server share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.server.ops.clock import Clock
from ekoes.server.ops.limits import Tempo
from ekoes.server.ops.metrics import Metrics
from ekoes.server.ops.tracing import Span
from ekoes.server.ops.uptime import Uptime
from ekoes.server.runtime.analyses import Analyses
from ekoes.server.runtime.background import BackgroundThrottle
from ekoes.server.runtime.group_commit import GroupCommitter
from ekoes.server.runtime.owner import Owner
from ekoes.server.runtime.seat_guard import SeatGuard
from ekoes.server.workers.bot_pool import BotRunner
from ekoes.storage.cache import LRUCache
from ekoes.storage.store import Store
from ekoes.tables.table import Table

_LOGS = 16
_POSITIONS = 256


@dataclass(frozen=True, slots=True)
class ServerContext:
    """The services of a server that its tables use.

    create: stores a new table under an id, unless there is one. notify: publishes a table that was opened or
    has changed. is_away: whether an account is on vacation. span: starts a trace span; None: tracing is off.
    logs, positions: caches of data read from tables.
    """

    store: Store
    committer: GroupCommitter
    clock: Clock
    chance: Chance
    bots: BotRunner
    create: Callable[[Table, str], Awaitable[str]]
    throttle: BackgroundThrottle
    analyses: Analyses
    seat_guard: SeatGuard
    notify: Callable[[str, Table], None]
    uptime: Uptime
    metrics: Metrics
    is_away: Callable[[str], bool]
    owner: Owner
    span: Span | None
    tempo: Tempo
    logs: LRUCache[Sequence[str]] = field(default_factory=lambda: LRUCache(_LOGS))
    positions: LRUCache[Json] = field(default_factory=lambda: LRUCache(_POSITIONS))
