"""What every game offers to the rest of the program, and all that the rest may know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from ekoes.games.chance import Chance

__all__ = [
    "CHANCE",
    "Action",
    "Answer",
    "Game",
    "Json",
    "Outcome",
    "Parts",
    "Position",
    "Refusal",
    "TableEnds",
    "Turn",
]

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


class Turn(NamedTuple):
    """Which turn a decision belongs to: its number and whose it is."""

    number: int
    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEnds:
    """How a table may end a game that its rules of play alone would not: the rule of each, None: not at all.

    repetitions: how often a position has to begin a turn. longest: the turn limit of a table where
    nobody but bots sits.
    """

    resignation: str | None = None
    time: str | None = None
    agreement: str | None = None
    repetition: str | None = None
    turn_limit: str | None = None
    repetitions: int = 3
    longest: int = 400

    def rules(self) -> dict[str, str]:
        """Return reason -> rule, the reasons in the words of the records."""
        named = {
            "resignation": self.resignation,
            "time": self.time,
            "agreement": self.agreement,
            "repetition": self.repetition,
            "turn-limit": self.turn_limit,
        }
        return {reason: rule for reason, rule in named.items() if rule is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a game brings beside its rules, and where it lies.

    Each part is ``module:ATTRIBUTE`` or a module, imported when somebody first asks for it
    (``ekoes.games.registry.load``). What a part has to offer is a protocol of the layer that uses it.

    table: at which kind of table it is played, ``turns`` or ``race`` (``ekoes.match``). presenter: how
    a table shows it. book: how its records are written (``ekoes.record.book``). notation: a module
    with ``parse_action`` and ``format_action``, given a position of the game besides. bots: name ->
    player, weakest first (``ekoes.bots.Bot``); former_bots: those that are offered no more, but that
    tables, records and plans may name. stand_in: the bot of a seat that names none. hidden:
    where a seat does not see everything, how its view is read (``ekoes.bots.sight``). afar: where the
    quicker hand wins, what a program makes of what its table tells (``ekoes.client.afar``). show: positions
    as text for a terminal. picture: how it looks to who has not come yet (``ekoes.games.picturing``).
    playouts: random games at kernel speed. perft: counts sequences of decisions. warm: what has to be
    compiled. teaching: what its lessons need (``ekoes.games.teaching``). advice: hints for beginners
    (``ekoes.games.teaching``). analysis: begins a search of a position (``ekoes.bots.analysis.Search``).
    commands: its own commands beside those of every game, word -> module (``ekoes.cli``).
    """

    table: Literal["turns", "race"]
    presenter: str
    book: str
    notation: str
    bots: Mapping[str, str]
    stand_in: str
    former_bots: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    hidden: str | None = None
    afar: str | None = None
    show: str | None = None
    picture: str | None = None
    playouts: str | None = None
    perft: str | None = None
    warm: str | None = None
    teaching: str | None = None
    advice: str | None = None
    analysis: str | None = None
    commands: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player that is a program wants to do: an action as JSON, or None: nothing.

    delay: how long a person would have taken for it, in milliseconds, where haste counts.
    """

    action: Json | None
    delay: int = 0


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

    def sight(self, seat: int) -> Any:  # noqa: ANN401
        """Return what a program that decides for a seat may know, picklable; all that a bot is given.

        Where nothing is hidden that is the position itself.
        """

    def view(self, eye: int | None) -> Json:
        """What a seat (None: a spectator) may see, as JSON; all that ever leaves the server."""

    def to_json(self) -> Json:
        """The complete position in the interchange form."""

    def to_state(self) -> Json:
        """The position with all that the interchange form leaves out, as tables keep it."""


class Game(Protocol):
    """A game: how positions begin and how they and their actions are written."""

    @property
    def name(self) -> str:
        """The machine name, in lower case: of commands, files, and on the wire."""

    @property
    def title(self) -> str:
        """The name as people write it, and what kind of game it is, such as ``Ekö, the board game``."""

    @property
    def rules_version(self) -> str:
        """The version of the rules as they are judged here; another judgement is another version."""

    @property
    def players(self) -> range:
        """The possible numbers of players."""

    @property
    def table_ends(self) -> TableEnds:
        """How a table may end the game."""

    @property
    def parts(self) -> Parts:
        """What the game brings beside its rules."""

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        """Return the first position; equal options and seed give equal positions."""

    def from_json(self, value: object) -> Position:
        """Read a position. Raises PositionError, LayoutError or NotationError naming the key."""

    def from_state(self, value: Json) -> Position:
        """Read what ``Position.to_state`` wrote. Raises PositionError, LayoutError or NotationError."""

    def parse_action(self, value: object) -> Any:  # noqa: ANN401
        """Read an action from JSON. Raises NotationError naming the key."""

    def action_to_json(self, action: Any) -> Json:  # noqa: ANN401
        """Write an action as JSON, the inverse of ``parse_action``."""
