"""The picture of a position: everything on the board is in it, once, where it belongs."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.table import Sitter
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.rules.signs import WORTH, Sign
from ekoes.games.eko.svg import PREVIEW, centre, position_svg
from tests.rules.eko.board import standard_layout
from tests.unit.games import played

ROOT = Path(__file__).resolve().parents[3]
SYMBOLS = ROOT / "src/ekoes/games/eko/symbols.json"
STYLES = ROOT / "web/src/app.css"
SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314 -- our own text


def drawing(svg: str) -> ET.Element:
    """The picture without its definitions."""
    root = parsed(svg)
    root.remove(next(root.iter(f"{SVG}defs")))
    return root


def uses(svg: str) -> Counter[str]:
    """How often each symbol is used."""
    return Counter(use.attrib["href"].removeprefix("#") for use in drawing(svg).iter(f"{SVG}use"))


def test_the_page_and_the_picture_know_the_colours_of_every_symbol() -> None:
    names = set(re.findall(r'"(?:fill|stroke)": \[?"([a-z][a-z-]*)"', SYMBOLS.read_text("utf-8")))
    names -= {"none", "colour", "side", "rim", "pattern"}
    assert {"sand-lit", "mountain", "shade"} <= names
    assert names <= set(re.findall(r"--([a-z-]+):", STYLES.read_text("utf-8")))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_space_is_drawn_with_its_terrain(players: int) -> None:
    layout = random_layout(players, VARIANTS, Chance(1))
    drawn = Counter(re.findall(r'href="#([a-z]+)\d', position_svg(layout)))
    expected = Counter(terrain.word for terrain in layout.terrain)
    assert {word: drawn[word] for word in expected} == expected
    assert set(expected) <= {terrain.word for terrain in Terrain}


def test_spaces_lie_where_they_belong() -> None:
    layout = standard_layout(2)
    moved = [use.attrib["transform"] for use in drawing(position_svg(layout)).iter(f"{SVG}use")]
    points = [tuple(map(float, re.findall(r"-?[\d.]+", transform))) for transform in moved]
    assert points == [pytest.approx(centre(*space), abs=0.01) for space in layout.spaces]


def test_portals_are_turned_to_their_open_side() -> None:
    layout = random_layout(2, {"portals"}, Chance(4))
    svg = position_svg(layout)
    for _, direction, _ in layout.portals:
        assert f"rotate({-60 * direction})" in svg


@pytest.mark.parametrize("seed", range(4))
def test_stacks_buildings_and_emperors_are_all_there(seed: int) -> None:
    position = played(4, 160, seed=seed)
    value = position.to_json()
    board = position_svg(position).split('<text class="title"')[0]
    for seat in range(4):
        stacks = [stack for stack in value["stacks"].values() if stack["owner"] == seat]
        assert len(re.findall(f'href="#disc{seat}"', board)) == sum(stack["height"] for stack in stacks)
        for kind in ("camp", "tower", "castle"):
            buildings = Counter((one["owner"], one["kind"]) for one in value["buildings"].values())
            assert len(re.findall(f'href="#{kind}{seat}"', board)) == buildings[seat, kind]
    emperors = sum(stack["emperor"] for stack in value["stacks"].values())
    assert board.count('href="#crown"') == emperors
    figures = Counter(re.findall(r'class="figure"[^>]*>(\d)<', board))
    heights = Counter(str(one["height"]) for one in value["stacks"].values() if one["height"] > 1)
    assert figures == heights


def test_heights_are_centred_in_their_circles_whatever_draws_the_picture() -> None:
    """The preview has no style sheet: the text itself says where it stands."""
    position = played(2, 160)
    players = [Sitter("Ada", 0, won=False), Sitter("Bo", 1, won=False)]
    for svg in (position_svg(position), PREVIEW.preview(position, {}, players)):
        figures = [text for text in drawing(svg).iter(f"{SVG}text") if text.get("class") == "figure"]
        assert figures
        assert {(one.get("text-anchor"), one.get("font-size")) for one in figures} == {("middle", "13.5")}


def test_legend_shows_points_reserve_and_turn() -> None:
    position = played(3, 120, seed=3)
    value = position.to_json()
    texts = ["".join(text.itertext()) for text in drawing(position_svg(position)).iter(f"{SVG}text")]
    for seat in range(3):
        place = texts.index(f"Seat {seat}")
        assert texts[place + 1] == str(position.total(seat))
        reserve = value["reserve"][seat]
        assert texts[place + 2].startswith(f"reserve {reserve['discs']}")
        assert ("+ Emperor" in texts[place + 2]) == reserve["emperor"]
    turn = value["turn"]
    assert any(text.startswith(f"Turn {turn['number']} · Seat {turn['player']}") for text in texts)


def test_shapes_say_what_each_variant_brings_and_what_it_is_worth() -> None:
    symbols = json.loads(SYMBOLS.read_text("utf-8"))
    brought, signs = symbols["variants"], symbols["signs"]
    assert tuple(brought) == VARIANTS
    assert set(brought.values()) <= symbols["terrains"].keys() | signs.keys()
    assert {word: sign["worth"] for word, sign in signs.items()} == {
        sign.word: WORTH[sign] for sign in Sign if sign is not Sign.NONE
    }


def test_end_of_a_game_is_shown() -> None:
    position = played(2, 5000, seed=2, variants=())
    winners = position.to_json()["winners"]
    assert winners
    assert f"won by Seat {winners[0]}" in position_svg(position)


def test_preview_has_the_names_and_colours_of_the_players() -> None:
    players = [Sitter("<Ana & Bo>", 3, won=False), Sitter("Čeněk", 2, won=True)]
    svg = PREVIEW.preview(played(2, 30), {}, players)
    texts = ["".join(text.itertext()) for text in drawing(svg).iter(f"{SVG}text")]
    assert "<Ana & Bo>" in texts
    assert "Čeněk" in texts
    drawn = uses(svg)
    assert drawn["disc3"]
    assert drawn["disc2"]
    assert not drawn["disc0"] + drawn["disc1"]


def test_names_are_written_on_demand() -> None:
    layout = standard_layout(2)
    texts = [
        "".join(text.itertext())
        for text in drawing(position_svg(layout, coordinates=True)).iter(f"{SVG}text")
    ]
    assert texts == [layout.names.write(space) for space in layout.spaces]
    assert not list(drawing(position_svg(layout)).iter(f"{SVG}text"))


def test_the_picture_stands_alone() -> None:
    svg = position_svg(played(4, 60))
    root = parsed(svg)
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    referred = re.findall(r'href="([^"]*)"', svg) + [f"#{name}" for name in re.findall(r"url\(#(.*?)\)", svg)]
    assert {name.removeprefix("#") for name in referred} <= set(ids)
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert "<script" not in svg


def test_everything_lies_within_the_picture() -> None:
    root = parsed(position_svg(standard_layout(4)))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for space in standard_layout(4).spaces:
        x, y = centre(*space)
        assert left + 50 < x < left + width - 50
        assert top + 50 < y < top + height - 50


def test_the_same_position_gives_the_same_picture() -> None:
    assert position_svg(played(3, 50)) == position_svg(played(3, 50))
