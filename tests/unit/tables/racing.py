"""An EKKO table as a test plays at it: chosen hands, and a clock that stands where the test puts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import numpy as np
import pytest

from ekoes.bots import Secret
from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.ekko.bots.player import BEGINNER
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.state import Entry
from ekoes.games.ekko.position.action import Action
from ekoes.games.ekko.position.position import EkkoPosition, Sight
from ekoes.games.ekko.rules.record import CARDS
from ekoes.tables.create import new_table
from ekoes.tables.orders import AnyOrder, Intent, Rematch, Resign
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Seat
from ekoes.tables.submit import submit
from tests.kit.tables import NOW as NOW  # noqa: PLC0414 - the time at which these tables begin
from tests.kit.tables import Dealing

SECRET = Secret(bytes(32))
"""The secret of tables in tests."""
KEYS = count()

Json = dict[str, Any]


def people(players: int) -> tuple[Seat, ...]:
    """Each at a browser of their own: ``p0``, ``p1``, …"""
    return tuple(
        Seat("open" if seat else "here", f"P{seat}", seat, session=f"p{seat}") for seat in range(players)
    )


def stacked(
    hands: Mapping[int, Sequence[int]], turned: int, players: int, dealer: int, pile: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return the cards so that each seat gets at least these, and this one is turned over. Rule: K6.0."""
    size = 6 if players <= 3 else 5 if players <= 5 else 4
    named = {turned, *pile, *(card for hand in hands.values() for card in hand)}
    others = (card for card in range(1, CARDS + 1) if card not in named)
    dealt: list[int] = []
    for step in range(players):
        hand = list(hands.get((dealer + 1 + step) % players, ()))
        dealt += [*hand, *(next(others) for _ in range(size - len(hand)))]
    return (*dealt, turned, *pile, *others)


class PlainBot:
    """Has nothing but ``choose``: chooses like a beginner, and only where its seat is asked."""

    name = "plain"

    def choose(self, position: Sight, seat: int, chance: Chance) -> Action:
        turn = position.view(seat)["turn"]
        assert turn.get("asked", turn["player"]) == seat
        return BEGINNER.choose(position, seat, chance)


PLAIN = PlainBot()


class Race:
    """A table in play. Time is in milliseconds since the first card was turned over."""

    def __init__(
        self,
        hands: Mapping[int, Sequence[int]] | None = None,
        turned: int = 37,
        *,
        players: int = 3,
        dealer: int | None = None,
        pile: Sequence[int] = (),
        seats: tuple[Seat, ...] | None = None,
        begins: bool = True,
        **options: Any,
    ) -> None:
        """Deal a round; the last seat deals unless said otherwise, so that seat 0 begins."""
        held = seats or people(players)
        dealer = players - 1 if dealer is None else dealer
        self.table = race_table(held, dealer, **options)
        self.at = NOW
        self.hands, self.turned, self.pile = hands or {}, turned, pile
        self.settle()
        if begins:
            self.begin()

    def settle(self) -> None:
        """Let the program deal if it has to."""
        while (due := self.table.automatic_order(self.at, Dealing(self.shuffled))) is not None:
            self.table = submit(self.table, due[0], None, due[1])

    def shuffled(self) -> tuple[int, ...]:
        position = self.table.position
        return stacked(self.hands, self.turned, position.players, position.dealer, self.pile)

    def begin(self) -> None:
        """Let all players be ready."""
        for seat in sorted(self.table.people):
            self.send(seat, "ready", round=self.table.position.round)

    def wait(self, milliseconds: int) -> None:
        """Let time pass, and the clock strike."""
        self.at += timedelta(milliseconds=milliseconds)
        self.settle()

    def give(self, order: AnyOrder, session: str | None) -> None:
        """Give an order now, after all that is due before it."""
        self.settle()
        self.table = submit(self.table, order, session, self.at)
        self.settle()

    def send(self, seat: int, kind: str, *, after: int = 0, **content: Any) -> Json:
        """Send an intent; return the last entry of the log. after: milliseconds to wait before."""
        self.wait(after)
        intent = Intent.model_validate(
            {"key": f"k{next(KEYS)}", "seat": seat, "action": {"type": kind, **content}}
        )
        self.give(intent, self.table.seats[seat].session)
        return self.last

    def refused(self, seat: int, kind: str, **content: Any) -> EkoesError:
        """Send an intent that is refused and changes nothing."""
        before = self.table
        with pytest.raises(EkoesError) as error:
            self.send(seat, kind, **content)
        assert self.table == before
        return error.value

    def resign(self, seat: int) -> None:
        self.give(Resign(key=f"k{next(KEYS)}", seat=seat), self.table.seats[seat].session)

    def agree(self, seat: int) -> None:
        self.give(Rematch(key=f"k{next(KEYS)}", seat=seat), self.table.seats[seat].session)

    def keep_only(self, seat: int, *cards: int) -> None:
        """Leave a seat a few cards, as after a long round; its others lie at the bottom of the pile."""
        value = self.table.position.to_json()
        value["pile"] += [each for each in value["hands"][seat] if each not in cards]
        value["hands"][seat] = list(cards)
        self._take_position(EKKO.from_json(value).states)
        self.change(live=True)

    def change(self, **fields: int) -> None:
        """Write into the state of the position."""
        states = self.table.position.states.copy()
        for name, value in fields.items():
            states[name] = value
        self._take_position(states)

    def _take_position(self, states: np.ndarray[Any, Any]) -> None:
        position = EkkoPosition(states)
        log = (*self.table.log[:-1], replace(self.table.log[-1], position=position))
        self.table = replace(self.table, play=self.table.play.moved(position), log=log)

    @property
    def state(self) -> Json:
        """The public state."""
        return self.table.shared_state(self.at)

    @property
    def stage(self) -> str:
        stage: str = self.state["stage"]
        return stage

    @property
    def last(self) -> Json:
        """The last entry as it is shown."""
        return self.table.entries_json()[-1]

    @property
    def entry(self) -> Entry:
        last: Entry = self.table.log[-1]
        return last

    def hand(self, seat: int) -> tuple[int, ...]:
        hand: tuple[int, ...] = self.table.position.hands[seat]
        return hand


def race_table(seats: tuple[Seat, ...], dealer: int, **options: Any) -> RaceTable:
    """Return a table whose first dealer is a seat."""
    seed = next(seed for seed in count() if Chance(seed).below(len(seats)) == dealer)
    table = new_table("ekko", {"players": len(seats), **options}, seed, seats)
    assert isinstance(table, RaceTable)
    assert table.position.dealer == dealer
    return table
