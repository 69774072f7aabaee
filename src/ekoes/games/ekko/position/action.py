"""The decisions of EKKO (K6, K7) and remarks of records: their JSON, kernel codes and notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ekoes.errors import NotationError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import Scanner, not_an_action, read_action
from ekoes.games.api.values import field_names
from ekoes.games.ekko.rules.decisions import ASIDE_SHIFT, CARD_MASK, CARD_SHIFT, TYPE_MASK, ActionType
from ekoes.games.ekko.rules.record import CARDS


class Effect(StrEnum):
    """The effect of a mirror: its player puts a card aside, or every other player draws. Rule: K3.2."""

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


def action_to_json(action: Action) -> Json:
    """Return an action as JSON, without empty keys."""
    value: Json = {"type": action.type}
    for name in field_names(type(action)):  # type: ignore[arg-type] # a type can be hashed
        content = getattr(action, name)
        if isinstance(content, Effect):
            value[name] = content.value
        elif isinstance(content, tuple):
            if content:
                value[name] = list(content)
        elif content is not None:
            value[name] = content
    return value


def action_from_json(value: object) -> Action:
    """Read an action. Raises NotationError naming the key."""
    action = read_action(value, ACTION_TYPES, _READERS, rule="K6")
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


_TYPE_OF = {cls: ActionType[cls.type.upper()] for cls in ACTION_TYPES.values() if cls is not Mirror}
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
    """Return the code of an action, without the order of a deal and the ``on`` of a mirror.

    Raises: NotationError if it is no action.
    """
    if isinstance(action, Mirror):
        action_type = ActionType.MIRROR_DRAW if action.effect is Effect.DRAW else ActionType.MIRROR_DISCARD
        return int(action_type | action.card << CARD_SHIFT | (action.aside or 0) << ASIDE_SHIFT)
    card = action.card if isinstance(action, Play | Misplay) else 0
    try:
        return int(_TYPE_OF[type(action)] | card << CARD_SHIFT)
    except KeyError:
        raise not_an_action(action) from None


_DIGIT = re.compile(r"[0-9]", re.ASCII)
_BARE_WORDS: dict[str, Action] = {action.type: action for action in (Draw(), Pass(), Close())}
_WORDS = (*_BARE_WORDS, Deal.type)


def format_action(action: Action, _position: object = None) -> str:
    """Write an action as one word without blanks, the inverse of ``parse_action``.

    A mirror whose card put aside is hidden ends with the dash.
    """
    match action:
        case Play(card):
            return str(card)
        case Mirror(card, effect, aside, on):
            shown = "+" if effect is Effect.DRAW else f"-{aside or ''}"
            return f"{card}/{on or ''}{shown}"
        case Misplay(card):
            return f"{card}?"
        case Deal(order) if order:
            return f"deal:{','.join(map(str, order))}"
        case _:
            return action.type


def parse_action(text: str, _position: object = None) -> Action:
    """Read an action. Raises NotationError with the problem and the character where it is."""
    scanner = _Scanner(text)
    action = _card_action(scanner) if scanner.sees(_DIGIT) else _word_action(scanner)
    scanner.finish()
    return action


def _card_action(scanner: _Scanner) -> Action:
    """Read an action that begins with a card: play, mirror, misplay."""
    card = scanner.card()
    if scanner.accept("?"):
        return Misplay(card)
    if not scanner.accept("/"):
        return Play(card)
    on = scanner.card() if scanner.sees(_DIGIT) else None
    if scanner.accept("+"):
        return Mirror(card, Effect.DRAW, on=on)
    scanner.expect("-", "'-' and the card put aside, or '+': the others draw")
    return Mirror(card, Effect.DISCARD, scanner.card(), on)


def _word_action(scanner: _Scanner) -> Action:
    """Read an action that begins with a word."""
    word = scanner.word(_WORDS, f"a card, as in 67, or one of {', '.join(_WORDS)}")
    if word != "deal":
        return _BARE_WORDS[word]
    scanner.accept(":")
    return Deal(scanner.order() if scanner.sees(_DIGIT) else ())


class _Scanner(Scanner):
    """Scans the parts of EKKO's notation."""

    def card(self) -> int:
        """Read the number of a card (K1.1)."""
        start = self.at
        expected = f"a card, 1 to {CARDS}"
        try:
            return read_card(self.number(expected), "card")
        except NotationError as error:
            self.at = start
            raise self.failure(expected) from error

    def order(self) -> tuple[int, ...]:
        """Read the cards of a deal, each of them once (K6.0)."""
        order: list[int] = []
        while not order or self.accept(","):
            start = self.at
            card = self.card()
            if card in order:
                self.at = start
                raise self.failure("a card that is not in the list yet")
            order.append(card)
        if len(order) != CARDS:
            raise self.failure(f"{CARDS} cards, these are {len(order)}")
        return tuple(order)


@dataclass(frozen=True, slots=True)
class Late:
    """A card (None: a draw) that came too late and went back to the hand (K3.5, K7.2)."""

    card: int | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed mirror whose effect or window is still open (K3.2)."""

    card: int


@dataclass(frozen=True, slots=True)
class Ready:
    """A player confirms having seen the hand (K1.3)."""


@dataclass(frozen=True, slots=True)
class Resign:
    """A player resigns: a bot takes the seat, or the only other player wins."""


Remark = Late | Claim | Ready | Resign
"""A record entry that does not change the position, like ``Pass`` at a live table."""

_WITH_CARD = re.compile(r"(late|claim):([0-9]{1,2}|draw)", re.ASCII)
_BARE_REMARKS: dict[str, Remark] = {"ready": Ready(), "resign": Resign()}


def parse_arrived(text: str, _position: object = None) -> Action | Remark:
    """Read a decision or a remark. Raises NotationError."""
    if text in _BARE_REMARKS:
        return _BARE_REMARKS[text]
    match = _WITH_CARD.fullmatch(text)
    if match is None:
        return parse_action(text)
    if match[1] == "late":
        return Late(None if match[2] == "draw" else read_card(int(match[2]), "late"))
    if match[2] == "draw":
        raise NotationError("a claim names a mirror", rule="K3.2")
    return Claim(read_card(int(match[2]), "claim"))


def format_arrived(action: Action | Remark, _position: object = None) -> str:
    """Write a decision or a remark, the inverse of ``parse_arrived``."""
    match action:
        case Late(card):
            return f"late:{card or 'draw'}"
        case Claim(card):
            return f"claim:{card}"
        case Ready():
            return "ready"
        case Resign():
            return "resign"
        case _:
            return format_action(action)


def points_text(number: int, points: Sequence[int], totals: Sequence[int]) -> str:
    """Write the note of points after the end of a round (K5.4)."""
    return f"{number}. points: {' '.join(map(str, points))}, in all {' '.join(map(str, totals))}"
