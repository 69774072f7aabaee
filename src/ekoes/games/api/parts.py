"""Parts that a game may have beside its rules: protocols, named as in ``Parts``, and the bot ``random``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, Literal, NamedTuple, Protocol

from typing_extensions import TypeVar

from ekoes.errors import PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.reading import read_flag, read_object, read_whole, shown

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True, default=Any)
A_contra = TypeVar("A_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True, default=Any)
Board = TypeVar("Board")
P = TypeVar("P")
P_contra = TypeVar("P_contra", contravariant=True)
Tally = TypeVar("Tally")


class Named(NamedTuple):
    """A named layout. title, text: by language. report: of its fairness, without the heat map."""

    name: str
    title: dict[str, str]
    text: dict[str, str]
    players: int
    variants: list[str]
    tiles: list[Any]
    report: Json


class Boards(Protocol[Board, Tally]):
    """The boards of a game, named and judged (``Parts.boards``).

    Boards and tallies are the game's own; they and the functions are picklable.
    """

    def named_layouts(self) -> Sequence[Named]:
        """Return the named layouts, those for fewer players first."""

    def draw_layout(self, layout: Named) -> str:
        """Return a picture of a named layout as SVG."""

    def read_board(self, value: object) -> Board:
        """Read a board from JSON. Raises EkoesError."""

    def deals_for(self, board: Board, games: int) -> int:
        """Return how many deals give at least so many games."""

    def play_deal(self, board: Board, n: int, seed: int) -> Tally:
        """Return a tally of the games of deal ``n``, with an attribute ``games``: their number."""

    def report(self, board: Board, tallies: Sequence[Tally], seed: int) -> Json:
        """Return the report of the fairness of a board."""


Verdict = Literal["right", "wrong", "open"]
"""The verdict on an answer: the aim is reached, out of reach, or within reach."""


class Listed(NamedTuple):
    """A puzzle in the list. theme: a word of the game. difficulty: from 1 to 5."""

    theme: str
    difficulty: int


class Puzzle(Protocol[P]):
    """A puzzle. seat: of the solver, who is to move. solution: the solver's decisions as notations."""

    @property
    def seat(self) -> int: ...  # noqa: D102 - as above

    @property
    def position(self) -> P: ...  # noqa: D102

    @property
    def solution(self) -> Sequence[str]: ...  # noqa: D102

    def judge(self, now: P) -> Verdict:
        """Return the verdict on the position after some decisions of the solver."""


class Puzzles(Protocol[P]):
    """The puzzles of a game, positions with exactly one solution (``Parts.puzzles``).

    THEMES: words of the game.
    """

    THEMES: Sequence[str]

    def listed(self) -> Mapping[str, Listed]:
        """Return all puzzles by name, in a fixed order that mixes themes and difficulties."""

    def puzzle(self, name: str) -> Puzzle[P]:
        """Return a puzzle that is listed."""


WIN = 12
"""The parts of a win; its shares for two, three and four winners are whole numbers."""


class OpeningEntry(NamedTuple):
    """A decision of a game at a moment of its opening. gist: what is the same of it in other games."""

    moment: str
    gist: str


@dataclass(slots=True)
class Score:
    """The results of games. wins: by place in the order of turns, in twelfths; a shared win is divided.

    A game without a winner adds to no place.
    """

    games: int = 0
    wins: list[int] = field(default_factory=list)

    def add(self, winners: Sequence[int], players: int, games: int = 1) -> None:
        """Add games with equal results. winners: by place in the order of turns."""
        self.wins += [0] * (players - len(self.wins))
        self.games += games
        for place in winners:
            self.wins[place] += games * WIN // len(winners)


@dataclass(frozen=True, slots=True)
class Played:
    """The moves played at a moment of the opening. games: that came to it; scores: by gist."""

    games: int
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Games of bots. level: of the bots; moments: what was played, by moment."""

    level: str
    moments: Mapping[str, Played]


class Openings(Protocol[P_contra, A_contra]):
    """Compares openings of a game (``Parts.openings``). Positions and actions are of that game."""

    def moments(self, position: P_contra) -> Sequence[str]:
        """Return the moment of a position, from narrow to wide; none: it is not of an opening."""

    def gists(self, position: P_contra, action: A_contra) -> Sequence[str]:
        """Return the gist of a legal decision at each of the moments."""

    def place(self, position: P_contra, seat: int) -> int:
        """Return the place of a seat in the order of turns, from 0."""

    def entries(self, start: P_contra, decisions: Iterable[Any]) -> list[OpeningEntry]:
        """Return the entries of a game, each once, ascending; none for a game that begins later."""

    def self_play(self) -> SelfPlay:
        """Return the games of bots that come with the package."""


GoalCheck = Callable[[Any, object, str], None]
"""(position, value, key for errors): checks the value of a goal. Raises PositionError."""

_MOST_TIMES = 40


def did(words: Collection[str]) -> GoalCheck:
    """Return the check of goals that count the learner's actions by word. words: of the game."""

    def check(_position: object, value: object, key: str) -> None:
        for word, times in read_object(value, key).items():
            if word not in words:
                raise PositionError(f"must be one of {', '.join(words)}", key=f"{key}.{shown(word)}")
            read_whole(times, f"{key}.{word}", 1, _MOST_TIMES, "lesson")

    return check


def is_true(_position: object, value: object, key: str) -> None:
    """Check a goal without details, such as a win: its value is true. Raises PositionError."""
    if not read_flag(value, key):
        raise PositionError("must be true", key=key)


class Teaching(Protocol[P_contra]):
    """The lessons of a game (``Parts.teaching``), which ``ekoes.tables.lessons`` reads and pages play."""

    @property
    def folder(self) -> Traversable:
        """The folder of the lessons, ordered by file name."""

    @property
    def goals(self) -> Mapping[str, GoalCheck]:
        """The possible keys of a goal; a goal is reached when all its keys are."""

    def named(self, position: P_contra, text: str) -> str:
        """Return the text of a placeholder. Raises EkoesError."""

    def check_mark(self, position: P_contra, mark: object) -> None:
        """Check a mark, to be highlighted on the board. Raises EkoesError."""


class Chooser(Protocol[S_contra, A_co]):
    """Anything that chooses actions: a bot, or what stands for one."""

    def choose(self, position: S_contra, seat: int, chance: Chance, /) -> A_co:
        """Return a legal action for a seat to move; the same chance gives the same one.

        position: ``Position.sight(seat)``, or the position itself.
        """


class RandomBot:
    """Chooses uniformly from the legal actions; for any game without hidden information."""

    name = "random"

    def choose(self, position: Position[A], seat: int, chance: Chance) -> A:
        """Return one of the legal actions of a seat that is asked."""
        return chance.choice(position.legal(seat))


RANDOM = RandomBot()
