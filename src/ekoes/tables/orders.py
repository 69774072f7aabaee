"""Orders: what users and the server ask of a table, parsed strictly from JSON."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError, model_validator

from ekoes.errors import NotationError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import Strict as Strict  # noqa: PLC0414 - the base of the messages too
from ekoes.games.api.reading import error_key, error_text

LONGEST_NAME = 40

_JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
"""Joiners are needed for Persian, for Indic scripts, and for composed emoji."""

_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
"""Tag characters, which spell the flag of an emoji."""

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\U00013441\U00013442\U00016fe4\U0001d159]"
)
"""Characters without a glyph: Unicode's Default_Ignorable_Code_Point, and in the last line blank letters."""

_SEEN = frozenset("LNPS")
"""Categories of visible characters: letters, numbers, punctuation, symbols; marks need a base character."""


def compose(value: object) -> object:
    """Return text in the one form (NFC) in which names are compared and stored; other values as they are."""
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


def without_ignorable(text: str) -> str:
    """Return a text without its characters that have no glyph."""
    return _IGNORABLE.sub("", text)


def read_name(text: str) -> str:
    """Return a name without surrounding blanks, empty if it has no visible character.

    Raises: ValueError if it has more than one line, or unprintable characters.
    """
    if not all(char.isprintable() or is_joiner(char) for char in text):
        raise ValueError("must be one line of printable characters")
    return text.strip() if any(map(is_seen, text)) else ""


def _not_empty(name: str) -> str:
    """Return a name that ``read_name`` has returned. Raises ValueError if it is empty."""
    if not name:
        raise ValueError("must have a visible character")
    return name


def is_joiner(char: str) -> bool:
    """Return whether a character is invisible itself but changes its neighbours."""
    return char in _JOINERS or char in _TAGS


def is_seen(char: str) -> bool:
    """Return whether a character is visible on its own."""
    return unicodedata.category(char)[0] in _SEEN and not _IGNORABLE.match(char)


MAX_PLAYERS = 8
"""The most players of any game."""
SLOWEST_PACE = 5000
MOST_LAG = 1000
"""The longest lag for which a clock waits when it starts, in milliseconds."""

LONGEST_VARIATION = 40
"""Decisions in one variation of conditional moves, at most."""

Instead = Literal["bot", "out"]
"""The fate of an empty seat: a bot plays there, or it is dropped."""


MOST = 2**31 - 1
"""The largest number in an order; every database can store it."""
Key = Annotated[str, Field(min_length=1, max_length=64)]
Name = Annotated[str, BeforeValidator(compose), Field(max_length=LONGEST_NAME), AfterValidator(read_name)]
VisibleName = Annotated[Name, AfterValidator(_not_empty)]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
Count = Annotated[int, Field(ge=0, le=MOST)]
Number = Annotated[int, Field(ge=1, le=MOST)]


class _Order(Strict):
    key: Key


class GameOrder(_Order):
    """An order that changes the game."""


class VersionedOrder(GameOrder):
    """An order at a table of turns; version: that of the table it was made for."""

    version: Count
    seat: SeatNumber


class Act(VersionedOrder):
    """Play an action. hold: if it finishes the turn, leave the turn open until ``end_turn``."""

    type: Literal["act"] = "act"
    action: Json
    hold: bool = False


class Undo(VersionedOrder):
    """Take back the seat's last decision in its current turn."""

    type: Literal["undo"] = "undo"


class EndTurn(VersionedOrder):
    """End a turn that ``hold`` left open."""

    type: Literal["end_turn"] = "end_turn"


class Resign(GameOrder):
    """Give the game up; version: needed at a table of turns."""

    type: Literal["resign"] = "resign"
    version: Count | None = None
    seat: SeatNumber


class Abort(GameOrder):
    """End a rated game that does not count yet, without a result."""

    type: Literal["abort"] = "abort"
    seat: SeatNumber


class Draw(VersionedOrder):
    """Offer a draw or agree to one. offer: false withdraws the offer or declines."""

    type: Literal["draw"] = "draw"
    offer: bool


class Berserk(GameOrder):
    """In an arena, give up half of one's time and the increment before one's first decision."""

    type: Literal["berserk"] = "berserk"
    seat: SeatNumber


class SeatDecision(Strict):
    """A decision of a seat, such as one in a variation."""

    seat: SeatNumber
    action: Json


class EditConditionalMoves(_Order):
    """Add a variation of conditional moves, or drop one.

    A variation begins at the current position and ends with a decision of the seat. Other players don't
    learn of it, not even by the version. version: of the table for which it was made. drop: the index of a
    variation, from 0.
    """

    type: Literal["edit_conditional_moves"] = "edit_conditional_moves"
    version: Count
    seat: SeatNumber
    add: Annotated[list[SeatDecision], Field(min_length=1, max_length=LONGEST_VARIATION)] | None = None
    drop: Count | None = None

    @model_validator(mode="after")
    def _is_one_of_the_two(self) -> EditConditionalMoves:
        if (self.add is None) == (self.drop is None):
            raise ValueError("needs either conditional moves to add, or the number of those to drop")
        return self


class Intent(GameOrder):
    """Act at a race table; the game reads the action."""

    type: Literal["intent"] = "intent"
    seat: SeatNumber
    action: Json


# ---------------------------------------------------------------- seats and table


class Sit(_Order):
    """Take a free open seat, or one's own back from a substitute bot.

    gives_part: a part of the deal's seed follows, for which the table waits some seconds.
    """

    type: Literal["sit"] = "sit"
    seat: SeatNumber
    name: Name | None = None
    gives_part: bool | None = None


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
    """Vote for a delay before each decision of a bot; it applies once all people vote for the same."""

    type: Literal["pace"] = "pace"
    milliseconds: Annotated[int, Field(ge=0, le=SLOWEST_PACE)]


class Pause(_Order):
    """Pause or resume a game of bots alone; any spectator may."""

    type: Literal["pause"] = "pause"
    paused: bool


class Fill(GameOrder):
    """Start with free seats; only the host may. seat: the host's. free: what happens to the free seats."""

    type: Literal["fill"] = "fill"
    seat: SeatNumber
    free: Instead


class Rematch(_Order):
    """Ask for a rematch, or agree to one. absent: what happens to the seats of absent players, by number.

    wanted: false declines or withdraws it, for all who asked.
    """

    type: Literal["rematch"] = "rematch"
    seat: SeatNumber
    wanted: bool = True
    absent: dict[Annotated[str, Field(pattern="^[0-7]$")], Instead] | None = None


PART = "^[0-9a-f]{32}$"
"""The form of a player's part of a seed: 16 bytes in hexadecimal."""


class GivePart(_Order):
    """Add a part to the seed from which everything is drawn as the game begins."""

    type: Literal["give_part"] = "give_part"
    seat: SeatNumber
    part: Annotated[str, Field(pattern=PART)]


# ---------------------------------------------------------------- agreements

What = Literal["bot", "draw", "take_back", "pause", "adjourn", "hands"]
"""The kinds of proposals (``Propose``)."""


class Propose(_Order):
    """Propose something to all others, who vote on it.

    what: ``bot``, a substitute for an absent player; ``draw``, with an absent player; ``take_back``, of the
    proposer's last turn; ``pause``; ``adjourn``, to go on by correspondence; ``hands``, open after each
    round. about: the absent player. days: for each turn by correspondence.
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
                raise ValueError(f"{key!r} is needed by some kinds of proposals, and allowed only there")
        return self


class Vote(_Order):
    """Agree to a proposal, refuse it, or withdraw one's own. number: the proposal's."""

    type: Literal["vote"] = "vote"
    seat: SeatNumber
    number: Number
    agree: bool


class GoOn(_Order):
    """End an agreed pause."""

    type: Literal["go_on"] = "go_on"
    seat: SeatNumber


# ---------------------------------------------------------------- orders of the server


class ProgramOrder(GameOrder):
    """An order that only the server gives."""


class Deal(ProgramOrder):
    """A chance decision; action: of the game, as JSON."""

    type: Literal["deal"] = "deal"
    action: Json


class Begin(ProgramOrder):
    """Draw the first position anew, from the seed that follows from everybody's parts."""

    type: Literal["begin"] = "begin"
    seed: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


FirstOrder = Act | Resign | Draw | Intent | Deal
"""An order with which the game of a record begins at a new table."""


class Tick(ProgramOrder):
    """Apply what follows from a clock that has run out."""

    type: Literal["tick"] = "tick"


class Forfeit(ProgramOrder):
    """End a game of a tournament as lost for the players who have not come."""

    type: Literal["forfeit"] = "forfeit"
    seats: Annotated[list[SeatNumber], Field(min_length=1)]


class AwaitFirst(ProgramOrder):
    """Start the time in which a player of a rated game has to make their first decision."""

    type: Literal["await_first"] = "await_first"
    seat: SeatNumber


class PassTurn(ProgramOrder):
    """Decide for a player whose time is up; action: of the game, as JSON."""

    type: Literal["pass_turn"] = "pass_turn"
    seat: SeatNumber
    action: Json


class PlayConditionalMove(ProgramOrder):
    """Play a conditional move; action: of the game, as JSON."""

    type: Literal["play_conditional_move"] = "play_conditional_move"
    seat: SeatNumber
    action: Json


class Timing(_Order):
    """An order of the server that changes nothing in the game: the version stays."""


class SuspendConditionalMoves(Timing):
    """Suspend a seat's conditional moves. why: others decided differently, or the rules refuse the move."""

    type: Literal["suspend_conditional_moves"] = "suspend_conditional_moves"
    seat: SeatNumber
    why: Literal["other", "refused"]


class Lag(Timing):
    """Set a player's lag, the round-trip time for which their clock waits when it starts."""

    type: Literal["lag"] = "lag"
    seat: SeatNumber
    milliseconds: Annotated[int, Field(ge=0, le=MOST_LAG)]


class Vacation(ProgramOrder):
    """Begin or end a player's vacation, during which their clock is stopped."""

    type: Literal["vacation"] = "vacation"
    seat: SeatNumber
    begins: bool


class StandStill(Timing):
    """Discount a downtime of the server from all clocks."""

    type: Literal["stand_still"] = "stand_still"
    milliseconds: Annotated[int, Field(ge=0)]


class Absent(Timing):
    """Mark a player as absent after being disconnected for long; absent false: as back."""

    type: Literal["absent"] = "absent"
    seat: SeatNumber
    absent: bool


class Rematched(ProgramOrder):
    """The rematch has a table."""

    type: Literal["rematched"] = "rematched"
    table: str


class HandOver(ProgramOrder):
    """Hand a seat over to another device or account of its player."""

    type: Literal["hand_over"] = "hand_over"
    seat: SeatNumber
    user: Annotated[str, Field(min_length=1, max_length=64)]


_OfPlay = Act | Undo | EndTurn | Resign | Abort | Draw | Berserk | EditConditionalMoves | Intent
_OfTables = Sit | GivePart | Stand | Rename | Pace | Pause | Fill | Rematch
Order = _OfPlay | _OfTables | Propose | Vote | GoOn
"""An order that a client may send."""
_OfTheGame = Begin | Deal | Tick | Forfeit | AwaitFirst | PassTurn | PlayConditionalMove
_AboutIt = SuspendConditionalMoves | Vacation | Lag | StandStill | Absent | Rematched | HandOver
AnyOrder = Order | _OfTheGame | _AboutIt
"""An order that a table accepts and the store holds."""

_ORDERS: TypeAdapter[AnyOrder] = TypeAdapter(Annotated[AnyOrder, Field(discriminator="type")])


def read_order(text: str | bytes) -> AnyOrder:
    """Read an order from the JSON that ``model_dump_json`` wrote. Raises NotationError naming the key."""
    try:
        return _ORDERS.validate_json(text)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        raise NotationError(error_text(detail), key=error_key(detail["loc"])) from None
