"""The vocabulary of EKKO: the decisions (K6) and those that a live table adds (K7), with their JSON.

The JSON form is public (interchange format, version 1): ``action_from_json`` and
``action_to_json`` are inverses.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import ClassVar, cast

from ekoes.errors import NotationError
from ekoes.games.contract import Json
from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.reading import read_action

__all__ = [
    "ACTION_TYPES",
    "Action",
    "Close",
    "Deal",
    "Draw",
    "Effect",
    "Mirror",
    "Misplay",
    "Pass",
    "Play",
    "action_from_json",
    "action_to_json",
    "read_card",
]


class Effect(StrEnum):
    """What a mirror does: its player puts a card aside, or every other player draws. Rule: K3.2."""

    DISCARD = "discard"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal a round. order: the 98 cards as they are dealt; empty where only the decision is named.

    Rule: K6.0.
    """

    type: ClassVar[str] = "deal"
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Play:
    """Play a valid card in one's turn. Rule: K2.1."""

    type: ClassVar[str] = "play"
    card: int


@dataclass(frozen=True, slots=True)
class Mirror:
    """Play the mirror of the top card. aside: the card put aside, for the effect ``discard`` alone.

    on: the top card that it answers, at a live table (K7.2). Rule: K3.2.
    """

    type: ClassVar[str] = "mirror"
    card: int
    effect: Effect
    aside: int | None = None
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the chance to play a mirror go by. Rule: K6.1, K7.4."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw for want of a valid card. Rule: K2.2."""

    type: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Misplay:
    """A card played amiss: it is taken back, and its player draws. Rule: K4.1, K7.3."""

    type: ClassVar[str] = "misplay"
    card: int


@dataclass(frozen=True, slots=True)
class Close:
    """The reaction time after a last card is over. Rule: K5.1, K7.4."""

    type: ClassVar[str] = "close"


Action = Deal | Play | Mirror | Pass | Draw | Misplay | Close

ACTION_TYPES: dict[str, type[Action]] = {
    cls.type: cls for cls in (Deal, Play, Mirror, Pass, Draw, Misplay, Close)
}

_REQUIRED: dict[type[Action], frozenset[str]] = {
    Play: frozenset({"card"}),
    Mirror: frozenset({"card", "effect"}),
    Misplay: frozenset({"card"}),
}


def action_to_json(action: Action) -> Json:
    """Write an action as JSON; keys that are empty are left out."""
    value: Json = {"type": action.type}
    for field in fields(action):
        content = getattr(action, field.name)
        if isinstance(content, Effect):
            value[field.name] = content.value
        elif isinstance(content, tuple):
            if content:
                value[field.name] = list(content)
        elif content is not None:
            value[field.name] = content
    return value


def action_from_json(value: object) -> Action:
    """Read an action. Raises NotationError naming the key."""
    action = cast(
        "Action",
        read_action(value, ACTION_TYPES, _READERS, lambda cls: _REQUIRED.get(cls, frozenset()), rule="K6"),
    )
    if isinstance(action, Mirror) and (action.aside is not None) != (action.effect is Effect.DISCARD):
        message = "the effect discard names the card put aside, the effect draw names none"
        raise NotationError(message, rule="K3.2", key="aside")
    return action


def read_card(value: object, key: str) -> int:
    """Read the number of a card. Raises NotationError naming the key. Rule: K1.1."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= CARDS:
        raise NotationError(f"a card is a whole number from 1 to {CARDS}", rule="K1.1", key=key)
    return value


def _read_effect(value: object, key: str) -> Effect:
    if not isinstance(value, str) or value not in set(Effect):
        raise NotationError(f"must be one of {', '.join(Effect)}", rule="K3.2", key=key)
    return Effect(value)


def _read_order(value: object, key: str) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise NotationError("must be a list of cards", rule="K6.0", key=key)
    order = tuple(read_card(card, key) for card in value)
    if len(order) != CARDS or len(set(order)) != CARDS:
        raise NotationError(f"must name each of the {CARDS} cards once", rule="K6.0", key=key)
    return order


_READERS = {
    "order": _read_order,
    "card": read_card,
    "aside": read_card,
    "on": read_card,
    "effect": _read_effect,
}
