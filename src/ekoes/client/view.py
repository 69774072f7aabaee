"""A table as its reader sees it at a moment: a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ekoes.games.contract import Json, Position
from ekoes.games.registry import game
from ekoes.match.updates import seen

__all__ = ["Seat", "View"]


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. bot: the server's own that plays there; program: an account's own program does."""

    name: str
    bot: str | None
    taken: bool
    yours: bool
    online: bool
    program: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """A table at a version. table: the message that shows it whole, as the updates since have left it."""

    table: Json

    @property
    def id(self) -> str:
        """The table's id."""
        return str(self.table["id"])

    @property
    def game(self) -> str:
        """The name of its game."""
        return str(self.table["game"])

    @property
    def version(self) -> int:
        """The number of orders that have changed the game; orders name it."""
        return int(self.table["version"])

    @property
    def state(self) -> Json:
        """The state, with what the reader's own seats see laid over it."""
        return seen(self.table)

    @property
    def log(self) -> list[Json]:
        """What happened so far, in order."""
        log: list[Json] = self.table["log"]
        return log

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in order."""
        keys = Seat.__dataclass_fields__
        return tuple(Seat(**{key: told[key] for key in keys if key in told}) for told in self.table["seats"])

    @property
    def own(self) -> tuple[int, ...]:
        """The reader's seats."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.yours)

    @property
    def is_started(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.taken for seat in self.seats)

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or goes on at another table."""
        rematch = self.table["state"].get("rematch") or {}
        return self.table["state"].get("outcome") is not None or bool(rematch.get("table"))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; nobody while the game goes on."""
        return tuple((self.table["state"].get("outcome") or {}).get("winners", ()))

    @property
    def asked(self) -> tuple[int, ...]:
        """The reader's seats that may decide now, where one decides after the other."""
        return tuple(seat for seat in self.table["state"].get("asked", ()) if seat in self.own)

    @property
    def position(self) -> Position:
        """The position, where everybody sees all of it. Raises PositionError elsewhere."""
        return game(self.game).from_json(self.state["position"])

    def legal(self, seat: int) -> list[Json]:
        """Return what a seat may do, where everybody sees all of the position. Raises PositionError."""
        position: Any = self.position
        return [position.game.action_to_json(action) for action in position.legal(seat)]
