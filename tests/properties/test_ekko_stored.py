"""Live tables go through JSON text at any moment, and go on as if nothing had happened (K7)."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.api.chance import Chance
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.kernels import COMPILED
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Agreements, Seat
from ekoes.tables.submit import submit
from tests.kit.examples import property_settings
from tests.kit.tables import next_move
from tests.unit.tables.racing import NOW, SECRET, race_table

MOST = 60
BOTS = ("beginner", "skilled", "strong" if COMPILED else "beginner")
"""The strongest thinks for minutes where nothing is compiled."""


def saved(table: RaceTable) -> RaceTable:
    """Return a table as the store gives it back, its log read entry by entry."""
    again = RaceTable.from_state(json.loads(json.dumps(table.to_state())))
    texts = [json.dumps(RaceTable.entry_to_state("ekko", entry)) for entry in table.log]
    log = [RaceTable.entry_from_state("ekko", json.loads(text)) for text in texts]
    assert [replace(entry, position=None) for entry in table.log] == log
    assert (again.log, again.log_start) == ((), table.length)
    return again


@property_settings(12, interpreted=2)
@given(
    seed=st.integers(0, 2**32),
    calm=st.booleans(),
    people=st.integers(0, 2),
    moments=st.sets(st.integers(0, MOST)),
)
def test_stored_table_continues_as_if_never_interrupted(
    seed: int, calm: bool, people: int, moments: set[int]
) -> None:
    """Persons do nothing here but let their clocks run out."""
    table = other = race_table(seats(people, 3), 0, calm=calm, turn_clock=5, hints=True)
    chance, at = Chance(seed), NOW
    for number in range(MOST):
        if number in moments:
            other = saved(other)
        assert other.to_state() == table.to_state()
        assert other.shared_state(at) == table.shared_state(at)
        assert other.own_state(range(3)) == table.own_state(range(3))
        move = next_move(table, at, SECRET)
        assert next_move(other, at, SECRET) == move
        if move is None:
            break
        at = max(at, move.at)
        due = table.automatic_order(at, chance)
        order, when = due or (move.order, at)
        assert order is not None
        table, other = submit(table, order, None, when), submit(other, order, None, when)
    assert table.entries_json(other.log_start) == other.entries_json(other.log_start)


def seats(people: int, players: int) -> tuple[Seat, ...]:
    return tuple(
        Seat("open", f"P{seat}", seat, session=f"p{seat}")
        if seat < people
        else Seat("bot", "", seat, bot=BOTS[seat])
        for seat in range(players)
    )


def test_every_field_is_stored() -> None:
    """A field that the state lacks would come back as it is at a new table."""
    more: dict[str, Any] = {"rated": True, "left": ((0, "ada"),), "public": True, "chat": False}
    more |= {"absent": frozenset({(0, "out")}), "paused": True, "wishes": frozenset({(0, 100)})}
    more |= {"decided": (0,), "binding": True}
    agreements = Agreements(absence=3, count=1, away=frozenset({1}), paused_for=timedelta(seconds=1))
    table = replace(race_table(seats(1, 3), 0).with_agreements(agreements), **more)
    state = table.to_state()
    stored = {*state["play"], *state["clock"]}
    assert stored == {field.name for field in fields(LiveState)} - {"entries"}
    stored_elsewhere = {"log", "log_start", "agreements"}
    assert {field.name for field in fields(RaceTable)} - stored_elsewhere <= set(state)
    assert {"length", "consent"} <= set(state)
