"""What somebody may ask a table to do, in the words of the wire; the store keeps the same words.

Every order has a key that its sender never uses twice: the same key again is answered the same way
and done once. At tables of turns, orders that change the game name the version of the table they
were made for; at tables where the quicker hand wins, an intent names what it answers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from ekoes.errors import NotationError
from ekoes.games.failures import told_key, told_text
from ekoes.match.names import LONGEST_NAME, read_name

__all__ = [
    "MAX_PLAYERS",
    "MOST_LAG",
    "Act",
    "AnyOrder",
    "Deal",
    "Draw",
    "EndTurn",
    "Fill",
    "GameOrder",
    "HandOver",
    "Instead",
    "Intent",
    "Key",
    "Lag",
    "Name",
    "Order",
    "Pace",
    "PassTurn",
    "Pause",
    "ProgramOrder",
    "Rematch",
    "Rematched",
    "Rename",
    "Resign",
    "SeatNumber",
    "Sit",
    "Stand",
    "StandStill",
    "Strict",
    "Tick",
    "Timing",
    "Undo",
    "VersionedOrder",
    "Wake",
    "read_order",
]

MAX_PLAYERS = 8
"""No game of this house seats more."""
SLOWEST_PACE = 5000
MOST_LAG = 1000
"""Milliseconds for which a clock waits for the line, at most, each time it starts."""

Instead = Literal["bot", "out"]
"""What becomes of a seat that nobody is at: a bot plays there, or the table does without."""


Key = Annotated[str, Field(min_length=1, max_length=64)]
Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(read_name)]
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
    """Give the game up; version: needed at a table of turns."""

    type: Literal["resign"] = "resign"
    version: Annotated[int, Field(ge=0)] | None = None
    seat: SeatNumber


class Draw(VersionedOrder):
    """Offer a draw or agree to one, or (offer false) withdraw or decline."""

    type: Literal["draw"] = "draw"
    offer: bool


class Intent(GameOrder):
    """Do something at a table where the quicker hand wins; the game reads the action."""

    type: Literal["intent"] = "intent"
    seat: SeatNumber
    action: dict[str, Any]


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
    """Wish a pause before each decision of a bot, in milliseconds: all people's wish is the table's."""

    type: Literal["pace"] = "pace"
    milliseconds: Annotated[int, Field(ge=0, le=SLOWEST_PACE)]


class Pause(_Order):
    """Let the bots of a table rest where nobody else plays, or go on: whoever watches may."""

    type: Literal["pause"] = "pause"
    paused: bool


class Fill(GameOrder):
    """Begin though seats are free: for whoever made the table, or holds its first seat."""

    type: Literal["fill"] = "fill"
    seat: SeatNumber
    free: Instead


class Rematch(_Order):
    """Ask for another game with the same people, or agree to one.

    absent: what becomes of the seats of those who have gone, by their numbers; the latest word counts.
    """

    type: Literal["rematch"] = "rematch"
    seat: SeatNumber
    absent: dict[Annotated[str, Field(pattern="^[0-7]$")], Instead] | None = None


# ---------------------------------------------------------------- what the program itself orders


class ProgramOrder(GameOrder):
    """An order that the server alone gives; nobody can send it."""


class Deal(ProgramOrder):
    """What chance decides; action: of the game, as JSON."""

    type: Literal["deal"] = "deal"
    action: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _as_it_was_kept_once(cls, value: Any) -> Any:  # noqa: ANN401
        """Read what the first release kept: the order of a shuffle alone."""
        if not isinstance(value, dict) or "order" not in value:
            return value
        action = {"type": "deal", "order": value["order"]}
        return {key: content for key, content in value.items() if key != "order"} | {"action": action}


class Tick(ProgramOrder):
    """Do what the clock makes due."""

    type: Literal["tick"] = "tick"


class PassTurn(ProgramOrder):
    """Decide for a player whose time is up, so that the turn passes; action: of the game, as JSON."""

    type: Literal["pass_turn"] = "pass_turn"
    seat: SeatNumber
    action: dict[str, Any]


class Timing(_Order):
    """An order that the server alone gives, about clocks and nothing else: the version stays."""


class Lag(Timing):
    """Note for how long a player's clock waits as it starts: a message needs that to them and back."""

    type: Literal["lag"] = "lag"
    seat: SeatNumber
    milliseconds: Annotated[int, Field(ge=0, le=MOST_LAG)]


class StandStill(Timing):
    """Clocks have stood for so long, for the server was away."""

    type: Literal["stand_still"] = "stand_still"
    milliseconds: Annotated[int, Field(ge=0)]


class Wake(ProgramOrder):
    """Let the running clock begin anew: what the first release ordered after a restart."""

    type: Literal["wake"] = "wake"


class Rematched(ProgramOrder):
    """The rematch has a table."""

    type: Literal["rematched"] = "rematched"
    table: str


class HandOver(ProgramOrder):
    """A seat passes from who holds it to somebody who was let in there: another device, an account."""

    type: Literal["hand_over"] = "hand_over"
    seat: SeatNumber
    holder: Annotated[str, Field(min_length=1, max_length=64)]


Order = Act | Undo | EndTurn | Resign | Draw | Intent | Sit | Stand | Rename | Pace | Pause | Fill | Rematch
"""What anybody may send."""
AnyOrder = Order | Deal | Tick | PassTurn | Lag | StandStill | Wake | Rematched | HandOver
"""What a table takes and the store keeps."""

_ORDERS: TypeAdapter[AnyOrder] = TypeAdapter(Annotated[AnyOrder, Field(discriminator="type")])


def read_order(text: str | bytes) -> AnyOrder:
    """Read an order from the JSON that ``model_dump_json`` wrote. Raises NotationError naming the key."""
    try:
        return _ORDERS.validate_json(text)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        raise NotationError(told_text(detail), key=told_key(detail["loc"])) from None
