"""The ways to other processes."""

from __future__ import annotations

from typing import NamedTuple

from ekoes.server.cluster.bus import Bus, Either
from ekoes.server.cluster.by_http import HttpBus
from ekoes.server.cluster.by_redis import RedisBus
from ekoes.server.cluster.seal import Seal
from ekoes.server.together.link import Link

__all__ = ["Ways", "ways_of"]


class Ways(NamedTuple):
    """How this process reaches others, and they it.

    seal: signs whom it passes on. by_http: takes in what others bring by HTTP. bus: carries what it says.
    """

    seal: Seal
    by_http: HttpBus
    bus: Bus


def ways_of(seal: Seal, address: str, link: Link | None) -> Ways:
    """Return the ways from an address: by Redis where there is one, and by HTTP while it is away."""
    by_http = HttpBus(seal)
    return Ways(seal, by_http, by_http if link is None else Either(RedisBus(link, address, seal), by_http))
