"""A position or a bare board as a standalone SVG picture, and the preview picture for links."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ekoes.games.api.contract import Json
from ekoes.games.api.table import HEIGHT, WIDTH, Sitter, document, text
from ekoes.games.eko.art import drawing
from ekoes.games.eko.art.drawing import (
    COLOURS,
    EDGE,
    GOLD,
    INK,
    PAPER,
    SEAM,
    SIZE,
    TEMPEST_OUTLINE,
    centre,
    corner,
    hexagon,
    number,
)
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.tiles import DIRECTIONS, Terrain

if TYPE_CHECKING:
    from collections.abc import Callable

    from ekoes.games.eko.position.position import EkoPosition


_MARGIN = 36.0
_GAP = 30.0
_STYLE = (
    "text{font-family:'Avenir Next','Segoe UI','Noto Sans','DejaVu Sans',sans-serif}"
    f".title{{font-size:38px;font-weight:700;fill:{INK}}}.name{{font-size:22px;font-weight:600;fill:{INK}}}"
    ".note{font-size:17px}.figure{font-size:13.5px;font-weight:700;text-anchor:middle}"
    f".space{{font-size:10px;text-anchor:middle;fill:{INK};stroke:{PAPER};stroke-width:2.5px;paint-order:stroke}}"
)


def position_svg(
    position: EkoPosition | Layout,
    *,
    names: Sequence[str] | None = None,
    colours: Sequence[int] | None = None,
    coordinates: bool = False,
) -> str:
    """Draw a position with its players, or a bare board.

    names: of the players; ``Seat 0`` and so on by default. colours: for each seat a colour 0 … 3 of decision
    25; by default the seat's own number. coordinates: write each space's name on it.
    """
    layout = position if isinstance(position, Layout) else position.layout
    colours = colours or range(layout.players)
    left, top, width, height = _extent(layout)
    parts = [_board(layout)]
    title = f"Ekö board for {layout.players} players"
    if isinstance(position, Layout):
        parts.append(_signs(layout))
    else:
        value = position.to_json()
        names = names or [f"Seat {seat}" for seat in range(layout.players)]
        parts += [_pieces(value, colours), _signs(layout)]
        lines = _player_lines(position, value, names, colours)
        heading = title = _heading(value, names)
        upper = top + max(0.0, (height - drawing.height(len(lines))) / 2)
        parts.append(_at(left + width + _GAP, upper, drawing.panel(heading, lines)))
        width += _GAP + drawing.WIDTH
        height = max(height, drawing.height(len(lines)))
    if coordinates:
        parts += [
            _at(*centre(*space), f'<text class="space" y="43">{layout.names.write(space)}</text>')
            for space in layout.spaces
        ]
    return _document((left, top, width, height), title, "".join(parts))


def scene(position: EkoPosition, colours: Sequence[int]) -> tuple[tuple[float, float, float, float], str]:
    """Return a board with its pieces, and its left, top, width and height."""
    layout = position.layout
    parts = (_board(layout), _pieces(position.to_json(), colours), _signs(layout))
    return _extent(layout), "".join(parts)


def definitions() -> str:
    """Return the SVG definitions that a scene refers to by id."""
    symbols = "".join(f'<g id="{terrain.word}">{art}</g>' for terrain, art in drawing.TERRAINS.items())
    return symbols + drawing.definitions()


def _document(extent: tuple[float, float, float, float], title: str, content: str) -> str:
    x, y, width, height = extent
    left, top = number(x - _MARGIN), number(y - _MARGIN)
    wide, high = number(width + 2 * _MARGIN), number(height + 2 * _MARGIN)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {wide} {high}" '
        f'width="{wide}" height="{high}" role="img"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style><defs>{definitions()}</defs>"
        f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="{PAPER}"/>{content}</svg>\n'
    )


def _extent(layout: Layout) -> tuple[float, float, float, float]:
    points = [centre(*space) for space in layout.spaces]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    half = corner(0)[0]
    return min(xs) - half, min(ys) - SIZE, max(xs) - min(xs) + 2 * half, max(ys) - min(ys) + 2 * SIZE


def _board(layout: Layout) -> str:
    """Draw the board: shadow, spaces, their edges, the borders of tiles and of zones."""
    shadow = "".join(_at(*centre(*space), f'<polygon points="{hexagon(52)}"/>') for space in layout.spaces)
    spaces = "".join(_ground(layout, place) for place in range(len(layout.spaces)))
    parts = [
        f'<g fill="{SEAM}" opacity=".35" transform="translate(0 9)">{shadow}</g>',
        f'<g fill="{SEAM}">{shadow}</g>',
        spaces,
        _borders(layout, lambda one, other: other is not None and one < other, EDGE, 1.2),
        _borders(layout, _are_of_two_tiles(layout), SEAM, 2.6),
        _borders(layout, _are_of_two_zones(layout), TEMPEST_OUTLINE, 5),
    ]
    return "".join(parts)


def _ground(layout: Layout, place: int) -> str:
    terrain = layout.terrain[place]
    x, y = map(number, centre(*layout.spaces[place]))
    turn = ""
    if terrain is Terrain.PORTAL:
        direction = next(direction for portal, direction, _ in layout.portals if portal == place)
        turn = f" rotate({-60 * direction})"
    return f'<use href="#{terrain.word}" transform="translate({x} {y}){turn}"/>'


def _borders(layout: Layout, drawn: Callable[[int, int | None], bool], colour: str, width: float) -> str:
    """Draw, as one path, the sides of spaces for which ``drawn(space, neighbour or None)`` is true."""
    sides = []
    for place, (q, r) in enumerate(layout.spaces):
        x, y = centre(q, r)
        for direction, (dq, dr) in enumerate(DIRECTIONS):
            if drawn(place, layout.index.get(Space(q + dq, r + dr))):
                (ax, ay), (bx, by) = corner(direction), corner(direction + 1)
                sides.append(f"M{number(x + ax)} {number(y + ay)}L{number(x + bx)} {number(y + by)}")
    path = "".join(sides)
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _are_of_two_tiles(layout: Layout) -> Callable[[int, int | None], bool]:
    return lambda one, other: other is None or (one < other and layout.tile_of[one] != layout.tile_of[other])


def _are_of_two_zones(layout: Layout) -> Callable[[int, int | None], bool]:
    zone_of = {space: place for place, zone in enumerate(layout.zones) for space in zone}
    return lambda one, other: one in zone_of and (other is None or other not in zone_of)


def _signs(layout: Layout) -> str:
    """Draw pyramids and beacons at the corners of their spaces, above the stacks."""
    signs = [("pyramid", spaces) for spaces in layout.pyramids]
    signs += [("beacon", spaces) for spaces in layout.beacons]
    return "".join(_at(*_middle(layout, spaces), drawing.SIGNS[sign]) for sign, spaces in signs)


def _middle(layout: Layout, spaces: Sequence[int]) -> tuple[float, float]:
    points = [centre(*layout.spaces[space]) for space in spaces]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _pieces(value: dict[str, Any], colours: Sequence[int]) -> str:
    """Draw buildings and stacks, upper rows first so that lower ones overlap them."""
    drawn: list[tuple[Space, str]] = []
    for name, building in value["buildings"].items():
        drawn.append((Space.parse(name), f'<use href="#{building["kind"]}{colours[building["owner"]]}"/>'))
    for name, stack in value["stacks"].items():
        art = drawing.stack(colours[stack["owner"]], stack["height"], emperor=stack["emperor"])
        drawn.append((Space.parse(name), art))
    drawn.sort(key=lambda piece: (piece[0].r, piece[0].q))
    return "".join(_at(*centre(*space), art) for space, art in drawn)


def _player_lines(
    position: EkoPosition, value: dict[str, Any], names: Sequence[str], colours: Sequence[int]
) -> list[drawing.PlayerLine]:
    turn, winners = value["turn"], value.get("winners")
    return [
        drawing.PlayerLine(
            name=names[seat],
            colour=colours[seat],
            points=position.points(seat).total,
            reserve=value["reserve"][seat]["discs"],
            emperor_in_reserve=value["reserve"][seat]["emperor"],
            removed=value["removed"][seat],
            captives=tuple(colours[owner] for owner in value["captives"][seat]),
            to_act=winners is None and seat == turn["player"],
            won=seat in (winners or ()),
        )
        for seat in range(len(names))
    ]


_PHASES = {
    "place": "placing the discs",
    "swap": "swapping the Emperors",
    "action": "action",
    "after": "march or reinforcement",
    "second": "action after a forced march",
    "reinforce": "reinforcement",
    "ransom": "ransom",
}


def _heading(value: dict[str, Any], names: Sequence[str]) -> str:
    turn, winners = value["turn"], value.get("winners")
    if winners is not None:
        return f"won by {', '.join(names[seat] for seat in winners)}" if winners else "ended without a winner"
    number_of_turn = f"Turn {turn['number']} · " if turn["number"] else ""
    return f"{number_of_turn}{names[turn['player']]} · {_PHASES[turn['phase']]}"


def _at(x: float, y: float, art: str) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{art}</g>'


_BOARD = 690.0
"""The maximum width of the board."""
_PREVIEW_MARGIN = 24.0
_LEFT = _BOARD + 2 * _PREVIEW_MARGIN
_ROW = 116
_POINTS_TO_WIN = 12


class _Preview:
    """Draws positions of Ekö, where nothing is hidden."""

    def preview(self, position: EkoPosition, shown: Json, sitters: Sequence[Sitter]) -> str:  # noqa: ARG002
        """Draw a position."""
        extent, art = scene(position, [sitter.colour for sitter in sitters])
        top = (HEIGHT - _ROW * len(sitters)) / 2 + 34
        rows = "".join(
            f'<g transform="translate({_LEFT:g} {top + _ROW * seat:g})">'
            f"{_row(sitter, position.points(seat).total)}</g>"
            for seat, sitter in enumerate(sitters)
        )
        title = text("Ekö", (_LEFT, top - 34), 60, INK)
        return document(PAPER, definitions(), f"{_fitted(extent, art)}{title}{rows}")


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
    pips = "".join(
        f'<rect x="{22 + 27 * place}" y="62" width="21" height="21" rx="6" stroke="#8a6a12" '
        f'fill="{GOLD if place < points else "#efe3c8"}"/>'
        for place in range(_POINTS_TO_WIN)
    )
    crown = '<use href="#crown" transform="translate(42 16) scale(.9)"/>' if sitter.won else ""
    return (
        f'<rect width="{wide:g}" height="{_ROW - 18}" rx="16" fill="#fffaf0" {rim}/>'
        f'<use href="#disc{sitter.colour % len(COLOURS)}" transform="translate(42 32)"/>{crown}'
        f"{text(sitter.name, (82, 44), 30, INK, wide - 100)}{pips}"
        f"{text(str(points), (358, 84), 30, INK)}"
    )
