"""Nim, a third game: heaps of matches, whoever takes the last one wins. Everything it brings is in this file.

It lives in the tests alone. Another package's game is an entry point of the group ``ekoes.games``,
and nothing else of the house knows it. Rule numbers: N1 the deal, N2 the turn, N3 the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from ekoes.errors import IllegalActionError, NotationError, PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json, Outcome, Parts, Refusal, TableEnds, Turn
from ekoes.games.api.registry import game
from ekoes.games.api.table import Decision

LARGEST = 7
_DEAL, _TAKE = re.compile(r"deal:([0-9,]+)"), re.compile(r"([0-9]):([0-9])")


@dataclass(frozen=True)
class Deal:
    """N1: chance decides how large the heaps are."""

    heaps: tuple[int, ...]


@dataclass(frozen=True)
class Take:
    """N2: some matches of one heap."""

    heap: int
    count: int


@dataclass(frozen=True)
class NimPosition:
    """heaps: empty before the deal. turn: from 1, 0 before the deal."""

    players: int
    heaps: tuple[int, ...] = ()
    turn: int = 0

    @property
    def game(self) -> Any:
        return game("nim")

    @property
    def player(self) -> int:
        return (self.turn - 1) % self.players

    def actors(self) -> tuple[int, ...]:
        if self.turn == 0:
            return (CHANCE,)
        return (self.player,) if any(self.heaps) else ()

    def legal(self, seat: int) -> Sequence[Take]:
        if (seat,) != self.actors() or seat == CHANCE:
            return ()
        return [Take(heap, count) for heap, size in enumerate(self.heaps) for count in range(1, size + 1)]

    def seat_of(self, action: Deal | Take) -> int:
        return CHANCE if isinstance(action, Deal) else self.player

    def why_not(self, seat: int, action: Deal | Take) -> Refusal | None:
        if (seat,) != self.actors() or isinstance(action, Deal) != (seat == CHANCE):
            return Refusal("not-asked", "N2.1", "this seat is not asked")
        if isinstance(action, Take) and action not in self.legal(seat):
            return Refusal("no-such-matches", "N2.2", "there are not so many matches")
        return None

    def play(self, seat: int, action: Deal | Take) -> NimPosition:
        refusal = self.why_not(seat, action)
        if refusal is not None:
            raise IllegalActionError(refusal.message, rule=refusal.rule)
        if isinstance(action, Deal):
            return replace(self, heaps=action.heaps, turn=1)
        heaps = list(self.heaps)
        heaps[action.heap] -= action.count
        return replace(self, heaps=tuple(heaps), turn=self.turn + 1)

    def chance_action(self, chance: Chance) -> Deal:
        return Deal(tuple(1 + chance.below(LARGEST) for _ in range(3)))

    def outcome(self) -> Outcome | None:
        if self.turn == 0 or any(self.heaps):
            return None
        return Outcome(((self.turn - 2) % self.players,), "last-match", "N3.1")

    def sight(self, seat: int) -> NimPosition:
        return self

    def view(self, eye: int | None) -> Json:
        return self.to_json()

    def to_json(self) -> Json:
        return {"game": "nim", "players": self.players, "heaps": list(self.heaps), "turn": self.turn}

    to_state = to_json


class Nim:
    """The game, its notation, its book and what a table shows, all in one."""

    name = "nim"
    title = "Nim, the game of matches"
    rules_version = "1"
    players = range(2, 4)
    table_ends = TableEnds(resignation="N3.2")
    parts = Parts(
        table="turns",
        presenter="nim:PRESENTER",
        book="nim:BOOK",
        notation="nim:NOTATION",
        bots=MappingProxyType({"random": "ekoes.games.api.parts:RANDOM", "largest": "nim:LARGEST_BOT"}),
        stand_in="largest",
        show="nim:SHOW",
    )

    def new(self, options: Mapping[str, Any], seed: int) -> NimPosition:
        unknown = [key for key in options if key != "players"]
        if unknown:
            raise PositionError("this game does not have this option", key=unknown[0])
        if options.get("players", 2) not in self.players:
            raise PositionError("2 or 3 play", rule="N1.1", key="players")
        return NimPosition(options.get("players", 2))

    def from_json(self, value: Any) -> NimPosition:
        if not isinstance(value, dict) or value.keys() != {"game", "players", "heaps", "turn"}:
            raise PositionError("a position of nim has game, players, heaps and turn")
        return NimPosition(value["players"], tuple(value["heaps"]), value["turn"])

    from_state = from_json

    def parse_action(self, value: Any) -> Deal | Take:
        match value:
            case {"type": "deal", "heaps": [*heaps]}:
                return Deal(tuple(heaps))
            case {"type": "take", "heap": int(heap), "count": int(count)}:
                return Take(heap, count)
        raise NotationError("an action of nim deals heaps or takes a count of a heap", key="type")

    def action_to_json(self, action: Deal | Take) -> Json:
        if isinstance(action, Deal):
            return {"type": "deal", "heaps": list(action.heaps)}
        return {"type": "take", "heap": action.heap, "count": action.count}


class Notation:
    def parse_action(self, text: str, _position: object = None) -> Deal | Take:
        if deal := _DEAL.fullmatch(text):
            return Deal(tuple(map(int, deal[1].split(","))))
        if take := _TAKE.fullmatch(text):
            return Take(int(take[1]), int(take[2]))
        raise NotationError(f"a decision is written 0:2, not {text!r:.40}")

    def format_action(self, action: Deal | Take, _position: object = None) -> str:
        if isinstance(action, Deal):
            return f"deal:{','.join(map(str, action.heaps))}"
        return f"{action.heap}:{action.count}"


class Book(Notation):
    OPENING_TAGS = ("Players",)
    TABLE_TAGS = ()
    EXAMPLE = "0:2"

    def opening_tags(self, position: NimPosition) -> dict[str, str]:
        return {"Players": str(position.players)}

    def opening_from_tags(self, tags: Mapping[str, str]) -> NimPosition:
        return NIM.new({"players": int(tags["Players"])}, 0)

    def table_tags(self, table: None) -> dict[str, str]:
        return {}

    def table_from_tags(self, tags: Mapping[str, str]) -> None:
        return None

    def number(self, position: NimPosition) -> int:
        return position.turn

    def asked(self, position: NimPosition) -> tuple[int, ...]:
        return position.actors()

    def follow(self, position: NimPosition, seat: int, action: Deal | Take) -> NimPosition:
        return position.play(seat, action)

    def summary(self, before: NimPosition, after: NimPosition) -> None:
        return None

    def referee(self, table: None, turn_limit: int | None) -> Referee:
        return Referee()


class Referee:
    def play(self, position: NimPosition, decision: Decision) -> NimPosition:
        return position.play(decision.seat, decision.action)

    def check_result(self, said: Outcome, position: NimPosition) -> None:
        """Whoever resigns, the other wins."""


class Presenter:
    def about(self) -> Json:
        return {"players": [2, 3], "options": {}}

    def settings(self, options: Mapping[str, Any]) -> Json:
        return {"players": NIM.new(options, 0).players}

    def turn(self, position: NimPosition) -> Turn:
        return Turn(position.turn, position.player)

    def identity(self, position: NimPosition) -> None:
        return None

    def can_hold(self, position: NimPosition) -> bool:
        return True

    def board(self, position: NimPosition) -> Json:
        return {}

    def merits(self, position: NimPosition) -> list[int]:
        return [0] * position.players

    def choices(self, position: NimPosition, seat: int) -> list[Json]:
        return [
            {"action": NIM.action_to_json(action), "notation": NOTATION.format_action(action)}
            for action in position.legal(seat)
        ]

    def actions(self, position: NimPosition, seat: int) -> list[Json]:
        return [NIM.action_to_json(action) for action in position.legal(seat)]

    def least(self, position: NimPosition, seat: int) -> Take:
        return position.legal(seat)[0]

    def describe(self, position: NimPosition, action: Deal | Take, after: NimPosition) -> Json:
        return {"notation": NOTATION.format_action(action)}


class LargestBot:
    """Takes the largest heap."""

    name = "largest"

    def choose(self, position: NimPosition, seat: int, chance: Chance) -> Take:
        return max(position.legal(seat), key=lambda take: take.count)


class Show:
    def show_position(self, position: NimPosition) -> str:
        return "\n".join("|" * size for size in position.heaps) or "before the deal"


NIM, NOTATION, BOOK, PRESENTER, LARGEST_BOT, SHOW = (
    Nim(),
    Notation(),
    Book(),
    Presenter(),
    LargestBot(),
    Show(),
)
