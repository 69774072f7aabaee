"""Types shared by games and tables: options, pictures, steps of a race, decisions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from ekoes.games.api.contract import Json, Outcome, Position
from ekoes.games.api.registry import load

P_contra = TypeVar("P_contra", contravariant=True)

_LIMITS = (("least", "minimum"), ("most", "maximum"), ("values", "enum"))
"""(our key, the key of JSON Schema)."""


def fields_about(model: type[BaseModel], besides: Collection[str] = ()) -> Json:
    """Describe the fields of a model, some excepted.

    Returns: by name ``default`` unless it is mandatory, and where they apply ``least`` and ``most``,
    ``values``, ``several`` (a list of the values), ``null`` (nullable), ``fields`` (of an object).
    """
    schema = model.model_json_schema()
    models = schema.get("$defs", {})
    return {
        name: _about(field, models) for name, field in schema["properties"].items() if name not in besides
    }


def _about(field: Json, models: Json) -> Json:
    kinds = [_of(kind, models) for kind in field.get("anyOf", [field])]
    about: Json = {"default": field["default"]} if "default" in field else {}
    for kind in kinds:
        values = kind.get("items", kind)
        about |= {word: values[key] for word, key in _LIMITS if key in values}
        if "properties" in kind:
            about["fields"] = {name: _about(inner, models) for name, inner in kind["properties"].items()}
        if "enum" in kind.get("items", ()):
            about["several"] = True
    return about | ({"null": True} if {"type": "null"} in kinds else {})


def _of(kind: Json, models: Json) -> Json:
    """Return a schema with a reference to a model resolved."""
    name = kind.get("$ref", "").rpartition("/")[2]
    found: Json = models.get(name, kind)
    return found


WIDTH, HEIGHT = 1200, 630
"""The size of preview pictures for links."""
FONT = "DejaVu Sans"
"""The font of pictures, part of the package."""
_ADVANCE = 0.67
"""Upper estimate of a character's width relative to the font size."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """A player in a picture."""

    name: str
    colour: int
    won: bool


class Picturing(Protocol[P_contra]):
    """The preview pictures of a game (``Parts.picture``)."""

    def preview(self, position: P_contra, shown: Json, sitters: Sequence[Sitter]) -> str:
        """Draw a position as SVG. shown: the view of a spectator; the picture shows nothing else."""


def document(ground: str, definitions: str, content: str) -> str:
    """Return an SVG document. ground: background colour."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="{FONT}" font-weight="700">'
        f"<defs>{definitions}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{ground}"/>{content}</svg>'
    )


def text(words: str, at: tuple[float, float], size: float, fill: str, room: float | None = None) -> str:
    """Return a line of user text, truncated to a width. at: left end of the baseline."""
    most = len(words) if room is None else max(1, int(room / (size * _ADVANCE)))
    shown = words if len(words) <= most else f"{words[: most - 1]}…"
    plain = "".join(sign for sign in shown if sign.isprintable())
    return f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size:g}" fill="{fill}">{escape(plain)}</text>'


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a bot. asks: a word of the game; at: the delay counts from here.

    number: unique to the question; the bot's chance is seeded by it.
    """

    asks: str
    at: datetime
    number: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """The arrival of an intent at a race (K7.2).

    at: milliseconds since the table began. saw: the card that the player saw. behind: of a late intent, by
    how many milliseconds another was quicker. is_clock: decided by the clock (K7.5).
    """

    at: int
    saw: int | None = None
    behind: int | None = None
    is_clock: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a seat, or of the table (seat ``CHANCE``).

    action: of the game, or a remark of its book. milliseconds: how long it took, if known. arrival: in races.
    """

    seat: int
    action: Any
    milliseconds: int | None = None
    arrival: Arrival | None = None


@dataclass(frozen=True, slots=True)
class History:
    """The past of a game of turns, as far as it may end the game.

    begun: what repetition compares of the positions that have begun a turn, the first of the game among them;
    none in a game without repetition. turn_limit: the last turn, if any. ended: the outcome, if a
    repetition, the turn limit or the players (as by resignation) have ended the game.
    """

    begun: tuple[bytes, ...] = ()
    turn_limit: int | None = None
    ended: Outcome | None = None

    @classmethod
    def of(cls, start: Position, turn_limit: int | None = None) -> History:
        """Return that of the first position of a game."""
        return cls(_identity(start), turn_limit)

    def then(self, before: Position, after: Position) -> History:
        """Return that of a position after a decision in another one."""
        ends = after.game.table_ends
        if ends.repetition is None and ends.turn_limit is None:
            return self
        turn = _presenter(after).turn(after)
        if turn == _presenter(after).turn(before):
            return self
        begun = self.begun + _identity(after)
        return replace(self, begun=begun, ended=ends.outcome(begun, turn.number, self.turn_limit))

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome of the game, by its rules of play or by how it came here; None: it goes on."""
        return position.outcome() or self.ended


def _identity(position: Position) -> tuple[bytes, ...]:
    """Return what repetition compares of a position that begins a turn, if it counts there."""
    identity = _presenter(position).identity(position) if position.game.table_ends.repetition else None
    return () if identity is None else (identity,)


def _presenter(position: Position) -> Any:  # noqa: ANN401 - of a game of turns
    return load(position.game.parts.presenter)


@dataclass(frozen=True, slots=True)
class Variation:
    """A variation of a search, and each player's chance to win after it.

    iterations: visits of the first action, also in searches of earlier positions. proven: the value is
    certain.
    """

    actions: tuple[Any, ...]
    value: tuple[float, ...]
    iterations: int
    proven: bool = False
