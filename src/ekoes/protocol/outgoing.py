"""Pydantic models of every outgoing message: the source of the JSON Schema and the TypeScript types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ekoes.games.api.contract import Json
from ekoes.protocol.incoming import PROTOCOL, LobbyMessage, Message
from ekoes.tables.chat import Room
from ekoes.tables.orders import Instead, What
from ekoes.tables.plan import ClockPlan
from ekoes.tables.table import Status

Gone = Literal["accepted", "declined", "cancelled", "expired", "failed"]

Change = Annotated[Any, Field(description="[value], null, or an object of changes")]


class _Outgoing(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class RatingInfo(_Outgoing):
    """A rating. deviation: its standard deviation. provisional: after too few games to be reliable."""

    rating: int
    deviation: int
    provisional: bool


class SeatInfo(_Outgoing):
    """A seat of a table, as the viewer sees it. account: the name is that of its player's account.

    rating: of that account in the table's pool, before the game; absent if the game is over when a server
    loads the table, and where an unrated game's player has none.
    """

    seat: int
    name: str
    colour: int
    kind: Literal["here", "open", "bot"]
    bot: str | None
    taken: bool
    yours: bool
    online: bool
    kept: str | None = None
    account: Literal[True] | None = None
    program: Literal[True] | None = None
    rating: RatingInfo | None = None


class PaceWish(_Outgoing):
    """A pace that a player asks for."""

    seat: int
    milliseconds: int


class OutcomeInfo(_Outgoing):
    """How a game ended."""

    winners: list[int]
    reason: str
    rule: str | None


class RematchState(_Outgoing):
    """Seats that agree to a rematch, what happens to absent players' seats, and the new table."""

    agreed: list[int]
    table: str | None
    absent: dict[str, Instead] | None = None


class AbortInfo(_Outgoing):
    """Players may abort the rated game. until: when it is aborted unless one of them decides; null: never."""

    until: str | None


class TableState(BaseModel):
    """The keys common to all states; each game adds its own."""

    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)

    position: Json
    outcome: OutcomeInfo | None
    rematch: RematchState
    abort: AbortInfo | None = None


class ProposalInfo(_Outgoing):
    """A proposal to the other players. by: the seat that made it. asked: the seats that vote."""

    number: int
    what: What
    by: int
    about: int | None = None
    days: int | None = None
    agreed: list[int]
    asked: list[int]
    until: str | None = None


class RestInfo(_Outgoing):
    """A pause. until: when the game resumes; null: no one has resumed it yet."""

    until: str | None


class Agreements(_Outgoing):
    """The agreements at a table: open proposal, absent players, seats held by bots, pause."""

    proposal: ProposalInfo | None
    may: list[What]
    away: list[int]
    silent: list[int]
    kept: list[int]
    rest: RestInfo | None


class TableMessage(_Outgoing):
    """The whole table. The viewer's state is ``state`` overlaid with ``own``."""

    type: Literal["table"]
    id: str
    game: str
    version: int
    pace: int
    wishes: list[PaceWish]
    paused: bool
    chat: bool
    consent: Agreements
    seats: list[SeatInfo]
    options: Json
    board: Json
    state: TableState
    own: Json | None = None
    log: list[Json]


class UpdateMessage(_Outgoing):
    """The changes since version ``base``. check: the CRC-32 of the new state."""

    type: Literal["update"]
    version: int
    base: int
    change: Change
    check: Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
    keep: int
    entries: list[Json]
    seats: list[SeatInfo] | None = None
    options: Json | None = None
    own: Json | None = None


class SeatsMessage(_Outgoing):
    """A name or a connection status changed."""

    type: Literal["seats"]
    seats: list[SeatInfo]


class NotesMessage(_Outgoing):
    """The viewer's private notes changed, such as conditional moves."""

    type: Literal["notes"]
    notes: Any


class PaceMessage(_Outgoing):
    """The pace of the bots."""

    type: Literal["pace"]
    milliseconds: int
    wishes: list[PaceWish]
    paused: bool


class ConsentMessage(Agreements):
    """The agreements changed."""

    type: Literal["consent"]


class AckMessage(_Outgoing):
    """The order is stored. version: of the table after it; absent in the lobby."""

    type: Literal["ack"]
    key: str
    version: int | None = None


class ErrorMessage(_Outgoing):
    """A message was refused; nothing was done."""

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


class Refusal(_Outgoing):
    """Why an action is illegal."""

    code: str
    rule: str | None
    message: str


class WhyMessage(_Outgoing):
    """The answer to ``why``. refusal: null if the action is legal."""

    type: Literal["why"]
    key: str
    refusal: Refusal | None


class WaysMessage(_Outgoing):
    """The answer to ``ways``."""

    type: Literal["ways"]
    key: str
    version: int
    ways: Any


class AnalysisMessage(_Outgoing):
    """An intermediate (``info``) or final (``result``) analysis of a position."""

    type: Literal["analysis"]
    key: str
    after: int
    seconds: float
    info: Json | None = None
    result: Json | None = None


class ChatLine(_Outgoing):
    """A chat line."""

    n: int
    room: Room
    seat: int | None
    name: str
    yours: bool
    account: Literal[True] | None = None
    program: Literal[True] | None = None
    text: str | None = None
    phrase: str | None = None
    at: str


class ChatMessage(_Outgoing):
    """The chat as the viewer sees it."""

    type: Literal["chat"]
    room: Room
    lines: list[ChatLine]
    muted: list[int]
    hides: int
    silenced: str | None


class SaidMessage(_Outgoing):
    """A new chat line."""

    type: Literal["said"]
    line: ChatLine


class BeatMessage(_Outgoing):
    """A heartbeat."""

    type: Literal["beat"]


class LobbySeat(_Outgoing):
    """A seat of a table in the lobby."""

    name: str
    colour: int
    taken: bool
    bot: str | None = None
    account: Literal[True] | None = None
    program: Literal[True] | None = None


class LobbyTable(_Outgoing):
    """A table in the lobby. standing, public, due: only of the viewer's own tables."""

    game: str
    open: bool
    options: Json
    seats: list[LobbySeat]
    since: int
    rated: Literal[True] | None = None
    clock: ClockPlan | None = None
    standing: Status | None = None
    public: bool | None = None
    due: int | None = None


class LobbyPerson(_Outgoing):
    """A named user in the lobby. listens: of a bot account, it takes challenges."""

    name: str
    account: Literal[True] | None = None
    program: Literal[True] | None = None
    listens: Literal[True] | None = None


class LobbyWhole(_Outgoing):
    """The whole lobby."""

    type: Literal["lobby"]
    tables: dict[str, LobbyTable]
    people: dict[str, LobbyPerson]
    seeking: dict[str, Json]
    counts: dict[str, int]
    tournaments: dict[str, Json]
    own: dict[str, LobbyTable]


class NewsMessage(_Outgoing):
    """The changes in the lobby or tournament."""

    type: Literal["news"]
    change: Change


class PairedMessage(_Outgoing):
    """Opponents were found; the viewer has a seat at the new table."""

    type: Literal["paired"]
    table: str
    game: str


class ChallengeSeatInfo(BaseModel):
    """A seat of a challenge. accepted: it needs no answer any more."""

    name: str
    bot: str | None
    yours: bool
    accepted: bool


class ChallengeInfo(BaseModel):
    """An open challenge. yours: made by the viewer. ends: when it expires."""

    id: str
    by: str
    yours: bool
    game: str
    options: dict[str, Any]
    clock: dict[str, Any] | None
    rated: bool
    seats: list[ChallengeSeatInfo]
    ends: str


class ChallengeEvent(_Outgoing):
    """A challenge to or from the account."""

    type: Literal["challenge"]
    challenge: ChallengeInfo


class ChallengeGoneEvent(_Outgoing):
    """A challenge is closed. table: of the game, if it was accepted."""

    type: Literal["challenge-gone"]
    id: str
    reason: Gone
    table: str | None


class GameEvent(_Outgoing):
    """A game of the account runs or is over. seats: those of the account."""

    type: Literal["started", "over"]
    table: str
    game: str
    seats: list[int]


FromTable = Annotated[
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
FromLobby = Annotated[
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
FromEvents = Annotated[
    ChallengeEvent | ChallengeGoneEvent | GameEvent | BeatMessage, Field(discriminator="type")
]


def protocol_schema() -> Json:
    """Return the JSON Schema of all messages, with a definition per direction."""
    ways: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        ("to_table", "validation", TypeAdapter(Annotated[Message, Field(discriminator="type")])),
        ("from_table", "validation", TypeAdapter(FromTable)),
        ("to_lobby", "validation", TypeAdapter(Annotated[LobbyMessage, Field(discriminator="type")])),
        ("from_lobby", "validation", TypeAdapter(FromLobby)),
        ("from_events", "validation", TypeAdapter(FromEvents)),
    ]
    made, defs = TypeAdapter.json_schemas(ways, ref_template="#/$defs/{model}")
    titled = {way: {"title": way, **schema} for (way, _), schema in made.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The protocol of Ekoes, version {PROTOCOL}",
        "version": PROTOCOL,
        "$defs": {**dict(sorted(defs.get("$defs", {}).items())), **titled},
    }
