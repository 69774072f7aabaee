"""The examples of formats.md and records.md, held against the engine."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from ekoes.errors import RecordError
from ekoes.games.api.registry import game, games
from ekoes.games.ekko.book import OPENING_TAGS as EKKO_TAGS
from ekoes.games.ekko.live.state import LIVE_TAGS
from ekoes.games.ekko.position.action import ACTION_TYPES as EKKO_ACTION_TYPES
from ekoes.games.ekko.position.action import Claim, Late, Ready, Resign
from ekoes.games.eko.book import OPENING_TAGS
from ekoes.games.eko.position.action import ACTION_TYPES
from ekoes.games.eko.position.layout import MAX_SPACES
from ekoes.games.eko.position.tiles import TileSet
from ekoes.games.eko.rules.reading import LAST_TURN
from ekoes.games.eko.rules.record import MAX_ZONES
from ekoes.records import read_record, read_tree, write_record, write_tree
from tests.docs.pages import fences, read

DOCUMENT = read("docs/reference/formats.md")
EKO, EKKO = game("eko"), game("ekko")
OF_EKO, OF_EKKO = DOCUMENT.split("## A position of EKKO")
RECORDS = read("docs/reference/records.md")
RECORD, RECORD_OF_EKKO, RACE = fences(RECORDS, "record[a-z ]*")


def block(kind: str) -> str:
    (text,) = fences(DOCUMENT, kind)
    return text


def actions(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in block(kind).splitlines()]


def in_tables(document: str) -> list[dict[str, Any]]:
    """The actions of the table of all kinds; the order of a deal is left out there."""
    found = re.findall(r'`(\{"type".*?\})`', document)
    return [json.loads(text) for text in found if "…" not in text]


POSITION = json.loads(block("json"))
EKKO_POSITION = json.loads(block("json ekko"))
PAGES = ((EKO, POSITION, OF_EKO, "json"), (EKKO, EKKO_POSITION, OF_EKKO, "json ekko"))


@pytest.mark.parametrize(("of", "position"), [(EKO, POSITION), (EKKO, EKKO_POSITION)])
def test_the_example_position_reads_and_writes_as_it_stands(of: Any, position: Any) -> None:
    assert json.dumps(of.from_json(position).to_json()) == json.dumps(position)


@pytest.mark.parametrize(
    ("of", "position", "action"),
    [
        pytest.param(of, position, action, id=json.dumps(action))
        for of, position, _, kind in PAGES
        for action in actions(f"{kind} actions")
    ],
)
def test_an_action_said_to_be_legal_is(of: Any, position: Any, action: dict[str, Any]) -> None:
    parsed, example = of.parse_action(action), of.from_json(position)
    assert example.why_not(0, parsed) is None
    assert parsed in example.legal(0)


@pytest.mark.parametrize(
    ("of", "position", "page", "number", "action"),
    [
        pytest.param(of, position, page, number, action, id=f"{kind} {number}")
        for of, position, page, kind in PAGES
        for number, action in enumerate(actions(f"{kind} refused"), start=1)
    ],
)
def test_an_action_said_to_be_refused_is_for_the_rule_named(
    of: Any, position: Any, page: str, number: int, action: dict[str, Any]
) -> None:
    refusal = of.from_json(position).why_not(0, of.parse_action(action))
    row = re.search(rf"^\| {number} \|.*\| ([EK][\d.]+) \|$", page, flags=re.MULTILINE)
    assert refusal is not None
    assert row is not None
    assert refusal.rule == row[1]


def test_the_table_of_actions_has_every_kind() -> None:
    assert {action["type"] for action in in_tables(OF_EKO)} == set(ACTION_TYPES)
    assert {action["type"] for action in in_tables(OF_EKKO)} == set(EKKO_ACTION_TYPES)


@pytest.mark.parametrize(
    ("of", "value"),
    [pytest.param(of, value, id=json.dumps(value)) for of, _, page, _ in PAGES for value in in_tables(page)],
)
def test_an_action_in_the_table_reads_and_writes_as_it_stands(of: Any, value: dict[str, Any]) -> None:
    assert of.action_to_json(of.parse_action(value)) == value


def test_the_tile_set_reads() -> None:
    value = json.loads(block("json tileset"))
    assert TileSet.from_json(value).to_json()["groups"] == dict(sorted(value["groups"].items()))


def test_every_key_of_a_position_is_described() -> None:
    keys = {
        *POSITION,
        *POSITION["turn"],
        "unplaced",
        "winners",
        "tileset",
        "paid",
        "placed",
        "ransom",
        "resume",
    }
    assert {key for key in keys if f"`{key}`" not in OF_EKO} == set()
    keys = {*EKKO_POSITION, *EKKO_POSITION["turn"], "again", "leaving", "blocked", "winners"}
    assert {key for key in keys if f"`{key}`" not in OF_EKKO} == set()


def test_the_limits_of_a_board_are_described() -> None:
    assert f"at most {MAX_SPACES} spaces and {MAX_ZONES} tempest zones" in DOCUMENT
    assert f"up to {LAST_TURN}" in DOCUMENT


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("example", [RECORD, RECORD_OF_EKKO, RACE])
def test_a_record_reads_and_writes_as_it_stands(example: str) -> None:
    assert write_record(read_record(example)) == example


def test_the_record_with_variations_reads_and_writes_as_it_stands() -> None:
    (example,) = fences(RECORDS, "variations")
    assert write_tree(read_tree(example)) == example


def test_the_race_stands_on_the_line_that_is_named() -> None:
    (number,) = re.findall(r"on line (\d+) of the example", RECORDS)
    assert "claim:54" in RACE.split("\n")[int(number) - 1]


def test_the_record_can_be_dealt_from_its_seed() -> None:
    dealt = re.sub(r"^\[(Tiles|Discs\d|First) .*\n", "", RECORD, flags=re.MULTILINE)
    assert read_record(dealt).start.to_json() == read_record(RECORD).start.to_json()


def test_every_tag_reason_and_word_of_a_record_is_described() -> None:
    described = set(re.findall(r"`([A-Za-z0-9-]+)[`: ]", RECORDS))
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
        read_record(RECORD.replace('[Rules "1"]', '[Rules "2"]'))
    told = re.search(r"`(tag Rules: judged by [^`]*)`", RECORDS)
    assert told is not None
    swapped = told[1].replace("rules 1;", "rules 2;").replace("knows rules 2", "knows rules 1")
    assert str(refused.value).endswith(swapped)
