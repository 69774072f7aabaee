"""SVG parts of a picture: palette, terrain art, stacks and buildings, and the legend beside the board."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import cos, pi, sin, sqrt

from ekoes.games.eko.position.tiles import Terrain

SIZE = 50.0
"""The distance from the centre of a hexagon to its corners."""

INK = "#2b2118"
FAINT_INK = "#8a7558"
PAPER = "#fbf4e4"
SEAM = "#8c7245"
EDGE = "#c9aa72"
GOLD = "#f2c230"
GOLD_RIM = "#5b4300"
TEMPEST_OUTLINE = "#33667d"


@dataclass(frozen=True, slots=True)
class Colour:
    """A player's colour. ink: of the pattern; rim, side: of the discs."""

    word: str
    fill: str
    ink: str
    rim: str
    side: str


COLOURS = (
    Colour("indigo", "#1d3f7d", "#1d3f7d", "#0b1c3d", "#163164"),
    Colour("vermilion", "#d2560f", "#6b2500", "#4d1b00", "#a9420a"),
    Colour("sky", "#62b8e8", "#145d88", "#0d3c58", "#3f95c6"),
    Colour("ivory", "#fdf8ea", "#6e5a3c", "#46371f", "#d9ceb2"),
)


def number(value: float) -> str:
    """Format a coordinate or length with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{value:.0f}"


def centre(q: int, r: int) -> tuple[float, float]:
    """Return the centre of a space."""
    return SIZE * sqrt(3) * (q + r / 2), SIZE * 1.5 * r


def corner(place: int, size: float = SIZE) -> tuple[float, float]:
    """Return a corner of a hexagon around the origin; d and d + 1 bound the side facing direction d."""
    angle = pi / 180 * (30 - 60 * place)
    return size * cos(angle), size * sin(angle)


def hexagon(size: float = SIZE) -> str:
    """Return the corners of a hexagon around the origin, as SVG points."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in (corner(place, size) for place in range(6)))


# ruff: noqa: E501 -- an outline of the art is one text


_THICKNESS = 9.0
_RX, _RY = 25.0, 16.0

_TENT = "M0-22 25 18H-25Z"
_TOWER = "M-15 20-12-10H-16V-25H-9V-20H-3.5V-25H3.5V-20H9V-25H16V-10H12L15 20Z"
_CASTLE = "M-30 20V-20H-24V-15H-20V-20H-14V-6H-10V-27H-4.5V-21H4.5V-27H10V-6H14V-20H20V-15H24V-20H30V20Z"

_OUTLINES = {"camp": _TENT, "tower": _TOWER, "castle": _CASTLE}

_FEATURES = {
    "camp": '<path d="M0-22V-31L11-27 0-23" fill="{rim}" stroke="{rim}" stroke-width="1.5"/>'
    '<path d="M0-8 9 18H-9Z" fill="{rim}"/>',
    "tower": '<path d="M-12-10H12" stroke="{rim}" stroke-width="2"/><path d="M-3.5-1a3.5 3.5 0 0 1 7 0v6h-7Z" fill="{rim}"/>',
    "castle": '<path d="M-14-6V20M14-6V20" stroke="{rim}" stroke-width="2"/>'
    '<path d="M-8 20V8a8 8 0 0 1 16 0V20Z" fill="{rim}"/><path d="M-2-14h4v8h-4ZM-24-7h4v8h-4ZM20-7h4v8h-4Z" fill="{rim}"/>',
}

_PATTERNS = (
    "",
    '<circle cx="3" cy="3" r="1.9"/><circle cx="8" cy="8" r="1.9"/>',
    '<path d="M-2 7 7-2M3 12 12 3" stroke-width="2.6"/>',
    '<circle cx="5" cy="5" r="2.9" fill="none" stroke-width="1.5"/>',
)

_CROWN = (
    f'<g id="crown"><path d="M-15 4-18-13-8-5 0-18 8-5 18-13 15 4Q0 9-15 4Z" fill="{GOLD}" stroke="{GOLD_RIM}" '
    'stroke-width="2" stroke-linejoin="round"/>'
    f'<g fill="#fff3c4" stroke="{GOLD_RIM}" stroke-width="1.3"><circle cx="-18" cy="-14" r="2.6"/>'
    '<circle cy="-19" r="2.8"/><circle cx="18" cy="-14" r="2.6"/></g>'
    '<path d="M-14 1Q0 5 14 1" fill="none" stroke="#b8860b" stroke-width="2"/></g>'
)


def definitions() -> str:
    """Return the SVG definitions of patterns, discs and buildings in all colours, used by id."""
    parts = [_CROWN]
    for place, colour in enumerate(COLOURS):
        parts += [_pattern(place, colour), _disc(place, colour)]
        parts += [_building(kind, place, colour) for kind in _OUTLINES]
    return "".join(parts)


def stack(colour: int, height: int, *, emperor: bool) -> str:
    """Draw a stack around the centre of its space: discs, crown, and the height as a figure."""
    lowest = 2.0 + (height - 1) * 3.5
    parts = [f'<ellipse cy="{number(lowest + 7)}" rx="28" ry="17" fill="#5b3d12" opacity=".28"/>']
    parts += [
        f'<use href="#disc{colour}" y="{number(lowest - level * _THICKNESS)}"/>' for level in range(height)
    ]
    top = lowest - (height - 1) * _THICKNESS
    if emperor:
        parts.append(f'<use href="#crown" y="{number(top + 2)}"/>')
    if height > 1:
        parts.append(_figure(height, COLOURS[colour]))
    return "".join(parts)


def _figure(height: int, colour: Colour) -> str:
    """Write the height on the front of the stack, clear of the corners, where pyramids stand."""
    return (
        f'<circle cy="25" r="9" fill="#fffaf0" stroke="{colour.rim}" stroke-width="1.6"/>'
        f'<text class="figure" y="29.7" fill="{colour.rim}">{height}</text>'
    )


def _pattern(place: int, colour: Colour) -> str:
    return (
        f'<pattern id="pattern{place}" width="10" height="10" patternUnits="userSpaceOnUse">'
        f'<rect width="10" height="10" fill="{colour.fill}"/>'
        f'<g fill="{colour.ink}" stroke="{colour.ink}" stroke-width="0">{_PATTERNS[place]}</g></pattern>'
    )


def _disc(place: int, colour: Colour) -> str:
    side = f"M{-_RX:g} 0V{_THICKNESS:g}A{_RX:g} {_RY:g} 0 0 0 {_RX:g} {_THICKNESS:g}V0A{_RX:g} {_RY:g} 0 0 1 {-_RX:g} 0Z"
    return (
        f'<g id="disc{place}" stroke="{colour.rim}" stroke-width="1.8" stroke-linejoin="round">'
        f'<path d="{side}" fill="{colour.side}"/>'
        f'<ellipse rx="{_RX:g}" ry="{_RY:g}" fill="url(#pattern{place})"/>'
        f'<ellipse cy="-.5" rx="{_RX - 2.6:g}" ry="{_RY - 2.4:g}" fill="none" stroke="#fff" stroke-width="1.2" opacity=".45"/>'
        "</g>"
    )


def _building(kind: str, place: int, colour: Colour) -> str:
    outline = _OUTLINES[kind]
    return (
        f'<g id="{kind}{place}" stroke-linejoin="round">'
        '<ellipse cy="20" rx="32" ry="8" fill="#3a2508" opacity=".3"/>'
        f'<path d="{outline}" fill="#fffaf0" stroke="#fffaf0" stroke-width="6"/>'
        f'<path d="{outline}" fill="url(#pattern{place})" stroke="{colour.rim}" stroke-width="2.2"/>'
        f"{_FEATURES[kind].format(rim=colour.rim)}</g>"
    )


WIDTH = 330
_HEADING = 92
_ROW = 142
_POINTS_TO_WIN = 12


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player's entry in the legend.

    captives: the colours of the captive Emperors. to_act: whether it is this player's turn.
    """

    name: str
    colour: int
    points: int
    reserve: int
    emperor_in_reserve: bool
    removed: int
    captives: tuple[int, ...]
    to_act: bool
    won: bool


def height(lines: int) -> int:
    """Return the height of a legend for a number of players."""
    return _HEADING + lines * _ROW


def panel(heading: str, players: list[PlayerLine]) -> str:
    """Draw the legend; its upper left corner is the origin."""
    title = (
        '<text class="title" y="38">Ekö</text>'
        f'<text class="note" y="68" fill="{FAINT_INK}">{escape(heading)}</text>'
    )
    rows = (
        f'<g transform="translate(0 {_HEADING + place * _ROW})">{_row(line)}</g>'
        for place, line in enumerate(players)
    )
    return title + "".join(rows)


def _row(line: PlayerLine) -> str:
    frame = f'stroke="{COLOURS[line.colour].rim}" stroke-width="3"' if line.to_act or line.won else ""
    captives = "".join(
        f'<g transform="translate({298 - 44 * place} 38) scale(.62)"><use href="#disc{owner}"/>'
        '<use href="#crown" y="2"/></g>'
        for place, owner in enumerate(line.captives)
    )
    verdict = '<use href="#crown" transform="translate(38 20) scale(.8)"/>' if line.won else ""
    return (
        f'<rect width="{WIDTH}" height="{_ROW - 16}" rx="14" fill="#fffaf0" {frame}/>'
        f'<use href="#disc{line.colour}" transform="translate(38 34)"/>{verdict}'
        f'<text class="name" x="76" y="46">{escape(line.name)}</text>{captives}'
        f'{_pips(line)}<text class="note" x="18" y="112" fill="{INK}">{escape(_words(line))}</text>'
    )


def _pips(line: PlayerLine) -> str:
    """Draw the progress to 12 points, one mark for each."""
    pips = "".join(
        f'<rect x="{18 + 18 * place}" y="68" width="14" height="14" rx="4" '
        + (
            f'fill="{GOLD}" stroke="#8a6a12"/>'
            if place < line.points
            else 'fill="#efe3c8" stroke="#cdb98d"/>'
        )
        for place in range(_POINTS_TO_WIN)
    )
    return f'{pips}<text class="name" x="{24 + 18 * _POINTS_TO_WIN}" y="83">{line.points}</text>'


def _words(line: PlayerLine) -> str:
    emperor = " + Emperor" if line.emperor_in_reserve else ""
    removed = f" · removed {line.removed}" if line.removed else ""
    return f"reserve {line.reserve}{emperor}{removed}"


# ruff: noqa: E501 -- an outline of the art is one text


def _plate(fill: str, light: str, dark: str, extra: str) -> str:
    """Draw the slab of a construction space: a base, a bevel lit from above, and its relief."""
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
"""The art of each terrain, around the centre of its space; a portal opens to direction 0."""

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
"""The signs of a pyramid and the Beacon, drawn at the corner that its three spaces share."""
