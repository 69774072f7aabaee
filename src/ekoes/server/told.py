"""What the server says, as models: of nothing that goes out are they made, and all of it is held to them.

Their JSON Schema, with that of what it hears, is docs/reference/protocol.schema.json. Boards,
positions, choices and entries are those of each game.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ekoes.games.contract import Json
from ekoes.match.clock_plan import ClockPlan
from ekoes.match.orders import Instead
from ekoes.match.proposal import What
from ekoes.match.standing import Standing
from ekoes.match.talk import Room
from ekoes.server.lobby.messages import LobbyMessage
from ekoes.server.messages import PROTOCOL, Message
from ekoes.server.programs.challenges import Gone
from ekoes.server.programs.play import ChallengeInfo

__all__ = ["EventTold", "LobbyTold", "TableTold", "protocol_schema"]

Change = Annotated[Any, Field(description="[value], null, or an object of changes")]


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class SeatTold(_Told):
    """A seat of a table, as its reader sees it."""

    seat: int
    name: str
    colour: int
    kind: Literal["here", "open", "bot"]
    bot: str | None
    taken: bool
    yours: bool
    online: bool
    kept: str | None = None
    program: Literal[True] | None = None


class Wish(_Told):
    """The pace that somebody would like better."""

    seat: int
    milliseconds: int


class OutcomeTold(_Told):
    """How a game ended."""

    winners: list[int]
    reason: str
    rule: str | None


class RematchTold(_Told):
    """Who wants another game, what becomes of the seats of who has gone, and where it is."""

    agreed: list[int]
    table: str | None
    absent: dict[str, Instead] | None = None


class StateTold(BaseModel):
    """What every state has; all else is the game's own."""

    model_config = ConfigDict(extra="allow", strict=True)

    position: Json
    outcome: OutcomeTold | None
    rematch: RematchTold


class ProposalTold(_Told):
    """What a seat has asked all others for; asked: who has a say."""

    number: int
    what: What
    by: int
    about: int | None = None
    days: int | None = None
    agreed: list[int]
    asked: list[int]
    until: str | None = None


class RestTold(_Told):
    """A rest; until: null as long as nobody has said go on."""

    until: str | None


class ConsentTold(_Told):
    """What people agree on at a table."""

    proposal: ProposalTold | None
    may: list[What]
    away: list[int]
    silent: list[int]
    kept: list[int]
    rest: RestTold | None


class TableMessage(_Told):
    """The whole table. What its reader sees is ``state`` with ``own`` laid over it."""

    type: Literal["table"]
    id: str
    game: str
    version: int
    pace: int
    wishes: list[Wish]
    paused: bool
    chat: bool
    consent: ConsentTold
    seats: list[SeatTold]
    options: Json
    board: Json
    state: StateTold
    own: Json | None = None
    log: list[Json]


class UpdateMessage(_Told):
    """What has changed since version ``base``. check: the CRC-32 of the state then."""

    type: Literal["update"]
    version: int
    base: int
    change: Change
    check: Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
    keep: int
    entries: list[Json]
    seats: list[SeatTold] | None = None
    options: Json | None = None
    own: Json | None = None


class SeatsMessage(_Told):
    """A name changed, somebody came or went."""

    type: Literal["seats"]
    seats: list[SeatTold]


class NotesMessage(_Told):
    """What the reader alone has noted has changed."""

    type: Literal["notes"]
    notes: Any


class PaceMessage(_Told):
    """The pace of the bots."""

    type: Literal["pace"]
    milliseconds: int
    wishes: list[Wish]
    paused: bool


class ConsentMessage(ConsentTold):
    """What people agree on has changed."""

    type: Literal["consent"]


class AckMessage(_Told):
    """The order is stored. version: the table's after it; the lobby's have none."""

    type: Literal["ack"]
    key: str
    version: int | None = None


class ErrorMessage(_Told):
    """A message was refused, and nothing was done."""

    type: Literal["error"]
    key: str | None = None
    code: str
    rule: str | None = None
    refusal: str | None = None
    field: str | None = None
    scope: str | None = None
    retry_after: int | None = None
    until: str | None = None
    message: str


class Refusal(_Told):
    """Why an action is not possible."""

    code: str
    rule: str | None
    message: str


class WhyMessage(_Told):
    """The answer to ``why``; null: it is possible."""

    type: Literal["why"]
    key: str
    refusal: Refusal | None


class WaysMessage(_Told):
    """The answer to ``ways``."""

    type: Literal["ways"]
    key: str
    version: int
    ways: Any


class AnalysisMessage(_Told):
    """What is known of a position by now (``info``), or in the end (``result``)."""

    type: Literal["analysis"]
    key: str
    after: int
    seconds: float
    info: Json | None = None
    result: Json | None = None


class LineTold(_Told):
    """A line that somebody said."""

    n: int
    room: Room
    seat: int | None
    name: str
    yours: bool
    text: str | None = None
    phrase: str | None = None
    at: str


class ChatMessage(_Told):
    """All that the reader may and wants to hear."""

    type: Literal["chat"]
    room: Room
    lines: list[LineTold]
    muted: list[int]
    hides: int
    silenced: str | None


class SaidMessage(_Told):
    """Somebody has said a line."""

    type: Literal["said"]
    line: LineTold


class BeatMessage(_Told):
    """A sign of life."""

    type: Literal["beat"]


class LobbySeatTold(_Told):
    """A seat of a table in the lobby."""

    name: str
    colour: int
    taken: bool
    bot: str | None = None
    program: Literal[True] | None = None


class LobbyTable(_Told):
    """A table in the lobby; of one's own also how it stands."""

    game: str
    open: bool
    options: Json
    seats: list[LobbySeatTold]
    since: int
    rated: Literal[True] | None = None
    clock: ClockPlan | None = None
    standing: Standing | None = None
    public: bool | None = None
    due: int | None = None


class PersonTold(_Told):
    """Somebody in the lobby who has a name."""

    name: str
    account: Literal[True] | None = None
    program: Literal[True] | None = None


class LobbyWhole(_Told):
    """All there is in the lobby."""

    type: Literal["lobby"]
    tables: dict[str, LobbyTable]
    people: dict[str, PersonTold]
    seeking: dict[str, Json]
    counts: dict[str, int]
    tournaments: dict[str, Json]
    own: dict[str, LobbyTable]


class NewsMessage(_Told):
    """What has changed in the lobby."""

    type: Literal["news"]
    change: Change


class PairedMessage(_Told):
    """A game was found."""

    type: Literal["paired"]
    table: str
    game: str


class ChallengeEvent(_Told):
    """Somebody challenges the account, or it somebody."""

    type: Literal["challenge"]
    challenge: ChallengeInfo


class ChallengeGoneEvent(_Told):
    """A challenge waits no more. table: of one that was accepted."""

    type: Literal["challenge-gone"]
    id: str
    reason: Gone
    table: str | None


class GameEvent(_Told):
    """A game goes on where the account has seats, or is over."""

    type: Literal["started", "over"]
    table: str
    game: str
    seats: list[int]


TableTold = Annotated[
    TableMessage
    | UpdateMessage
    | SeatsMessage
    | NotesMessage
    | PaceMessage
    | ConsentMessage
    | AckMessage
    | ErrorMessage
    | WhyMessage
    | WaysMessage
    | AnalysisMessage
    | ChatMessage
    | SaidMessage
    | BeatMessage,
    Field(discriminator="type"),
]
LobbyTold = Annotated[
    LobbyWhole
    | NewsMessage
    | PairedMessage
    | ChallengeEvent
    | ChallengeGoneEvent
    | AckMessage
    | ErrorMessage
    | BeatMessage,
    Field(discriminator="type"),
]
EventTold = Annotated[
    ChallengeEvent | ChallengeGoneEvent | GameEvent | BeatMessage, Field(discriminator="type")
]
_WAYS: dict[str, tuple[TypeAdapter[Any], Literal["validation", "serialization"]]] = {
    "to_table": (TypeAdapter(Annotated[Message, Field(discriminator="type")]), "validation"),
    "from_table": (TypeAdapter(TableTold), "validation"),
    "to_lobby": (TypeAdapter(Annotated[LobbyMessage, Field(discriminator="type")]), "validation"),
    "from_lobby": (TypeAdapter(LobbyTold), "validation"),
    "from_events": (TypeAdapter(EventTold), "validation"),
}
"""Each way that messages go, and what goes there."""


def protocol_schema() -> Json:
    """Return the JSON Schema of all messages; each way has a definition of its own."""
    inputs = [(way, mode, adapter) for way, (adapter, mode) in _WAYS.items()]
    made, defs = TypeAdapter.json_schemas(inputs, ref_template="#/$defs/{model}")
    ways = {way: {"title": way, **schema} for (way, _), schema in made.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The protocol of Ekoes, version {PROTOCOL}",
        "$defs": {**dict(sorted(defs.get("$defs", {}).items())), **ways},
    }
