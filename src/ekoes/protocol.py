"""The protocol between server and clients: models of all messages, and the strict parsing of incoming ones.

The models are the source of the JSON Schema and the TypeScript types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, TypeVar, get_args

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import allowed_instead, error_details, parse_json
from ekoes.tables.chat import Listen, Mute, Room, Say
from ekoes.tables.orders import Instead, Key, Name, Order, Strict, What
from ekoes.tables.settings import ClockPlan, TableOptions
from ekoes.tables.table import Status

T = TypeVar("T")

LARGEST_MESSAGE = 64 * 1024
"""Bytes of a message, and of the body of a request."""
MOST_KEYS = 1000
"""Keys of one object in a message, at most: each that is not known is one more error to describe."""
LONGEST_WAIT = 600
"""Seconds until bots fill the seats of a search for opponents, at most."""

PROTOCOL = 3
"""The version of the protocol; clients with another version must reload."""

RESTARTS = 1012
"""Close code: the server stops, or the table moved to another process; clients reconnect without loss."""


class MessageError(EkoesError):
    """A message that can't be read; nothing was done."""

    default_code = "message/bad-type"


class Show(Strict):
    """Ask for the whole table again."""

    type: Literal["table"] = "table"
    key: Key


class Hello(Strict):
    """Set a guest's name in the lobby; accounts keep their own."""

    type: Literal["hello"] = "hello"
    key: Key
    name: Name


class Bots(Strict):
    """A bot that fills the free seats. after: seconds of waiting."""

    bot: Annotated[str, Field(max_length=40)]
    after: Annotated[int, Field(ge=0, le=LONGEST_WAIT)]


class Seek(Strict):
    """Seek opponents for a game; replaces the user's previous seek.

    gives_part: a part of the deal's seed follows at the table, which waits some seconds for it.
    """

    type: Literal["seek"] = "seek"
    key: Key
    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    name: Name | None = None
    bots: Bots | None = None
    gives_part: bool = False


class Unseek(Strict):
    """Cancel the seek."""

    type: Literal["unseek"] = "unseek"
    key: Key


LobbyMessage = Hello | Seek | Unseek
Message = Order | Show | Listen | Say | Mute

MESSAGES: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])

_NULL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""The escape of U+0000; a backslash before it may itself be escaped."""
_NOT_KEYS = {"body", "path", "query"}
"""The first part of a location in FastAPI's errors: the source of the value."""
_KINDS = {kind.model_fields["type"].default for kind in get_args(Message)}
"""Its next part, if the body is one of several message types."""


def read_message(text: str, kinds: TypeAdapter[T]) -> T:
    """Parse a message of some types. Raises MessageError naming the key at fault."""
    if len(text) > LARGEST_MESSAGE or len(text.encode(errors="replace")) > LARGEST_MESSAGE:
        raise MessageError(f"a message has at most {LARGEST_MESSAGE} bytes", code="message/too-large")
    check_json(text)
    try:
        return kinds.validate_json(text)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)[0]
        _kind, *keys = details["loc"] or (None,)  # pydantic puts the message type first
        raise parse_failure({**details, "loc": tuple(keys)}, allowed_instead(details, kinds)) from error


def check_json(text: str) -> None:
    """Check that a text is JSON, repeats no key, has no object with too many, and no U+0000.

    Not every database can store U+0000. Raises: MessageError.
    """
    if "\\u0000" in text and _NULL.search(text):  # the search alone takes 4 ms in a long text
        raise MessageError("text can't contain the character U+0000", code="message/bad-type")
    value, is_plain = None, False
    with suppress(ValueError, TypeError):  # too deeply nested for writing, not for reading
        value = orjson.loads(text)
        is_plain = orjson.dumps(value) == text.encode()
    try:
        if not is_plain:  # nearly all messages survive a round trip; then no key is repeated
            value = parse_json(text)
    except NotationError as error:
        raise MessageError(error.message, code="message/bad-json", key=error.key) from error
    if text.count(":") > MOST_KEYS and _most_keys(value) > MOST_KEYS:
        raise MessageError(f"an object has at most {MOST_KEYS} keys", code="message/too-large")


def _most_keys(value: object) -> int:
    """Return the number of keys of the largest object in a JSON value."""
    most, within = 0, [value]
    for one in within:  # grows
        if isinstance(one, dict):
            most = max(most, len(one))
            within.extend(one.values())
        elif isinstance(one, list):
            within.extend(one)
    return most


def parse_failure(details: ErrorDetails, allowed: Sequence[str] = ()) -> MessageError:
    """Return a validation error of pydantic as a MessageError. allowed: instead of an unknown key."""
    parts = [str(part) for part in details["loc"]]
    if parts and parts[0] in _NOT_KEYS:
        is_kind = len(parts) > 2 and parts[1] in _KINDS
        parts = parts[2:] if is_kind else parts[1:]
    code, key, text = error_details(details, parts, allowed)
    return MessageError(text, code=code, key=key)


def key_of(text: str) -> str | None:
    """Return the key of a message that could not be parsed, None if it has none."""
    try:
        key = json.loads(text)["key"] if len(text) <= LARGEST_MESSAGE else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return key[:64] if isinstance(key, str) else None


def encode(value: Json | list[Json]) -> str:
    """Write a message as compact JSON."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a lone surrogate, or an integer of more than 64 bits
        return json.dumps(value, separators=(",", ":"))


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

    online: a bot, or the player is connected. substitute_until: until when the viewer can take the seat back
    from a substitute. program: the account is a bot account. rating: of the account in the table's pool,
    before the game; absent if the game is over when a server loads the table, and where an unrated game's
    player has none.
    """

    seat: int
    name: str
    colour: int
    kind: Literal["here", "open", "bot"]
    bot: str | None
    taken: bool
    yours: bool
    online: bool
    substitute_until: str | None = None
    account: Literal[True] | None = None
    program: Literal[True] | None = None
    rating: RatingInfo | None = None


class PaceVote(_Outgoing):
    """A player's vote on the pace of the bots."""

    seat: int
    milliseconds: int


class OutcomeInfo(_Outgoing):
    """How a game ended."""

    winners: list[int]
    reason: str
    rule: str | None


class RematchState(_Outgoing):
    """The rematch. agreed: seats. table: the new one. absent: what happens to absent players' seats.

    tournament: the game is one of a tournament's, or an exhibition of bots, and has no rematch.
    """

    agreed: list[int]
    table: str | None
    tournament: Literal[True] | None = None
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


class PauseInfo(_Outgoing):
    """A pause. until: when the game resumes; null: no one has resumed it yet."""

    until: str | None


class Agreements(_Outgoing):
    """The agreements at a table. may: what can be proposed now.

    By seat: absent players, those whose clocks decide turn after turn, and substitutes.
    """

    proposal: ProposalInfo | None
    may: list[What]
    absent: list[int]
    timed_out: list[int]
    substitutes: list[int]
    pause: PauseInfo | None


class TableMessage(_Outgoing):
    """The whole table. The viewer's state is ``state`` overlaid with ``own``."""

    type: Literal["table"]
    id: str
    game: str
    version: int
    pace: int
    pace_votes: list[PaceVote]
    paused: bool
    chat: bool
    agreements: Agreements
    seats: list[SeatInfo]
    options: Json
    board: Json
    state: TableState
    own: Json | None = None
    log: list[Json]


class UpdateMessage(_Outgoing):
    """The changes since an earlier version.

    base: that version; absent: the one before. check: the CRC-32 of the new state. keep: how many of
    the log's entries remain, if not all. entries: those that follow.
    """

    type: Literal["update"]
    version: int
    base: int | None = None
    change: Change
    check: Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
    keep: int | None = None
    entries: list[Json]
    seats: list[SeatInfo] | None = None
    options: Json | None = None
    own: Json | None = None


class SeatsMessage(_Outgoing):
    """A name or a connection status changed."""

    type: Literal["seats"]
    seats: list[SeatInfo]


class ConditionalMovesMessage(_Outgoing):
    """The viewer's conditional moves changed. conditional_moves: by seat."""

    type: Literal["conditional_moves"]
    conditional_moves: Json


class PaceMessage(_Outgoing):
    """The pace of the bots, a vote on it, or whether they are paused has changed."""

    type: Literal["pace"]
    milliseconds: int
    pace_votes: list[PaceVote]
    paused: bool


class AgreementsMessage(Agreements):
    """The agreements changed."""

    type: Literal["agreements"]


class DeclinedMessage(_Outgoing):
    """A player declines or withdraws a proposal or an offer of a draw; the change follows."""

    type: Literal["declined"]
    seat: int


class AckMessage(_Outgoing):
    """The order is stored. version: of the table after it; absent in the lobby."""

    type: Literal["ack"]
    key: str
    version: int | None = None


class Failure(BaseModel):
    """Why a request or message was refused; ``code`` is stable, ``message`` is for people.

    rule: the number of the rule. refusal: how the rule is broken. field: the key at fault. scope: the scope
    that the token lacks. retry_after: seconds to wait. until: when the user may chat again.
    """

    code: Annotated[str, Field(examples=["table/stale"])]
    message: str
    rule: str | None = None
    refusal: str | None = None
    field: str | None = None
    scope: str | None = None
    retry_after: int | None = None
    until: str | None = None


class ErrorMessage(Failure, _Outgoing):
    """A message was refused; nothing was done."""

    type: Literal["error"]
    key: str | None = None


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
    """The chat as the viewer sees it. muted: seats. hides: how many users are muted.

    silenced: until when the viewer may not chat.
    """

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


class SameNetworkMessage(_Outgoing):
    """Another user with the viewer's address seeks the same rated game: they can't be paired."""

    type: Literal["same-network"]


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
    options: Json
    clock: Json | None
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


class TournamentCall(BaseModel):
    """A round of a tournament that waits for the account. table: null before it is drawn.

    round: from 1; null in an arena.
    left: milliseconds until the round is drawn, or until the account loses its game by not coming.
    """

    tournament: str
    name: str
    round: int | None
    game: str
    table: str | None
    left: int


class TournamentsEvent(_Outgoing):
    """All rounds of tournaments that wait for the account now."""

    type: Literal["tournaments"]
    calls: list[TournamentCall]


class GameEvent(_Outgoing):
    """A game of the account has started or ended. seats: those of the account."""

    type: Literal["started", "over"]
    table: str
    game: str
    seats: list[int]


FromTable = Annotated[
    TableMessage
    | UpdateMessage
    | SeatsMessage
    | ConditionalMovesMessage
    | PaceMessage
    | AgreementsMessage
    | DeclinedMessage
    | AckMessage
    | ErrorMessage
    | ChatMessage
    | SaidMessage
    | BeatMessage,
    Field(discriminator="type"),
]
FromLobby = Annotated[
    LobbyWhole
    | NewsMessage
    | PairedMessage
    | SameNetworkMessage
    | ChallengeEvent
    | ChallengeGoneEvent
    | AckMessage
    | ErrorMessage
    | BeatMessage,
    Field(discriminator="type"),
]
FromEvents = Annotated[
    ChallengeEvent | ChallengeGoneEvent | TournamentsEvent | GameEvent | BeatMessage,
    Field(discriminator="type"),
]


def protocol_schema() -> Json:
    """Return the JSON Schema of all messages, with a definition per direction."""
    adapters: list[tuple[str, Literal["validation", "serialization"], TypeAdapter[Any]]] = [
        ("to_table", "validation", TypeAdapter(Annotated[Message, Field(discriminator="type")])),
        ("from_table", "validation", TypeAdapter(FromTable)),
        ("to_lobby", "validation", TypeAdapter(Annotated[LobbyMessage, Field(discriminator="type")])),
        ("from_lobby", "validation", TypeAdapter(FromLobby)),
        ("from_events", "validation", TypeAdapter(FromEvents)),
    ]
    made, defs = TypeAdapter.json_schemas(adapters, ref_template="#/$defs/{model}")
    titled = {name: {"title": name, **schema} for (name, _), schema in made.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The protocol of Ekoes, version {PROTOCOL}",
        "version": PROTOCOL,
        "$defs": {**dict(sorted(defs.get("$defs", {}).items())), **titled},
    }
