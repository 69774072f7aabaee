"""`ConditionalMoves`: decisions that a player has prepared in advance, as in correspondence chess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

import orjson

from ekoes.errors import TableError
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.registry import game
from ekoes.games.api.values import changed
from ekoes.tables.orders import Foreseen
from ekoes.tables.turns.presenter import played, presenter

Suspended = Literal["other", "refused"]
"""Why conditional moves are suspended: others decided differently, or the rules refuse the prepared move."""

MAX_VARIATIONS = 20


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a variation. at: a digest of the position before it."""

    seat: int
    action: Json
    notation: str
    at: str


Variation = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ConditionalMoves:
    """The variations that the player of a seat has prepared. suspended: why they are no longer played."""

    seat: int
    variations: tuple[Variation, ...] = ()
    suspended: Suspended | None = None

    def next(self, position: Position) -> Step | None:
        """Return the decision prepared for a position; None if there is none."""
        here = _digest(position)
        for variation in self.variations:
            if (index := self._index(variation, here)) is not None:
                return variation[index]
        return None

    def after(self, position: Position) -> ConditionalMoves:
        """Return the remaining moves once the seat has played a prepared decision."""
        here, left = _digest(position), []
        for variation in self.variations:
            index = self._index(variation, here)
            if index is not None and index + 1 < len(variation):
                left.append(variation[index + 1 :])
        return ConditionalMoves(self.seat, tuple(left))

    def _index(self, variation: Variation, here: str) -> int | None:
        places = (at for at, step in enumerate(variation) if step.seat == self.seat and step.at == here)
        return next(places, None)

    def with_variation(self, name: str, position: Position, steps: Sequence[Foreseen]) -> ConditionalMoves:
        """Return the moves with one more variation from a position on, each decision judged by the rules.

        name: of the game. Raises: RefusedError, IllegalActionError, NotationError; TableError if it does not
        end with a decision of the seat, contradicts another variation, or is one too many.
        """
        variation = self._read(name, position, steps)
        if variation in self.variations:
            return self
        if len(self.variations) == MAX_VARIATIONS:
            raise TableError(
                f"at most {MAX_VARIATIONS} conditional moves can be stored", code="table/lines", key="add"
            )
        own = {step.at: step for other in self.variations for step in other if step.seat == self.seat}
        for step in variation:
            if step.seat == self.seat and own.get(step.at, step).action != step.action:
                message = (
                    f"another variation plays {own[step.at].notation} where this one plays {step.notation}"
                )
                raise TableError(message, code="table/lines-differ", key="add")
        return changed(self, variations=(*self.variations, variation))

    def _read(self, name: str, position: Position, steps: Sequence[Foreseen]) -> Variation:
        rules, look = game(name), presenter(name)
        variation: list[Step] = []
        for one in steps:
            action = rules.parse_action(one.action)
            if one.seat not in position.actors():
                raise TableError("this seat does not decide there", code="table/lines", key="add")
            after = played(position, one.seat, action)
            notation = look.describe(position, action, after)["notation"]
            variation.append(Step(one.seat, rules.action_to_json(action), notation, _digest(position)))
            position = after
        if variation[-1].seat != self.seat:
            raise TableError(
                "conditional moves end with a decision of their own player", code="table/lines", key="add"
            )
        return tuple(variation)

    def to_json(self) -> Json:
        """Return the moves as their owner sees them."""
        ways = [
            [{"seat": step.seat, "action": step.action, "notation": step.notation} for step in variation]
            for variation in self.variations
        ]
        return {"ways": ways} if self.suspended is None else {"ways": ways, "aside": self.suspended}

    def to_state(self) -> Json:
        """Return the moves as stored JSON."""
        places = [[step.at for step in variation] for variation in self.variations]
        return {"seat": self.seat, "at": places, **self.to_json()}

    @classmethod
    def from_state(cls, value: Json) -> ConditionalMoves:
        """Read what ``to_state`` wrote."""
        variations = tuple(
            tuple(Step(**step, at=at) for step, at in zip(way, places, strict=True))
            for way, places in zip(value["ways"], value["at"], strict=True)
        )
        return cls(value["seat"], variations, value.get("aside"))


def _digest(position: Position) -> str:
    text = orjson.dumps(position.to_state(), option=orjson.OPT_SORT_KEYS)
    return blake2b(text, digest_size=9).hexdigest()
