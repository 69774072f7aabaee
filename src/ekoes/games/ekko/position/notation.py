"""EKKO's notation of decisions, and of remarks in records of live tables (K7)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ekoes.errors import NotationError
from ekoes.games.api.notation import Scanner
from ekoes.games.ekko.position.action import (
    Action,
    Close,
    Deal,
    Draw,
    Effect,
    Mirror,
    Misplay,
    Pass,
    Play,
    read_card,
)
from ekoes.games.ekko.rules.record import CARDS

_DIGIT = re.compile(r"[0-9]", re.ASCII)
_WORDS = ("draw", "pass", "close", "deal")
_BARE: dict[str, Action] = {"draw": Draw(), "pass": Pass(), "close": Close()}


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
        return _BARE[word]
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
