"""What somebody may ask a table to do, in the words of the wire; the store keeps the same words.

Every order has a key that its sender never uses twice: the same key again is answered the same way
and done once. Orders that change the game name the version of the table they were made for.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

__all__ = [
    "LONGEST_NAME",
    "MAX_PLAYERS",
    "Act",
    "Draw",
    "EndTurn",
    "GameOrder",
    "Key",
    "Name",
    "Order",
    "Pace",
    "Rename",
    "Resign",
    "SeatNumber",
    "Sit",
    "Stand",
    "Strict",
    "Undo",
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
    """An order that changes the game; version: that of the table it was made for."""

    version: Annotated[int, Field(ge=0)]
    seat: SeatNumber


class Act(GameOrder):
    """Play an action; hold: if it finishes the turn, keep the turn open until ``EndTurn``."""

    type: Literal["act"] = "act"
    action: dict[str, Any]
    hold: bool = False


class Undo(GameOrder):
    """Take back the seat's last decision of its own current turn."""

    type: Literal["undo"] = "undo"


class EndTurn(GameOrder):
    """Confirm a held turn."""

    type: Literal["end_turn"] = "end_turn"


class Resign(GameOrder):
    """Give the game up (E11.5)."""

    type: Literal["resign"] = "resign"


class Draw(GameOrder):
    """Offer a draw or agree to one, or (offer false) withdraw or decline (E11.5)."""

    type: Literal["draw"] = "draw"
    offer: bool


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


Order = Act | Undo | EndTurn | Resign | Draw | Sit | Stand | Rename | Pace

_ORDERS: TypeAdapter[Order] = TypeAdapter(Annotated[Order, Field(discriminator="type")])


def read_order(text: str | bytes) -> Order:
    """Read an order from the JSON that ``model_dump_json`` wrote. Raises pydantic's ValidationError."""
    return _ORDERS.validate_json(text)
