"""What a bot is asked: no question has a card in it that its seat may not see (K6.4)."""

from __future__ import annotations

import io
import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.ekko.position.position import EkkoPosition, shuffled_cards
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from tests.kit.tables import Dealing, next_move
from tests.unit.tables.racing import NOW, SECRET, race_table

LEVELS = ("beginner", "skilled", "random", "beginner")


def tables(seed: int, players: int, **options: Any) -> Iterator[RaceTable]:
    """Every table of a game of bots."""
    seats = tuple(Seat("bot", "", seat, bot=LEVELS[seat]) for seat in range(players))
    stream = Chance(seed)
    dealing = Dealing(lambda: shuffled_cards(stream))
    table, at = race_table(seats, 0, target=10, **options), NOW
    while table.outcome is None:
        yield table
        due = table.automatic_order(at, dealing)
        move = next_move(table, at, SECRET) if due is None else None
        if due is not None:
            table = submit(table, due[0], None, due[1])
        elif move is not None:
            at = max(at, move.at)
            if move.order is not None:
                table = submit(table, move.order, None, at)


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
