"""Strict parsing of JSON, TOML and short texts: notations, tags of records, times. Errors name the place."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ekoes.errors import NotationError, PositionError
from ekoes.games.api.contract import Json

_CODES: Final = {
    "json_invalid": "message/bad-json",
    "extra_forbidden": "message/unknown-key",
    "missing": "message/missing-key",
    "union_tag_invalid": "message/unknown-type",
    "union_tag_not_found": "message/unknown-type",
}
_LONGEST_KEY = 200

TEXTS: Final[Mapping[str, str]] = {
    "json_invalid": "not JSON that can be used",
    "extra_forbidden": "this key is unknown here",
    "missing": "this key is missing",
    "union_tag_not_found": "a message says its type",
    "union_tag_invalid": "{tag:.40} is none of {expected_tags}",
    "literal_error": "must be {expected}",
    "value_error": "{error}",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number with fewer digits",
    "int_from_float": "must be a whole number",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "string_type": "must be a text",
    "string_unicode": "must be a text of whole characters",
    "string_too_short": "must have {min_length} or more characters",
    "string_too_long": "must have {max_length} or fewer characters",
    "string_pattern_mismatch": "has characters that do not belong there",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "frozen_set_type": "must be a list",
    "too_short": "must have {min_length} or more entries",
    "too_long": "must have {max_length} or fewer entries",
    "dict_type": "must be a JSON object",
    "model_type": "must be a JSON object",
    "model_attributes_type": "must be a JSON object",
}
"""Kind of pydantic error -> message; a test finds missing ones."""

OTHER_TEXT: Final = "does not fit here"
"""The message of all other kinds."""


def error_text(detail: ErrorDetails) -> str:
    """Return the message for a pydantic error."""
    return TEXTS.get(detail["type"], OTHER_TEXT).format_map(detail.get("ctx", {}))


def error_key(parts: Sequence[Any]) -> str | None:
    """Return the path of an invalid value; None: the whole message."""
    return ".".join(str(part)[:40] for part in parts)[:_LONGEST_KEY] if parts else None


def error_details(
    detail: ErrorDetails, keys: Sequence[str], allowed: Sequence[str] = ()
) -> tuple[str, str | None, str]:
    """Return code, key and message for a pydantic error.

    keys: path to the value. allowed: the keys that may stand in place of an unknown one.
    """
    kind = detail["type"]
    if kind in {"union_tag_invalid", "union_tag_not_found"}:
        keys = [*keys, "type"]
    elif kind == "json_invalid":
        keys = []
    text = error_text(detail) + (f"; allowed: {', '.join(allowed)}" if allowed else "")
    return _CODES.get(kind, "message/bad-type"), error_key(keys), text


def allowed_keys(path: Sequence[int | str], schema: Json, root: Json) -> list[str]:
    """Return the keys that may stand in place of an unknown one.

    path: to the unknown key. schema: the JSON Schema of the whole value. root: the document with its
    definitions.
    """
    for part in path[:-1]:
        schema = _resolved(schema, root)
        if "discriminator" in schema:
            schema = {"$ref": schema["discriminator"]["mapping"][part]}
        else:
            schema = schema["items"] if isinstance(part, int) else schema["properties"][part]
    return list(_resolved(schema, root)["properties"])


def _resolved(schema: Json, root: Json) -> Json:
    """Return the schema of a value that is present, with references followed."""
    if "anyOf" in schema:
        return _resolved(next(each for each in schema["anyOf"] if each != {"type": "null"}), root)
    if "$ref" not in schema:
        return schema
    for name in schema["$ref"].split("/")[1:]:
        root = root[name]
    return root


def allowed_instead(detail: ErrorDetails, adapter: TypeAdapter[Any]) -> list[str]:
    """Return the keys that a type allows in place of an unknown one; none for other errors of pydantic."""
    if detail["type"] != "extra_forbidden":
        return []  # the schema of all messages takes 50 ms to make
    schema = _schema_of(adapter)
    return allowed_keys(detail["loc"], schema, schema)


_schema_of = cache(TypeAdapter.json_schema)


def parse_json(text: str) -> object:
    """Read one JSON value strictly: no key twice, no NaN. Raises NotationError with line and column."""
    try:
        value: object = json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise NotationError(f"not JSON: line {error.lineno}, column {error.colno}") from error
    except ValueError as error:  # an integer of thousands of digits
        raise NotationError("JSON not supported: a number is too long") from error
    except RecursionError as error:
        raise NotationError("JSON not supported: nested too deeply") from error
    return value


def _object(pairs: list[tuple[str, Any]]) -> Json:
    value: Json = {}
    for key, content in pairs:
        if key in value:
            raise NotationError("appears twice in one object", key=key[:40])
        value[key] = content
    return value


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise NotationError("JSON not supported: a number is too large")
    return number


def _refuse_constant(word: str) -> NoReturn:
    raise NotationError(f"not JSON: {word} is no number")


_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)$")


def parse_toml(text: str) -> Json:
    """Read TOML. Raises NotationError with line and column."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotationError("TOML not supported: nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        where = f"line {place[1]}, column {place[2]} does not fit" if place else "it ends too early"
        raise NotationError(f"not TOML: {where}") from error


class Strict(BaseModel):
    """A JSON object without unknown keys or converted types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")


def read_options(model: type[M], options: Mapping[str, Any]) -> M:
    """Check the options of a game or a table. Raises PositionError naming the key."""
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        detail = error.errors()[0]
        key = error_key(detail["loc"] or ("options",))
        raise PositionError(error_text(detail), code="position/options", key=key) from None


def read_message(adapter: TypeAdapter[V], value: object, key: str) -> V:
    """Read a part of a message, a union discriminated by ``type``. key: of the part in the message.

    Raises: NotationError naming the key, with a code of ``message/…``.
    """
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        # pydantic's path begins with the type of the union
        keys = [key, *map(str, detail["loc"][1:])]
        code, named, text = error_details(detail, keys, allowed_instead(detail, adapter))
        raise NotationError(text, code=code, key=named) from None


def shown(key: object) -> str:
    """Return a key escaped for a one-line message."""
    return json.dumps(str(key)[:30])[1:-1]


def read_object(value: object, key: str) -> Json:
    """Return a JSON object. Raises PositionError."""
    if not isinstance(value, dict):
        raise PositionError("must be a JSON object", key=key)
    return value


def read_list(value: object, key: str, length: int | None = None, *, rule: str | None = None) -> list[Any]:
    """Return a JSON list. length: one entry for each player, by a rule. Raises PositionError."""
    if not isinstance(value, list):
        raise PositionError("must be a list", key=key)
    if length is not None and len(value) != length:
        raise PositionError(f"must have {length} entries, one for each player", rule=rule, key=key)
    return value


def read_fields(value: object, key: str, names: Collection[str], optional: Collection[str] = ()) -> Json:
    """Return a JSON object with exactly these keys, the optional ones aside. Raises PositionError.

    key: of the object, empty for the whole value.
    """
    content, path = read_object(value, key), f"{key}." if key else ""
    for name in content:
        if name not in names and name not in optional:
            raise PositionError("unknown key", key=f"{path}{shown(name)}")
    for name in names:
        if name not in content:
            raise PositionError("missing", key=f"{path}{name}")
    return content


def read_flag(value: object, key: str) -> bool:
    """Return true or false. Raises PositionError."""
    if not isinstance(value, bool):
        raise PositionError("must be true or false", key=key)
    return value


def read_whole(value: object, key: str, low: int, high: int, rule: str) -> int:
    """Return a whole number low … high. Raises PositionError naming the rule."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise PositionError("must be a whole number", key=key)
    if not low <= value <= high:
        raise PositionError(
            f"must be {low} to {high}" if low < high else f"must be {low}", rule=rule, key=key
        )
    return value


def check_keys(
    content: Json, game: str, version: int, required: tuple[str, ...], optional: frozenset[str]
) -> None:
    """Check that a position is of a game and version and has its keys. Raises PositionError."""
    if content.get("game") != game:
        raise PositionError(f'must be "{game}"', key="game")
    given = content.get("version")
    if not isinstance(given, int) or isinstance(given, bool) or given != version:
        raise PositionError(f"only version {version} can be read", key="version")
    read_fields(content, "", required, optional)


def not_an_action(action: object) -> NotationError:
    """Return the error for a decision that is no action of its game."""
    return NotationError(f"a decision is one of legal(), not {type(action).__name__}")


def read_action(
    value: object,
    types: Mapping[str, type[V]],
    readers: Mapping[str, Callable[[object, str], Any]],
    *,
    rule: str,
    renamed: Mapping[str, str] | None = None,
) -> V:
    """Read an action, a dataclass by its type. Raises NotationError naming the key.

    readers: by field name; fields with a default may be missing. rule: the one that lists the actions.
    renamed: field name -> key in JSON, where they differ.
    """
    if not isinstance(value, dict):
        raise NotationError("an action is a JSON object", key="action")
    cls: type[Any] | None = types.get(value["type"]) if isinstance(value.get("type"), str) else None
    if cls is None:
        raise NotationError(f"the type of an action is one of {', '.join(types)}", rule=rule, key="type")
    keys = renamed or {}
    known = {keys.get(field.name, field.name): field for field in fields(cls)}
    kind = value["type"]
    for key in value:
        if key != "type" and key not in known:
            allowed = ", ".join(["type", *known])
            raise NotationError(f"unknown key in a {kind} action; allowed: {allowed}", key=str(key)[:40])
    content: dict[str, Any] = {}
    for key, field in known.items():
        if key in value:
            content[field.name] = readers[field.name](value[key], key)
        elif field.default is MISSING:
            raise NotationError(f"missing in a {kind} action", key=key)
    action: V = cls(**content)
    return action


_NUMBER = re.compile(r"[0-9]{1,2}(?![0-9])", re.ASCII)
_WORD = re.compile(r"[A-Za-z]+", re.ASCII)
_BLANKS = re.compile(r"\s*")
_LONGEST_TEXT = 1000
_LONGEST_QUOTE = 40


class Scanner:
    """Reads one text from left to right, skipping blanks; every failure names its character."""

    def __init__(self, text: str) -> None:
        """Start before the first part of the text. Raises NotationError if it is far too long."""
        if len(text) > _LONGEST_TEXT:
            raise NotationError(
                f"an action has at most {_LONGEST_TEXT} characters, this text has {len(text)}"
            )
        self.text = text
        self.at = 0
        self._skip_blanks()

    def _skip_blanks(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def sees(self, pattern: re.Pattern[str]) -> bool:
        """Return whether the next part matches a pattern."""
        return pattern.match(self.text, self.at) is not None

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        """Read the match of a pattern. Raises NotationError with what was expected."""
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self.failure(expected)
        self.at = match.end()
        self._skip_blanks()
        return match[0]

    def accept(self, mark: str) -> bool:
        """Skip a mark if it comes next; return whether it did."""
        found = self.text[self.at : self.at + len(mark)].upper() == mark
        if found:
            self.at += len(mark)
            self._skip_blanks()
        return found

    def expect(self, mark: str, expected: str) -> None:
        """Skip a mark that must come next."""
        if not self.accept(mark):
            raise self.failure(expected)

    def number(self, expected: str) -> int:
        """Read a whole number of at most two digits."""
        return int(self.take(_NUMBER, f"{expected} (0 to 99)"))

    def word(self, words: tuple[str, ...], expected: str) -> str:
        """Read one of some words."""
        start = self.at
        word = self.take(_WORD, expected).lower()
        if word not in words:
            self.at = start
            raise self.failure(expected)
        return word

    def finish(self) -> None:
        """Fail unless the whole text has been read."""
        if self.at < len(self.text):
            raise self.failure("the end of the action")

    def failure(self, expected: str) -> NotationError:
        """Return the error with what was expected and what was found here."""
        rest = self.text[self.at :]
        quote = rest if len(rest) <= _LONGEST_QUOTE else rest[:_LONGEST_QUOTE] + "…"
        found = repr(quote) if rest else "nothing"
        return NotationError(f"character {self.at + 1}: expected {expected}, found {found}")


_WHOLE = re.compile(r"-?[0-9]{1,40}", re.ASCII)


def whole_tag(tags: Mapping[str, str], name: str) -> int:
    """Read a whole number. Raises NotationError naming the tag."""
    text = tags.get(name)
    if text is None:
        raise NotationError("missing", key=name)
    if _WHOLE.fullmatch(text) is None:
        raise NotationError(f"must be a whole number, not {text!r:.40}", key=name)
    return int(text)


def json_tag(tags: Mapping[str, str], name: str) -> object:
    """Read a JSON value. Raises NotationError naming the tag."""
    try:
        return parse_json(tags[name])
    except NotationError as error:
        raise NotationError(str(error), key=name) from error


_SECONDS = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,3}))?", re.ASCII)


def milliseconds_between(begin: datetime, at: datetime) -> int:
    """Return the whole milliseconds between two times."""
    return (at - begin) // timedelta(milliseconds=1)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def unix_milliseconds(at: datetime) -> int:
    """Return the whole milliseconds from 1970 to a time."""
    return milliseconds_between(_EPOCH, at)


def moment_text(at: datetime) -> str:
    """Return a time in ISO 8601 with milliseconds."""
    return at.isoformat(timespec="milliseconds")


def seconds_text(milliseconds: int) -> str:
    """Write milliseconds as seconds, as short as possible: 4.2."""
    return f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")


def read_seconds(text: str) -> int | None:
    """Return the milliseconds of a text of ``seconds_text``, None for any other text."""
    match = _SECONDS.fullmatch(text)
    return int(match[1]) * 1000 + int((match[2] or "").ljust(3, "0")) if match else None
