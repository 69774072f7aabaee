"""A table as it stands, as the store keeps it: two texts, and the digest by which states are compared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import blake2b

import orjson

from ekoes.games.contract import Json
from ekoes.games.written import canonical
from ekoes.match.kinds import kind_of
from ekoes.match.state import Table

__all__ = ["State", "compact", "shown"]

_CLOCK = "clock"
_DELETE = b"\x7f"
"""The one character of ASCII that json writes with an escape and orjson without."""


@dataclass(frozen=True, slots=True)
class State:
    """A whole table without its log.

    game: canonical JSON of all that orders decide; clock: JSON of what clocks count from, which begins
    anew after a server was away; None where nothing runs.
    """

    game: str
    clock: str | None = None

    @classmethod
    def of(cls, table: Table) -> State:
        """Write a table."""
        value = kind_of(table.game).to_state(table)
        clock = value.pop(_CLOCK, None)
        return cls(compact(value), None if clock is None else compact(clock))

    @property
    def digest(self) -> str:
        """The same for states in which nothing that was decided differs."""
        return blake2b(self.game.encode(), digest_size=16).hexdigest()

    def table(self) -> Table:
        """Read the table; its log is empty. Raises EkoesError, and what a text that is no state leads to."""
        value = orjson.loads(self.game)
        if self.clock is not None:
            value[_CLOCK] = orjson.loads(self.clock)
        table: Table = kind_of(value["game"]).from_state(value)
        return table


def compact(value: Json) -> str:
    """Write JSON so that equal values give equal text, in ASCII."""
    return _ascii(canonical(value)) or json.dumps(value, separators=(",", ":"), sort_keys=True)


def shown(value: Json) -> str:
    """Write JSON as it goes over the wire, in ASCII."""
    return _ascii(orjson.dumps(value)) or json.dumps(value, separators=(",", ":"))


def _ascii(text: bytes) -> str | None:
    """Return the text of JSON; None where it would need escapes."""
    return text.decode("ascii") if text.isascii() and _DELETE not in text else None
