"""Where notices may be sent: to public https addresses, so that nobody has the server call its neighbours."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address

from httpx import URL, InvalidURL

from ekoes.errors import AccountError

__all__ = ["NowhereError", "check_endpoint", "resolved"]

_LONGEST = 1000


class NowhereError(OSError):
    """An address to which nothing is sent."""


def check_endpoint(endpoint: str, *, anywhere: bool) -> None:
    """Raise AccountError unless notices may be sent to an address. anywhere: also near by, for tests."""
    try:
        url = URL(endpoint)
    except (InvalidURL, UnicodeError):
        url = URL("")
    has_shape = url.scheme == "https" and url.port is None and not url.userinfo
    if len(endpoint) > _LONGEST or not url.host or not (anywhere or has_shape):
        message = "notices go to an https address of a push service"
        raise AccountError(message, code="account/bad-push", key="endpoint")


async def resolved(url: URL, *, anywhere: bool) -> str:
    """Return the address of the machine behind a URL, which is the one that is then called.

    Raises: NowhereError if it is not a public one, OSError if there is none.
    """
    loop = asyncio.get_running_loop()
    port = url.port or (443 if url.scheme == "https" else 80)
    found = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not (anywhere or all(map(_is_public, addresses))):
        raise NowhereError(f"{url.host} is no public address")
    return addresses[0]


def _is_public(address: str) -> bool:
    """Tell whether an address is one of the network at large, also where version 6 wraps another one."""
    one = ip_address(address)
    inner = getattr(one, "ipv4_mapped", None) or getattr(one, "sixtofour", None)
    return one.is_global and not one.is_multicast and (inner is None or inner.is_global)
