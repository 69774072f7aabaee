"""Reading a record: every line is checked, every decision is played."""

from __future__ import annotations

import json
import re
from types import MappingProxyType
from typing import NoReturn, cast

from ekoes.errors import EkoesError, RecordError
from ekoes.games.contract import Outcome, Position
from ekoes.record.game_record import (
    FORMAT,
    OPEN,
    TABLE_REASONS,
    Decision,
    GameRecord,
    Opening,
    Turned,
    opening_of,
)
from ekoes.record.write import result_line

__all__ = ["read_record"]

REPETITIONS = 3
"""How often a position must begin a turn to end the game (E11.6)."""

_OWN_TAGS = ("Game", "Format", "Date", "Seed", "TurnLimit")
_TAG = re.compile(r"\[([A-Za-z][A-Za-z0-9]{0,39}) (\".*\")\]")
_TURN = re.compile(r"([0-9]{1,9})\. seat ([0-9]): (\S.*)")
_TIMED = re.compile(r"([^{}]+)(?:\{([0-9]{1,9})(?:\.([0-9]{1,3}))?\})?")
_RESULT = re.compile(r"result: (nobody|[0-9](?: [0-9])*) by ([a-z-]{1,40}) \((E[0-9]+\.[0-9]+)\)")
_LONGEST_QUOTE = 60


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
        position, outcome, is_closed = cast("Turned", start), None, False
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

    def _head(self) -> Opening:
        for name in ("Game", "Format"):
            if name not in self.tags:
                self._fail_tag(name, "missing")
        if self.tags["Format"] != FORMAT:
            self._fail_tag("Format", f"this program reads format {FORMAT}, not {_quote(self.tags['Format'])}")
        try:
            return opening_of(self.tags["Game"])
        except RecordError as error:
            self._fail_tag("Game", error.message, error)

    def _start(self, opening: Opening) -> Position:
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

    def _turn(self, line: str, position: Turned, opening: Opening) -> Turned:
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

    def _decision(self, word: str, seat: int, position: Turned, opening: Opening) -> Turned:
        match = _TIMED.fullmatch(word)
        if match is None:
            self._fail(f"a decision is written 0,1>2,1 or 0,1>2,1{{4.2}}, not {_quote(word)}")
        try:
            action = opening.parse_action(match[1])
            after = cast("Turned", position.play(seat, action))
        except EkoesError as error:
            self._fail(f"{_quote(match[1])}: {error}", error)
        milliseconds = int(match[2]) * 1000 + int((match[3] or "").ljust(3, "0")) if match[2] else None
        self.decisions.append(Decision(seat, action, milliseconds))
        self.turn_began = after.turn_number != position.turn_number
        if self.turn_began:
            identity = after.identity()
            self.seen[identity] = self.seen.get(identity, 0) + 1
        return after

    def _outcome(self, line: str, position: Turned) -> Outcome | None:
        """Read the result and hold it against the rules (E11)."""
        reached = position.outcome()
        if line == OPEN:
            if reached is not None:
                self._fail(f"the game is over: {_quote(result_line(reached))}")
            return None
        match = _RESULT.fullmatch(line)
        if match is None:
            self._fail(f"a result is written 'result: 0 by points (E11.2)', not {_quote(line)}")
        winners = () if match[1] == "nobody" else tuple(map(int, match[1].split()))
        said = Outcome(winners, match[2], match[3])
        if reached is not None:
            if said != reached:
                self._fail(f"the rules give {_quote(result_line(reached))}, not {_quote(line)}")
        else:
            self._check_tableresult_line(said, position)
        return said

    def _check_tableresult_line(self, said: Outcome, position: Turned) -> None:
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

    def _is_repeated(self, position: Turned) -> bool:
        return self.turn_began and self.seen[position.identity()] >= REPETITIONS

    def _is_past_limit(self, position: Turned) -> bool:
        limit = self._whole("TurnLimit")
        return limit is not None and self.turn_began and position.turn_number > limit


def _quote(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…")
