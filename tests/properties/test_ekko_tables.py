"""Live tables under a rain of intents (K7): right ones, wrong ones, late ones, at any time."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields, replace
from datetime import timedelta
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import RefusedError
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.machine import clock_action
from ekoes.games.ekko.live.state import LiveState, Stage, Verdict
from ekoes.games.ekko.position.action import Misplay, Pass, Remark
from ekoes.games.ekko.rules.record import Phase, mirror_of
from ekoes.games.kernels import COMPILED
from ekoes.records import read_record, replay, write_record
from ekoes.tables.deals import Joint
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Agreements, Seat
from ekoes.tables.submit import submit
from tests.kit.examples import property_settings
from tests.kit.tables import next_move, open_record, past
from tests.properties.ekko_positions import chances
from tests.reference import ekko as reference
from tests.reference.ekko.generate import undealt
from tests.unit.tables.racing import NOW, SECRET, Race, race_table

examples = property_settings(30, interpreted=6)

Json = dict[str, Any]


NOTHING_NEW = {("late", "nothing"), ("refused", "nothing")}
"""The same again is noted once; a card for one that is not there yet makes its hand busy."""


class Rain(Race):
    """A table whose cards are shuffled, and whose players send whatever they like."""

    def __init__(self, rng: Random, players: int, **options: Any) -> None:
        self.rng = rng
        self.shown: list[Json] = []
        self.judged: Counter[str] = Counter()
        super().__init__(players=players, begins=False, target=12, **options)

    def shuffled(self) -> tuple[int, ...]:
        return tuple(self.rng.sample(range(1, 99), 98))

    def drop(self) -> None:
        """Send one thing, sensible as often as not; a refused one changes nothing."""
        seat, content = self.sensible() if self.rng.random() < 1 / 2 else self.any_intent()
        before, wanted = self.table, self.verdict(seat, content)
        try:
            self.send(seat, **content)
        except EkoesError as error:
            assert self.table == before
            is_busy = isinstance(error, RefusedError) and error.refusal.code == "hand-busy"
            assert is_busy or wanted in (None, "refused") or seat not in before.people, content
        else:
            came = [entry for entry in self.table.log[before.length :] if entry.seat == seat]
            found = came[0].verdict.value.replace("claim", "mirror") if came else "nothing"
            assert wanted in {None, found} or (wanted, found) in NOTHING_NEW, content
            self.judged[wanted or ""] += 1

    def verdict(self, seat: int, content: Json) -> str | None:
        """What a card comes to by the rules alone; None for what the reference does not judge."""
        play = self.table.play
        is_judged = play.stage in (Stage.RACE, Stage.LEAVING) and not play.options.calm
        if not is_judged or content["kind"] not in ("play", "mirror") or "effect" in content:
            return None
        since = max(n for n, entry in enumerate(self.table.log) if entry.verdict is Verdict.DEAL)
        self.shown += [entry.position.to_json() for entry in self.table.log[len(self.shown) :]]
        card, on = content["card"], content["on"]
        by_clock = [entry for entry in self.table.log[since:] if entry.by_clock]
        clocked = [entry.position.top for entry in by_clock if entry.verdict is not Verdict.DRAW]
        misplays = play.options.misplays
        return reference.live_verdict(self.shown[since:], seat, card, on, clocked=clocked, misplays=misplays)

    def sensible(self) -> tuple[int, Json]:
        """What moves the game on."""
        position, seats = self.table.position, range(self.table.position.players)
        stage, top = self.table.play.stage, position.top
        if stage is Stage.LOOK:
            return self.rng.choice(seats), {"kind": "ready", "round": position.round}
        if stage is Stage.EFFECT and self.table.play.claim is not None:
            return self.table.play.claim.seat, {"kind": "effect", "effect": "draw"}
        holders = [seat for seat in seats if mirror_of(top or 0) in position.hands[seat]]
        if holders and self.rng.random() < 1 / 2:
            return holders[0], {"kind": "play", "card": mirror_of(top or 0), "on": top}
        if stage in (Stage.WINDOW, Stage.LEAVING):
            return self.rng.choice(seats), {"kind": "pass", "on": top}
        action = EKKO.action_to_json(clock_action(position)) if position.phase == Phase.PLAY else {}
        kind = action.pop("type", "draw")
        return position.player or 0, {"kind": kind, "on": top} | action

    def any_intent(self) -> tuple[int, Json]:
        """Anything that has a form."""
        rng, position = self.rng, self.table.position
        seat = rng.randrange(position.players)
        cards = [*position.hands[seat], rng.randint(1, 98)]
        on = rng.choice([position.top or 7, *position.zone[-3:], rng.randint(1, 98)])
        card, aside = rng.choice(cards), rng.choice(cards)
        content = rng.choice(
            [
                {"kind": "play", "card": card, "on": on},
                {"kind": "play", "card": card, "on": on},
                {"kind": "mirror", "card": card, "on": on},
                {"kind": "mirror", "card": card, "on": on, "effect": "draw"},
                {"kind": "mirror", "card": card, "on": on, "effect": "discard", "aside": aside},
                {"kind": "effect", "effect": "discard", "aside": aside},
                {"kind": "draw", "on": on},
                {"kind": "pass", "on": on},
                {"kind": "ready", "round": position.round},
            ]
        )
        return seat, content


def rain(rng: Random, players: int, options: Json) -> Rain:
    """A game until its end, or for a long time."""
    table = Rain(rng, players, **options)
    for _ in range(1_500):
        if table.table.outcome is not None:
            break
        if rng.random() < 1 / 1000 and len(table.table.people) > 1:
            table.resign(rng.choice(sorted(table.table.people)))
        elif rng.random() < 1 / 4:
            table.wait(rng.choice([1, 40, 700, 3_000, 40_000]))
        else:
            table.drop()
    return table


options = st.fixed_dictionaries(
    {
        "misplays": st.booleans(),
        "calm": st.booleans(),
        "window": st.sampled_from([None, 6]),
        "turn_clock": st.sampled_from([None, 30]),
        "hints": st.booleans(),
    }
)


@examples
@given(chances, st.integers(2, 8), options)
def test_any_rain_of_intents_is_a_game_by_the_rules(rng: Random, players: int, chosen: Json) -> None:
    table = rain(rng, players, chosen).table
    assert_the_log_is_a_game(table)
    assert_verdicts_are_possible(table)
    assert_nothing_hidden_is_shown(table)
    text = open_record(table)
    record = read_record(text)
    assert write_record(record) == text
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
    more |= {"absent": frozenset({(0, "out")}), "paused": True, "pace_votes": frozenset({(0, 100)})}
    more |= {"decided": (0,), "binding": True, "imported": True, "joint": Joint((), frozenset())}
    agreements = Agreements(absence=3, count=1, absent=frozenset({1}), paused_for=timedelta(seconds=1))
    table = replace(race_table(seats(1, 3), 0).with_agreements(agreements), **more)
    state = table.to_state()
    stored = {*state["play"], *state["clock"]}
    assert stored == {field.name for field in fields(LiveState)} - {"entries"}
    stored_elsewhere = {"log", "log_start", "agreements"}
    assert {field.name for field in fields(RaceTable)} - stored_elsewhere <= set(state)
    assert {"length", "agreements"} <= set(state)
