"""JSON taken at its word, wherever somebody's JSON is read: files, lines, tags, messages, requests."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from ekoes.errors import NotationError

__all__ = ["parse_json"]


def parse_json(text: str) -> Any:  # noqa: ANN401 - JSON is anything
    """Read one JSON value strictly: no key twice, no NaN. Raises NotationError with line and column."""
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise NotationError(f"not JSON: line {error.lineno}, column {error.colno} does not fit") from error
    except ValueError as error:  # a whole number of thousands of digits
        raise NotationError("not JSON that can be used: a number is too long") from error
    except RecursionError as error:
        raise NotationError("not JSON that can be used: nested too deeply") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, content in pairs:
        if key in value:
            raise NotationError("stands twice in one object", key=key[:40])
        value[key] = content
    return value


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise NotationError("not JSON that can be used: a number is too large")
    return number


def _refuse_constant(word: str) -> NoReturn:
    raise NotationError(f"not JSON: {word} is no number")
