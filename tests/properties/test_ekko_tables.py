"""Live tables under a rain of intents (K7): right ones, wrong ones, late ones, at any time."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import timedelta
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.api.chance import Chance
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.state import LiveState, Verdict
from ekoes.games.ekko.position.action import Misplay, Pass, Remark
from ekoes.games.ekko.rules.record import Phase
from ekoes.games.kernels import COMPILED
from ekoes.records import read_record, replay, write_record
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Agreements, Seat
from ekoes.tables.submit import submit
from tests.kit.examples import property_settings
from tests.kit.tables import next_move, open_record, past
from tests.properties.ekko_positions import chances
from tests.reference import ekko as reference
from tests.reference.ekko.generate import undealt
from tests.unit.ekko_games import rain
from tests.unit.tables.racing import NOW, SECRET, race_table

examples = property_settings(30, interpreted=6)

Json = dict[str, Any]


options = st.fixed_dictionaries(
    {
        "misplays": st.booleans(),
        "reaction": st.integers(1, 10),
        "calm": st.booleans(),
        "window": st.sampled_from([None, 6]),
        "turn_clock": st.sampled_from([None, 30]),
        "hints": st.booleans(),
    }
)


@examples
@given(chances, st.integers(2, 8), options)
def test_any_rain_of_intents_is_a_game_by_the_rules(rng: Random, players: int, chosen: Json) -> None:
    table = rain(rng, players, **chosen).table
    assert_the_log_is_a_game(table)
    assert_verdicts_are_possible(table)
    assert_nothing_hidden_is_shown(table)
    text = open_record(table)
    record = read_record(text)
    assert write_record(record) == text
    assert read_record(text) == record
    assert record.outcome == table.outcome
    assert len(record.decisions) == table.length
    assert list(replay(record))[-1] == table.position


def assert_the_log_is_a_game(table: RaceTable) -> None:
    """Every entry that does something does what the rules say; all others do nothing (K3.5, K7.2)."""
    first = table.log[0].position
    value = undealt(first.players, target=first.target, dealer=first.dealer)
    for entry in table.log:
        if not isinstance(entry.action, Remark | Pass):
            value = reference.live_apply(value, EKKO.action_to_json(entry.action))
        assert json.dumps(entry.position.to_json()) == json.dumps(value)
    is_left = table.outcome is not None and table.outcome.reason == "resignation"
    assert is_left or (table.outcome is not None) == ("winners" in value)


def assert_verdicts_are_possible(table: RaceTable) -> None:
    """K4.3: without misplays there are none; K7.4: nobody draws or plays while somebody leaves."""
    before, came = table.log[0].position, table.log[0].at
    for entry in table.log:
        assert table.play.options.misplays or not isinstance(entry.action, Misplay)
        if before.phase == Phase.PLAY and before.leaving is not None:
            assert entry.verdict not in (Verdict.DRAW, Verdict.MISPLAY, Verdict.PLAY)
        if entry.verdict is Verdict.LATE:
            assert entry.position == before
            assert entry.behind is not None
            assert entry.behind >= 0
        is_collected = table.play.options.calm and entry.verdict is Verdict.CLAIM  # told when the window ends
        assert entry.at >= came or is_collected
        before, came = entry.position, max(came, entry.at)


def assert_nothing_hidden_is_shown(table: RaceTable) -> None:
    """K6.4: what everybody sees has no other keys than a spectator's view, and no hand before the end."""
    shown = set() if table.outcome is None else {str(seat) for seat in range(len(table.seats))}
    for entries in range(0, table.length + 1, 10):
        seen = past(table, entries)
        json.dumps(seen)
        assert set(seen["hands"]) == shown
        assert set(seen["position"]) <= SHOWN
    assert {"order", "aside"}.isdisjoint(key for each in table.entries_json() for key in each["action"])


SHOWN = {
    *("game", "version", "players", "target", "pile", "zone", "sizes", "set_aside", "scores", "drew"),
    *("turn", "winners"),
}
"""All that a spectator's view of a position has."""


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
