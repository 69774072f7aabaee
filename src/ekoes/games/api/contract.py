"""The contract that every game fulfils: ``Game``, ``Position``, ``Parts``, refusals and outcomes.

The rest of the program knows games through these types alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, Protocol, Self

from typing_extensions import TypeVar  # with a default: a position without types is one of any game

from ekoes.errors import IllegalActionError
from ekoes.games.api.chance import Chance

CHANCE = -1
"""The seat of chance, for which the table decides by ``Position.chance_action``."""

Json = dict[str, Any]
"""A JSON object as ``json.loads`` makes it."""


class Action(Protocol):
    """A frozen, hashable value: one decision of one seat."""

    def __hash__(self) -> int:
        """Equal actions hash alike."""


A = TypeVar("A", default=Any)
S_co = TypeVar("S_co", covariant=True, default=Any)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game. winners: seats, empty for none; reason: a stable word; rule: like ``E11.2``."""

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
    """The turn of a decision: its number and its player."""

    number: int
    player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEnds:
    """The rules by which a table may end a game beside the rules of play; None: not possible.

    repetitions: how often a position has to begin a turn. longest: the turn limit of tables of bots.
    """

    resignation: str | None = None
    time: str | None = None
    agreement: str | None = None
    repetition: str | None = None
    turn_limit: str | None = None
    repetitions: int = 3
    longest: int = 400

    def outcome(self, begun: Sequence[bytes], number: int, turn_limit: int | None) -> Outcome | None:
        """Return the outcome if a repetition or a turn limit ends the game as a turn begins.

        begun: what is compared of the positions that have begun a turn (``History``). number: of this turn.
        """
        if self.repetition and begun and begun.count(begun[-1]) >= self.repetitions:
            return Outcome((), "repetition", self.repetition)
        if self.turn_limit and turn_limit is not None and number > turn_limit:
            return Outcome((), "turn-limit", self.turn_limit)
        return None

    def rules(self) -> dict[str, str]:
        """Return reason -> rule, with the reasons of records."""
        rules = {name.replace("_", "-"): rule for name, rule in asdict(self).items()}
        return {reason: rule for reason, rule in rules.items() if isinstance(rule, str)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a game beside its rules.

    Each part is ``module:ATTRIBUTE`` or a module, imported on first use (``ekoes.games.api.registry.load``).
    The protocols are named here, or are in ``ekoes.games.api.parts``.

    table: the kind of table, ``turns`` or ``race`` (``ekoes.tables``). presenter: its adapter for tables.
    book: for records (``ekoes.records.referee.Book``). notation: a module with ``parse_action`` and
    ``format_action``. bots: name -> bot, weakest first (``ekoes.bots.Bot``). stand_in: the default bot.
    hidden: reads views, for games with hidden information (``ekoes.bots.Hidden``). afar: reads the
    messages of a race (``ekoes.client.bridge``). show: positions as text for a terminal. picture: preview
    pictures (``ekoes.games.api.table.Picturing``). playouts: random games. perft: counts sequences of
    decisions. warm: compiles kernels. analysis: begins a search (``ekoes.bots.Search``). sequence:
    makes decisions one after the other of a race (``ekoes.tables.analysis_board.SequencePart``). review:
    reviews finished games (``ekoes.records.review.Reviewer``). teaching: lessons. puzzles.
    has_exercises, has_editor: the page has some, or one for boards and positions. boards: named layouts and
    reports of fairness. openings.
    """

    table: Literal["turns", "race"]
    presenter: str
    book: str
    notation: str
    bots: Mapping[str, str]
    stand_in: str
    hidden: str | None = None
    afar: str | None = None
    show: str | None = None
    picture: str | None = None
    playouts: str | None = None
    perft: str | None = None
    warm: str | None = None
    analysis: str | None = None
    sequence: str | None = None
    review: str | None = None
    teaching: str | None = None
    puzzles: str | None = None
    has_exercises: bool = False
    has_editor: bool = False
    boards: str | None = None
    openings: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a bot: an action as JSON, or None.

    delay: the milliseconds that a human would have taken, in races.
    """

    action: Json | None
    delay: int = 0


class Position(Protocol[A, S_co]):
    """An immutable state of a game, generic over its actions and over what ``sight`` returns."""

    @property
    def game(self) -> Game:
        """The game this is a position of."""

    @property
    def players(self) -> int:
        """The number of seats; seats are 0 … players-1, clockwise."""

    def actors(self) -> tuple[int, ...]:
        """The seats to move, perhaps ``CHANCE``; empty when the game is over."""

    def legal(self, seat: int) -> Sequence[A]:
        """All legal actions of a seat, in no particular order; empty if it is not to move."""

    def seat_of(self, action: A) -> int:
        """The seat of an action whose seat is not given."""

    def play(self, seat: int, action: A) -> Self:
        """Return the position after the action. Raises IllegalActionError naming the rule."""

    def why_not(self, seat: int, action: A) -> Refusal | None:
        """Explain why an action is illegal; None if it is legal."""

    def chance_action(self, chance: Chance) -> A:
        """Draw an action of ``CHANCE``. Raises IllegalActionError if it is not to move."""

    def outcome(self) -> Outcome | None:
        """The outcome, None while the game goes on."""

    def sight(self, seat: int) -> S_co:
        """Return all that a bot at a seat may know, picklable; the position itself if nothing is hidden."""

    def view(self, eye: int | None) -> Json:
        """Return the view of a seat (None: of a spectator) as JSON; nothing else leaves the server."""

    def to_json(self) -> Json:
        """The complete position in the interchange form."""

    def to_state(self) -> Json:
        """The position for storage, with what the interchange form leaves out."""


P_co = TypeVar("P_co", bound=Position, covariant=True, default=Position)


class Game(Protocol[P_co, A]):
    """A game: first positions, and the JSON of positions and actions."""

    @property
    def name(self) -> str:
        """The identifier in lower case, as in commands, files and the protocol."""

    @property
    def title(self) -> str:
        """The name for people with the kind of game, such as ``Ekö, the board game``."""

    @property
    def rules_version(self) -> str:
        """The version of the rules, changed whenever a position could be judged differently."""

    @property
    def players(self) -> range:
        """The possible numbers of players."""

    @property
    def table_ends(self) -> TableEnds:
        """How a table may end the game."""

    @property
    def parts(self) -> Parts:
        """The parts of the game beside its rules."""

    def new(self, options: Mapping[str, Any], seed: int) -> P_co:
        """Return the first position; equal options and seed give equal positions."""

    def from_json(self, value: object) -> P_co:
        """Read a position. Raises PositionError, LayoutError or NotationError naming the key."""

    def from_state(self, value: Json) -> P_co:
        """Read what ``Position.to_state`` wrote. Raises PositionError, LayoutError or NotationError."""

    def parse_action(self, value: object) -> A:
        """Read an action from JSON. Raises NotationError naming the key."""

    def action_to_json(self, action: A) -> Json:
        """Write an action as JSON, the inverse of ``parse_action``."""


class RefusedError(IllegalActionError):
    """The rules do not allow this action now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message, rule=refusal.rule)
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[RefusedError], tuple[Refusal]]:
        """Worker processes send it."""
        return type(self), (self.refusal,)
