"""Live tables go through JSON text at any moment, and go on as if nothing had happened (K7)."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ekoes.games.chance import Chance
from ekoes.games.ekko.live.state import LiveState
from ekoes.kernel import COMPILED
from ekoes.match.moves import next_move
from ekoes.match.proposal import Consent
from ekoes.match.race import kind
from ekoes.match.race.state import RaceTable
from ekoes.match.seats import Seat
from ekoes.match.submit import submit
from tests.unit.match.racing import NOW, SECRET, race_table

MOST = 60
BOTS = ("novice", "regular", "expert" if COMPILED else "novice")
"""The strongest thinks for minutes where nothing is compiled."""


def kept(table: RaceTable) -> RaceTable:
    """Return a table as the store gives it back, its log read entry by entry."""
    again = kind.from_state(json.loads(json.dumps(kind.to_state(table))))
    texts = [json.dumps(kind.entry_to_state("ekko", entry)) for entry in table.log]
    log = [kind.entry_from_state("ekko", json.loads(text)) for text in texts]
    assert [replace(entry, position=None) for entry in table.log] == log
    assert (again.log, again.log_start) == ((), table.length)
    return again


@settings(deadline=None, max_examples=12 if COMPILED else 2)
@given(
    seed=st.integers(0, 2**32),
    calm=st.booleans(),
    people=st.integers(0, 2),
    moments=st.sets(st.integers(0, MOST)),
)
def test_a_table_that_was_kept_goes_on_as_if_never_interrupted(
    seed: int, calm: bool, people: int, moments: set[int]
) -> None:
    """Persons do nothing here but let their clocks run out."""
    table = other = race_table(seats(people, 3), 0, calm=calm, turn_clock=5, hints=True)
    chance, at = Chance(seed), NOW
    for number in range(MOST):
        if number in moments:
            other = kept(other)
        assert kind.to_state(other) == kind.to_state(table)
        assert kind.shared_state(other, at) == kind.shared_state(table, at)
        assert kind.own_state(other, range(3)) == kind.own_state(table, range(3))
        move = next_move(table, at, SECRET)
        assert next_move(other, at, SECRET) == move
        if move is None:
            break
        at = max(at, move.at)
        due = kind.due(table, at, chance)
        order, when = due or (move.order, at)
        assert order is not None
        table, other = submit(table, order, None, when), submit(other, order, None, when)
    assert kind.entries_json(table, other.log_start) == kind.entries_json(other, other.log_start)


def seats(people: int, players: int) -> tuple[Seat, ...]:
    return tuple(
        Seat("open", f"P{seat}", seat, session=f"p{seat}")
        if seat < people
        else Seat("bot", "", seat, bot=BOTS[seat])
        for seat in range(players)
    )


def test_every_field_is_stored() -> None:
    """A field that the state forgets would come back as it is at a new table."""
    more: dict[str, Any] = {"rated": True, "left": ((0, "ada"),), "public": True, "chat": False, "delay": 60}
    more |= {"absent": frozenset({(0, "out")}), "paused": True, "wishes": frozenset({(0, 100)})}
    consent = Consent(absence=3, count=1, away=frozenset({1}), stood=timedelta(seconds=1))
    table = replace(kind.with_consent(race_table(seats(1, 3), 0), consent), **more)
    state = kind.to_state(table)
    stored = {*state["play"], *state["clock"]}
    assert stored == {field.name for field in fields(LiveState)} - {"entries"}
    assert {field.name for field in fields(RaceTable)} - {"log", "log_start"} <= set(state) | {"length"}
