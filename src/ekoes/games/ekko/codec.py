"""Actions as the codes that the kernels read, and back."""

from __future__ import annotations

from ekoes.games.ekko.action import Action, Close, Deal, Draw, Effect, Mirror, Misplay, Pass, Play
from ekoes.games.ekko.rules.code import ASIDE_SHIFT, CARD_MASK, CARD_SHIFT, Act

__all__ = ["decode", "encode"]

_BARE: dict[int, Action] = {
    Act.DEAL: Deal(),
    Act.PASS: Pass(),
    Act.DRAW: Draw(),
    Act.CLOSE: Close(),
}
_ACTS: dict[type[Action], Act] = {type(action): Act(act) for act, action in _BARE.items()} | {
    Play: Act.PLAY,
    Misplay: Act.MISPLAY,
}


def decode(code: int) -> Action:
    """Return the action that a code means. Source of the bits: rules/code.py."""
    act, card = code & 15, (code >> CARD_SHIFT) & CARD_MASK
    if act == Act.PLAY:
        return Play(card)
    if act == Act.MIRROR_DRAW:
        return Mirror(card, Effect.DRAW)
    if act == Act.MIRROR_DISCARD:
        return Mirror(card, Effect.DISCARD, (code >> ASIDE_SHIFT) & CARD_MASK)
    return Misplay(card) if act == Act.MISPLAY else _BARE[act]


def encode(action: Action) -> int:
    """Return the code of an action; what a deal's order and a mirror's ``on`` are is left out."""
    if isinstance(action, Mirror):
        act = Act.MIRROR_DRAW if action.effect is Effect.DRAW else Act.MIRROR_DISCARD
        return int(act | action.card << CARD_SHIFT | (action.aside or 0) << ASIDE_SHIFT)
    act = _ACTS[type(action)]
    return int(act | action.card << CARD_SHIFT) if isinstance(action, Play | Misplay) else int(act)
