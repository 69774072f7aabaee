"""What a player sends to a table where the quicker hand wins, in the words of the wire (K7)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ekoes.games.contract import Json
from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.reading import read_message

__all__ = [
    "ChooseEffect",
    "DrawCard",
    "IntentAction",
    "LetPass",
    "MirrorCard",
    "PlayCard",
    "SayReady",
    "read_intent",
]

Card = Annotated[int, Field(ge=1, le=CARDS)]
"""K1.1."""
Round = Annotated[int, Field(ge=1)]
"""K1.2."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class PlayCard(_Strict):
    """Put a card on the top card that its player sees (K7.2); its mirror is a claim (K3.4).

    round: in which it was sent, None: in the one that runs; of an earlier one it comes to nothing.
    """

    type: Literal["play"] = "play"
    card: Card
    on: Card
    round: Round | None = None


class MirrorCard(_Strict):
    """Claim the mirror of the top card, with its effect if that is chosen already (K3.2)."""

    type: Literal["mirror"] = "mirror"
    card: Card
    on: Card
    round: Round | None = None
    effect: Literal["discard", "draw"] | None = None
    aside: Card | None = None


class ChooseEffect(_Strict):
    """Choose the effect of the mirror one has claimed (K3.2)."""

    type: Literal["effect"] = "effect"
    effect: Literal["discard", "draw"]
    aside: Card | None = None


class DrawCard(_Strict):
    """Draw for want of a card that is valid on the top card one sees (K2.2)."""

    type: Literal["draw"] = "draw"
    on: Card


class LetPass(_Strict):
    """Let the chance to mirror the top card go by (K7.4)."""

    type: Literal["pass"] = "pass"
    on: Card


class SayReady(_Strict):
    """Say that one has seen one's hand (K1.3)."""

    type: Literal["ready"] = "ready"
    round: Round


IntentAction = PlayCard | MirrorCard | ChooseEffect | DrawCard | LetPass | SayReady

_INTENTS: TypeAdapter[IntentAction] = TypeAdapter(Annotated[IntentAction, Field(discriminator="type")])


def read_intent(value: Json) -> IntentAction:
    """Read an intent. Raises NotationError naming the key, as the key ``action`` of a message."""
    return read_message(_INTENTS, value, "action")
