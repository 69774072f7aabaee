"""Bots at live tables: when they act, and that this reveals nothing about their hands (K7.6)."""

from __future__ import annotations

import io
import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Any

import pytest

from ekoes.bots import Secret
from ekoes.bots import bots as names_of
from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer
from ekoes.games.ekko.bots.player import EkkoBot
from ekoes.games.ekko.game import EKKO, Ekko
from ekoes.games.ekko.live.state import Verdict
from ekoes.games.ekko.position.position import EkkoPosition, Sight, shuffled_cards
from ekoes.records import read_record
from ekoes.tables.orders import Intent
from ekoes.tables.race import LONGEST_DELAY, RaceTable
from ekoes.tables.settings import Seat
from ekoes.tables.table import Move
from tests.kit import tables as moves
from tests.kit.examples import one_quick
from tests.kit.tables import Dealing, played_on
from tests.kit.tables import record as record_of
from tests.unit.tables.racing import SECRET, Race, people, race_table


def bots(*names: str) -> tuple[Seat, ...]:
    return tuple(Seat("bot", "", seat, bot=name) for seat, name in enumerate(names))


def person_and(*names: str) -> tuple[Seat, ...]:
    person = Seat("here", "Ada", 0, session="p0")
    return (person, *(Seat("bot", "", seat, bot=name) for seat, name in enumerate(names, 1)))


def next_move(race: Race, secret: Secret = SECRET) -> Move:
    move = moves.next_move(race.table, race.at, secret)
    assert move is not None
    return move


def play_on(table: RaceTable, seed: int) -> RaceTable:
    """Let bots and clock play to the end of the game."""
    *_, over = played_on(table, Chance(seed), Secret(bytes([seed])))
    return over


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("players", [2, 3, *one_quick(5, [8])])
def test_bots_play_whole_games_whose_records_read_back(
    players: int, calm: bool, caplog: pytest.LogCaptureFixture
) -> None:
    names = [names_of("ekko")[seat % len(names_of("ekko"))] for seat in range(players)]
    table = play_on(race_table(bots(*names), 0, calm=calm, target=12), players)
    record = read_record(record_of(table))
    assert record.outcome == table.outcome
    assert len(record.decisions) == table.length
    assert [finished.totals for finished in table.play.rounds][-1] == table.position.scores
    assert {entry.verdict for entry in table.log} >= {Verdict.DEAL, Verdict.PLAY, Verdict.DRAW}
    assert not any(entry.by_clock for entry in table.log)
    assert caplog.text == "", "no bot plans what the table refuses"


@pytest.mark.parametrize("calm", [False, True])
def test_bot_that_knows_no_haste_sits_at_a_live_table(
    calm: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is in no list of levels and has no plan: it is asked as in a sequence of decisions (K6.1)."""
    homes = {**EKKO.parts.bots, "plain": "tests.unit.tables.racing:PLAIN"}
    monkeypatch.setattr(Ekko, "parts", replace(EKKO.parts, bots=homes))
    table = play_on(race_table(bots("plain", "plain", "skilled"), 0, calm=calm, window=None, target=8), 3)
    plain = [entry for entry in table.log if entry.seat in (0, 1)]
    assert {entry.verdict for entry in plain} >= {Verdict.PLAY, Verdict.DRAW, Verdict.MIRROR}
    assert not any(entry.by_clock for entry in plain)
    assert caplog.text == ""


def test_plan_stays_while_nothing_changes() -> None:
    race = Race({0: [50], 1: [73]}, seats=bots("skilled", "strong", "beginner"), begins=False)
    race.wait(3000)
    first = next_move(race)
    race.wait(100)
    assert next_move(race) == first
    assert first.at > race.table.log[0].at


def test_bots_are_ready_at_once() -> None:
    race = Race(seats=person_and("random", "random"), begins=False)
    race.send(0, "ready", round=1)
    assert race.stage == "race"


def test_k7_1_bot_and_person_race_for_the_same_top_card() -> None:
    """Whichever comes first: the bot's card or the person's mirror, the other one is late."""
    seats = (Seat("bot", "", 0, bot="random"), replace(person_and()[0], session="p1"))
    hands = {0: [40, 50, 60, 70, 80, 90], 1: [73]}
    for milliseconds in (-1, 0):
        race = Race(hands, seats=seats, players=2, begins=False)
        race.send(1, "ready", round=1)
        bot = next_move(race)
        assert isinstance(bot.order, Intent)
        race.at = bot.at + timedelta(milliseconds=milliseconds)
        if milliseconds < 0:
            race.send(1, "mirror", card=73, on=37, effect="draw")
            assert race.entry.verdict is Verdict.MIRROR
            race.at = bot.at
            race.give(bot.order, None)
            assert (race.entry.verdict, race.entry.seat, race.entry.behind) == (Verdict.LATE, 0, 1)
        else:
            race.give(bot.order, None)
            assert race.entry.verdict is Verdict.PLAY
            race.send(1, "mirror", card=73, on=37)
            assert (race.entry.verdict, race.entry.seat, race.entry.behind) == (Verdict.LATE, 1, 0)


def test_pace_stretches_all_delays() -> None:
    race = Race({0: [50, 60]}, seats=(*bots("random", "random"), people(3)[2]))
    began = race.at
    delay = next_move(race).at - began
    race.table = replace(race.table, pace=2 * race.table.pace)
    assert abs((next_move(race).at - began) - 2 * delay) <= timedelta(milliseconds=2)
    race.table = replace(race.table, pace=0)
    assert next_move(race).at == began


def test_bots_alone_take_their_time() -> None:
    """Nobody waits for them, and they would keep the machine from other tables."""
    race = Race(seats=bots("random", "random"), players=2, begins=False)
    race.wait(3000)
    usual = next_move(race)
    race.table = replace(race.table, pace=0)
    assert next_move(race).at == usual.at > race.at


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("name", names_of("ekko"))
def test_k7_6_bot_passes_at_the_same_time_whatever_it_holds(name: str, calm: bool) -> None:
    """In a window it claims at that time too; in a reaction time its mirror comes before, or not at all."""
    mirrors = 0
    for seed in range(40):
        with_mirror, without = (leaving_move(own, name, seed, calm=calm) for own in (5, 6))
        assert not is_mirror(without)
        if is_mirror(with_mirror):
            mirrors += 1
        if calm or not is_mirror(with_mirror):
            assert with_mirror.at == without.at
        else:
            assert with_mirror.at <= without.at
    assert mirrors > 0


def leaving_move(own: int, name: str, seed: int, *, calm: bool) -> Move:
    """Return the next move while seat 0 leaves with 50 and the bot beside it holds a certain card."""
    seats = (people(1)[0], Seat("bot", "", 1, bot=name), people(3)[2])
    race = Race({0: [50], 1: [own, 20]}, seats=seats, calm=calm)
    race.wait(6000)
    race.keep_only(0, 50)
    race.send(0, "play", card=50, on=37)
    return next_move(race, Secret(bytes([seed])))


def is_mirror(move: Move) -> bool:
    return isinstance(move.order, Intent) and move.order.action["type"] != "pass"


def plan(monkeypatch: pytest.MonkeyPatch, **answers: Answer) -> None:
    """Let all bots plan this, by what they are asked."""
    monkeypatch.setattr(EkkoBot, "plan", lambda *asked: answers.get(asked[3], Answer(None, 100)))


def test_bot_whose_plan_is_refused_does_what_the_clock_would(monkeypatch: pytest.MonkeyPatch) -> None:
    plan(monkeypatch, turn=Answer({"type": "play", "card": 50, "on": 98}, 100))
    race = Race({0: [50, 60]}, seats=bots("random", "random"), players=2, begins=False)
    race.wait(3000)
    move = next_move(race)
    assert isinstance(move.order, Intent)
    race.wait(100)
    with pytest.raises(IllegalActionError):
        race.give(move.order, None)
    assert move.instead is not None
    race.give(move.instead, None)
    assert race.entry.verdict is Verdict.PLAY


def test_bot_whose_claim_is_refused_lets_the_window_go_by(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window may have no clock: nobody else could go on."""
    plan(monkeypatch, window=Answer({"type": "play", "card": 97, "on": 98}, 100))
    seats = bots("random", "random")
    race = Race({0: [50, 60]}, seats=seats, players=2, calm=True, window=None, begins=False)
    race.wait(3000)
    assert race.table.play.has_window
    move = next_move(race)
    assert isinstance(move.instead, Intent)
    assert move.instead.action == {"type": "pass", "on": 37}


@pytest.mark.parametrize("calm", [False, True])
def test_bot_that_has_to_answer_and_wants_nothing_does_what_the_clock_would(
    calm: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan(monkeypatch)
    seats, clocks = bots("random", "random"), {"turn_clock": None, "window": None}
    race = Race({0: [50, 60]}, seats=seats, players=2, begins=False, calm=calm, **clocks)  # type: ignore[arg-type]
    race.wait(3000)
    while race.entry.verdict is Verdict.DEAL:
        move = next_move(race)
        assert move.order is not None
        race.give(move.order, None)
    assert (race.entry.seat, race.entry.verdict) == (0, Verdict.PLAY)


@pytest.mark.parametrize("delay", [-(10**30), 10**30])
def test_no_bot_keeps_others_waiting_for_long(delay: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plan(monkeypatch, turn=Answer({"type": "draw", "on": 37}, delay))
    race = Race({0: [50, 60]}, seats=person_and("random", "random"), dealer=0, turn_clock=None, begins=False)
    race.send(0, "ready", round=1)
    waits = next_move(race).at - race.at
    assert waits == timedelta(milliseconds=LONGEST_DELAY if delay > 0 else 0)


def test_k6_4_bot_sees_its_own_view_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    sights: dict[tuple[int, str], Sight] = {}

    def spying(_bot: EkkoBot, sight: Sight, seat: int, asks: str, _chance: Chance) -> Answer:
        sights[seat, asks] = sight
        return Answer(None)

    monkeypatch.setattr(EkkoBot, "plan", spying)
    race = Race(seats=bots("random", "random"), players=2, begins=False)
    race.wait(3000)
    next_move(race)
    assert [seat for seat, asks in sights if asks == "turn"] == [0]
    assert sights == {(seat, asks): Sight(seat, race.table.position.view(seat)) for seat, asks in sights}


LEVELS = ("beginner", "skilled", "random", "beginner")


def tables(seed: int, players: int, **options: Any) -> Iterator[RaceTable]:
    """Every table of a game of bots."""
    seats = tuple(Seat("bot", "", seat, bot=LEVELS[seat]) for seat in range(players))
    stream = Chance(seed)
    return played_on(
        race_table(seats, 0, target=10, **options), Dealing(lambda: shuffled_cards(stream)), SECRET
    )


def with_others_cards_exchanged(position: EkkoPosition, eye: int, chance: random.Random) -> EkkoPosition:
    """Exchange all cards that a viewer has not seen: in other hands, put aside by others, in the pile."""
    states = position.states.copy()
    own = {*position.hands[eye], *position.aside[eye], *position.zone}
    unseen = [card for card in range(1, 99) if card not in own]
    exchanged = dict(zip(unseen, chance.sample(unseen, len(unseen)), strict=True))
    for name in ("hands", "aside", "blocked"):
        for seat in range(position.players):
            words = states[name][0, seat]
            bits = int(words[0]) | int(words[1]) << 64
            cards = [card for card in range(128) if bits >> card & 1]
            moved = sum(1 << exchanged.get(card, card) for card in cards)
            words[0], words[1] = moved & (1 << 64) - 1, moved >> 64
    pile = states["pile"][0]
    for place in range(position.pile_size):
        pile[place] = exchanged[int(pile[place])]
    return EkkoPosition(states)


class Parts(pickle.Unpickler):
    """Notes what a pickle is made of."""

    def __init__(self, text: bytes) -> None:
        super().__init__(io.BytesIO(text))
        self.names: set[str] = set()

    def find_class(self, module: str, name: str) -> Any:
        self.names.add(name)
        return super().find_class(module, name)


def asked(table: RaceTable, seat: int) -> list[bytes]:
    return [pickle.dumps(each) for each in table.bot_requests(SECRET) if each.seat == seat]


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_k6_4_cards_that_a_seat_has_not_seen_change_no_question_to_it(players: int, calm: bool) -> None:
    chance, compared, held = random.Random(players), 0, 0
    for table in islice(tables(players, players, calm=calm), 150):
        for seat in range(players):
            other = with_others_cards_exchanged(table.position, seat, chance)
            questions = asked(table, seat)
            exchanged = replace(table, play=replace(table.play, position=other))
            assert asked(exchanged, seat) == questions
            compared += len(questions)
            held += sum(other.hands[each] != table.position.hands[each] for each in range(players))
    assert compared > 100
    assert held > compared / 2


def test_question_of_a_card_game_holds_a_view_and_no_position() -> None:
    names: set[str] = set()
    for table in islice(tables(1, 3), 150):
        for question in table.bot_requests(SECRET):
            parts = Parts(pickle.dumps(question))
            assert parts.load() == question
            names |= parts.names
    assert names == {"BotRequest", "Sight"}
