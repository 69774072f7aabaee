"""Values of a live table that are written once, however often the table that holds them is stored."""

from __future__ import annotations

from typing import Any

import orjson

from ekoes.games.contract import Json

__all__ = ["Kept", "plain_json"]


class Kept:
    """The base of a frozen dataclass: a table keeps it from order to order, and writes itself each time."""

    __slots__ = ("_json",)
    _json: Json

    @property
    def json(self) -> Json:
        """The value as JSON; nobody changes it."""
        try:
            return self._json
        except AttributeError:
            object.__setattr__(self, "_json", plain_json(self))
            return self._json


def plain_json(value: Any) -> Any:  # noqa: ANN401 - values, moments and all that is made of them
    """Return a value as JSON has it."""
    return orjson.loads(orjson.dumps(value, option=orjson.OPT_UTC_Z))
