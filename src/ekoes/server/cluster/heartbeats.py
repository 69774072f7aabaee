"""Heartbeats of cluster nodes: which node is gone, and which time the nodes share."""

from __future__ import annotations

import time
from collections.abc import Mapping

from ekoes.server.ops.clock import WallClock
from ekoes.server.ops.logs import log_of
from ekoes.server.ops.uptime import clock_after
from ekoes.storage.store import Store

_LOG = log_of("ekoes.server")
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
    before, until = store.leases.peers(), time.monotonic() + timeout
    while before and time.monotonic() < until:
        time.sleep(_POLL)
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
        _LOG.warning("wall clock differs from the other processes", seconds_ahead=ahead)
    return others
