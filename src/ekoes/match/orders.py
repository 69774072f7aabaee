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
from ekoes.match.proposal import What

__all__ = [
    "MAX_PLAYERS",
    "MOST",
    "MOST_LAG",
    "Act",
    "AnyOrder",
    "Away",
    "Count",
    "Deal",
    "Draw",
    "EndTurn",
    "Fill",
    "FollowLine",
    "Foresee",
    "Foreseen",
    "GameOrder",
    "GoOn",
    "HandOver",
    "Instead",
    "Intent",
    "Key",
    "Lag",
    "Name",
    "Number",
    "Order",
    "Pace",
    "PassTurn",
    "Pause",
    "ProgramOrder",
    "Propose",
    "PutAside",
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
    "Vacation",
    "VersionedOrder",
    "Vote",
    "Wake",
    "read_order",
]

MAX_PLAYERS = 8
"""No game of this house seats more."""
SLOWEST_PACE = 5000
MOST_LAG = 1000
"""Milliseconds for which a clock waits for the line, at most, each time it starts."""

LONGEST_WAY = 40
"""Decisions of a line that somebody writes down for later."""

Instead = Literal["bot", "out"]
"""What becomes of a seat that nobody is at: a bot plays there, or the table does without."""


MOST = 2**31 - 1
"""No number that anybody sends is larger: every store can hold it."""
Key = Annotated[str, Field(min_length=1, max_length=64)]
Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(read_name)]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
Count = Annotated[int, Field(ge=0, le=MOST)]
Number = Annotated[int, Field(ge=1, le=MOST)]


class Strict(BaseModel):
    """A JSON object whose keys and types are taken at their word: nothing unknown, nothing bent."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Order(Strict):
    key: Key


class GameOrder(_Order):
    """An order that changes the game."""


class VersionedOrder(GameOrder):
    """An order at a table of turns; version: that of the table it was made for."""

    version: Count
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
    version: Count | None = None
    seat: SeatNumber


class Draw(VersionedOrder):
    """Offer a draw or agree to one, or (offer false) withdraw or decline."""

    type: Literal["draw"] = "draw"
    offer: bool


class Foreseen(Strict):
    """A decision of a line that somebody foresees: of their own, or of another seat."""

    seat: SeatNumber
    action: dict[str, Any]


class Foresee(_Order):
    """Write down what a seat does if it comes to this or that (add), or strike out such a line (drop).

    A line leads on from the position as it is, and ends with a decision of the seat's. Nobody else is told of
    it, not even by the version. version: of the table that it is written for.
    """

    type: Literal["foresee"] = "foresee"
    version: Count
    seat: SeatNumber
    add: Annotated[list[Foreseen], Field(min_length=1, max_length=LONGEST_WAY)] | None = None
    drop: Count | None = None

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> Foresee:
        if (self.add is None) == (self.drop is None):
            raise ValueError("has either a line to add, or the number of one to drop")
        return self


class Intent(GameOrder):
    """Do something at a table where the quicker hand wins; the game reads the action."""

    type: Literal["intent"] = "intent"
    seat: SeatNumber
    action: dict[str, Any]


# ---------------------------------------------------------------- seats and table


class Sit(_Order):
    """Take a free open seat, or one's own again that a bot has kept."""

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


# ---------------------------------------------------------------- what people agree to


class Propose(_Order):
    """Ask all others for something.

    about: the absent player. days: for each turn of the game that goes on by correspondence.
    """

    type: Literal["propose"] = "propose"
    seat: SeatNumber
    what: What
    about: SeatNumber | None = None
    days: Annotated[int, Field(ge=1, le=14)] | None = None

    @model_validator(mode="after")
    def _says_what_it_needs(self) -> Propose:
        for key, needed in (("about", self.what in {"bot", "draw"}), ("days", self.what == "adjourn")):
            if (getattr(self, key) is not None) != needed:
                raise ValueError(f"{key!r} goes with some proposals, and is needed there")
        return self


class Vote(_Order):
    """Agree to a proposal or refuse it; who has made it withdraws it so. number: the proposal's."""

    type: Literal["vote"] = "vote"
    seat: SeatNumber
    number: Number
    agree: bool


class GoOn(_Order):
    """End the rest that all have agreed to."""

    type: Literal["go_on"] = "go_on"
    seat: SeatNumber


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


class FollowLine(ProgramOrder):
    """Decide for a player as they have written down for this position; action: of the game, as JSON."""

    type: Literal["follow_line"] = "follow_line"
    seat: SeatNumber
    action: dict[str, Any]


class Timing(_Order):
    """An order that the server alone gives, about what changes nothing of the game: the version stays."""


class PutAside(Timing):
    """Follow no longer what a seat has written down. why: it came otherwise, or the rules refuse it."""

    type: Literal["put_aside"] = "put_aside"
    seat: SeatNumber
    why: Literal["other", "refused"]


class Lag(Timing):
    """Note for how long a player's clock waits as it starts: a message needs that to them and back."""

    type: Literal["lag"] = "lag"
    seat: SeatNumber
    milliseconds: Annotated[int, Field(ge=0, le=MOST_LAG)]


class Vacation(ProgramOrder):
    """The holder of a seat goes on vacation, or comes back: meanwhile their clock stands."""

    type: Literal["vacation"] = "vacation"
    seat: SeatNumber
    away: bool


class StandStill(Timing):
    """Clocks have stood for so long, for the server was away."""

    type: Literal["stand_still"] = "stand_still"
    milliseconds: Annotated[int, Field(ge=0)]


class Away(Timing):
    """A player has no line to the table for longer than the others have to wait; away false: is back."""

    type: Literal["away"] = "away"
    seat: SeatNumber
    away: bool


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


_OfPlay = Act | Undo | EndTurn | Resign | Draw | Foresee | Intent
_OfTables = Sit | Stand | Rename | Pace | Pause | Fill | Rematch
Order = _OfPlay | _OfTables | Propose | Vote | GoOn
"""What anybody may send."""
_OfTheGame = Deal | Tick | PassTurn | FollowLine | Wake
_AboutIt = PutAside | Vacation | Lag | StandStill | Away | Rematched | HandOver
AnyOrder = Order | _OfTheGame | _AboutIt
"""What a table takes and the store keeps."""

_ORDERS: TypeAdapter[AnyOrder] = TypeAdapter(Annotated[AnyOrder, Field(discriminator="type")])


def read_order(text: str | bytes) -> AnyOrder:
    """Read an order from the JSON that ``model_dump_json`` wrote. Raises NotationError naming the key."""
    try:
        return _ORDERS.validate_json(text)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        raise NotationError(told_text(detail), key=told_key(detail["loc"])) from None
