"""Why an action is not possible, told by rule number in words (``why_not``)."""

from __future__ import annotations

from typing import Protocol

from ekoes.games.contract import CHANCE, Refusal
from ekoes.games.ekko.action import Action, Close, Deal, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.ekko.refusal_texts import RULE, TEXT
from ekoes.games.ekko.rules.cards import mirror_of
from ekoes.games.ekko.rules.record import CARDS, Phase
from ekoes.games.ekko.state import EkkoState

__all__ = ["Situation", "card_code", "explain", "holds_valid_card", "is_valid", "refusal"]


class Situation(Protocol):
    """As much of a position as tells whether a card is valid (K2.1, K2.4, K4.1): ``EkkoState`` has it."""

    @property
    def top(self) -> int | None: ...  # noqa: D102
    @property
    def player(self) -> int | None: ...  # noqa: D102
    @property
    def last(self) -> int | None: ...  # noqa: D102
    @property
    def again(self) -> bool: ...  # noqa: D102
    @property
    def leaving(self) -> int | None: ...  # noqa: D102
    @property
    def blocked(self) -> tuple[tuple[int, ...], ...]: ...  # noqa: D102


def refusal(code: str) -> Refusal:
    """Return the refusal of a code with its rule and its English sentence."""
    return Refusal(code, RULE[code], TEXT[code])


def explain(position: EkkoState, seat: int, action: Action) -> Refusal | None:
    """Return the first rule that an action of a seat breaks, None if it is legal."""
    code = _broken(position, seat, action)
    return None if code is None else refusal(code)


def is_valid(position: Situation, seat: int, card: int) -> bool:
    """Whether a card of a seat fits on the top card now, as a mirror or not. Rule: K2.1, K2.4, K4.1."""
    return seat == position.player and _misfit(position, seat, card) is None


def holds_valid_card(position: EkkoState, seat: int) -> bool:
    """Whether a seat in turn holds a valid card. Rule: K2.1, K2.2."""
    return any(is_valid(position, seat, card) for card in position.hands[seat])


def card_code(position: EkkoState, seat: int, card: int) -> str | None:
    """Return the code of what keeps a seat from playing a card that is no mirror; None: nothing does."""
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
    if not 0 <= seat < position.players:  # nobody's: while somebody is leaving nobody is in turn
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
        is_mirror = position.top is not None and mirror_of(position.top) == action.card
        code = card_code(position, seat, action.card)
        return "mirror-as-mirror" if code is None and is_mirror else code
    if isinstance(action, Misplay):
        return _broken_by_misplay(position, seat, action.card)
    return _broken_by_draw(position, seat)


def _broken_by_mirror(position: EkkoState, seat: int, action: Mirror) -> str | None:
    """Judge a mirror: asked for (K6.1), valid in the own turn (K6.2), or noticed at a live table (K7.1)."""
    hand = position.hands[seat]
    if action.card not in hand:
        return "not-in-hand"
    if action.on is not None and action.on != position.top:
        return "mirror-late" if mirror_of(action.on) == action.card else "no-mirror"
    if position.top is None or mirror_of(position.top) != action.card:
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
    is_mirror = position.top is not None and mirror_of(position.top) == card
    is_free = card not in position.blocked[seat]
    return "no-misplay" if is_valid(position, seat, card) or (is_mirror and is_free) else None


def _broken_by_draw(position: EkkoState, seat: int) -> str | None:
    if position.leaving is not None:
        return "leaving"
    if seat != position.player:
        return "not-your-turn"
    if holds_valid_card(position, seat):
        return "nobody-followed" if _nobody_followed(position) else "must-play"
    return None


def _nobody_followed(position: Situation) -> bool:
    """Whether the player in turn put the top card in an earlier turn. Rule: K2.4."""
    return position.last == position.player and not position.again


def _misfit(position: Situation, seat: int, card: int) -> str | None:
    """Return what keeps a card of the player in turn from fitting on the top card. Rule: K2.1, K2.4."""
    top = position.top
    if card in position.blocked[seat]:
        return "blocked"
    if top is None or _nobody_followed(position):
        return None
    if top % 2:
        return None if card > top else "too-low"
    return None if card < top else "too-high"
