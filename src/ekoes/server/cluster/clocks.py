"""The time of processes that share a database: it is that of those who are there."""

from __future__ import annotations

import time

from ekoes.server.clock import WallClock
from ekoes.server.cluster.member import PATIENCE
from ekoes.server.logs import log_of
from ekoes.server.uptime import clock_after
from ekoes.storage.store import Store

__all__ = ["clock_among"]

_LOG = log_of("ekoes.server")
_LOOK = 0.05
_ALIKE = 0.5
"""Seconds by which clocks differ that go by the same time: what others tell has come some moments late."""
_TELLING = 1.0
"""Seconds by which clocks differ that somebody has to look after."""


def clock_among(store: Store, patience: float = PATIENCE) -> WallClock:
    """Return a clock that goes on with those of the others that are there; without them, ``clock_after``.

    Where that on the wall tells the same it is taken: what is heard is late by a moment, and from one process
    to the next such moments would add up. A table that went from a process to another with a clock of its
    own would have clocks that jump. Who is there is heard within some seconds, ``patience``: a row may be of
    somebody who was killed. This blocks for as long as that. Raises StorageError.
    """
    before, until = store.leases.peers(), time.monotonic() + patience
    while before and time.monotonic() < until:
        time.sleep(_LOOK)
        heard = [
            peer.clock
            for name, peer in store.leases.peers().items()
            if peer.clock is not None and (name not in before or peer.beats != before[name].beats)
        ]
        if heard:
            return _with(WallClock(max(heard)))
    return clock_after(store)


def _with(others: WallClock) -> WallClock:
    """Return the others' clock, or that on the wall if it is the same; tell, if it is another one."""
    own = WallClock()
    ahead = (own.now() - others.now()).total_seconds()
    if abs(ahead) <= _ALIKE:
        return own
    if abs(ahead) > _TELLING:
        _LOG.warning("the clock on the wall is not that of the other processes", seconds_ahead=ahead)
    return others
