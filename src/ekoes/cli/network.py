"""Where friends in the same network reach a server on this machine."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address

__all__ = ["EVERYWHERE", "invitation", "network_addresses"]

EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on
"""Hosts that mean all interfaces."""


def network_addresses(listener: socket.socket) -> list[str]:
    """Return the URLs by which other machines reach a listener, the likeliest first; maybe none.

    Private addresses come before public ones, for friends sit in the same house.
    """
    host, port = listener.getsockname()[:2]
    if host not in EVERYWHERE:
        is_inside = host in {"localhost", "::1"} or host.startswith("127.")
        return [] if is_inside else [f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"]
    return [f"http://{address}:{port}/" for address in sorted(_own(), key=lambda own: not own.is_private)]


def _own() -> list[IPv4Address]:
    """Return this machine's addresses that others can reach it by."""
    from ifaddr import get_adapters

    found = [IPv4Address(ip.ip) for adapter in get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return [address for address in found if not (address.is_loopback or address.is_link_local)]


def invitation(addresses: list[str], *, draws: bool) -> str:
    """Return what a terminal tells of these addresses; draws: the first one as a QR code too."""
    if not addresses:
        return ""
    told = f"Friends in the same network open {' or '.join(addresses)}"
    return f"{told}\n{_code(addresses[0])}" if draws else told


def _code(text: str) -> str:
    """Draw a text as a QR code of half blocks."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue().rstrip("\n")
