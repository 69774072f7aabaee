"""The examples of docs/reference/formats.md, held against the engine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ekoes.errors import LayoutError
from ekoes.games.api.registry import game
from ekoes.games.ekko.position.action import ACTION_TYPES as EKKO_ACTION_TYPES
from ekoes.games.eko.position.action import ACTION_TYPES
from ekoes.games.eko.position.layout import MAX_SPACES, Layout
from ekoes.games.eko.position.position import LAST_TURN
from ekoes.games.eko.position.tiles import TileSet
from ekoes.games.eko.rules.record import MAX_ZONES
from tests.rules.eko.board import WONDERS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "reference" / "formats.md").read_text("utf-8")
EKO, EKKO = game("eko"), game("ekko")
OF_EKO, OF_EKKO = DOCUMENT.split("## A position of EKKO")


def block(kind: str) -> str:
    (text,) = re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    return str(text)


def actions(kind: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in block(kind).splitlines()]


def in_tables(document: str) -> list[dict[str, Any]]:
    """The actions of the table of all kinds; the order of a deal is left out there."""
    found = re.findall(r'`(\{"type".*?\})`', document)
    return [json.loads(text) for text in found if "…" not in text]


POSITION = json.loads(block("json"))
EKKO_POSITION = json.loads(block("json ekko"))


def test_the_example_position_reads_and_writes_as_it_stands() -> None:
    assert json.dumps(EKO.from_json(POSITION).to_json()) == json.dumps(POSITION)


@pytest.mark.parametrize("action", actions("json actions"), ids=json.dumps)
def test_an_action_said_to_be_legal_is(action: dict[str, Any]) -> None:
    position = EKO.from_json(POSITION)
    assert position.why_not(0, EKO.parse_action(action)) is None


@pytest.mark.parametrize("number", range(1, len(actions("json refused")) + 1))
def test_an_action_said_to_be_refused_is_for_the_rule_named(number: int) -> None:
    position = EKO.from_json(POSITION)
    refusal = position.why_not(0, EKO.parse_action(actions("json refused")[number - 1]))
    row = re.search(rf"^\| {number} \|.*\| (E[\d.]+) \|$", DOCUMENT, flags=re.MULTILINE)
    assert refusal is not None
    assert row is not None
    assert refusal.rule == row[1]


def test_the_table_of_actions_has_every_kind() -> None:
    assert {action["type"] for action in in_tables(OF_EKO)} == set(ACTION_TYPES)
    assert {action["type"] for action in in_tables(OF_EKKO)} == set(EKKO_ACTION_TYPES)


@pytest.mark.parametrize("value", in_tables(OF_EKO), ids=json.dumps)
def test_an_action_in_the_table_reads_and_writes_as_it_stands(value: dict[str, Any]) -> None:
    assert EKO.action_to_json(EKO.parse_action(value)) == value


@pytest.mark.parametrize("value", in_tables(OF_EKKO), ids=json.dumps)
def test_an_action_of_ekko_reads_and_writes_as_it_stands(value: dict[str, Any]) -> None:
    assert EKKO.action_to_json(EKKO.parse_action(value)) == value


def test_the_example_position_of_ekko_reads_and_writes_as_it_stands() -> None:
    assert json.dumps(EKKO.from_json(EKKO_POSITION).to_json()) == json.dumps(EKKO_POSITION)


@pytest.mark.parametrize("action", actions("json ekko actions"), ids=json.dumps)
def test_an_action_of_ekko_said_to_be_legal_is(action: dict[str, Any]) -> None:
    assert EKKO.parse_action(action) in EKKO.from_json(EKKO_POSITION).legal(0)


@pytest.mark.parametrize("number", range(1, len(actions("json ekko refused")) + 1))
def test_an_action_of_ekko_said_to_be_refused_is_for_the_rule_named(number: int) -> None:
    action = EKKO.parse_action(actions("json ekko refused")[number - 1])
    refusal = EKKO.from_json(EKKO_POSITION).why_not(0, action)
    row = re.search(rf"^\| {number} \|.*\| (K[\d.]+) \|$", OF_EKKO, flags=re.MULTILINE)
    assert refusal is not None
    assert row is not None
    assert refusal.rule == row[1]


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


def test_a_board_with_too_many_zones_is_refused_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ekoes.games.eko.position.layout.MAX_ZONES", 3)
    with pytest.raises(LayoutError, match=r"^E10.2, 'tiles': the board has 4 tempest zones; at most 3 are"):
        Layout(2, WONDERS)
