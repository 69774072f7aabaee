"""K6.4, K7.6: tables that differ in hidden cards alone send each viewer the same, on every channel.

A game is played. Then cards of the last round that an eye has not seen, and that nobody has put
down, change places: in the hands of others, in the pile, among what others put aside. The same
orders are given at the same moments. Whatever is then sent to that eye (socket, REST answers, the
record, what a bot in its place is told, when clocks run out) must be the same, byte for byte.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import pytest

from ekoes.errors import EkoesError
from ekoes.games.ekko.live.machine import clock_action
from ekoes.games.ekko.live.state import Stage, Verdict
from ekoes.games.ekko.position.action import Mirror, Play
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import mirror_of
from ekoes.protocol import encode
from ekoes.server.http.page import headed
from ekoes.server.pictures import drawn
from ekoes.server.push import awaited
from ekoes.server.runtime.viewers import Audience, error_json, own_entry, public_entry
from ekoes.tables.orders import Intent
from ekoes.tables.race import RaceTable
from ekoes.tables.submit import submit
from tests.kit.examples import one_quick
from tests.kit.tables import Dealing, past
from tests.kit.tables import record as record_of
from tests.unit.server.hub_room import Clock, Viewer
from tests.unit.tables.racing import NOW, Race, people, race_table

Json = dict[str, Any]
Cards = tuple[int, ...]
ORDERS = 24
GAMES = 14
ATTEMPTS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """The decks of a game's rounds, and the orders that were given; itself alone like itself."""

    players: int
    calm: bool
    decks: tuple[Cards, ...]
    given: tuple[tuple[Intent, datetime], ...]

    def table(self) -> RaceTable:
        return race_table(people(self.players), 0, calm=self.calm, turn_clock=None)

    def steps(self, last_deck: Cards) -> Iterator[tuple[RaceTable, datetime]]:
        """Yield the table after each order, with another deck in the last round."""
        decks = iter((*self.decks[:-1], last_deck))
        table = self.table()
        for order, at in self.given:
            while (due := table.automatic_order(at, Dealing(lambda: next(decks)))) is not None:
                table = submit(table, due[0], None, due[1])
                yield table, at
            table = submit(table, order, f"p{order.seat}", at)
            yield table, at


@pytest.mark.parametrize(
    ("players", "calm"),
    [(2, True), *one_quick((3, False), [(2, False), (3, True), (5, False), (5, True)])],
)
def test_k7_6_hidden_cards_change_nothing_that_is_sent_to_a_viewer(players: int, calm: bool) -> None:
    compared, holders = 0, 0
    for seed in range(GAMES):
        game = played(seed, players, calm=calm)
        for eye in (None, *range(players)):
            chance = random.Random(seed)
            other_deck = next(
                (deck for deck in other_decks(game, eye, chance) if is_same_game(game, deck)), None
            )
            if other_deck is not None:
                assert all_sent(game, other_deck, eye) == all_sent(game, game.decks[-1], eye)
                compared += 1
                holders += who_may_mirror(game, other_deck) != who_may_mirror(game, game.decks[-1])
    assert compared > GAMES
    assert holders > 0, "some must differ in who holds the mirror of the top card"


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("all_pass", [False, True])
@pytest.mark.parametrize("eye", [None, 0, 2])
def test_k7_6_reaction_time_looks_the_same_whoever_holds_the_mirror(
    eye: int | None, all_pass: bool, calm: bool
) -> None:
    """Seat 0 leaves with 50; its mirror, 5, is in the hand of seat 1, or in the pile."""
    shown = []
    for own in (5, 6):
        hands = {0: [50, 51, 52, 53, 54, 56], 1: [own, 20, 21, 23, 24, 25], 2: [9, 90, 91, 92, 93, 94]}
        race = Race(hands, calm=calm)
        race.wait(6000)
        race.keep_only(0, 50)
        texts: list[str] = []
        ear = Ear(eye, race.table, race.at)
        for step in (leave, pass_by(2), *([pass_by(1)] if all_pass else []), wait):
            before = race.table
            step(race)
            texts += ear.hears(before, race.table, race.at)
            texts += sent(race.table, before, eye, race.at)
        assert race.table.play.rounds[-1].reason == "last-card"
        shown.append(texts)
    assert shown[0] == shown[1]


def leave(race: Race) -> None:
    race.send(0, "play", card=50, on=37)


def pass_by(seat: int) -> Callable[[Race], object]:
    return lambda race: race.send(seat, "pass", on=50, after=700)


def wait(race: Race) -> None:
    race.wait(6000)


# ---------------------------------------------------------------- what an eye hears


class Ear:
    """The messages of a real audience to a viewer, one by one as they are sent: their bytes and their number.

    Others look on beside it; it comes anew after every order, as if its line had been lost.
    """

    def __init__(self, eye: int | None, table: RaceTable, at: datetime) -> None:
        self.clock = Clock()
        self.clock.set(at)
        self.audience = Audience("table", self.clock.now)
        user = "nobody" if eye is None else f"p{eye}"
        self.viewer, self.returns = Viewer(user), Viewer(user, lists_actions=True)
        for viewer in (self.viewer, Viewer("p0"), Viewer("p1")):
            self.audience.join(viewer, table, [])
        self.viewer.texts.clear()

    def hears(self, before: RaceTable, table: RaceTable, at: datetime) -> Iterator[str]:
        self.clock.set(at)
        self.audience.show_change(before, table)
        self.audience.show_table(self.returns, table, [])
        for viewer in (self.viewer, self.returns):
            yield f"{len(viewer.texts)} messages"
            yield from viewer.texts
            viewer.texts.clear()


def all_sent(game: Game, last_deck: Cards, eye: int | None) -> list[str]:
    """Return all that is sent to a viewer: None is a spectator."""
    texts: list[str] = []
    before = game.table()
    ear = Ear(eye, before, NOW)
    for table, at in game.steps(last_deck):
        texts += ear.hears(before, table, at)
        texts += sent(table, before, eye, at)
        before = table
    texts.append(encode({"log": before.entries_json(), "record": refusal_of_the_record(before)}))
    return texts


def sent(table: RaceTable, before: RaceTable, eye: int | None, at: datetime) -> Iterator[str]:
    """Yield what a viewer may ask for after an order, and what clocks and bots do."""
    keep = table.unchanged_entries(before)
    yield encode({"seats": table.seats_json(f"p{eye}", {"p0", "p1"}), "options": table.options_json()})
    yield from (encode(past(table, entries)) for entries in range(keep, table.length + 1))
    yield f"{table.deadline} {table.is_busy} {table.wants_rematch}"
    if table.play.stage is not Stage.LOOK:
        yield encode(table.position.view(eye))  # a bot is asked for nothing before


def refusal_of_the_record(table: RaceTable) -> Json:
    with pytest.raises(EkoesError) as refused:
        record_of(table)
    return error_json(refused.value)


def who_may_mirror(game: Game, last_deck: Cards) -> list[list[int]]:
    """Return who holds the mirror of the top card, order by order."""
    return [
        [
            seat
            for seat, hand in enumerate(table.position.hands)
            if mirror_of(table.position.top or 11) in hand
        ]
        for table, _ in game.steps(last_deck)
    ]


# ---------------------------------------------------------------- another deal


def other_decks(game: Game, eye: int | None, chance: random.Random) -> Iterator[Cards]:
    """Yield last decks in which some cards that the viewer has not seen have changed places."""
    known = known_cards(game, eye)
    hidden = [card for card in range(1, 99) if card not in known]
    for _ in range(ATTEMPTS):
        moved = chance.sample(hidden, min(len(hidden), chance.choice([2, 4, 6, 90])))
        others = dict(zip(moved, [*moved[1:], moved[0]], strict=True))
        yield tuple(others.get(card, card) for card in game.decks[-1])


def known_cards(game: Game, eye: int | None) -> set[int]:
    """Return the cards of the last round that a viewer has seen, or that an order has named."""
    rounds: dict[int, set[int]] = {}
    for table, _ in game.steps(game.decks[-1]):
        position = table.position
        deals = sum(entry.verdict is Verdict.DEAL for entry in table.log)
        seen = rounds.setdefault(deals, set())
        if table.play.stage is not Stage.LOOK:
            seen.update(position.zone)
        if eye is not None:
            seen.update(position.hands[eye], position.aside[eye])
    named = (order.action.get(key) for order, _ in game.given for key in ("card", "aside"))
    return {card for card in named if card} | rounds[max(rounds)]


def is_same_game(game: Game, last_deck: Cards) -> bool:
    """Tell whether the orders come to the same with another deck.

    They do not where somebody would have had to play and drew, or held a card that is now elsewhere.
    """

    try:
        return course(game, last_deck) == course(game, game.decks[-1])
    except EkoesError:
        return False


@cache
def course(game: Game, last_deck: Cards) -> list[Json]:
    """Return what is public."""
    *_, (table, _) = game.steps(last_deck)
    return [*table.entries_json(), *({"points": finished.points} for finished in table.play.rounds)]


# ---------------------------------------------------------------- playing


def played(seed: int, players: int, *, calm: bool) -> Game:
    """Return a game by people who do all sorts of things at all sorts of moments."""
    chance, at = random.Random(seed), NOW
    decks: list[Cards] = []
    given: list[tuple[Intent, datetime]] = []
    table = Game(players, calm, (), ()).table()

    def shuffled() -> Cards:
        decks.append(tuple(chance.sample(range(1, 99), 98)))
        return decks[-1]

    while len(given) < ORDERS:
        at += timedelta(milliseconds=chance.randrange(1, 2500))
        while (due := table.automatic_order(at, Dealing(shuffled))) is not None:
            table = submit(table, due[0], None, due[1])
        seat, action = wish(table, chance)
        order = Intent.model_validate({"key": f"k{chance.random()}", "seat": seat, "action": action})
        try:
            table = submit(table, order, f"p{seat}", at)
        except EkoesError:
            continue
        given.append((order, at))
    return Game(players, calm, tuple(decks), tuple(given))


def wish(table: RaceTable, chance: random.Random) -> tuple[int, Json]:
    """Return who wants to do what: mostly something sensible."""
    position = table.position
    seat = chance.randrange(position.players)
    if table.play.stage is Stage.LOOK or position.top is None:
        return seat, {"type": "ready", "round": position.round}
    if table.play.stage is Stage.EFFECT and table.play.claim is not None:
        return table.play.claim.seat, effect_of(
            position, table.play.claim.seat, table.play.claim.card, chance
        )
    if table.play.stage is Stage.RACE and chance.random() < 0.5:
        return position.player or 0, in_turn(position)
    return seat, out_of_turn(position, seat, chance)


def in_turn(position: EkkoPosition) -> Json:
    action = clock_action(position)
    if isinstance(action, Play | Mirror):
        return {"type": "play", "card": action.card, "on": position.top}
    return {"type": "draw", "on": position.top}


def out_of_turn(position: EkkoPosition, seat: int, chance: random.Random) -> Json:
    """Return a mirror, a pass, or now and then a wrong card or a late one."""
    top, hand = position.top or 0, position.hands[seat]
    if mirror_of(top) in hand and chance.random() < 0.5:
        return {"type": "mirror", "card": mirror_of(top), "on": top}
    if hand and chance.random() < 0.1:
        return {"type": "play", "card": chance.choice(hand), "on": chance.choice(position.zone)}
    return {"type": "pass", "on": top}


def effect_of(position: EkkoPosition, seat: int, mirror: int, chance: random.Random) -> Json:
    others = [card for card in position.hands[seat] if card != mirror]
    if others and chance.random() < 0.5:
        return {"type": "effect", "effect": "discard", "aside": chance.choice(others)}
    return {"type": "effect", "effect": "draw"}


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_k6_4_hidden_cards_change_nothing_in_lobby_links_pictures_and_log(
    players: int, calm: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    compared = 0
    for seed in range(3):
        game = played(seed, players, calm=calm)
        for eye in (None, *range(players)):
            decks = other_decks(game, eye, random.Random(seed))
            other = next((deck for deck in decks if is_same_game(game, deck)), None)
            if other is not None:
                shown = [everything(game, deck, eye, caplog) for deck in (other, game.decks[-1])]
                assert shown[0] == shown[1]
                compared += 1
    assert compared > 3


def everything(game: Game, deck: Cards, eye: int | None, log: pytest.LogCaptureFixture) -> list[str]:
    """Return all that is published elsewhere of a game, step by step."""
    log.clear()
    tables = [table for table, _ in game.steps(deck)]
    shown = [text for table in tables for text in elsewhere(table, f"p{eye}")]
    return [*shown, *log.messages]


def elsewhere(table: RaceTable, user: str) -> Iterator[str]:
    clock = Clock()
    yield encode(public_entry(table, 0))
    yield encode(own_entry(table, user, 0))
    yield f"{table.status(user)} {table.status('nobody')} {sorted(awaited(table))}"
    yield headed("<title>Ekoes</title>", table, "http://here/t/t", "http://here/picture", listed=False)
    yield drawn(table, clock)
    yield f"{table.deadline} {table.is_busy}"
