"""The vocabulary of Ekö: spaces, building kinds, and the ten decisions (E12) as JSON and in notation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from ekoes.errors import NotationError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import Scanner, read_action
from ekoes.games.api.values import field_names

if TYPE_CHECKING:
    from collections.abc import Iterable


_SPACE = re.compile(r"(0|-?[1-9][0-9]{0,3}),(0|-?[1-9][0-9]{0,3})", re.ASCII)


class Space(NamedTuple):
    """Axial coordinates of a space of the board (E2.1); written ``q,r``, or by its name (``Names``)."""

    q: int
    r: int

    def __str__(self) -> str:
        return f"{self.q},{self.r}"

    @classmethod
    def parse(cls, text: object, key: str = "space") -> Space:
        """Read ``q,r``. Raises NotationError naming the key (E2.1)."""
        match = _SPACE.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            message = f'a space is written "q,r", for example "-2,1", not {text!r:.40}'
            raise NotationError(message, rule="E2.1", key=key)
        return cls(int(match[1]), int(match[2]))


class Building(StrEnum):
    """The kinds of building, lowest first (E1.3)."""

    CAMP = "camp"
    TOWER = "tower"
    CASTLE = "castle"

    @property
    def level(self) -> int:
        """1 for a camp, 2 for a tower, 3 for a castle; also its points and its cost (E6.3, E11.1)."""
        return BUILDINGS.index(self) + 1


BUILDINGS = tuple(Building)
"""Lowest first: the building of a level is BUILDINGS[level - 1]."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Swap the Emperor with an own disc on a space, or decline (None). Rule: E3.3."""

    type: ClassVar[str] = "swap"
    space: Space | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Place an own disc on an empty sand space in the draft set-up. Rule: E3.4."""

    type: ClassVar[str] = "place"
    space: Space
    emperor: bool = False


@dataclass(frozen=True, slots=True)
class SandTemple:
    """Return one ordinary disc of an enemy stack to its owner's reserve. Rule: E10.5."""

    type: ClassVar[str] = "sandtemple"
    space: Space


@dataclass(frozen=True, slots=True)
class Move:
    """Move, regroup or attack with one stack. Rule: E5, E10.2.

    zones: the tempest zones that take a disc during this move, each by its first space, ascending by space
    index. emperor_lost: whether the Emperor is among the discs lost to them.
    """

    type: ClassVar[str] = "move"
    source: Space
    target: Space
    zones: tuple[Space, ...] = ()
    emperor_lost: bool = False


@dataclass(frozen=True, slots=True)
class Build:
    """Construct a building of a kind on a site with discs of one stack. Rule: E6.

    emperor: whether the Emperor is among the discs spent (E6.4).
    """

    type: ClassVar[str] = "build"
    source: Space
    site: Space
    kind: Building
    emperor: bool = False


@dataclass(frozen=True, slots=True)
class March:
    """Forced march: remove 3 discs of the reserve for one more action. Rule: E7.1."""

    type: ClassVar[str] = "march"


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Return ``count`` discs from the reserve to an own stack.

    emperor: whether the Emperor is among them. Rule: E8, E12.5.
    """

    type: ClassVar[str] = "reinforce"
    space: Space
    count: int
    emperor: bool = False


@dataclass(frozen=True, slots=True)
class Moon:
    """Temple of the Moon: place one disc of the reserve anywhere. Rule: E10.4."""

    type: ClassVar[str] = "moon"
    space: Space
    emperor: bool = False


@dataclass(frozen=True, slots=True)
class Ransom:
    """Exchange the captive Emperor of a player for the own one. Rule: E5.7."""

    type: ClassVar[str] = "ransom"
    captive: int


@dataclass(frozen=True, slots=True)
class End:
    """End the phase without another choice. Rule: E12."""

    type: ClassVar[str] = "end"


Action = Swap | Place | SandTemple | Move | Build | March | Reinforce | Moon | Ransom | End

ACTION_TYPES: dict[str, type[Action]] = {
    cls.type: cls for cls in (Swap, Place, SandTemple, Move, Build, March, Reinforce, Moon, Ransom, End)
}

_JSON_KEY = {"source": "from", "target": "to"}
_LARGEST_COUNT = 99


def action_to_json(action: Action) -> Json:
    """Return an action as JSON, without empty and false keys."""
    value: Json = {"type": action.type}
    for name in field_names(type(action)):  # type: ignore[arg-type] # a type can be hashed
        content = getattr(action, name)
        key = _JSON_KEY.get(name, name)
        if isinstance(content, Space):
            value[key] = str(content)
        elif isinstance(content, Building):
            value[key] = content.value
        elif isinstance(content, tuple):
            if content:
                value[key] = [str(space) for space in content]
        elif content is not None and content is not False:
            value[key] = content
    return value


def action_from_json(value: object) -> Action:
    """Read an action. Raises NotationError naming the key."""
    return read_action(value, ACTION_TYPES, _READERS, rule="E12", renamed=_JSON_KEY)


def _read_flag(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise NotationError("must be true or false", key=key)
    return value


def _read_number(value: object, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LARGEST_COUNT:
        raise NotationError(f"must be a whole number from 0 to {_LARGEST_COUNT}", key=key)
    return value


def _read_kind(value: object, key: str) -> Building:
    if not isinstance(value, str) or value not in BUILDINGS:
        raise NotationError(f"must be one of {', '.join(BUILDINGS)}", rule="E1.3", key=key)
    return Building(value)


def _read_zones(value: object, key: str) -> tuple[Space, ...]:
    if not isinstance(value, list):
        raise NotationError("must be a list of spaces", rule="E10.2", key=key)
    return tuple(Space.parse(space, key) for space in value)


_READERS: dict[str, Any] = {
    "space": Space.parse,
    "source": Space.parse,
    "target": Space.parse,
    "site": Space.parse,
    "zones": _read_zones,
    "emperor": _read_flag,
    "emperor_lost": _read_flag,
    "kind": _read_kind,
    "count": _read_number,
    "captive": _read_number,
}

NAME = r"[A-Za-z]{1,2}[1-9][0-9]{0,3}"
"""A regular expression that matches a name."""

_NAME = re.compile(r"([a-z]{1,2})([1-9][0-9]{0,3})", re.ASCII)
_LETTERS = len(ascii_lowercase)
_ROWS = _LETTERS * (_LETTERS + 1)
_DIAGONALS = 9999


class Names(NamedTuple):
    """The names of the spaces of one board. left: its lowest q; top: its lowest r."""

    left: int
    top: int

    @classmethod
    def of(cls, spaces: Iterable[Space]) -> Names:
        """Return the names for a board of these spaces."""
        known = tuple(spaces)
        return cls(min(space.q for space in known), min(space.r for space in known))

    def write(self, space: Space) -> str:
        """Return the name of a space, ``c5``, or ``q,r`` where letters or numbers do not suffice."""
        row, diagonal = space.r - self.top, space.q - self.left + 1
        if not (0 <= row < _ROWS and 1 <= diagonal <= _DIAGONALS):
            return str(space)
        before, last = divmod(row, _LETTERS)
        return f"{ascii_lowercase[before - 1] if before else ''}{ascii_lowercase[last]}{diagonal}"

    def read(self, text: str, key: str = "space") -> Space:
        """Read ``c5`` or ``q,r``, the inverse of ``write``. Raises NotationError naming the key (E2.1)."""
        match = _NAME.fullmatch(text.lower())
        if match is None:
            return Space.parse(text, key)
        return Space(self.left + int(match[2]) - 1, self.top + _row(match[1]))


def _row(letters: str) -> int:
    row = 0
    for letter in letters:
        row = _LETTERS * row + ord(letter) - ord("a") + 1
    return row - 1


_WRITTEN_SPACE = re.compile(rf"[+-]?[0-9]+\s*,\s*[+-]?[0-9]+|{NAME}", re.ASCII)
_WORDS = ("march", "end", "keep", "swap", "place", "sandtemple", "moon", "ransom")


class _Board(Protocol):
    @property
    def names(self) -> Names: ...


class OnBoard(Protocol):
    """A position of the game."""

    @property
    def layout(self) -> _Board:
        """The board, which names its spaces."""


def format_action(action: Action, position: OnBoard) -> str:
    """Write an action as one word without blanks, the inverse of ``parse_action``.

    position: any position of the game, for the names of the spaces.
    """
    name = position.layout.names.write
    match action:
        case Move(source, target, zones, emperor_lost):
            taken = "".join(f"~{name(zone)}" for zone in zones)
            return f"{name(source)}>{name(target)}{taken}{'-E' * emperor_lost}"
        case Build(source, site, kind, emperor):
            return f"{name(source)}^{name(site)}={kind}{'-E' * emperor}"
        case Reinforce(space, count, emperor):
            return f"{name(space)}+{count}{'E' * emperor}"
        case Place(space, emperor) | Moon(space, emperor):
            return f"{action.type}:{name(space)}{'+E' * emperor}"
        case SandTemple(space):
            return f"sandtemple:{name(space)}"
        case Swap(space):
            return "keep" if space is None else f"swap:{name(space)}"
        case Ransom(captive):
            return f"ransom:{captive}"
        case March() | End():
            return action.type


def parse_action(text: str, position: OnBoard) -> Action:
    """Read an action. Raises NotationError with the problem and the character where it is."""
    scanner = _Scanner(text, position.layout.names)
    action = _stack_action(scanner) if scanner.sees(_WRITTEN_SPACE) else _word_action(scanner)
    scanner.finish()
    return action


def _stack_action(scanner: _Scanner) -> Action:
    """Read an action that begins with the space of a stack: move, construct, reinforce."""
    source = scanner.space()
    if scanner.accept(">"):
        target = scanner.space()
        zones: list[Space] = []
        while scanner.accept("~"):
            zones.append(scanner.space())
        return Move(source, target, tuple(zones), emperor_lost=scanner.emperor("-"))
    if scanner.accept("^"):
        site = scanner.space()
        scanner.expect("=", "'=' and a building kind")
        return Build(source, site, scanner.kind(), emperor=scanner.emperor("-"))
    if scanner.accept("+"):
        count = scanner.number("the number of discs")
        return Reinforce(source, count, emperor=scanner.accept("E"))
    raise scanner.failure("'>' (move), '^' (construct) or '+' (reinforce)")


def _word_action(scanner: _Scanner) -> Action:
    """Read an action that begins with a word."""
    word = scanner.word(_WORDS, f"a space, as in b4>d6, or one of {', '.join(_WORDS)}")
    match word:
        case "march":
            return March()
        case "end":
            return End()
        case "keep":
            return Swap()
    scanner.accept(":")
    match word:
        case "ransom":
            return Ransom(scanner.number("the seat of a captive"))
        case "swap":
            return Swap(scanner.space())
        case "sandtemple":
            return SandTemple(scanner.space())
        case "place":
            return Place(scanner.space(), emperor=scanner.emperor("+"))
        case _:
            return Moon(scanner.space(), emperor=scanner.emperor("+"))


class _Scanner(Scanner):
    """Scans the parts of Ekö's notation."""

    def __init__(self, text: str, names: Names) -> None:
        super().__init__(text)
        self.names = names

    def emperor(self, sign: str) -> bool:
        """Skip the Emperor's mark if it comes next. Return whether it did."""
        if not self.accept(sign):
            return False
        self.expect("E", "'E', the mark of the Emperor")
        return True

    def space(self) -> Space:
        """Read a space (E2.1)."""
        start = self.at
        text = self.take(_WRITTEN_SPACE, "a space, such as c5")
        try:
            return self.names.read("".join(text.split()))
        except NotationError as error:
            self.at = start
            raise self.failure("a space, such as c5") from error

    def kind(self) -> Building:
        """Read a building kind (E1.3)."""
        kinds = ", ".join(BUILDINGS)
        return Building(self.word(BUILDINGS, f"a building kind: {kinds}"))
