"""What a browser may send, read strictly; and every failure as a message for it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar, get_args

import orjson
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ekoes.errors import AccountError, EkoesError, LimitError, NotationError, StorageError, TalkError
from ekoes.games.contract import Json
from ekoes.games.failures import told_failure
from ekoes.games.refused import RefusedError
from ekoes.games.strict_json import parse_json
from ekoes.match.orders import Count, Key, Order, SeatNumber, Strict
from ekoes.match.talk import Listen, Mute, Say
from ekoes.server.analyses import LINES, LONGEST
from ekoes.server.limits import LARGEST_MESSAGE
from ekoes.server.logs import log_of

__all__ = [
    "PROTOCOL",
    "Analyse",
    "Message",
    "MessageError",
    "Show",
    "Stop",
    "Ways",
    "Why",
    "check_json",
    "encode",
    "error_json",
    "key_of",
    "parse_failure",
    "parse_message",
    "read_message",
]

_LOG = log_of("ekoes.server")

T = TypeVar("T")


PROTOCOL = 2
"""The version of what is said here; who speaks another one is told so."""


class MessageError(EkoesError):
    """A message that can't be read; nothing was done."""

    default_code = "message/bad-type"


class Why(Strict):
    """Ask why an action is not possible; changes nothing."""

    type: Literal["why"] = "why"
    key: Key
    seat: SeatNumber
    action: dict[str, Any]


class Ways(Strict):
    """Ask for the ways of a piece; changes nothing. of: the piece, as the game names it."""

    type: Literal["ways"] = "ways"
    key: Key
    of: Any


class Show(Strict):
    """Ask for the whole table again."""

    type: Literal["table"] = "table"
    key: Key


class Analyse(Strict):
    """Have a position searched. after: so many entries of the log; None: as the game stands."""

    type: Literal["analyse"] = "analyse"
    key: Key
    after: Count | None = None
    seconds: Annotated[float, Field(gt=0, le=LONGEST)] = 10
    lines: Annotated[int, Field(ge=1, le=LINES)] = 3


class Stop(Strict):
    """End the search that is at work for this session."""

    type: Literal["stop"] = "stop"
    key: Key


Message = Order | Why | Ways | Show | Analyse | Stop | Listen | Say | Mute

_MESSAGES: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])

_NOT_KEYS = {"body", "path", "query"}
"""What FastAPI puts before the keys: where the value comes from."""
_KINDS = {kind.model_fields["type"].default for kind in get_args(Message)}
"""What comes then, where a body is one of several kinds of message."""


def parse_message(text: str) -> Message:
    """Read a message to a table. Raises MessageError naming the key at fault."""
    return read_message(text, _MESSAGES)


def read_message(text: str, kinds: TypeAdapter[T]) -> T:
    """Read a message of some kinds. Raises MessageError naming the key at fault."""
    if len(text) > LARGEST_MESSAGE or len(text.encode(errors="replace")) > LARGEST_MESSAGE:
        message = f"a message has at most {LARGEST_MESSAGE} bytes"
        raise MessageError(message, code="message/too-large")
    check_json(text)
    try:
        return kinds.validate_json(text)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)[0]
        _kind, *keys = details["loc"] or (None,)  # pydantic puts first as what it was read
        raise parse_failure({**details, "loc": tuple(keys)}) from error


def check_json(text: str) -> None:
    """Refuse what is no JSON, or names a key twice. Raises MessageError."""
    if _comes_back(text):
        return
    try:
        parse_json(text)
    except NotationError as error:
        raise MessageError(error.message, code="message/bad-json", key=error.key) from error


def _comes_back(text: str) -> bool:
    """Tell whether JSON, once read, is written as it came: then no key stands in it twice.

    So come nearly all messages; what is spaced otherwise is read once more, and slowly.
    """
    try:
        return orjson.dumps(orjson.loads(text)) == text.encode()
    except (ValueError, TypeError):  # what is nested too deeply can be read and not written
        return False


def parse_failure(details: ErrorDetails) -> MessageError:
    """Return pydantic's complaint as our error."""
    parts = [str(part) for part in details["loc"]]
    if parts and parts[0] in _NOT_KEYS:
        is_kind = len(parts) > 2 and parts[1] in _KINDS
        parts = parts[2:] if is_kind else parts[1:]
    code, key, text = told_failure(details, parts)
    return MessageError(text, code=code, key=key)


def key_of(text: str) -> str | None:
    """Return the key of a message that could not be read, if that much can be made out."""
    try:
        key = json.loads(text)["key"] if len(text) <= LARGEST_MESSAGE else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return key[:64] if isinstance(key, str) else None


def error_json(error: EkoesError) -> Json:
    """Return an error as it goes over the wire: code, rule, refusal, scope and time if any, one sentence.

    What exactly failed in the store is for the log alone.
    """
    if isinstance(error, StorageError):
        _LOG.error("the store failed", code=error.code, error=str(error))
        return {"code": error.code, "message": "the store failed; nothing was done"}
    is_unread = isinstance(error, NotationError) and error.code == NotationError.default_code
    code = MessageError.default_code if is_unread else error.code
    value: Json = {"code": code}
    if error.rule:
        value["rule"] = error.rule
    if isinstance(error, RefusedError):
        value["refusal"] = error.refusal.code
    if error.key is not None:
        value["field"] = error.key
    if isinstance(error, AccountError) and error.scope is not None:
        value["scope"] = error.scope
    if isinstance(error, LimitError) and error.wait is not None:
        value["retry_after"] = error.wait
    if isinstance(error, TalkError) and error.until is not None:
        value["until"] = error.until.isoformat()
    return value | {"message": str(error)}


def encode(value: Json | list[Json]) -> str:
    """Write a message as compact JSON."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # half a character, or a whole number of more than 64 bits
        return json.dumps(value, separators=(",", ":"))
