"""What every game offers to the rest of the program, and all that the rest may know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ekoes.games.chance import Chance

__all__ = ["CHANCE", "Action", "Game", "Json", "Outcome", "Position", "Refusal"]

CHANCE = -1
"""The seat of chance: where it is asked, the table decides, by ``Position.chance_action``."""

Json = dict[str, Any]
"""A JSON object as ``json.loads`` makes it."""


class Action(Protocol):
    """A frozen, hashable value: one decision of one seat."""

    def __hash__(self) -> int:
        """Equal actions hash alike."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (nobody: empty), why, and by which rule.

    reason is a stable word such as ``points``; rule a rule number such as ``E11.2``.
    """

    winners: tuple[int, ...]
    reason: str
    rule: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not possible: a stable code, the rule and an English sentence."""

    code: str
    rule: str
    message: str

    def __str__(self) -> str:
        """Rule and sentence on one line."""
        return f"{self.rule}: {self.message}"


class Position(Protocol):
    """A state of a game, immutable for whoever holds it."""

    @property
    def game(self) -> Game:
        """The game this is a position of."""

    @property
    def players(self) -> int:
        """The number of seats; seats are 0 … players-1, clockwise."""

    def actors(self) -> tuple[int, ...]:
        """The seats that may decide now, ``CHANCE`` among them; empty when the game is over."""

    def legal(self, seat: int) -> Sequence[Any]:
        """All legal actions of a seat, in no meaningful order; empty if it isn't asked."""

    def seat_of(self, action: Any) -> int:  # noqa: ANN401
        """The seat whose action this would be, where nothing but the action is known."""

    def play(self, seat: int, action: Any) -> Position:  # noqa: ANN401 - each game has its own actions
        """Return the position after the action. Raises IllegalActionError naming the rule."""

    def why_not(self, seat: int, action: Any) -> Refusal | None:  # noqa: ANN401
        """Explain why an action is illegal; None if it is legal."""

    def chance_action(self, chance: Chance) -> Any:  # noqa: ANN401
        """Draw what chance decides where ``CHANCE`` is asked. Raises IllegalActionError elsewhere."""

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def view(self, eye: int | None) -> Json:
        """What a seat (None: a spectator) may see, as JSON; all that ever leaves the server."""

    def to_json(self) -> Json:
        """The complete position in the interchange form."""


class Game(Protocol):
    """A game: how positions begin and how they and their actions are written."""

    @property
    def name(self) -> str:
        """The machine name, such as ``eko``."""

    @property
    def players(self) -> range:
        """The possible numbers of players."""

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        """Return the first position; equal options and seed give equal positions."""

    def from_json(self, value: object) -> Position:
        """Read a position. Raises PositionError, LayoutError or NotationError naming the key."""

    def parse_action(self, value: object) -> Any:  # noqa: ANN401
        """Read an action from JSON. Raises NotationError naming the key."""

    def action_to_json(self, action: Any) -> Json:  # noqa: ANN401
        """Write an action as JSON, the inverse of ``parse_action``."""
