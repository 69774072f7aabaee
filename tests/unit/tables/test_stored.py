"""A table of turns as it is stored: nothing of it is lost, and reading undoes writing."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.eko.game import EKO
from ekoes.tables.create import new_table
from ekoes.tables.settings import Seat
from ekoes.tables.turns import TurnTable
from tests.kit.tables import act

NOW = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
SEATS = (
    Seat("here", "Ada", 3, session="a"),
    Seat("open", "Bo", 0, session="b"),
    Seat("bot", "", 1, bot="greedy"),
)


def tables() -> list[TurnTable]:
    """Return every state of a game with held turns, offers and an agreement at its end."""
    options = {"players": 3, "variants": ["moon", "wind"], "setup": "draft"}
    made, chance, seen = new_table("eko", options, 5, SEATS, turn_limit=9), Chance(1), []
    assert isinstance(made, TurnTable)
    table = made
    while table.outcome is None:
        seen.append(table)
        if table.held is not None:
            table = replace(table, held=None)
            continue
        (seat,) = table.asked
        action = EKO.action_to_json(chance.choice(table.position.legal(seat)))
        table = act(table, action, hold=bool(chance.below(2)), at=NOW)
    table = replace(table, offers=frozenset({2}), offered=frozenset({1, 2}), since_decision=3)
    return [*seen, replace(table, agreed=frozenset({0, 1}), rematch="other", pace=5)]


TABLES = tables()


def test_reading_a_state_undoes_writing() -> None:
    assert len(TABLES) > 30
    assert {bool(table.undoable) for table in TABLES} == {True, False}
    for table in TABLES:
        again = TurnTable.from_state(json.loads(json.dumps(table.to_state())))
        assert again == replace(table, log=(), log_start=table.length)
        assert again.to_state() == table.to_state()


def test_a_table_from_the_store_goes_on_as_it_would_have() -> None:
    for table, after in pairwise(TABLES[:-1]):
        if after.version == table.version:
            continue
        entry = after.log[-1]
        action = EKO.action_to_json(entry.action)
        stored = TurnTable.from_state(table.to_state())
        went_on = act(stored, action, hold=after.held is not None, at=NOW)
        assert went_on.log == after.log[-1:]
        assert went_on.to_state() == after.to_state()


def test_reading_an_entry_undoes_writing() -> None:
    for entry in TABLES[-1].log:
        value = json.loads(json.dumps(TurnTable.entry_to_state("eko", entry)))
        assert TurnTable.entry_from_state("eko", value) == replace(entry, position=None)


@pytest.mark.parametrize("field", [name for name in TurnTable.__dataclass_fields__ if name != "log"])
def test_every_field_is_stored(field: str) -> None:
    """A field that the state lacks would come back as it is at a new table."""
    values = {repr(getattr(table, field)) for table in TABLES}
    stored = {repr(getattr(TurnTable.from_state(table.to_state()), field)) for table in TABLES}
    assert field == "log_start" or stored == values
