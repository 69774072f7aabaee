"""Draws a position or a bare board as a standalone SVG picture, and the preview picture for links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, Any

from ekoes.games.api.contract import Json
from ekoes.games.api.table import HEIGHT, WIDTH, Sitter, document, text
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.rules.board import DIRECTIONS, Terrain
from ekoes.games.eko.rules.record import WINNING_POINTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ekoes.games.eko.position.position import EkoPosition


SIZE = 50.0
"""The distance from the centre of a hexagon to its corners."""

_SYMBOLS: Json = json.loads(files("ekoes.games.eko").joinpath("symbols.json").read_text("utf-8"))
"""The shapes of terrains, buildings and signs, which the page draws too (web/src/board/symbols.ts)."""

INK = "#2b2118"
FAINT_INK = "#8a7558"
PAPER = "#fbf4e4"
SEAM = "#86693a"
EDGE = "#c9aa72"
LIT = "#fff4d6"
DIM = "#5e3e12"
WALLS = ("#c0965a", "#8a6636")
"""The sides of the board that one sees: to the left, to the right."""
GOLD = "#f2c230"
GOLD_LIT = "#ffe9a3"
GOLD_DEEP = "#b57f0c"
GOLD_RIM = "#5b4300"
TEMPEST_OUTLINE = "#33667d"

_PALETTE = {
    "shade": "rgba(60,40,10,.18)",
    "sand": "#f3dfb2",
    "sand-deep": "#dcbf86",
    "edge": EDGE,
    "sand-lit": "#fff4d6",
    "tempest": "#b5cdd6",
    "tempest-deep": "#5d8ea3",
    "chasm": "#3d322d",
    "chasm-deep": "#17110e",
    "chasm-lit": "#6b5a50",
    "reg": "#d3bb96",
    "reg-deep": "#8d7657",
    "canyon": "#d59a6c",
    "canyon-deep": "#7d4424",
    "capital": "#ead08d",
    "capital-deep": "#7a5a1c",
    "gold": "#b8860b",
    "mountain": "#b9aca0",
    "mountain-deep": "#6a5d54",
    "snow": "#f6f1e8",
    "temple": "#d8d0c6",
    "temple-deep": "#5b4a78",
    "portal": "#8f82a8",
    "portal-deep": "#3f3357",
}
"""The colours of the symbols, as in the page's light theme (web/src/app.css)."""


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


_THICKNESS = 9.0
_RX, _RY = 25.0, 16.0

_PATTERNS = (
    "",
    '<circle cx="3" cy="3" r="1.9"/><circle cx="8" cy="8" r="1.9"/>',
    '<path d="M-2 7 7-2M3 12 12 3" stroke-width="2.6"/>',
    '<circle cx="5" cy="5" r="2.9" fill="none" stroke-width="1.5"/>',
)

_CROWN = (
    f'<g stroke="{GOLD_RIM}" stroke-width="1.6" stroke-linejoin="round">'
    f'<path d="M-15.5-3-8.5-16.5 0-9 8.5-16.5 15.5-3Q0 3-15.5-3Z" fill="{GOLD_DEEP}"/>'
    f'<path d="M-15 4-19-11.5-9.5-4 0-14.5 9.5-4 19-11.5 15 4Q0 11.5-15 4Z" fill="{GOLD}"/>'
    f'<path d="M-14.3.5Q0 7.5 14.3.5" fill="none"/><g fill="{GOLD_LIT}"><circle cy="-14" r="2.7"/>'
    '<circle cx="-18.5" cy="-11.5" r="2.5"/><circle cx="18.5" cy="-11.5" r="2.5"/></g></g>'
)


@cache
def _definitions() -> dict[str, str]:
    """Return the terrains, the crown, patterns, discs and buildings by the ids under which art uses them."""
    known = {
        f"{word}{place}": _terrain(symbol["ground"], relief, raised=symbol["raised"])
        for word, symbol in _SYMBOLS["terrains"].items()
        for place, relief in enumerate(symbol["reliefs"])
    }
    known["crown"] = _CROWN
    for place, colour in enumerate(COLOURS):
        own = {"colour": colour.fill, "side": colour.side, "rim": colour.rim}
        own["pattern"] = f"url(#pattern{place})"
        known[f"disc{place}"] = _disc(place, colour)
        known |= {f"{kind}{place}": _shape(shape, own) for kind, shape in _SYMBOLS["buildings"].items()}
    return {name: f'<g id="{name}">{art}</g>' for name, art in known.items()}


def definitions(art: str) -> str:
    """Return the definitions that some art uses."""
    names = sorted(set(re.findall(r'href="#(\w+)"', art)))
    patterns = "".join(_pattern(place, colour) for place, colour in enumerate(COLOURS))
    return patterns + "".join(_definitions()[name] for name in names)


def _terrain(ground: str, relief: Sequence[Json], *, raised: bool) -> str:
    """Draw a space around its centre; a portal opens to direction 0."""
    fill, plate = _PALETTE[ground], ""
    if raised:
        plate = (
            f'<polygon points="{hexagon(42)}" fill="{_PALETTE["shade"]}" transform="translate(2 3)"/>'
            f'<polygon points="{hexagon(42)}" fill="{fill}"/>'
            '<g fill="none" stroke-width="2.4">'
            f'<path d="M-35.5 20.5V-20.5L0-41 35.5-20.5" stroke="{LIT}" opacity=".7"/>'
            f'<path d="M35.5-20.5V20.5L0 41-35.5 20.5" stroke="{DIM}" opacity=".3"/></g>'
        )
    return f'<polygon points="{hexagon()}" fill="{fill}"/>{plate}{_shape(relief)}'


def _shape(parts: Iterable[Json], own: Mapping[str, str] | None = None) -> str:
    """Draw the paths of a symbol. own: colours of a player."""
    colours = {**_PALETTE, **(own or {})}
    return "".join(
        "<path "
        + " ".join(
            f'{key}="{_paint(value, colours) if key in {"fill", "stroke"} else value}"'
            for key, value in part.items()
        )
        + "/>"
        for part in parts
    )


def _paint(value: str | list[Any], colours: Mapping[str, str]) -> str:
    """Return a colour by name, a literal one, or a mixture [colour, per cent, other colour]."""
    if isinstance(value, str):
        return value if value.startswith(("#", "none", "url(")) else colours[value]
    one, share, other = value
    first, second = (bytes.fromhex(_paint(name, colours)[1:]) for name in (one, other))
    mixed = [(share * a + (100 - share) * b) // 100 for a, b in zip(first, second, strict=True)]
    return f"#{bytes(mixed).hex()}"


def _stack(colour: int, height: int, *, emperor: bool) -> str:
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
        f'<text class="figure" y="29.7" font-size="13.5" font-weight="700" text-anchor="middle" '
        f'fill="{colour.rim}">{height}</text>'
    )


def _pattern(place: int, colour: Colour) -> str:
    return (
        f'<pattern id="pattern{place}" width="10" height="10" patternUnits="userSpaceOnUse">'
        f'<rect width="10" height="10" fill="{colour.fill}"/>'
        f'<g fill="{colour.ink}" stroke="{colour.ink}" stroke-width="0">{_PATTERNS[place]}</g></pattern>'
    )


def _disc(place: int, colour: Colour) -> str:
    arc = f"A{_RX:g} {_RY:g} 0 0"
    side = f"M{-_RX:g} 0V{_THICKNESS:g}{arc} 0 {_RX:g} {_THICKNESS:g}V0{arc} 1 {-_RX:g} 0Z"
    return (
        f'<g stroke="{colour.rim}" stroke-width="1.8" stroke-linejoin="round">'
        f'<path d="{side}" fill="{colour.side}"/>'
        f'<ellipse rx="{_RX:g}" ry="{_RY:g}" fill="url(#pattern{place})"/>'
        f'<ellipse cy="-.5" rx="{_RX - 2.6:g}" ry="{_RY - 2.4:g}" fill="none" '
        'stroke="#fff" stroke-width="1.2" opacity=".45"/>'
        "</g>"
    )


_LEGEND_WIDTH = 330
_HEADING = 92
_LEGEND_ROW = 142


def _legend(position: EkoPosition, value: Json, heading: str) -> str:
    """Draw the legend beside the board; its upper left corner is the origin."""
    title = (
        f'<text class="title" y="38">Ekö</text><text class="note" y="68" fill="{FAINT_INK}">{heading}</text>'
    )
    rows = (
        _at(0, _HEADING + seat * _LEGEND_ROW, _legend_row(position, value, seat))
        for seat in range(position.players)
    )
    return title + "".join(rows)


def _legend_row(position: EkoPosition, value: Json, seat: int) -> str:
    winners, reserve = value.get("winners"), value["reserve"][seat]
    is_marked = seat == value["turn"]["player"] if winners is None else seat in winners
    frame = f'stroke="{COLOURS[seat].rim}" stroke-width="3"' if is_marked else ""
    captives = "".join(
        f'<g transform="translate({298 - 44 * place} 38) scale(.62)"><use href="#disc{owner}"/>'
        '<use href="#crown" y="2"/></g>'
        for place, owner in enumerate(value["captives"][seat])
    )
    crown = '<use href="#crown" transform="translate(38 20) scale(.8)"/>' if seat in (winners or ()) else ""
    points, removed = position.total(seat), value["removed"][seat]
    words = f"reserve {reserve['discs']}" + " + Emperor" * reserve["emperor"]
    words += f" · removed {removed}" if removed else ""
    return (
        f'<rect width="{_LEGEND_WIDTH}" height="{_LEGEND_ROW - 16}" rx="14" fill="#fffaf0" {frame}/>'
        f'<use href="#disc{seat}" transform="translate(38 34)"/>{crown}'
        f'<text class="name" x="76" y="46">Seat {seat}</text>{captives}{_pips(points, (18, 68), 14)}'
        f'<text class="name" x="{24 + 18 * WINNING_POINTS}" y="83">{points}</text>'
        f'<text class="note" x="18" y="112" fill="{INK}">{words}</text>'
    )


def _pips(points: int, at: tuple[float, float], size: int) -> str:
    """Draw the progress to 12 points, one mark for each."""
    step = round(1.285 * size)
    return "".join(
        f'<rect x="{at[0] + step * place:g}" y="{at[1]:g}" width="{size}" height="{size}" '
        f'rx="{size / 3.5:g}" '
        + (f'fill="{GOLD}" stroke="#8a6a12"/>' if place < points else 'fill="#efe3c8" stroke="#cdb98d"/>')
        for place in range(WINNING_POINTS)
    )


_MARGIN = 36.0
_GAP = 30.0
_STYLE = (
    "text{font-family:'Avenir Next','Segoe UI','Noto Sans','DejaVu Sans',sans-serif}"
    f".title{{font-size:38px;font-weight:700;fill:{INK}}}.name{{font-size:22px;font-weight:600;fill:{INK}}}"
    ".note{font-size:17px}"
    f".space{{font-size:10px;text-anchor:middle;fill:{INK};stroke:{PAPER};stroke-width:2.5px;paint-order:stroke}}"
)


def position_svg(position: EkoPosition | Layout, *, coordinates: bool = False) -> str:
    """Draw a position with its players, or a bare board. coordinates: write each space's name on it."""
    layout = position if isinstance(position, Layout) else position.layout
    left, top, width, height = _extent(layout)
    parts = [_board(layout)]
    title = f"Ekö board for {layout.players} players"
    if isinstance(position, Layout):
        parts.append(_signs(layout))
    else:
        value = position.view(None)
        parts += [_pieces(value, range(layout.players)), _signs(layout)]
        title = _heading(value)
        legend = _HEADING + layout.players * _LEGEND_ROW
        upper = top + max(0.0, (height - legend) / 2)
        parts.append(_at(left + width + _GAP, upper, _legend(position, value, title)))
        width += _GAP + _LEGEND_WIDTH
        height = max(height, legend)
    if coordinates:
        parts += [
            _at(*centre(*space), f'<text class="space" y="43">{layout.names.write(space)}</text>')
            for space in layout.spaces
        ]
    return _document((left, top, width, height), title, "".join(parts))


_HEAT = {"occupied": "#c62d1f", "attacked": "#7a1fa2", "built": "#1565c0"}
_HOTTEST = 0.75
"""The opacity of the most frequent space."""


def heat_svg(layout: Layout, heat: Json) -> str:
    """Draw a board on which spaces are the darker the more often something happened on them.

    heat: of ``fairness.report``: ``occupied`` colours the whole space, ``attacked`` a ring, ``built`` the
    construction spaces.
    """
    parts = [_board(layout), _signs(layout)]
    for word, values in heat.items():
        most = max(values.values(), default=1)
        shape = f'<polygon points="{hexagon(46)}" fill="{_HEAT[word]}"'
        if word == "attacked":
            shape = f'<circle r="26" fill="none" stroke="{_HEAT[word]}" stroke-width="7"'
        parts += [
            _at(*centre(*Space.parse(name)), f'{shape} opacity="{number(_HOTTEST * value / most)}"/>')
            for name, value in values.items()
        ]
    return _document(_extent(layout), f"Ekö board for {layout.players} players, heat map", "".join(parts))


def _document(extent: tuple[float, float, float, float], title: str, content: str) -> str:
    x, y, width, height = extent
    left, top = number(x - _MARGIN), number(y - _MARGIN)
    wide, high = number(width + 2 * _MARGIN), number(height + 2 * _MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {wide} {high}" '
        f'width="{wide}" height="{high}" role="img"><title>{title}</title>'
        f"<style>{_STYLE}</style><defs>{definitions(content)}</defs>"
        f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="{PAPER}"/>{content}</svg>\n'
    )


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    points = [centre(*space) for space in layout.spaces]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    half = corner(0)[0]
    return min(xs) - half, min(ys) - SIZE, max(xs) - min(xs) + 2 * half, max(ys) - min(ys) + 2 * SIZE


def _board(layout: Layout) -> str:
    """Draw the board: shadow, walls, spaces, their edges, the borders of tiles and of zones."""
    whole = "".join(_at(*centre(*space), f'<polygon points="{hexagon(51)}"/>') for space in layout.spaces)
    spaces = "".join(_ground(layout, place) for place in range(len(layout.spaces)))
    tiles = _are_of_two_tiles(layout)
    parts = [
        f'<g fill="{DIM}" opacity=".25" transform="translate(6 17)">{whole}</g>',
        *(
            f'<path d="{_sides(layout, _is_rim, (direction,), depth=12)}" fill="{colour}" stroke="{SEAM}"/>'
            for direction, colour in zip((4, 5), WALLS, strict=True)
        ),
        spaces,
        _borders(layout, lambda one, other: other is not None and one < other, EDGE, 1.2),
        f'<g opacity=".7">{_borders(layout, tiles, LIT, 2.6, (1, 2, 3), SIZE - 2.6)}</g>',
        f'<g opacity=".3">{_borders(layout, tiles, DIM, 2.6, (4, 5, 0), SIZE - 2.6)}</g>',
        _borders(layout, tiles, SEAM, 2.6),
        _borders(layout, _are_of_two_zones(layout), TEMPEST_OUTLINE, 5),
    ]
    return "".join(parts)


def _ground(layout: Layout, place: int) -> str:
    terrain, (q, r) = layout.terrain[place], layout.spaces[place]
    x, y = map(number, centre(q, r))
    # as variantOf in web/src/board/hex.ts
    variant = ((q * 5) ^ (r * 9)) % len(_SYMBOLS["terrains"][terrain.word]["reliefs"])
    turn = ""
    if terrain is Terrain.PORTAL:
        direction = next(direction for portal, direction, _ in layout.portals if portal == place)
        turn = f" rotate({-60 * direction})"
    return f'<use href="#{terrain.word}{variant}" transform="translate({x} {y}){turn}"/>'


def _borders(
    layout: Layout,
    drawn: Callable[[int, int | None], bool],
    colour: str,
    width: float,
    directions: Sequence[int] = range(6),
    size: float = SIZE,
) -> str:
    """Draw, as one path, the sides of spaces for which ``drawn(space, neighbour or None)`` is true."""
    path = _sides(layout, drawn, directions, size)
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _sides(
    layout: Layout,
    drawn: Callable[[int, int | None], bool],
    directions: Sequence[int],
    size: float = SIZE,
    depth: float = 0,
) -> str:
    """Return the path of sides, as ``borderPath`` does in the page (web/src/board/hex.ts)."""
    sides = []
    for place, (q, r) in enumerate(layout.spaces):
        x, y = centre(q, r)
        for direction in directions:
            dq, dr = DIRECTIONS[direction]
            if drawn(place, layout.index.get(Space(q + dq, r + dr))):
                (ax, ay), (bx, by) = corner(direction, size), corner(direction + 1, size)
                sides.append(f"M{number(x + ax)} {number(y + ay)}L{number(x + bx)} {number(y + by)}")
                if depth:
                    sides.append(f"v{number(depth)}L{number(x + ax)} {number(y + ay + depth)}Z")
    return "".join(sides)


def _is_rim(_: int, other: int | None) -> bool:
    return other is None


def _are_of_two_tiles(layout: Layout) -> Callable[[int, int | None], bool]:
    return lambda one, other: other is None or layout.tile_of[one] != layout.tile_of[other]


def _are_of_two_zones(layout: Layout) -> Callable[[int, int | None], bool]:
    zone_of = {space: place for place, zone in enumerate(layout.zones) for space in zone}
    return lambda one, other: one in zone_of and (other is None or other not in zone_of)


def _signs(layout: Layout) -> str:
    """Draw the signs at the corners of their spaces, above the stacks."""
    return "".join(
        _at(*_middle(layout, spaces), _shape(_SYMBOLS["signs"][sign.word]["shape"]))
        for sign, found in layout.signs.items()
        for spaces in found
    )


def _middle(layout: Layout, spaces: Sequence[int]) -> tuple[float, float]:
    points = [centre(*layout.spaces[space]) for space in spaces]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _pieces(value: Json, colours: Sequence[int]) -> str:
    """Draw buildings and stacks, upper rows first so that lower ones overlap them."""
    drawn: list[tuple[Space, str]] = []
    for name, building in value["buildings"].items():
        drawn.append((Space.parse(name), f'<use href="#{building["kind"]}{colours[building["owner"]]}"/>'))
    for name, stack in value["stacks"].items():
        art = _stack(colours[stack["owner"]], stack["height"], emperor=stack["emperor"])
        drawn.append((Space.parse(name), art))
    drawn.sort(key=lambda piece: (piece[0].r, piece[0].q))
    return "".join(_at(*centre(*space), art) for space, art in drawn)


_PHASES = {
    "place": "placing the discs",
    "swap": "swapping the Emperors",
    "action": "action",
    "after": "march or reinforcement",
    "second": "action after a forced march",
    "reinforce": "reinforcement",
    "ransom": "ransom",
}


def _heading(value: Json) -> str:
    turn, winners = value["turn"], value.get("winners")
    if winners is not None:
        return (
            f"won by {', '.join(f'Seat {seat}' for seat in winners)}" if winners else "ended without a winner"
        )
    number_of_turn = f"Turn {turn['number']} · " if turn["number"] else ""
    return f"{number_of_turn}Seat {turn['player']} · {_PHASES[turn['phase']]}"


def _at(x: float, y: float, art: str) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{art}</g>'


_BOARD = 690.0
"""The maximum width of the board."""
_PREVIEW_MARGIN = 24.0
_LEFT = _BOARD + 2 * _PREVIEW_MARGIN
_ROW = 116


class _Preview:
    """Draws positions of Ekö, where nothing is hidden."""

    def preview(self, position: EkoPosition, shown: Json, sitters: Sequence[Sitter]) -> str:  # noqa: ARG002
        """Draw a position."""
        layout, colours = position.layout, [sitter.colour for sitter in sitters]
        extent, art = _extent(layout), _board(layout) + _pieces(position.view(None), colours) + _signs(layout)
        top = (HEIGHT - _ROW * len(sitters)) / 2 + 34
        rows = "".join(
            f'<g transform="translate({_LEFT:g} {top + _ROW * seat:g})">'
            f"{_row(sitter, position.total(seat))}</g>"
            for seat, sitter in enumerate(sitters)
        )
        title = text("Ekö", (_LEFT, top - 34), 60, INK)
        content = f"{_fitted(extent, art)}{title}{rows}"
        return document(PAPER, definitions(content), content)


PREVIEW = _Preview()


def _fitted(extent: tuple[float, float, float, float], art: str) -> str:
    """Scale a board to the available room and centre it."""
    left, top, width, height = extent
    scale = min(_BOARD / width, (HEIGHT - 2 * _PREVIEW_MARGIN) / height)
    x = _PREVIEW_MARGIN + (_BOARD - width * scale) / 2 - left * scale
    y = (HEIGHT - height * scale) / 2 - top * scale
    return f'<g transform="translate({number(x)} {number(y)}) scale({scale:.4f})">{art}</g>'


def _row(sitter: Sitter, points: int) -> str:
    """Draw a player: disc, name and points; the winner has a crown."""
    colour, wide = COLOURS[sitter.colour % len(COLOURS)], WIDTH - _LEFT - _PREVIEW_MARGIN
    rim = f'stroke="{GOLD}" stroke-width="5"' if sitter.won else f'stroke="{colour.rim}" stroke-width="1.5"'
    crown = '<use href="#crown" transform="translate(42 16) scale(.9)"/>' if sitter.won else ""
    return (
        f'<rect width="{wide:g}" height="{_ROW - 18}" rx="16" fill="#fffaf0" {rim}/>'
        f'<use href="#disc{sitter.colour % len(COLOURS)}" transform="translate(42 32)"/>{crown}'
        f"{text(sitter.name, (82, 44), 30, INK, wide - 100)}{_pips(points, (22, 62), 21)}"
        f"{text(str(points), (358, 84), 30, INK)}"
    )
