"""A game record: one game in one text file that people can read, checked by replay when it is read.

::

    [Game "eko"]
    [Format "1"]
    [Date "2026-05-01"]
    [Seat0 "Ada"]
    [Seat1 "greedy"]
    [Seed "7"]
    [Tiles "A,0,0,0 B,2,1,3 …"]
    [Discs0 "0,1 2,1E …"]

    0. seat 1: keep
    0. seat 0: swap:1,0
    1. seat 1: 0,1>2,1{4.2} 0,1+2{1.35}
    2. seat 0: 3,1^3,0=camp

    result: 0 by points (E11.2)

Tags, each a JSON string; then the decisions, a line for each seat's part of a turn, in the game's
notation, a time in seconds behind each where it is known; at the end the result. ``;`` begins a
comment. The beginning of the game is written by the game itself (see ``opening`` there).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any, NoReturn, Protocol, cast

from ekoes.errors import EkoesError, RecordError
from ekoes.games.contract import Outcome, Position

__all__ = ["TABLE_REASONS", "Decision", "GameRecord", "read_record", "replay", "write_record"]

FORMAT = "1"
TABLE_REASONS = ("resignation", "agreement", "repetition", "turn-limit")
"""Reasons that only a table knows (E11.5, E11.6): the rules alone would let the game go on."""
REPETITIONS = 3
"""How often a position must begin a turn to end the game (E11.6)."""

_OPENINGS = {"eko": "ekoes.games.eko.opening"}
"""Game -> the module that writes and reads its beginning and its notation."""
_OWN_TAGS = ("Game", "Format", "Date", "Seed", "TurnLimit")
_TAG = re.compile(r"\[([A-Za-z][A-Za-z0-9]{0,39}) (\".*\")\]")
_TURN = re.compile(r"([0-9]{1,9})\. seat ([0-9]): (\S.*)")
_TIMED = re.compile(r"([^{}]+)(?:\{([0-9]{1,9})(?:\.([0-9]{1,3}))?\})?")
_RESULT = re.compile(r"result: (nobody|[0-9](?: [0-9])*) by ([a-z-]{1,40}) \((E[0-9]+\.[0-9]+)\)")
_OPEN = "result: open"
_LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a seat. milliseconds: how long it took, if that is known."""

    seat: int
    action: Any
    milliseconds: int | None = None


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game from its first position on.

    outcome: None while the game is open. names: of the seats, or empty. date: as ISO 8601. seed:
    what the first position was dealt from, as a note. turn_limit: E11.5. tags: anything else.
    """

    game: str
    start: Position
    decisions: tuple[Decision, ...] = ()
    outcome: Outcome | None = None
    names: tuple[str, ...] = ()
    date: str | None = None
    seed: int | None = None
    turn_limit: int | None = None
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class _Turned(Position, Protocol):
    """What records need of a position beyond the contract."""

    @property
    def turn_number(self) -> int:
        """The number of the turn, 0 in the set-up."""

    def identity(self) -> bytes:
        """What must be equal in a repetition (E11.6)."""


class _Opening(Protocol):
    """What a game's module ``opening`` offers."""

    OPENING_TAGS: tuple[str, ...]

    def opening_tags(self, position: Position) -> dict[str, str]:
        """Write the first position of a game as tags."""

    def opening_from_tags(self, tags: Mapping[str, str]) -> Position:
        """Read the first position of a game from its tags."""

    def parse_action(self, text: str) -> Any:  # noqa: ANN401 - each game has its own actions
        """Read an action in notation."""

    def format_action(self, action: Any) -> str:  # noqa: ANN401
        """Write an action in notation."""


def replay(record: GameRecord) -> Iterator[Position]:
    """Yield the first position, then the one after each decision. Raises IllegalActionError."""
    position = record.start
    yield position
    for decision in record.decisions:
        position = position.play(decision.seat, decision.action)
        yield position


# ---------------------------------------------------------------- writing


def write_record(record: GameRecord) -> str:
    """Write a record as text. Raises IllegalActionError if its decisions do not replay."""
    opening = _opening(record.game)
    tags = {"Game": record.game, "Format": FORMAT}
    if record.date is not None:
        tags["Date"] = record.date
    tags |= {f"Seat{seat}": name for seat, name in enumerate(record.names)}
    if record.seed is not None:
        tags["Seed"] = str(record.seed)
    if record.turn_limit is not None:
        tags["TurnLimit"] = str(record.turn_limit)
    tags |= opening.opening_tags(record.start) | dict(record.tags)
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]
    return "\n".join([*head, "", *_turns(record, opening), "", _result(record.outcome), ""])


def _turns(record: GameRecord, opening: _Opening) -> Iterator[str]:
    """Yield a line for each seat's part of a turn."""
    line, label = "", None
    for position, decision in zip(replay(record), record.decisions, strict=False):
        here = (cast("_Turned", position).turn_number, decision.seat)
        if here != label:
            if line:
                yield line
            line, label = f"{here[0]}. seat {here[1]}:", here
        line += f" {opening.format_action(decision.action)}{_time(decision.milliseconds)}"
    if line:
        yield line


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{{{seconds}.{rest:03}".rstrip("0").rstrip(".") + "}" if rest else f"{{{seconds}}}"


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return _OPEN
    winners = " ".join(map(str, outcome.winners)) or "nobody"
    return f"result: {winners} by {outcome.reason} ({outcome.rule})"


def _opening(game: str) -> _Opening:
    if game not in _OPENINGS:
        raise RecordError(f"no game is called {game!r:.40}; there are: {', '.join(_OPENINGS)}", key="Game")
    return cast("_Opening", import_module(_OPENINGS[game]))


# ---------------------------------------------------------------- reading


def read_record(text: str) -> GameRecord:
    """Read a record and check it by replay. Raises RecordError with the line and the reason."""
    return _Reader(text).record()


class _Reader:
    """Reads one record from top to bottom; every failure names the line."""

    def __init__(self, text: str) -> None:
        """Take the lines apart from comments and blanks around them."""
        whole = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").split("\n")
        self.lines = [(number, line.strip()) for number, line in enumerate(whole, start=1)]
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.number = 0
        self.decisions: list[Decision] = []
        self.seen: dict[bytes, int] = {}
        self.turn_began = False

    def record(self) -> GameRecord:
        """Read the whole."""
        body = self._read_tags()
        opening = self._head()
        start = self._start(opening)
        position, outcome, is_closed = cast("_Turned", start), None, False
        for self.number, line in body:
            if is_closed:
                self._fail("nothing may follow the result")
            if line.startswith("result:"):
                outcome, is_closed = self._outcome(line, position), True
            else:
                position = self._turn(line, position, opening)
        if not is_closed:
            self.number = len(self.lines)
            self._fail("the record ends before its result; a game that goes on ends with 'result: open'")
        known = {*_OWN_TAGS, *opening.OPENING_TAGS, *(f"Seat{seat}" for seat in range(start.players))}
        return GameRecord(
            game=self.tags["Game"],
            start=start,
            decisions=tuple(self.decisions),
            outcome=outcome,
            names=self._names(start.players),
            date=self.tags.get("Date"),
            seed=self._whole("Seed"),
            turn_limit=self._whole("TurnLimit"),
            tags=MappingProxyType({name: value for name, value in self.tags.items() if name not in known}),
        )

    def _fail(self, reason: str, cause: Exception | None = None) -> NoReturn:
        raise RecordError(f"line {self.number}: {reason}") from cause

    def _fail_tag(self, name: str, reason: str, cause: Exception | None = None) -> NoReturn:
        self.number = self.tag_lines.get(name, 1)
        self._fail(f"tag {name}: {reason}", cause)

    def _read_tags(self) -> list[tuple[int, str]]:
        """Read the tags and return the lines after them that say something."""
        rest = iter(self.lines)
        for self.number, line in rest:
            if line.startswith("["):
                self._tag(line)
            elif line and not line.startswith(";"):
                body = [(self.number, line), *rest]
                break
        else:
            body = []
        said = ((number, line.partition(";")[0].rstrip()) for number, line in body)
        return [(number, line) for number, line in said if line]

    def _tag(self, line: str) -> None:
        match = _TAG.fullmatch(line)
        if match is None:
            self._fail(f'a tag is written [Name "value"], not {_quote(line)}')
        name = match[1]
        if name in self.tags:
            self._fail(f"tag {name} stands twice, first on line {self.tag_lines[name]}")
        try:
            self.tags[name] = json.loads(match[2])
        except ValueError as error:
            self._fail(f"the value of tag {name} is no JSON string: {_quote(match[2])}", error)
        self.tag_lines[name] = self.number

    def _head(self) -> _Opening:
        for name in ("Game", "Format"):
            if name not in self.tags:
                self._fail_tag(name, "missing")
        if self.tags["Format"] != FORMAT:
            self._fail_tag("Format", f"this program reads format {FORMAT}, not {_quote(self.tags['Format'])}")
        try:
            return _opening(self.tags["Game"])
        except RecordError as error:
            self._fail_tag("Game", error.message, error)

    def _start(self, opening: _Opening) -> Position:
        try:
            return opening.opening_from_tags(self.tags)
        except EkoesError as error:
            at_fault = error.key if error.key in self.tag_lines else "Game"
            self.number = self.tag_lines[at_fault or "Game"]
            self._fail(f"the tags give no first position: {error.message}", error)

    def _names(self, players: int) -> tuple[str, ...]:
        names = [self.tags.get(f"Seat{seat}") for seat in range(players)]
        return tuple(name or "" for name in names) if any(name is not None for name in names) else ()

    def _whole(self, name: str) -> int | None:
        text = self.tags.get(name)
        if text is None:
            return None
        if re.fullmatch(r"-?[0-9]{1,40}", text, re.ASCII) is None:
            self._fail_tag(name, f"must be a whole number, not {_quote(text)}")
        return int(text)

    def _turn(self, line: str, position: _Turned, opening: _Opening) -> _Turned:
        """Replay the decisions of one line."""
        match = _TURN.fullmatch(line)
        if match is None:
            self._fail(f"decisions are written '12. seat 0: 0,1>2,1 …', not {_quote(line)}")
        number, seat = int(match[1]), int(match[2])
        for word in match[3].split():
            here = (position.turn_number, *position.actors())
            if here != (number, seat):
                expected = f"turn {here[0]}, seat {here[1]}" if len(here) > 1 else "nothing: the game is over"
                self._fail(
                    f"{_quote(word)} is said to be of turn {number}, seat {seat}, but here comes {expected}"
                )
            position = self._decision(word, seat, position, opening)
        return position

    def _decision(self, word: str, seat: int, position: _Turned, opening: _Opening) -> _Turned:
        match = _TIMED.fullmatch(word)
        if match is None:
            self._fail(f"a decision is written 0,1>2,1 or 0,1>2,1{{4.2}}, not {_quote(word)}")
        try:
            action = opening.parse_action(match[1])
            after = cast("_Turned", position.play(seat, action))
        except EkoesError as error:
            self._fail(f"{_quote(match[1])}: {error}", error)
        milliseconds = int(match[2]) * 1000 + int((match[3] or "").ljust(3, "0")) if match[2] else None
        self.decisions.append(Decision(seat, action, milliseconds))
        self.turn_began = after.turn_number != position.turn_number
        if self.turn_began:
            identity = after.identity()
            self.seen[identity] = self.seen.get(identity, 0) + 1
        return after

    def _outcome(self, line: str, position: _Turned) -> Outcome | None:
        """Read the result and hold it against the rules (E11)."""
        reached = position.outcome()
        if line == _OPEN:
            if reached is not None:
                self._fail(f"the game is over: {_quote(_result(reached))}")
            return None
        match = _RESULT.fullmatch(line)
        if match is None:
            self._fail(f"a result is written 'result: 0 by points (E11.2)', not {_quote(line)}")
        winners = () if match[1] == "nobody" else tuple(map(int, match[1].split()))
        said = Outcome(winners, match[2], match[3])
        if reached is not None:
            if said != reached:
                self._fail(f"the rules give {_quote(_result(reached))}, not {_quote(line)}")
        else:
            self._check_table_result(said, position)
        return said

    def _check_table_result(self, said: Outcome, position: _Turned) -> None:
        """Check a result that only a table can give."""
        if said.reason not in TABLE_REASONS:
            self._fail(f"the game is not over by the rules, and {said.reason!r} is no reason of a table")
        if said.rule != ("E11.6" if said.reason == "repetition" else "E11.5"):
            self._fail(f"{said.reason} is not {said.rule}")
        if any(winner >= position.players for winner in said.winners):
            self._fail("a winner has no seat in this game")
        if said.reason != "resignation" and said.winners:
            self._fail(f"nobody wins by {said.reason}")
        if said.reason == "repetition" and not self._is_repeated(position):
            self._fail("the last position has not begun a turn three times")
        if said.reason == "turn-limit" and not self._is_past_limit(position):
            self._fail("the turn limit (tag TurnLimit) has not been reached")

    def _is_repeated(self, position: _Turned) -> bool:
        return self.turn_began and self.seen[position.identity()] >= REPETITIONS

    def _is_past_limit(self, position: _Turned) -> bool:
        limit = self._whole("TurnLimit")
        return limit is not None and self.turn_began and position.turn_number > limit


def _quote(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…")
