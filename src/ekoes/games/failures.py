"""What pydantic complains about, in our words: none of its own sentences leaves the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic_core import ErrorDetails

__all__ = ["TEXTS", "UNTOLD", "told_failure", "told_key", "told_text"]

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
    "int_parsing_size": "must be a whole number, and not that long",
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
"""A sentence for each kind of failure that our models know; a test finds those that are left out."""

UNTOLD: Final = "does not fit here"
"""Said of any other kind."""


def told_text(detail: ErrorDetails) -> str:
    """Return the sentence for a failure."""
    return TEXTS.get(detail["type"], UNTOLD).format_map(detail.get("ctx", {}))


def told_key(parts: Sequence[Any]) -> str | None:
    """Return how a message names the value at fault; None: the whole."""
    return ".".join(str(part)[:40] for part in parts)[:_LONGEST_KEY] if parts else None


def told_failure(detail: ErrorDetails, keys: Sequence[str]) -> tuple[str, str | None, str]:
    """Return code, key and sentence for what is wrong with a message. keys: down to the value."""
    kind = detail["type"]
    if kind in {"union_tag_invalid", "union_tag_not_found"}:
        keys = [*keys, "type"]
    elif kind == "json_invalid":
        keys = []
    return _CODES.get(kind, "message/bad-type"), told_key(keys), told_text(detail)
