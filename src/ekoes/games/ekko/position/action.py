"""The vocabulary of EKKO: the decisions of K6 and K7, their JSON, and their kernel codes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import ClassVar, cast

from ekoes.errors import NotationError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import read_action
from ekoes.games.ekko.rules.decisions import ASIDE_SHIFT, CARD_MASK, CARD_SHIFT, TYPE_MASK, ActionType
from ekoes.games.ekko.rules.record import CARDS


class Effect(StrEnum):
    """What a mirror does: its player puts a card aside, or every other player draws. Rule: K3.2."""

    DISCARD = "discard"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal a round. Rule: K6.0.

    order: the 98 cards in the order of dealing; empty if only the kind of decision matters.
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
    """Play the mirror of the top card. aside: the card put aside, only for the effect ``discard``.

    on: the top card that it answers, at a live table (K7.2). Rule: K3.2.
    """

    type: ClassVar[str] = "mirror"
    card: int
    effect: Effect
    aside: int | None = None
    on: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass on the mirror. Rule: K6.1, K7.4."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw, without a valid card. Rule: K2.2."""

    type: ClassVar[str] = "draw"


@dataclass(frozen=True, slots=True)
class Misplay:
    """A wrong card; the player takes it back and draws. Rule: K4.1, K7.3."""

    type: ClassVar[str] = "misplay"
    card: int


@dataclass(frozen=True, slots=True)
class Close:
    """End the reaction time after a last card. Rule: K5.1, K7.4."""

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
    """Return an action as JSON, without empty keys."""
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


_TYPE_OF: dict[type[Action], ActionType] = {
    Deal: ActionType.DEAL,
    Play: ActionType.PLAY,
    Pass: ActionType.PASS,
    Draw: ActionType.DRAW,
    Misplay: ActionType.MISPLAY,
    Close: ActionType.CLOSE,
}
_BARE: dict[int, Action] = {_TYPE_OF[type(action)]: action for action in (Deal(), Pass(), Draw(), Close())}


def decode(code: int) -> Action:
    """Return the action of a code (rules/decisions.py)."""
    action_type, card = code & TYPE_MASK, (code >> CARD_SHIFT) & CARD_MASK
    if action_type == ActionType.PLAY:
        return Play(card)
    if action_type == ActionType.MIRROR_DRAW:
        return Mirror(card, Effect.DRAW)
    if action_type == ActionType.MIRROR_DISCARD:
        return Mirror(card, Effect.DISCARD, (code >> ASIDE_SHIFT) & CARD_MASK)
    return Misplay(card) if action_type == ActionType.MISPLAY else _BARE[action_type]


def encode(action: Action) -> int:
    """Return the code of an action, without the order of a deal and the ``on`` of a mirror."""
    if isinstance(action, Mirror):
        action_type = ActionType.MIRROR_DRAW if action.effect is Effect.DRAW else ActionType.MIRROR_DISCARD
        return int(action_type | action.card << CARD_SHIFT | (action.aside or 0) << ASIDE_SHIFT)
    action_type = _TYPE_OF[type(action)]
    card = action.card if isinstance(action, Play | Misplay) else 0
    return int(action_type | card << CARD_SHIFT)
