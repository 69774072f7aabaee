"""The board for the terminal: every space and piece readable, with and without colour."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from ekoes.games.api.chance import Chance
from ekoes.games.eko.position.action import Space
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.show import show_position
from tests.kit.examples import one_quick
from tests.rules.eko.board import standard_layout
from tests.unit.games import played

if TYPE_CHECKING:
    from ekoes.games.eko.position.position import EkoPosition


def shown(position: EkoPosition | Layout, *, colour: bool = False) -> str:
    """What a terminal of 100 columns shows."""
    out = io.StringIO()
    console = Console(
        file=out, width=100, force_terminal=colour, color_system="truecolor" if colour else None
    )
    console.print(show_position(position))
    return out.getvalue()


def cells(text: str) -> dict[str, str]:
    """Read the board back: for each space what is written below its name."""
    lines = text.splitlines()
    found = {}
    for upper, lower in pairwise(lines):
        for match in re.finditer(r"(?<=[│ ])[a-z]+\d+(?=[│ ])", upper):
            if "of 12" not in upper and "among" not in upper:
                found[match[0]] = re.split(r"[│]|  ", lower[match.start() :].ljust(6))[0].strip()
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_space_is_there_with_its_terrain(players: int) -> None:
    layout = random_layout(players, VARIANTS, Chance(2))
    read = cells(shown(layout))
    assert set(read) == {layout.names.write(space) for space in layout.spaces}
    for space, terrain in zip(layout.spaces, layout.terrain, strict=True):
        first = {"t": "~", "x": "#"}.get(terrain.letter, terrain.letter)
        assert read[layout.names.write(space)].startswith(first)


@pytest.mark.parametrize("seed", range(4))
def test_every_stack_and_building_is_there(seed: int) -> None:
    position = played(4, 160, seed=seed)
    value, layout = position.to_json(), position.layout
    read = cells(shown(position))
    for name, stack in value["stacks"].items():
        emperor = "E" if stack["emperor"] else ""
        ground = "~" if layout.terrain[layout.index[Space.parse(name)]] is Terrain.TEMPEST else ":"
        assert (
            read[layout.names.write(Space.parse(name))]
            == f"{stack['owner']}{ground}{stack['height']}{emperor}"
        )
    for name, building in value["buildings"].items():
        roof = {"camp": "^", "tower": "^^", "castle": "^^^"}[building["kind"]]
        assert read[layout.names.write(Space.parse(name))][1:] == f"{building['owner']}{roof}"


def test_the_players_are_listed() -> None:
    position = played(3, 120, seed=3)
    text = shown(position)
    for seat, word in enumerate(("indigo", "vermilion", "sky")):
        assert re.search(rf"{seat} {word}\s+{position.total(seat)} of 12", text)
    turn = position.to_json()["turn"]
    assert f"Turn {turn['number']}: seat {turn['player']}, phase {turn['phase']}" in text


def test_end_of_a_game_is_shown() -> None:
    position = played(2, 5000, seed=2, variants=())
    assert f"The game is over: seat {position.to_json()['winners'][0]} won" in shown(position)


def test_the_key_explains_what_is_there_and_nothing_else() -> None:
    plain, full = shown(standard_layout(2)), shown(random_layout(2, VARIANTS, Chance(1)))
    for words in (
        "~ tempest",
        "P portal",
        "M moon",
        "S sandtemple",
        "W wind",
        "pyramid among",
        "beacon among",
    ):
        assert words in full
        assert words not in plain
    assert "C capital" in plain


@pytest.mark.parametrize("players", one_quick(4, [2, 3]))
def test_it_fits_100_columns(players: int) -> None:
    for seed in range(8):
        layout = random_layout(players, VARIANTS, Chance(seed))
        text = shown(layout)
        assert max(map(len, text.splitlines())) <= 100
        assert set(cells(text)) == {layout.names.write(space) for space in layout.spaces}


def test_colour_adds_nothing_but_colour() -> None:
    position = played(4, 100)
    coloured = shown(position, colour=True)
    assert "\x1b[" in coloured
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == [
        line.rstrip() for line in shown(position).splitlines()
    ]
    assert "\x1b" not in shown(position)


def test_far_away_boards_stay_aligned() -> None:
    layout = standard_layout(2)
    far = Layout(2, [(tile.tile, tile.q - 4000, tile.r + 3000, tile.rot) for tile in layout.tiles])
    assert set(cells(shown(far))) == {far.names.write(space) for space in far.spaces}
