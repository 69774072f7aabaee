"""EKKO's notation: every decision as one short word that a person can read and type.

=================  =====================================================================
``67``             play the card 67 (K2.1)
``73/-20``         73 mirrors the top card, and 20 is put aside (K3.2)
``73/+``           73 mirrors the top card, and every other player draws (K3.2)
``73/37-20``       the same at a live table, where a mirror names the card it answers (K7.2)
``draw``, ``pass``  draw a card (K2.2), play no mirror (K6.1, K7.4)
``67?``            a misplay: 67 is taken back and its player draws (K4.1)
``close``          the reaction time after a last card is over (K7.4)
``deal:12,55,…``   the 98 cards as they are dealt (K6.0)
=================  =====================================================================

``format_action`` writes no blanks; ``parse_action`` takes blanks between the parts, capital or
small letters, and a blank in place of the colon. The two are inverses and need no position.
"""

from __future__ import annotations

import re

from ekoes.errors import NotationError
from ekoes.games.ekko.action import Action, Close, Deal, Draw, Effect, Mirror, Misplay, Pass, Play, read_card
from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.scanner import Scanner

__all__ = ["format_action", "parse_action"]

_DIGIT = re.compile(r"[0-9]", re.ASCII)
_WORDS = ("draw", "pass", "close", "deal")
_BARE: dict[str, Action] = {"draw": Draw(), "pass": Pass(), "close": Close()}


def format_action(action: Action, _position: object = None) -> str:
    """Write an action as one word without blanks, the inverse of ``parse_action``.

    Where the card put aside is not to be seen, a mirror ends with the dash.
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
    """Read an action. Raises NotationError that says what is wrong and at which character."""
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
    """Knows the parts of EKKO's notation."""

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
                raise self.failure("a card that has not come yet")
            order.append(card)
        if len(order) != CARDS:
            raise self.failure(f"{CARDS} cards, these are {len(order)}")
        return tuple(order)
