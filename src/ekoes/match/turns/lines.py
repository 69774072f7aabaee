"""Lines that a player has written down while others decide: if it comes to this, then I do that.

A line is a way from decision to decision. What counts is where it leads, not the way there: a decision of
its player's is made once they are asked and the position is the one before it, however others came to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

import orjson

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Json, Position
from ekoes.games.registry import game
from ekoes.match.orders import Foreseen
from ekoes.match.turns.played import played
from ekoes.match.turns.presenter import presenter

__all__ = ["Aside", "Line", "Lines", "Step", "lines_from_json", "with_way"]

Aside = Literal["other", "refused"]
"""Why lines are put aside: it came otherwise, or the rules refuse what they say."""

MOST_LINES = 20
"""Lines that somebody may have at a table."""


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a line. at: the position before it, by a short name."""

    seat: int
    action: Json
    notation: str
    at: str


Line = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """What a seat has written down. aside: why it is not followed any more."""

    seat: int
    ways: tuple[Line, ...]
    aside: Aside | None = None

    def next(self, position: Position) -> Step | None:
        """Return what the seat has said that it would do here; None: nothing."""
        here = _name(position)
        return next((way[at] for way in self.ways if (at := self._place(way, here)) is not None), None)

    def after(self, position: Position) -> Lines:
        """Return what is still to come once the seat has decided at a position as it said."""
        here = _name(position)
        placed = [(way, self._place(way, here)) for way in self.ways]
        return Lines(
            self.seat, tuple(way[at + 1 :] for way, at in placed if at is not None and way[at + 1 :])
        )

    def _place(self, way: Line, here: str) -> int | None:
        """Return where in a line its player decides at a position."""
        places = (at for at, step in enumerate(way) if step.seat == self.seat and step.at == here)
        return next(places, None)

    def to_json(self) -> Json:
        """Write the lines as their owner and the store read them."""
        ways = [[_step_json(step) for step in way] for way in self.ways]
        return {"ways": ways} if self.aside is None else {"ways": ways, "aside": self.aside}

    def to_state(self) -> Json:
        """Write the lines as the store keeps them."""
        places = [[step.at for step in way] for way in self.ways]
        return {"seat": self.seat, "at": places, **self.to_json()}


def lines_from_json(value: Json) -> Lines:
    """Read what ``Lines.to_state`` wrote."""
    ways = tuple(
        tuple(Step(**step, at=at) for step, at in zip(way, places, strict=True))
        for way, places in zip(value["ways"], value["at"], strict=True)
    )
    return Lines(value["seat"], ways, value.get("aside"))


def with_way(name: str, lines: Lines, position: Position, wished: Sequence[Foreseen]) -> Lines:
    """Return lines with one more, which leads on from a position, each decision judged by the rules.

    Raises: RefusedError, IllegalActionError, NotationError; TableError where it does not end with a decision
    of its player's, does otherwise than another one at the same place, or is one too many.
    """
    way = _read_way(name, lines.seat, position, wished)
    if way in lines.ways:
        return lines
    if len(lines.ways) == MOST_LINES:
        raise TableError(f"no more than {MOST_LINES} lines are kept", code="table/lines", key="add")
    told = {step.at: step for line in lines.ways for step in line if step.seat == lines.seat}
    for step in way:
        if step.seat == lines.seat and told.get(step.at, step).action != step.action:
            message = f"another line does {told[step.at].notation} where this one does {step.notation}"
            raise TableError(message, code="table/lines-differ", key="add")
    return changed(lines, ways=(*lines.ways, way))


def _read_way(name: str, seat: int, position: Position, wished: Sequence[Foreseen]) -> Line:
    """Return one line. Raises EkoesError."""
    rules, look = game(name), presenter(name)
    way: list[Step] = []
    for one in wished:
        action = rules.parse_action(one.action)
        if one.seat not in position.actors():
            raise TableError("this seat is not asked there", code="table/lines", key="add")
        after = played(position, one.seat, action)
        notation = look.describe(position, action, after)["notation"]
        way.append(Step(one.seat, rules.action_to_json(action), notation, _name(position)))
        position = after
    if way[-1].seat != seat:
        raise TableError("a line ends with a decision of its player's", code="table/lines", key="add")
    return tuple(way)


def _name(position: Position) -> str:
    """Return a short name of a position: all that the rules know of it, whoever's turn it is, and which."""
    text = orjson.dumps(position.to_state(), option=orjson.OPT_SORT_KEYS)
    return blake2b(text, digest_size=9).hexdigest()


def _step_json(step: Step) -> Json:
    return {"seat": step.seat, "action": step.action, "notation": step.notation}
