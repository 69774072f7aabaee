"""The ground: one symbol for each terrain, and the signs that stand where three spaces meet."""

# ruff: noqa: E501 -- an outline of the art is one text

from __future__ import annotations

from ekoes.games.eko.picture.style import hexagon
from ekoes.games.eko.tiles import Terrain

__all__ = ["SIGNS", "TERRAINS"]


def _plate(fill: str, light: str, dark: str, extra: str) -> str:
    """Draw a slab to build on: a base, a bevel that is lit from above, its relief."""
    base = f'<polygon points="{hexagon(50)}" fill="{dark}"/>'
    return (
        f'{base}<polygon points="{hexagon(50)}" fill="{fill}" opacity=".55"/>'
        f'<polygon points="{hexagon(42)}" fill="{dark}" opacity=".55" transform="translate(0 2.5)"/>'
        f'<polygon points="{hexagon(42)}" fill="{light}"/>'
        f'<polygon points="{hexagon(40)}" fill="{fill}" transform="translate(0 1)"/>{extra}'
    )


_SAND = (
    f'<polygon points="{hexagon()}" fill="#f1dcae"/>'
    '<ellipse cy="3" rx="31" ry="27" fill="#fbeecb"/>'
    '<ellipse cy="1" rx="30" ry="26" fill="#cfae72"/>'
    '<ellipse cy="3.2" rx="29" ry="24.5" fill="#dfc28a"/>'
    '<ellipse cy="6" rx="24" ry="19" fill="#e6cc98"/>'
)

_TEMPEST = (
    f'<polygon points="{hexagon()}" fill="#b5cdd6"/>'
    '<ellipse cy="3" rx="30" ry="26" fill="#c4d9e0"/>'
    '<g fill="none" stroke="#5d8ea3" stroke-linecap="round">'
    '<path stroke-width="3.2" d="M1 3c0-4 7-4 7 1 0 7-14 8-15-1C-8-8 12-13 19-1c8 15-14 27-30 16"/>'
    '<path stroke-width="2.4" d="M-21 10C-31-3-25-20-9-24-1-26 10-24 17-17" opacity=".8"/>'
    '<path stroke-width="2" d="M-33-9c3-9 9-16 17-20M33 9c-2 8-7 15-14 20M-28 17c2 5 6 9 10 12" opacity=".6"/>'
    "</g>"
)

_CHASM = (
    f'<polygon points="{hexagon()}" fill="#3d322d"/>'
    '<path d="M-30-14-12-26 4-20 22-27 33-8 24 4 32 18 12 30-4 22-22 28-34 10-25 0Z" fill="#2a211d"/>'
    '<path d="M-20-10-6-17 8-12 20-15 24-4 16 4 21 13 6 19-5 13-17 17-23 6-15-1Z" fill="#17110e"/>'
    '<g fill="none" stroke="#17110e" stroke-width="2" stroke-linejoin="round">'
    '<path d="M-30-14-40-20M4-20 2-34 7-44M33-8 42-12M12 30 15 41M-22 28-27 36M-34 10-42 14"/></g>'
    '<g fill="none" stroke="#6a5850" stroke-width="1.3" opacity=".8">'
    '<path d="M-34 10-22 28-4 22 12 30 32 18"/></g>'
)

_STONES = (
    (-21, -12, 8),
    (-6, -21, 6),
    (14, -16, 9),
    (24, 2, 6),
    (14, 17, 8),
    (-7, 22, 6.5),
    (-23, 9, 7),
)

_REG = _plate(
    "#d3bb96",
    "#e4d2b4",
    "#a98f68",
    "".join(
        f'<g transform="translate({x} {y}) scale({size / 8})"><path d="M-8 4-7-3-1-7 6-5 8 2 5 5Z" fill="#8d7657"/>'
        '<path d="M-7-3-1-7 6-5 1-2-4-1Z" fill="#b7a07d"/></g>'
        for x, y, size in _STONES
    ),
)

_CANYON = _plate(
    "#d59a6c",
    "#e6b48a",
    "#a5673c",
    '<path d="M-9-34 4-22-4-9 8 3-2 16 6 36 18 35 12 18 21 4 9-8 16-22 6-35Z" fill="#7d4424"/>'
    '<path d="M-9-34 4-22-4-9 8 3-2 16 6 36 9 36 3 17 13 4 1-8 8-21-2-35Z" fill="#57290f"/>'
    '<g fill="none" stroke="#b9764a" stroke-width="2" stroke-linejoin="round">'
    '<path d="M-19-28-9-17-15-6-5 6-13 18-7 30M26-24 19-11 29 2 22 16 25 25"/></g>',
)

_MOUNTAIN = _plate(
    "#b9aca0",
    "#d0c5ba",
    "#877a6f",
    '<path d="M-33 20-19-3-11 4 2-30 15-6 20-12 33 20Z" fill="#6a5d54"/>'
    '<path d="M2-30 15-6 20-12 33 20H9L4 2Z" fill="#574b43"/>'
    '<path d="M2-30-6-9-1-12 3-5 7-11 12-11Z" fill="#f6f1e8"/>'
    '<path d="M-19-3-24 6-19 3-15 7-13 2Z" fill="#f6f1e8"/>',
)

_MERLONS = "".join(f'<rect x="{x}" y="-19" width="7" height="8"/>' for x in (-27, -15, -3.5, 8, 20))

_CAPITAL = (
    f'<polygon points="{hexagon()}" fill="#b8860b"/>'
    f'<polygon points="{hexagon(46)}" fill="#ffe9a6"/>'
    f'<polygon points="{hexagon(43.5)}" fill="#b8860b"/>'
    f'<polygon points="{hexagon(40)}" fill="#ead08d"/>'
    f'<g fill="#7a5a1c">{_MERLONS}<path d="M-27-13h54v28h-54Z"/></g>'
    '<path d="M-24-8h48v4h-48Z" fill="#a88235"/>'
    '<path d="M-8 15V6a8 8 0 0 1 16 0v9Z" fill="#3c2a08"/>'
    '<path d="M0-37 2.6-31.4 8.7-30.7 4.2-26.5 5.4-20.5 0-23.5-5.4-20.5-4.2-26.5-8.7-30.7'
    '-2.6-31.4Z" fill="#b8860b"/>'
)

_TEMPLE = ("#d8d0c6", "#ece6dd", "#a2968a")
_COLUMNS = '<g fill="#b3a89b"><path d="M-36 21h72v5h-72Z"/><path d="M-30-16h5v37h-5ZM25-16h5v37h-5Z"/></g>'

_MOON = _plate(
    *_TEMPLE,
    f'{_COLUMNS}<path d="M9-22A21 21 0 1 0 17 11 17 17 0 1 1 9-22Z" fill="#5b4a78"/>'
    '<circle cx="14" cy="-6" r="3" fill="#5b4a78"/>',
)
_SANDTEMPLE = _plate(
    *_TEMPLE,
    f'{_COLUMNS}<path d="M-15-23H15V-18C15-8 4-6 3-2 4 3 15 5 15 14V19H-15V14C-15 5-4 3-3-2-4-6-15-8-15-18Z" fill="#5b4a78"/>'
    '<path d="M-10-14H10C8-8 2-7 0-3-2-7-8-8-10-14ZM-10 15C-9 9-3 8 0 4 3 8 9 9 10 15Z" fill="#f2dca8"/>',
)
_WIND = _plate(
    *_TEMPLE,
    f'{_COLUMNS}<path d="M0-1c3-4 9 0 7 5-3 7-15 6-17-3C-13-12 4-21 15-13c12 9 8 28-9 32" fill="none" '
    'stroke="#5b4a78" stroke-width="5" stroke-linecap="round"/>',
)

_PORTAL = (
    f'<polygon points="{hexagon()}" fill="#3d322d"/>'
    f'<polygon points="{hexagon(44)}" fill="#8f82a8"/>'
    '<path d="M43-25V25L20 19A22 22 0 0 1 20-19Z" fill="#cfc5e6"/>'
    '<path d="M41-23V23L22 17A20 20 0 0 1 22-17Z" fill="#f3edff" opacity=".75"/>'
    '<path d="M42-25.5 19-20.5A25 25 0 0 0 19 20.5L42 25.5 40 30 15 26A31 31 0 0 1 15-26L40-30Z" fill="#3f3357"/>'
    '<g stroke="#8f82a8" stroke-width="1.5"><path d="M6-19-3-26M-5-10-13-14M-8 0H-17M-5 10-13 14M6 19-3 26M24-22 22-28M24 22 22 28"/></g>'
)

TERRAINS = {
    Terrain.SAND: _SAND,
    Terrain.TEMPEST: _TEMPEST,
    Terrain.CHASM: _CHASM,
    Terrain.REG: _REG,
    Terrain.CANYON: _CANYON,
    Terrain.CAPITAL: _CAPITAL,
    Terrain.MOUNTAIN: _MOUNTAIN,
    Terrain.MOON: _MOON,
    Terrain.SANDTEMPLE: _SANDTEMPLE,
    Terrain.WIND: _WIND,
    Terrain.PORTAL: _PORTAL,
}
"""What is drawn on a space, around its centre; a portal with its open side to direction 0."""

SIGNS = {
    "pyramid": '<circle r="15" fill="#fbf4e4" stroke="#33667d" stroke-width="2"/>'
    '<path d="M0-12 12 7 3 10Z" fill="#a9741f"/><path d="M0-12 3 10-12 6Z" fill="#e0b04c"/>'
    '<path d="M-4.5-5 1-3 4.5-4.9M-8.5 1 2 3.8 8.5 1.5" stroke="#7a5a1c" stroke-width="1.2" fill="none"/>',
    "beacon": '<circle r="15" fill="#fbf4e4" stroke="#33667d" stroke-width="2"/>'
    '<g transform="scale(.88)"><g stroke="#b8860b" stroke-width="2.2" stroke-linecap="round">'
    '<path d="M0-15V-12M8-13 6.5-10.5M-8-13-6.5-10.5M13-7 10.5-5.5M-13-7-10.5-5.5"/></g>'
    '<path d="M0-10C5-5 6-2 5 1 4 4-4 4-5 1-6-2-3-4 0-10Z" fill="#d2560f"/>'
    '<path d="M0-4C2-2 2.5 0 2 1.5 1 3-1 3-2 1.5-2.5 0-1-1 0-4Z" fill="#f9dd7a"/>'
    '<path d="M-7 4H7L4 8H-4ZM-2.5 8H2.5L4.5 14H-4.5Z" fill="#5b4a78"/></g>',
}
"""What stands at the corner that the three spaces around a pyramid or the Beacon share."""
