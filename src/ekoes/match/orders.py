"""What somebody may ask a table to do, in the words of the wire; the store keeps the same words.

Every order has a key that its sender never uses twice: the same key again is answered the same way
and done once. At tables of turns, orders that change the game name the version of the table they
were made for; at tables where the quicker hand wins, an intent names the top card it answers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

__all__ = [
    "LONGEST_NAME",
    "MAX_PLAYERS",
    "Act",
    "AnyOrder",
    "ChooseEffect",
    "DealRound",
    "Draw",
    "DrawCard",
    "EndTurn",
    "GameOrder",
    "Intent",
    "IntentAction",
    "Key",
    "LetPass",
    "MirrorCard",
    "Name",
    "Order",
    "Pace",
    "PlayCard",
    "ProgramOrder",
    "Ready",
    "Rematch",
    "Rematched",
    "Rename",
    "Resign",
    "SeatNumber",
    "Sit",
    "Stand",
    "Strict",
    "Tick",
    "Undo",
    "VersionedOrder",
    "Wake",
    "read_order",
]

MAX_PLAYERS = 8
"""No game of this house seats more."""
LONGEST_NAME = 40
SLOWEST_PACE = 5000


def _one_line(text: str) -> str:
    """Return a name without the blanks around it. Raises ValueError if it has more than one line."""
    if not text.isprintable():
        raise ValueError("must be one line of printable characters")
    return text.strip()


Key = Annotated[str, Field(min_length=1, max_length=64)]
Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_one_line)]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]


class Strict(BaseModel):
    """A JSON object whose keys and types are taken at their word: nothing unknown, nothing bent."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Order(Strict):
    key: Key


class GameOrder(_Order):
    """An order that changes the game."""


class VersionedOrder(GameOrder):
    """An order at a table of turns; version: that of the table it was made for."""

    version: Annotated[int, Field(ge=0)]
    seat: SeatNumber


class Act(VersionedOrder):
    """Play an action; hold: if it finishes the turn, keep the turn open until ``EndTurn``."""

    type: Literal["act"] = "act"
    action: dict[str, Any]
    hold: bool = False


class Undo(VersionedOrder):
    """Take back the seat's last decision of its own current turn."""

    type: Literal["undo"] = "undo"


class EndTurn(VersionedOrder):
    """Confirm a held turn."""

    type: Literal["end_turn"] = "end_turn"


class Resign(GameOrder):
    """Give the game up (E11.5); version: needed at a table of turns."""

    type: Literal["resign"] = "resign"
    version: Annotated[int, Field(ge=0)] | None = None
    seat: SeatNumber


class Draw(VersionedOrder):
    """Offer a draw or agree to one, or (offer false) withdraw or decline (E11.5)."""

    type: Literal["draw"] = "draw"
    offer: bool


# ---------------------------------------------------------------- where the quicker hand wins (K7)

Card = Annotated[int, Field(ge=1, le=98)]
"""K1.1."""


class PlayCard(Strict):
    """Put a card on the top card that its player sees (K7.2); its mirror is a claim (K3.4)."""

    type: Literal["play"] = "play"
    card: Card
    on: Card


class MirrorCard(Strict):
    """Claim the mirror of the top card, with its effect if that is chosen already (K3.2)."""

    type: Literal["mirror"] = "mirror"
    card: Card
    on: Card
    effect: Literal["discard", "draw"] | None = None
    aside: Card | None = None


class ChooseEffect(Strict):
    """Choose the effect of the mirror one has claimed (K3.2)."""

    type: Literal["effect"] = "effect"
    effect: Literal["discard", "draw"]
    aside: Card | None = None


class DrawCard(Strict):
    """Draw for want of a card that is valid on the top card one sees (K2.2)."""

    type: Literal["draw"] = "draw"
    on: Card


class LetPass(Strict):
    """Let the chance to mirror the top card go by (K7.4)."""

    type: Literal["pass"] = "pass"
    on: Card


class Ready(Strict):
    """Say that one has seen one's hand (K1.3)."""

    type: Literal["ready"] = "ready"
    round: Annotated[int, Field(ge=1)]


IntentAction = PlayCard | MirrorCard | ChooseEffect | DrawCard | LetPass | Ready


class Intent(GameOrder):
    """Do something at a table where the quicker hand wins."""

    type: Literal["intent"] = "intent"
    seat: SeatNumber
    action: Annotated[IntentAction, Field(discriminator="type")]


# ---------------------------------------------------------------- seats and table


class Sit(_Order):
    """Take a free open seat."""

    type: Literal["sit"] = "sit"
    seat: SeatNumber
    name: Name | None = None


class Stand(_Order):
    """Leave one's open seat, before the first decision."""

    type: Literal["stand"] = "stand"
    seat: SeatNumber


class Rename(_Order):
    """Change the name at one's seat."""

    type: Literal["rename"] = "rename"
    seat: SeatNumber
    name: Name


class Pace(_Order):
    """Set the pause before each decision of a bot, in milliseconds."""

    type: Literal["pace"] = "pace"
    milliseconds: Annotated[int, Field(ge=0, le=SLOWEST_PACE)]


class Rematch(_Order):
    """Ask for another game with the same people, or agree to one."""

    type: Literal["rematch"] = "rematch"
    seat: SeatNumber


# ---------------------------------------------------------------- what the program itself orders


class ProgramOrder(GameOrder):
    """An order that the server alone gives; nobody can send it."""


class DealRound(ProgramOrder):
    """Deal a round; order: the cards (K6.0)."""

    type: Literal["deal"] = "deal"
    order: list[Card]


class Tick(ProgramOrder):
    """Do what the clock makes due."""

    type: Literal["tick"] = "tick"


class Wake(ProgramOrder):
    """Let the running clock begin anew: the server was away."""

    type: Literal["wake"] = "wake"


class Rematched(ProgramOrder):
    """The rematch has a table."""

    type: Literal["rematched"] = "rematched"
    table: str


Order = Act | Undo | EndTurn | Resign | Draw | Intent | Sit | Stand | Rename | Pace | Rematch
"""What anybody may send."""
AnyOrder = Order | DealRound | Tick | Wake | Rematched
"""What a table takes and the store keeps."""

_ORDERS: TypeAdapter[AnyOrder] = TypeAdapter(Annotated[AnyOrder, Field(discriminator="type")])


def read_order(text: str | bytes) -> AnyOrder:
    """Read an order from the JSON that ``model_dump_json`` wrote. Raises pydantic's ValidationError."""
    return _ORDERS.validate_json(text)
