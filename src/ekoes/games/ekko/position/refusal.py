"""Explains why an action is illegal: the rule and one English sentence."""

from __future__ import annotations

from typing import Final

from ekoes.games.api.contract import Refusal
from ekoes.games.ekko.position.action import Action, Deal, encode
from ekoes.games.ekko.position.state import EkkoState, Shown
from ekoes.games.ekko.rules.decisions import TYPE_MASK
from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.ekko.rules.refusal import LEGAL, Refused, find_refusal, misfit

REFUSALS: Final[dict[str, tuple[str, str]]] = {
    "game-over": ("K5.6", "The game is over."),
    "deal-first": ("K6.0", "This round has not been dealt yet."),
    "deal-order": ("K6.0", "A deal names each of the 98 cards once."),
    "already-dealt": ("K6.0", "This round has been dealt."),
    "not-your-turn": ("K2.1", "It is not your turn."),
    "not-in-hand": ("K2.1", "You do not hold this card."),
    "too-low": ("K2.1", "The top card is odd: play a higher card."),
    "too-high": ("K2.1", "The top card is even: play a lower card."),
    "must-play": ("K2.2", "You hold a valid card and must play one."),
    "nobody-followed": ("K2.4", "No one followed your card: every card is valid, and you must play one."),
    "no-mirror": ("K3.1", "This card is not the mirror of the top card."),
    "aside-not-in-hand": ("K3.2", "Put aside another card that you hold."),
    "mirror-as-mirror": (
        "K3.4",
        "This card is the mirror of the top card: play it as a mirror, with an effect.",
    ),
    "mirror-was-last": ("K3.4", "The mirror was your last card: the other players draw."),
    "mirror-late": ("K3.5", "Another card is on top now: the mirror is too late."),
    "blocked": ("K4.1", "You have just drawn this card for a misplay: it is blocked for now."),
    "no-misplay": ("K4.1", "This card can be played now."),
    "answer-mirror": ("K6.1", "The mirror of the top card comes first: play it or pass."),
    "mirror-first": ("K6.1", "Another player holds the mirror of the top card and decides first."),
    "nothing-asked": ("K6.1", "You are not asked for a mirror now."),
    "play-late": ("K7.2", "Another card was quicker: yours goes back to your hand."),
    "never-top": ("K7.2", "The card that you name has not been on top in this round."),
    "other-round": ("K7.2", "Too late: the round was already over."),
    "hand-busy": ("K7.2", "You are still taking a card back, or you played too hastily: wait a moment."),
    "leaving": ("K7.4", "A last card has been played: only its mirror may answer now."),
    "nobody-leaving": ("K7.4", "No one has played a last card."),
}
"""For each refusal code its rule and its sentence."""


def refusal(code: str) -> Refusal:
    """Return the refusal of a code with its rule and its English sentence."""
    return Refusal(code, *REFUSALS[code])


def meaning(refused: int) -> tuple[str, str]:
    """Return the code and the rule of a ``Refused``."""
    code = Refused(refused).name.lower().replace("_", "-")
    return code, REFUSALS[code][0]


def explain(position: EkkoState, seat: int, action: Action) -> Refusal | None:
    """Return the first rule that an action of a seat breaks, None if it is legal."""
    kind = encode(action) & TYPE_MASK
    card, aside, on = (getattr(action, name, None) or 0 for name in ("card", "aside", "on"))
    is_whole = isinstance(action, Deal) and sorted(action.order) == list(range(1, CARDS + 1))
    refused = find_refusal(position.states, seat, kind, card, aside, on, int(is_whole))
    return None if refused == LEGAL else refusal(meaning(refused)[0])


def is_valid(position: EkkoState | Shown, seat: int, card: int) -> bool:
    """Return whether a card of a seat is valid now, as a mirror or not. Rule: K2.1, K2.4, K4.1."""
    nobody_followed = position.last == position.player and not position.again
    is_blocked = card in position.blocked[seat]
    return seat == position.player and misfit(card, position.top or 0, is_blocked, nobody_followed) == LEGAL


def valid_cards(position: EkkoState, seat: int) -> list[int]:
    """Return the valid cards of a seat, ascending; none if it is not in turn. Rule: K2.1, K2.2."""
    return [card for card in position.hands[seat] if is_valid(position, seat, card)]
