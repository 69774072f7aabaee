"""Pictures of tables: cached, limited in time and number, and of what spectators see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from ekoes.errors import LimitError
from ekoes.games.api.table import Sitter
from ekoes.games.ekko.picture import PREVIEW
from ekoes.server import pictures
from ekoes.server.pictures import MOST_FRAMES, Pictures, drawn, frames_of, sitters
from ekoes.server.pictures.raster import png
from ekoes.tables.settings import COLOUR_NAMES, COLOURS
from tests.kit.loops import apart, run_apart
from tests.unit.server.hub_room import Clock
from tests.unit.tables.racing import Race

ROOT = Path(__file__).parents[3]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'


async def is_made(picture: Awaitable[bytes]) -> bool:
    try:
        await picture
    except LimitError as error:
        return (error.code, error.wait) != ("limit/busy", 10)
    return True


@run_apart
async def test_a_picture_is_drawn_once() -> None:
    made, drawings = Pictures(), []

    def draw() -> str:
        drawings.append(1)
        return SVG

    first, *others = await asyncio.gather(*(made.png("one", draw) for _ in range(4)))
    assert first == png(SVG)
    assert others == [first] * 3
    assert len(drawings) == 1


@run_apart
async def test_full_picture_queue_draws_nothing() -> None:
    made = Pictures()
    asked = (is_made(made.png(f"{number}", lambda: SVG)) for number in range(12))
    assert await asyncio.gather(*asked) == [True] * 8 + [False] * 4


@run_apart
async def test_one_address_has_a_quarter_of_the_queue_of_pictures() -> None:
    made = Pictures()
    asked = [made.png(f"{number}", lambda: SVG, "192.0.2.1") for number in range(3)]
    asked.append(made.png("3", lambda: SVG, "192.0.2.2"))
    assert await asyncio.gather(*map(is_made, asked)) == [True, True, False, True]


@pytest.mark.parametrize("program", ["import threading; threading.Event().wait()", "raise SystemExit(1)"])
def test_what_does_not_come_to_its_end_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    script = tmp_path / "stuck.py"
    script.write_text(program)
    monkeypatch.setattr(pictures, "_RASTER", script)
    monkeypatch.setattr(pictures, "_SECONDS", {"png": 1, "gif": 1})
    assert not apart(is_made(Pictures().png("one", lambda: SVG)))


def test_what_takes_more_memory_than_any_picture_is_not_made() -> None:
    huge = SVG.replace('"4"', '"30000"')  # 3.6 GB of pixels
    assert not apart(is_made(Pictures().png("huge", lambda: huge)))


def test_animation_has_a_frame_for_each_document_and_holds_the_last() -> None:
    ground = '<rect width="4" height="4" fill="#fff"/>'
    svgs = [SVG.replace("<rect", f'{ground}<rect x="{number}"') for number in range(4)]

    async def draw() -> list[str]:
        return svgs

    made = apart(Pictures().gif("game", draw))
    with Image.open(BytesIO(made)) as animation:
        stays = []
        for frame in range(getattr(animation, "n_frames", 1)):
            animation.seek(frame)
            stays.append(animation.info["duration"])
        assert (animation.format, animation.width, animation.info["loop"]) == ("GIF", 640, 0)
    assert stays == [500, 500, 500, 4000]


def test_frame_shows_the_end_of_each_turn() -> None:
    assert frames_of([]) == [0]
    assert frames_of([0, 0, 1, 0, 0]) == [0, 2, 3, 5]


def test_long_game_shows_evenly_spread_frames_and_its_end() -> None:
    frames = frames_of([0, 1] * 200)
    assert len(frames) == MOST_FRAMES
    assert (frames[0], frames[-1]) == (0, 400)
    assert max(b - a for a, b in pairwise(frames)) - min(b - a for a, b in pairwise(frames)) <= 1


def test_nameless_player_has_the_name_of_the_colour_that_the_page_has() -> None:
    words = json.loads((ROOT / "web/src/i18n/en.json").read_text("utf-8"))
    assert list(COLOUR_NAMES) == [words[f"colour.{number}"] for number in range(COLOURS)]
    race = Race({0: [40, 50], 1: [73, 2]}, calm=True).table
    assert sitters(race.with_seat(0, name="", colour=5))[0].name == "Yellow"


def test_text_is_there_without_the_fonts_of_a_system() -> None:
    assert len(png(_empty("Žofie", "Нина"))) > len(png(_empty("", ""))) + 500


def test_no_hand_is_in_a_picture() -> None:
    """The same cards lie on the table, others in the hands: the pictures are the same."""
    hands = ({0: [40, 50, 60], 1: [73, 2, 4]}, {0: [41, 51, 61], 1: [72, 3, 5]})
    first, second = (drawn(Race(hand, calm=True).table, Clock()) for hand in hands)
    assert first == second


def test_a_name_is_text() -> None:
    svg = _empty('</text><script>&"', "\x00\u202e")
    assert "<script>" not in svg
    assert "\x00" not in svg
    assert png(svg)


def _empty(*names: str) -> str:
    """Draw a table at which nothing lies yet."""
    shown = {"position": {"zone": []}, "rounds": []}
    return PREVIEW.preview(None, shown, _sit(*names))  # type: ignore[arg-type] # nothing is read of it


def _sit(*names: str) -> list[Sitter]:
    return [Sitter(name, seat, won=False) for seat, name in enumerate(names)]
