"""The example of docs/reference/records.md is a record, and every tag is described."""

from __future__ import annotations

import re
from pathlib import Path

from ekoes.games.eko.opening import OPENING_TAGS
from ekoes.record import TABLE_REASONS, read_record, write_record

DOCUMENT = (Path(__file__).parents[2] / "docs" / "reference" / "records.md").read_text("utf-8")
(EXAMPLE,) = re.findall(r"^```record\n(.*?)^```$", DOCUMENT, flags=re.MULTILINE | re.DOTALL)


def test_the_example_reads_and_writes_as_it_stands() -> None:
    assert write_record(read_record(EXAMPLE)) == EXAMPLE


def test_the_example_can_be_dealt_from_its_seed() -> None:
    dealt = re.sub(r"^\[(Tiles|Discs\d|First) .*\n", "", EXAMPLE, flags=re.MULTILINE)
    assert read_record(dealt).start.to_json() == read_record(EXAMPLE).start.to_json()


def test_every_tag_and_reason_is_described() -> None:
    described = set(re.findall(r"`([A-Za-z0-9-]+)`", DOCUMENT))
    tags = {"Game", "Format", "Date", "Seed", "TurnLimit", "Seat0", "Discs0", "Discs3"}
    tags |= {tag for tag in OPENING_TAGS if not tag.startswith("Discs")}
    assert tags | set(TABLE_REASONS["eko"]) | set(TABLE_REASONS["ekko"]) <= described
