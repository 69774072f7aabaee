"""Explains why an action is illegal: the rule and one English sentence."""

from __future__ import annotations

from typing import Final

from ekoes.games.api.contract import CHANCE, Refusal
from ekoes.games.ekko.position.action import Action, Close, Deal, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.ekko.position.state import EkkoState, Shown
from ekoes.games.ekko.rules.record import CARDS, Phase, mirror_of

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


def explain(position: EkkoState, seat: int, action: Action) -> Refusal | None:
    """Return the first rule that an action of a seat breaks, None if it is legal."""
    code = _broken(position, seat, action)
    return None if code is None else refusal(code)


def is_valid(position: EkkoState | Shown, seat: int, card: int) -> bool:
    """Return whether a card of a seat is valid now, as a mirror or not. Rule: K2.1, K2.4, K4.1."""
    return seat == position.player and _misfit(position, seat, card) is None


def valid_cards(position: EkkoState, seat: int) -> list[int]:
    """Return the valid cards of a seat, ascending; none if it is not in turn. Rule: K2.1, K2.2."""
    return [card for card in position.hands[seat] if is_valid(position, seat, card)]


def card_code(position: EkkoState, seat: int, card: int) -> str | None:
    """Return the refusal code of a card other than the mirror, None if the seat may play it."""
    if card not in position.hands[seat]:
        return "not-in-hand"
    if position.leaving is not None:
        return "leaving"
    if seat != position.player:
        return "not-your-turn"
    return _misfit(position, seat, card)


def _broken(position: EkkoState, seat: int, action: Action) -> str | None:
    if position.phase == Phase.OVER:
        return "game-over"
    if isinstance(action, Deal):
        if position.phase != Phase.DEAL:
            return "already-dealt"
        if seat != CHANCE:
            return "not-your-turn"
        return None if sorted(action.order) == list(range(1, CARDS + 1)) else "deal-order"
    if position.phase == Phase.DEAL:
        return "deal-first"
    if isinstance(action, Close):
        if seat != CHANCE:
            return "not-your-turn"
        return None if position.phase == Phase.PLAY and position.leaving is not None else "nobody-leaving"
    if not 0 <= seat < position.players:  # a seat that does not exist
        return "leaving" if position.phase == Phase.PLAY and position.leaving is not None else "not-your-turn"
    return _broken_by_player(position, seat, action)


def _broken_by_player(position: EkkoState, seat: int, action: Action) -> str | None:
    if isinstance(action, Mirror):
        return _broken_by_mirror(position, seat, action)
    if isinstance(action, Pass):
        return None if position.asked == seat else "nothing-asked"
    if position.phase == Phase.MIRROR:
        return "answer-mirror" if position.asked == seat else "mirror-first"
    if isinstance(action, Play):
        code = card_code(position, seat, action.card)
        return "mirror-as-mirror" if code is None and action.card == position.mirror else code
    if isinstance(action, Misplay):
        return _broken_by_misplay(position, seat, action.card)
    return _broken_by_draw(position, seat)


def _broken_by_mirror(position: EkkoState, seat: int, action: Mirror) -> str | None:
    """Check a mirror: when asked for it (K6.1), valid in the own turn (K6.2), or at a live table (K7.1)."""
    hand = position.hands[seat]
    if action.card not in hand:
        return "not-in-hand"
    if action.on is not None and action.on != position.top:
        return "mirror-late" if mirror_of(action.on) == action.card else "no-mirror"
    if action.card != position.mirror:
        return "no-mirror"
    if action.card in position.blocked[seat]:
        return "blocked"
    is_reaction = position.phase == Phase.PLAY and position.leaving is not None
    is_free = position.live or is_reaction or action.on is not None or position.asked == seat
    if not is_free and not (position.phase == Phase.PLAY and is_valid(position, seat, action.card)):
        return "nothing-asked"
    if action.effect is Effect.DRAW:
        return None if action.aside is None else "aside-not-in-hand"
    if len(hand) == 1:
        return "mirror-was-last"
    return None if action.aside in hand and action.aside != action.card else "aside-not-in-hand"


def _broken_by_misplay(position: EkkoState, seat: int, card: int) -> str | None:
    if card not in position.hands[seat]:
        return "not-in-hand"
    if position.leaving is not None:
        return "leaving"
    is_mirror = card == position.mirror and card not in position.blocked[seat]
    return "no-misplay" if is_mirror or is_valid(position, seat, card) else None


def _broken_by_draw(position: EkkoState, seat: int) -> str | None:
    if position.leaving is not None:
        return "leaving"
    if seat != position.player:
        return "not-your-turn"
    if valid_cards(position, seat):
        return "nobody-followed" if _nobody_followed(position) else "must-play"
    return None


def _nobody_followed(position: EkkoState | Shown) -> bool:
    """Return whether the player in turn played the top card in an earlier turn. Rule: K2.4."""
    return position.last == position.player and not position.again


def _misfit(position: EkkoState | Shown, seat: int, card: int) -> str | None:
    """Return the refusal code of a card of the player in turn, None if it is valid. Rule: K2.1, K2.4."""
    top = position.top
    if card in position.blocked[seat]:
        return "blocked"
    if top is None or _nobody_followed(position):
        return None
    if top % 2:
        return None if card > top else "too-low"
    return None if card < top else "too-high"
