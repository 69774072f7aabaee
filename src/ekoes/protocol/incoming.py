"""Pydantic models of incoming messages, and their strict parsing."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args

import orjson
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import allowed_keys, error_details, json_schema, parse_json
from ekoes.tables.chat import Listen, Mute, Say
from ekoes.tables.orders import Count, Key, Name, Order, SeatNumber, Strict
from ekoes.tables.plan import TableOptions

T = TypeVar("T")

LARGEST_MESSAGE = 64 * 1024
"""Bytes of a message, and of the body of a request."""
LONGEST_ANALYSIS = 60
"""Seconds that a position is analysed, at most."""
MOST_VARIATIONS = 8
"""Variations of one analysis, at most."""
LONGEST_WAIT = 600
"""Seconds until bots fill the seats of a search for opponents, at most."""

PROTOCOL = 2
"""The version of the protocol; clients with another version must reload."""

RESTARTS = 1012
"""Close code: the server stops, or the table moved to another process; clients reconnect without loss."""


class MessageError(EkoesError):
    """A message that can't be read; nothing was done."""

    default_code = "message/bad-type"


class Why(Strict):
    """Ask why an action is illegal; changes nothing."""

    type: Literal["why"] = "why"
    key: Key
    seat: SeatNumber
    action: dict[str, Any]


class Ways(Strict):
    """Ask for the paths of a piece; changes nothing. of: the piece, in the game's notation."""

    type: Literal["ways"] = "ways"
    key: Key
    of: Any


class Show(Strict):
    """Ask for the whole table again."""

    type: Literal["table"] = "table"
    key: Key


class Analyse(Strict):
    """Analyse a position. after: the number of log entries; None: the current position."""

    type: Literal["analyse"] = "analyse"
    key: Key
    after: Count | None = None
    seconds: Annotated[float, Field(gt=0, le=LONGEST_ANALYSIS)] = 10
    lines: Annotated[int, Field(ge=1, le=MOST_VARIATIONS)] = 3


class Stop(Strict):
    """Stop the running analysis of this session."""

    type: Literal["stop"] = "stop"
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
    """Seek opponents for a game; replaces the user's former seek."""

    type: Literal["seek"] = "seek"
    key: Key
    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    name: Name | None = None
    bots: Bots | None = None


class Unseek(Strict):
    """Cancel the seek."""

    type: Literal["unseek"] = "unseek"
    key: Key


LobbyMessage = Hello | Seek | Unseek
Message = Order | Why | Ways | Show | Analyse | Stop | Listen | Say | Mute

_MESSAGES: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])

_NULL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""The escape of U+0000; a backslash before it may itself be escaped."""
_NOT_KEYS = {"body", "path", "query"}
"""What FastAPI puts before the keys: the source of the value."""
_KINDS = {kind.model_fields["type"].default for kind in get_args(Message)}
"""What follows if the body is one of several message types."""


def parse_message(text: str) -> Message:
    """Parse a message to a table. Raises MessageError naming the key at fault."""
    return read_message(text, _MESSAGES)


def read_message(text: str, kinds: TypeAdapter[T]) -> T:
    """Parse a message of some types. Raises MessageError naming the key at fault."""
    if len(text) > LARGEST_MESSAGE or len(text.encode(errors="replace")) > LARGEST_MESSAGE:
        message = f"a message has at most {LARGEST_MESSAGE} bytes"
        raise MessageError(message, code="message/too-large")
    check_json(text)
    try:
        return kinds.validate_json(text)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)[0]
        _kind, *keys = details["loc"] or (None,)  # pydantic puts the message type first
        allowed = allowed_keys(details, json_schema(kinds), json_schema(kinds))
        raise parse_failure({**details, "loc": tuple(keys)}, allowed) from error


def check_json(text: str) -> None:
    """Check that a text is JSON without repeated keys and U+0000, which no database need store.

    Raises: MessageError.
    """
    if _NULL.search(text):
        raise MessageError("text can't contain the character U+0000", code="message/bad-type")
    if _round_trips(text):
        return
    try:
        parse_json(text)
    except NotationError as error:
        raise MessageError(error.message, code="message/bad-json", key=error.key) from error


def _round_trips(text: str) -> bool:
    """Return whether JSON survives a round trip unchanged: then no key is repeated.

    That holds for nearly all messages; others, with different spacing, take the slow parser.
    """
    try:
        return orjson.dumps(orjson.loads(text)) == text.encode()
    except (ValueError, TypeError):  # too deeply nested for writing, not for reading
        return False


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
