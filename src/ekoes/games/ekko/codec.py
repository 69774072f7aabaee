"""Actions as the codes that the kernels read, and back."""

from __future__ import annotations

from ekoes.games.ekko.action import Action, Close, Deal, Draw, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.ekko.rules.code import ASIDE_SHIFT, CARD_MASK, CARD_SHIFT, TYPE_MASK, ActionType

__all__ = ["decode", "encode"]

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
    """Return the action that a code means. Source of the bits: rules/code.py."""
    action_type, card = code & TYPE_MASK, (code >> CARD_SHIFT) & CARD_MASK
    if action_type == ActionType.PLAY:
        return Play(card)
    if action_type == ActionType.MIRROR_DRAW:
        return Mirror(card, Effect.DRAW)
    if action_type == ActionType.MIRROR_DISCARD:
        return Mirror(card, Effect.DISCARD, (code >> ASIDE_SHIFT) & CARD_MASK)
    return Misplay(card) if action_type == ActionType.MISPLAY else _BARE[action_type]


def encode(action: Action) -> int:
    """Return the code of an action; what a deal's order and a mirror's ``on`` are is left out."""
    if isinstance(action, Mirror):
        action_type = ActionType.MIRROR_DRAW if action.effect is Effect.DRAW else ActionType.MIRROR_DISCARD
        return int(action_type | action.card << CARD_SHIFT | (action.aside or 0) << ASIDE_SHIFT)
    action_type = _TYPE_OF[type(action)]
    card = action.card if isinstance(action, Play | Misplay) else 0
    return int(action_type | card << CARD_SHIFT)
