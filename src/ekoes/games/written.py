"""JSON that is written once, however many texts it goes into."""

from __future__ import annotations

from typing import Any

import orjson

__all__ = ["Written", "canonical", "copied"]


class Written(dict[str, Any]):
    """A JSON object that nobody changes any more. Its canonical text is made when it is first asked for."""

    __slots__ = ("_text",)

    _text: orjson.Fragment

    @property
    def text(self) -> orjson.Fragment:
        """The object's canonical text, as it goes into others."""
        try:
            return self._text
        except AttributeError:
            self._text = orjson.Fragment(canonical(dict(self)))
            return self._text


def canonical(value: Any) -> bytes:  # noqa: ANN401 - JSON is anything
    """Write JSON so that equal values give equal text: compact, keys sorted, in UTF-8."""
    return orjson.dumps(value, _text_of, orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_SUBCLASS)


def _text_of(value: object) -> orjson.Fragment:
    if isinstance(value, Written):
        return value.text
    raise TypeError(f"{type(value).__name__} is no JSON")


def copied(value: Any) -> Any:  # noqa: ANN401 - JSON is anything
    """Return JSON that may be changed in one place, though the value has the same object in several.

    ``copy.deepcopy`` would keep those one.
    """
    if isinstance(value, dict):
        return {key: copied(content) for key, content in value.items()}
    return [*map(copied, value)] if isinstance(value, list) else value
