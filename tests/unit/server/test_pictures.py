"""Pictures of tables: cached, limited in time and number, and of what spectators see."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ekoes.games.api.table import Sitter
from ekoes.games.ekko.table.picture import PREVIEW
from ekoes.server.pictures import pictures
from ekoes.server.pictures.pictures import Pictures, drawn
from ekoes.server.pictures.raster import png
from tests.kit.loops import apart
from tests.unit.server.hub_room import Clock
from tests.unit.tables.racing import Race

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'


def test_a_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawings = []

    def draw() -> str:
        drawings.append(1)
        return SVG

    async def ask() -> list[bytes | None]:
        made = Pictures()
        return await asyncio.gather(*(made.png("one", draw) for _ in range(4)))

    first, *others = apart(ask())
    assert first == png(SVG)
    assert others == [first] * 3
    assert len(drawings) == 1


def test_full_picture_queue_draws_nothing() -> None:
    async def ask() -> list[bytes | None]:
        made = Pictures()
        return await asyncio.gather(*(made.png(f"{number}", lambda: SVG) for number in range(12)))

    answers = apart(ask())
    assert answers.count(None) == 4
    assert None not in answers[:8]


def test_one_address_has_a_quarter_of_the_queue_of_pictures() -> None:
    async def ask() -> list[bytes | None]:
        made = Pictures()
        asked = [made.png(f"{number}", lambda: SVG, "192.0.2.1") for number in range(3)]
        return await asyncio.gather(*asked, made.png("3", lambda: SVG, "192.0.2.2"))

    assert [answer is None for answer in apart(ask())] == [False, False, True, False]


@pytest.mark.parametrize("program", ["import threading; threading.Event().wait()", "raise SystemExit(1)"])
def test_what_does_not_come_to_its_end_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    script = tmp_path / "stuck.py"
    script.write_text(program)
    monkeypatch.setattr(pictures, "_RASTER", script)
    monkeypatch.setattr(pictures, "_SECONDS", 1)
    assert apart(Pictures().png("one", lambda: SVG)) is None


def test_what_takes_more_memory_than_any_picture_is_not_made() -> None:
    huge = SVG.replace('"4"', '"30000"')  # 3.6 GB of pixels
    assert apart(Pictures().png("huge", lambda: huge)) is None


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
