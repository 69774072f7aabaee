"""The example of docs/reference/records.md is a record, and every tag is described."""

from __future__ import annotations

import re

import pytest

from ekoes.errors import RecordError
from ekoes.games.api.registry import game, games
from ekoes.games.ekko.live.state import LIVE_TAGS
from ekoes.games.ekko.position.action import Claim, Late, Ready, Resign
from ekoes.games.ekko.table.book import OPENING_TAGS as EKKO_TAGS
from ekoes.games.eko.notation import OPENING_TAGS
from ekoes.records import read_record, read_tree, write_record, write_tree
from tests.docs.pages import fences, read

DOCUMENT = read("docs/reference/records.md")
EXAMPLE, OF_EKKO, RACE = fences(DOCUMENT, "record[a-z ]*")


@pytest.mark.parametrize("example", [EXAMPLE, OF_EKKO, RACE])
def test_an_example_reads_and_writes_as_it_stands(example: str) -> None:
    assert write_record(read_record(example)) == example


def test_the_example_with_variations_reads_and_writes_as_it_stands() -> None:
    (example,) = fences(DOCUMENT, "variations")
    assert write_tree(read_tree(example)) == example


def test_the_race_stands_on_the_line_that_is_named() -> None:
    (number,) = re.findall(r"on line (\d+) of the example", DOCUMENT)
    assert "claim:54" in RACE.split("\n")[int(number) - 1]


def test_the_example_can_be_dealt_from_its_seed() -> None:
    dealt = re.sub(r"^\[(Tiles|Discs\d|First) .*\n", "", EXAMPLE, flags=re.MULTILINE)
    assert read_record(dealt).start.to_json() == read_record(EXAMPLE).start.to_json()


def test_every_tag_reason_and_word_is_described() -> None:
    described = set(re.findall(r"`([A-Za-z0-9-]+)[`: ]", DOCUMENT))
    tags = {
        "Game",
        "Format",
        "Rules",
        "Date",
        "Seed",
        "TurnLimit",
        "Variations",
        "Seat0",
        "Seat7",
        "Discs0",
        "Discs3",
    }
    tags |= {tag for tag in (*OPENING_TAGS, *EKKO_TAGS, *LIVE_TAGS) if not tag.startswith("Discs")}
    words = {type(remark).__name__.lower() for remark in (Claim(54), Late(81), Ready(), Resign())}
    in_braces = {"at", "saw", "behind", "clock"}
    reasons = {reason for name in games() for reason in game(name).table_ends.rules()}
    assert tags | words | in_braces | reasons <= described


def test_the_refusal_of_other_rules_is_the_one_that_is_described() -> None:
    with pytest.raises(RecordError) as refused:
        read_record(EXAMPLE.replace('[Rules "1"]', '[Rules "2"]'))
    told = re.search(r"`(tag Rules: judged by [^`]*)`", DOCUMENT)
    assert told is not None
    swapped = told[1].replace("rules 1;", "rules 2;").replace("knows rules 2", "knows rules 1")
    assert str(refused.value).endswith(swapped)
