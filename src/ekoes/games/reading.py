"""JSON from anybody, read piece by piece: each reader checks one value and names the key at fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from ekoes.errors import NotationError, PositionError
from ekoes.games.changing import field_names
from ekoes.games.contract import Json
from ekoes.games.failures import told_failure, told_key, told_text

__all__ = [
    "check_keys",
    "read_action",
    "read_fields",
    "read_flag",
    "read_list",
    "read_message",
    "read_object",
    "read_options",
    "read_whole",
    "shown",
]

M = TypeVar("M", bound=BaseModel)
V = TypeVar("V")


def read_options(model: type[M], options: Mapping[str, Any]) -> M:
    """Check the options of a game or a table. Raises PositionError naming the key."""
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        detail = error.errors()[0]
        key = told_key(detail["loc"] or ("options",))
        raise PositionError(told_text(detail), code="position/options", key=key) from None


def read_message(adapter: TypeAdapter[V], value: object, key: str) -> V:
    """Read a part of a message, one kind of several by its ``type``. key: where it stands in the message.

    Raises: NotationError naming the key, with a code of ``message/…``.
    """
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        # pydantic puts before the keys which kind it was read as
        code, keys, text = told_failure(detail, [key, *map(str, detail["loc"][1:])])
        raise NotationError(text, code=code, key=keys) from None


def shown(key: object) -> str:
    """Return a key as it may stand in a one-line message."""
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


def read_fields(value: object, key: str, names: tuple[str, ...], optional: tuple[str, ...] = ()) -> Json:
    """Return a JSON object that has just these keys, and maybe the optional ones. Raises PositionError."""
    content = read_object(value, key)
    for name in content:
        if name not in names and name not in optional:
            raise PositionError("unknown key", key=f"{key}.{shown(name)}")
    for name in names:
        if name not in content:
            raise PositionError("missing", key=f"{key}.{name}")
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
    for key in content:
        if key not in required and key not in optional:
            raise PositionError("unknown key", key=shown(key))
    for key in required:
        if key not in content:
            raise PositionError("missing", key=key)


def read_action(
    value: object,
    types: Mapping[str, type[Any]],
    readers: Mapping[str, Callable[[object, str], Any]],
    required: Callable[[type[Any]], frozenset[str]],
    *,
    rule: str,
    renamed: Mapping[str, str] | None = None,
) -> Any:  # noqa: ANN401 - each game has its own actions
    """Read an action, a dataclass by its type. Raises NotationError naming the key.

    readers: by field name; required: the fields that must be there; rule: the one that lists the
    actions; renamed: field names that have another key in JSON.
    """
    if not isinstance(value, dict):
        raise NotationError("an action is a JSON object", key="action")
    cls = types.get(value["type"]) if isinstance(value.get("type"), str) else None
    if cls is None:
        raise NotationError(f"the type of an action is one of {', '.join(types)}", rule=rule, key="type")
    keys = renamed or {}
    known = {keys.get(name, name): name for name in field_names(cls)}  # type: ignore[arg-type]
    kind = value["type"]
    for key in value:
        if key != "type" and key not in known:
            raise NotationError(f"unknown key in a {kind} action", key=str(key)[:40])
    content: dict[str, Any] = {}
    for key, name in known.items():
        if key in value:
            content[name] = readers[name](value[key], key)
        elif name in required(cls):
            raise NotationError(f"missing in a {kind} action", key=key)
    return cls(**content)
