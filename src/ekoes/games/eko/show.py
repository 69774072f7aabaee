"""A position of Ekö, or a bare board, as text for the terminal.

Every space takes two lines, its name and its content:

│c4    │c5          0:3E   seat 0, three discs, the Emperor among them, on sand
│0:3E  │c1^^        2~1    seat 2, one disc, on a tempest
c1^^   a canyon with a tower of seat 1 (^ camp, ^^ tower, ^^^ castle)

The text is readable without colour; a bar separates spaces of different tiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ekoes.games.api.contract import Json
from ekoes.games.eko.position.action import Building, Space
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.rules.record import WINNING_POINTS
from ekoes.games.eko.svg import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from ekoes.games.eko.position.position import EkoPosition


_NARROWEST = 6
_DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
_GROUND = {
    Terrain.SAND: "#5c4719 on #f1dcae",
    Terrain.TEMPEST: "#17465a on #b5cdd6",
    Terrain.CHASM: "#8d7c74 on #3d322d",
    Terrain.REG: "#3b2c12 on #d3bb96",
    Terrain.CANYON: "#471c06 on #d59a6c",
    Terrain.CAPITAL: "bold #4a3200 on #e5b93a",
    Terrain.MOUNTAIN: "#2e2722 on #b9aca0",
    Terrain.PORTAL: "bold #22153a on #a99dc2",
}
_TEMPLE = "#3f2d63 on #d8d0c6"
"""The style of all other terrains."""
_SIGNS = {Terrain.TEMPEST: "~", Terrain.CHASM: "#"}
"""The signs of terrains that are not shown by their letters."""
_PLAYER = tuple(
    f"bold {ink} on {colour.fill}"
    for ink, colour in zip(("white", "white", "#0a2230", "#2b2118"), COLOURS, strict=True)
)


def show_position(position: EkoPosition | Layout) -> RenderableType:
    """Return the board, the players and the key as a rich renderable.

    A board of the usual size takes at most 100 columns.
    """
    if isinstance(position, Layout):
        return Group(_board(position, {}), Text(), _key(position))
    value = position.to_json()
    contents = _contents(position.layout, value)
    heading = Text(_heading(value), style="bold")
    parts = [heading, Text(), _board(position.layout, contents), Text()]
    return Group(*parts, _players(position, value), Text(), _key(position.layout))


def _board(layout: Layout, contents: dict[int, tuple[str, str]]) -> Text:
    """Write the board, row by row. contents: text and style for each space."""
    width = max(_NARROWEST, *(len(layout.names.write(space)) + 1 for space in layout.spaces))
    half = (width + 1) // 2
    left = min(2 * space.q + space.r for space in layout.spaces)
    board = Text(no_wrap=True, overflow="crop")
    for row in range(layout.spaces[0].r, layout.spaces[-1].r + 1):
        places = [place for place, space in enumerate(layout.spaces) if space.r == row]
        names = [(place, layout.names.write(layout.spaces[place]), "") for place in places]
        lower = [(place, *contents.get(place, (_ground(layout, place), ""))) for place in places]
        for cells in (names, lower):
            board.append(_line(layout, cells, left, half))
            board.append("\n")
    board.right_crop(1)
    return board


def _line(layout: Layout, cells: Iterable[tuple[int, str, str]], left: int, half: int) -> Text:
    line = Text()
    for place, words, style in cells:
        space = layout.spaces[place]
        column = (2 * space.q + space.r - left) * half
        ground = _GROUND.get(layout.terrain[place], _TEMPLE)
        before = layout.index.get(Space(space.q - 1, space.r))
        if column > len(line):
            line.append("│" if len(line) else "")
            line.append(" " * (column - len(line)))
        seam = before is None or layout.tile_of[before] != layout.tile_of[place]
        line.append("│" if seam else " ", "" if seam else ground)
        line.append(words, style or ground)
        line.append(" " * (2 * half - 1 - len(words)), ground)
    line.append("│" if len(line) else "")
    return line


def _ground(layout: Layout, place: int) -> str:
    match layout.terrain[place]:
        case Terrain.SAND:
            return "."
        case Terrain.TEMPEST:
            return "~ ~"
        case Terrain.CHASM:
            return "#####"
        case Terrain.PORTAL:
            direction = next(direction for portal, direction, _ in layout.portals if portal == place)
            return f"P>{_DIRECTIONS[direction]}"
        case terrain:
            return terrain.letter


def _contents(layout: Layout, value: Json) -> dict[int, tuple[str, str]]:
    contents = {}
    for name, stack in value["stacks"].items():
        place = layout.index[Space.parse(name)]
        ground = "~" if layout.terrain[place] is Terrain.TEMPEST else ":"
        words = f"{stack['owner']}{ground}{stack['height']}{'E' if stack['emperor'] else ''}"
        contents[place] = words, _PLAYER[stack["owner"]]
    for name, building in value["buildings"].items():
        place = layout.index[Space.parse(name)]
        roof = "^" * Building(building["kind"]).level
        words = f"{layout.terrain[place].letter}{building['owner']}{roof}"
        contents[place] = words, _PLAYER[building["owner"]]
    return contents


def _heading(value: Json) -> str:
    turn, winners = value["turn"], value.get("winners")
    if winners is not None:
        return f"The game is over: {_seats(winners)} won" if winners else "The game is over: nobody won"
    return f"Turn {turn['number']}: seat {turn['player']}, phase {turn['phase']}"


def _seats(seats: list[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {' and '.join(map(str, seats))}"


def _players(position: EkoPosition, value: Json) -> Table:
    table = Table(box=None, pad_edge=False, header_style="underline")
    for column in ("seat", "points", "reserve", "removed", "captives", "on the board"):
        table.add_column(column)
    for seat in range(value["players"]):
        stacks = [stack for stack in value["stacks"].values() if stack["owner"] == seat]
        reserve = value["reserve"][seat]
        discs = sum(stack["height"] for stack in stacks)
        table.add_row(
            Text(f" {seat} {COLOURS[seat].word} ", _PLAYER[seat]),
            f"{position.total(seat)} of {WINNING_POINTS}",
            f"{reserve['discs']}{' + E' if reserve['emperor'] else ''}",
            str(value["removed"][seat]),
            " ".join(f"E of {owner}" for owner in value["captives"][seat]) or "none",
            f"{discs} discs in {len(stacks)} stacks",
        )
    return table


def _key(layout: Layout) -> Text:
    """Explain the signs of the terrains on this board."""
    key = Text()
    for terrain in sorted(set(layout.terrain)):
        words = f" {_SIGNS.get(terrain, terrain.letter)} {terrain.word} "
        key.append(words, _GROUND.get(terrain, _TEMPLE))
        key.append(" ")
    key.append(
        "\n0:3E seat 0, 3 discs with the Emperor; 0~3 on a tempest; r0^ camp, ^^ tower, ^^^ castle of seat 0"
    )
    for sign, found in layout.signs.items():
        for spaces in found:
            around = " ".join(layout.names.write(layout.spaces[space]) for space in spaces)
            key.append(f"\n{sign.word} among {around}")
    return key
