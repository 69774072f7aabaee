"""What a record says of an intent, as its player sent it."""

from __future__ import annotations

from ekoes.errors import RecordError
from ekoes.games.ekko.action import Draw, Mirror, Pass
from ekoes.games.ekko.intents import ChooseEffect, DrawCard, IntentAction, LetPass, MirrorCard, PlayCard
from ekoes.games.ekko.live.entry import Stage
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.refusal import refusal
from ekoes.games.ekko.remarks import Claim, Late
from ekoes.games.recording import Decision
from ekoes.games.refused import RefusedError

__all__ = ["intent_of", "seen_card"]


def intent_of(state: LiveState, decision: Decision) -> IntentAction:
    """Return what a player must have sent for a decision. Raises RecordError, RefusedError.

    What the record says is not judged here: a claim may come to a misplay, a late card to a play.
    """
    match decision.action:
        case Pass():
            return LetPass.model_construct(on=_answered(state, decision))
        case Draw():
            return DrawCard.model_construct(on=_answered(state, decision))
        case Late(card=None):
            return DrawCard.model_construct(on=seen_card(decision))
        case Mirror(effect=effect, aside=aside) if state.stage is Stage.EFFECT:
            if state.seen(seen_card(decision)) is None:
                raise RefusedError(refusal("never-top"))
            return ChooseEffect.model_construct(effect=effect.value, aside=aside)
        case Mirror(card=card, effect=effect, aside=aside):
            on = seen_card(decision)
            return MirrorCard.model_construct(card=card, on=on, effect=effect.value, aside=aside)
        case Claim(card=card):
            return MirrorCard.model_construct(card=card, on=seen_card(decision))
        case action:
            return PlayCard.model_construct(card=action.card, on=seen_card(decision))


def seen_card(decision: Decision) -> int:
    """Return the top card that the player saw. Raises RecordError if the record does not say it."""
    if decision.arrival is None or decision.arrival.saw is None:
        raise RecordError("a card comes with the top card that its player saw, as in {at 4.2, saw 38}")
    return decision.arrival.saw


def _answered(state: LiveState, decision: Decision) -> int:
    """Return what the player saw; of a pass and of a draw a record need not say it."""
    saw = None if decision.arrival is None else decision.arrival.saw
    return saw if saw is not None else state.position.top or 0
