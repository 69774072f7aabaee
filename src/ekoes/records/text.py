"""The text of a record: written, and read with a check of every line and a replay of every decision."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from io import StringIO
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NoReturn

from ekoes.errors import EkoesError, NotationError, RecordError
from ekoes.games.api.contract import CHANCE, Outcome, Position
from ekoes.games.api.reading import read_seconds, seconds_text
from ekoes.games.api.registry import game
from ekoes.games.api.table import Arrival, Decision
from ekoes.records.referee import FORMAT, OPEN, Book, GameRecord, Place, Referee, book_of, check_rules, replay

VARIATIONS = "Variations"
"""The tag of a record whose lines after a ``;`` are variations, comments and signs."""
_OWN_TAGS = ("Game", "Format", "Rules", "Date", "Seed", "TurnLimit", VARIATIONS)
_TAG = re.compile(r"\[([A-Za-z][A-Za-z0-9]{0,39}) (\".*\")\]")
_TURN = re.compile(r"([0-9]{1,9})\. (?:seat ([0-9])|table): (\S.*)", re.ASCII)
_SUMMARY = re.compile(r"[0-9]{1,9}\. points: .*", re.ASCII)
_WORD = re.compile(r"([^\s{}]+)(?:\{([^{}]*)\})?(?:\s+|$)")
_ARRIVAL = re.compile(
    r"at ([0-9.]+)(?:, saw ([0-9]{1,2}))?(?:, behind ([0-9.]+))?(, clock)?",
    re.ASCII,
)
_RESULT = re.compile(
    r"result: (nobody|[0-9](?: [0-9])*) by ([a-z-]{1,40}) \(([A-Z]+[0-9]+\.[0-9]+)\)", re.ASCII
)
_LONGEST_QUOTE = 60
_GIVEN_UP = {"resignation": "a resignation", "time": "time"}
"""Reasons by which one of two players loses, regardless of the position."""


Lines = Sequence[tuple[int, str]]
"""Lines of a text with their numbers, at least one."""


def read_record(text: str) -> GameRecord:
    """Read a record and check it by replay. Raises RecordError with the line and the reason."""
    return Reader(lines_of(text)).record()


def read_records(text: str) -> Iterator[GameRecord]:
    """Read the records of a text, one game after the other, as ``read_record`` does."""
    lines = lines_of(text)
    begin, end = 0, None
    for at, (_, line) in enumerate(lines):
        if line.startswith("[") and end is not None:
            yield Reader(lines[begin:end]).record()
            begin, end = end, None
        elif line.startswith("result:"):
            end = at + 1
        elif line and not line.startswith(";"):
            end = None
    yield Reader(lines[begin:]).record()


def lines_of(text: str) -> Lines:
    """Return the lines of a text, which end as in any system's files, without blanks at both ends."""
    whole = StringIO(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"), newline=None).read().split("\n")
    return [(number, line.strip()) for number, line in enumerate(whole, start=1)]


class Reader:
    """Reads one record from top to bottom; every failure names the line."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.number = 0
        self.decisions: list[Decision] = []
        self.summary: str | None = None

    def record(self) -> GameRecord:
        """Return the record. Raises RecordError."""
        body = self._read_tags()
        self.book = self._head()
        self._check_rules()
        table = self._table()
        start = self._start()
        turn_limit = self._turn_limit()
        outcome = self._play(body, start, self.book.referee(table, turn_limit))
        seats = tuple(f"Seat{seat}" for seat in range(start.players))
        known = {*_OWN_TAGS, *self.book.OPENING_TAGS, *seats, *(self.book.TABLE_TAGS if table else ())}
        return GameRecord(
            game=self.tags["Game"],
            start=start,
            decisions=tuple(self.decisions),
            outcome=outcome,
            names=self._names(seats),
            date=self._date(),
            seed=self._whole("Seed"),
            turn_limit=turn_limit,
            table=table,
            rules=self.tags.get("Rules"),
            tags=MappingProxyType({name: value for name, value in self.tags.items() if name not in known}),
        )

    def _play(self, body: list[tuple[int, str]], position: Position, referee: Referee[Any]) -> Outcome | None:
        """Replay the lines after the tags and return the result."""
        outcome, is_closed = None, False
        for self.number, line in body:
            if is_closed:
                self._fail("nothing may follow the result")
            if line.startswith("result:"):
                outcome, is_closed = self._outcome(line, position, referee), True
            elif _SUMMARY.fullmatch(line):
                self._check_summary(line)
            else:
                position = self._turn(line, position, referee)
        if not is_closed:
            self.number = self.lines[-1][0]
            self._fail("the record ends before its result; a game that goes on ends with 'result: open'")
        return outcome

    def _fail(self, reason: str, cause: Exception | None = None) -> NoReturn:
        raise RecordError(f"line {self.number}: {reason}") from cause

    def _fail_tag(self, name: str, reason: str, cause: Exception | None = None) -> NoReturn:
        self.number = self.tag_lines.get(name, self.lines[0][0])
        self._fail(f"tag {name}: {reason}", cause)

    def _read_tags(self) -> list[tuple[int, str]]:
        """Read the tags and return the other lines without comments and blank lines."""
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
            self._fail(f'a tag is written [Name "value"], not {quoted(line)}')
        name = match[1]
        if name in self.tags:
            self._fail(f"tag {name} appears twice, first on line {self.tag_lines[name]}")
        try:
            self.tags[name] = json.loads(match[2])
            self.tags[name].encode()  # half a surrogate pair is no text
        except ValueError as error:
            self._fail(f"the value of tag {name} is no JSON string: {quoted(match[2])}", error)
        self.tag_lines[name] = self.number

    def _head(self) -> Book[Any, Any, Any]:
        for name in ("Game", "Format"):
            if name not in self.tags:
                self._fail_tag(name, "missing")
        if self.tags["Format"] != FORMAT:
            self._fail_tag("Format", f"this program reads format {FORMAT}, not {quoted(self.tags['Format'])}")
        try:
            return book_of(self.tags["Game"])
        except RecordError as error:
            self._fail_tag("Game", error.message, error)

    def _check_rules(self) -> None:
        """Refuse games judged by another version of the rules: the current one may judge differently."""
        try:
            if "Rules" in self.tags:
                check_rules(self.tags["Rules"], game(self.tags["Game"]).rules_version)
        except NotationError as error:
            self._fail_tag("Rules", error.message, error)

    def _table(self) -> object:
        try:
            return self.book.table_from_tags(self.tags)
        except NotationError as error:
            self._fail_tag(error.key or "Game", error.message, error)

    def _start(self) -> Position:
        try:
            start: Position = self.book.opening_from_tags(self.tags)
        except EkoesError as error:
            at_fault = error.key if error.key in self.tag_lines else "Game"
            self.number = self.tag_lines[at_fault or "Game"]
            self._fail(f"the tags give no first position: {error.message}", error)
        return start

    def _names(self, seats: tuple[str, ...]) -> tuple[str, ...]:
        names = [self.tags.get(seat) for seat in seats]
        return tuple(name or "" for name in names) if any(name is not None for name in names) else ()

    def _date(self) -> str | None:
        text = self.tags.get("Date")
        try:
            if text is not None and date.fromisoformat(text).isoformat() != text:
                self._fail_tag("Date", f"a day is written 2026-05-01, not {quoted(text)}")
        except ValueError as error:
            self._fail_tag("Date", f"there is no such day: {quoted(text or '')}", error)
        return text

    def _whole(self, name: str) -> int | None:
        text = self.tags.get(name)
        if text is None:
            return None
        if re.fullmatch(r"-?[0-9]{1,40}", text, re.ASCII) is None:
            self._fail_tag(name, f"must be a whole number, not {quoted(text)}")
        return int(text)

    def _turn_limit(self) -> int | None:
        limit = self._whole("TurnLimit")
        if limit is not None and limit < 1:
            self._fail_tag("TurnLimit", f"a game has at least one turn, not {limit}")
        return limit

    def _turn(self, line: str, position: Position, referee: Referee[Any]) -> Position:
        match = _TURN.fullmatch(line)
        if match is None:
            self._fail(f"decisions are written '12. seat 0: {self.book.EXAMPLE} …', not {quoted(line)}")
        number, seat = int(match[1]), CHANCE if match[2] is None else int(match[2])
        words, at = match[3], 0
        while at < len(words):
            word = _WORD.match(words, at)
            if word is None:
                example = self.book.EXAMPLE
                self._fail(f"a decision is written {example} or {example}{{4.2}}, not {quoted(words[at:])}")
            at = word.end()
            self._check_place(word[1], number, seat, position)
            position = self._decision(seat, word[1], word[2], position, referee)
        return position

    def _check_place(self, word: str, number: int, seat: int, position: Position) -> None:
        """Check that this seat may act here, in this turn."""
        here, asked = self.book.number(position), self.book.asked(position)
        if not asked:
            self._fail(f"{quoted(word)} comes after the end: the game is over")
        if number != here or seat not in asked:
            expected = label(here, asked[0])
            self._fail(
                f"{quoted(word)} is said to be of {label(number, seat)!r}, but here comes {expected!r}"
            )

    def _decision(
        self, seat: int, word: str, note: str | None, position: Position, referee: Referee[Any]
    ) -> Position:
        decision, after = self._judged(seat, word, note, position, referee)
        self.decisions.append(decision)
        self.summary = self.book.summary(position, after)
        return after

    def _judged(
        self, seat: int, word: str, note: str | None, position: Position, referee: Referee[Any]
    ) -> tuple[Decision, Position]:
        """Return a decision as read, and the position after it."""
        try:
            decision = self._noted(Decision(seat, self.book.parse_action(word, position)), note)
            after: Position = referee.play(position, decision)
        except EkoesError as error:
            self._fail(f"{quoted(word)}: {error}", error)
        return decision, after

    def _noted(self, decision: Decision, note: str | None) -> Decision:
        """Add the note in braces after a decision: its thinking time, or its time of arrival."""
        if note is None:
            return decision
        milliseconds = read_seconds(note)
        if milliseconds is not None:
            return replace(decision, milliseconds=milliseconds)
        match = _ARRIVAL.fullmatch(note)
        times = match and (read_seconds(match[1]), read_seconds(match[3] or "0"))
        if match is None or times is None or None in times:
            self._fail(f"a time is written {{4.2}} or {{at 4.2, saw 38}}, not {quoted(note)}")
        saw = None if match[2] is None else int(match[2])
        behind = None if match[3] is None else times[1]
        return replace(decision, arrival=Arrival(times[0] or 0, saw, behind, is_clock=bool(match[4])))

    def _check_summary(self, line: str) -> None:
        if self.summary is None:
            self._fail("points stand behind the decision that ended a round")
        if line != self.summary:
            self._fail(f"the rules give {quoted(self.summary)}, not {quoted(line)}")
        self.summary = None

    def _outcome(self, line: str, position: Position, referee: Referee[Any]) -> Outcome | None:
        reached = position.outcome()
        if line == OPEN:
            if reached is not None:
                self._fail(f"the game is over: {quoted(result_line(reached))}")
            return None
        match = _RESULT.fullmatch(line)
        if match is None:
            self._fail(f"a result is written 'result: 0 by points (RULE)', not {quoted(line)}")
        winners = () if match[1] == "nobody" else tuple(map(int, match[1].split()))
        said = Outcome(winners, match[2], match[3])
        if reached is None:
            self._check_table_result(said, position, referee)
        elif said != reached:
            self._fail(f"the rules give {quoted(result_line(reached))}, not {quoted(line)}")
        return said

    def _check_table_result(self, said: Outcome, position: Position, referee: Referee[Any]) -> None:
        """Check a result that is not decided by the rules of play."""
        reasons = game(self.tags["Game"]).table_ends.rules()
        if said.reason not in reasons:
            self._fail(f"the game is not over by the rules, and {said.reason!r} is no reason of a table")
        if said.rule != reasons[said.reason]:
            self._fail(f"{said.reason} is not {said.rule}")
        if any(winner >= position.players for winner in said.winners):
            self._fail("a winner has no seat in this game")
        if list(said.winners) != sorted(set(said.winners)):
            self._fail("winners stand in the order of their seats, each once")
        if said.reason in _GIVEN_UP and (position.players != 2 or len(said.winners) != 1):
            self._fail(f"{_GIVEN_UP[said.reason]} ends a game for two, and the other player wins")
        try:
            referee.check_result(said, position)
        except RecordError as error:
            self._fail(error.message, error)


def quoted(text: str) -> str:
    """Return text as an error message quotes it."""
    return repr(text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…")


def write_record(record: GameRecord, places: Iterable[Place] | None = None) -> str:
    """Write a record as text.

    places: of its decisions, as judged at the time; None: found by replay with the current
    rules. Raises IllegalActionError if the decisions do not replay.
    """
    book = book_of(record.game)
    places = places_of(record.game, replay(record)) if places is None else places
    body = joined(_items(record, book, places))
    return "\n".join([*head(record, book), "", *body, "", result_line(record.outcome), ""])


def head(
    record: GameRecord, book: Book[Any, Any, Any], more: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Return the lines of the tags. more: tags that are no part of a ``GameRecord``."""
    tags = {"Game": record.game, "Format": FORMAT}
    if record.rules is not None:
        tags["Rules"] = record.rules
    if record.date is not None:
        tags["Date"] = record.date
    tags |= {f"Seat{seat}": name for seat, name in enumerate(record.names)}
    if record.seed is not None:
        tags["Seed"] = str(record.seed)
    if record.turn_limit is not None:
        tags["TurnLimit"] = str(record.turn_limit)
    if record.table is not None:
        tags |= book.table_tags(record.table)
    tags |= book.opening_tags(record.start) | dict(record.tags) | dict(more)
    return _tag_lines(tags)


def with_tags(text: str, more: Mapping[str, str]) -> str:
    """Return the text of a record with more tags, after those that it has."""
    tags, body = text.split("\n\n", 1)
    return "\n".join([tags, *_tag_lines(more), "", body])


def _tag_lines(tags: Mapping[str, str]) -> list[str]:
    return [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]


def label(number: int, seat: int) -> str:
    """Write the label of the decisions of a seat: ``12. seat 0``; of chance: ``12. table``."""
    return f"{number}. table" if seat == CHANCE else f"{number}. seat {seat}"


def places_of(game: str, positions: Iterable[Position]) -> Iterator[Place]:
    """Yield the place of each decision by the current rules. positions: the first and all following."""
    book = book_of(game)
    for before, after in pairwise(positions):
        yield Place(book.number(before), book.summary(before, after))


@dataclass(frozen=True, slots=True)
class Item:
    """A decision, or a line of its own. label: of the decision's line. before: the line's indent."""

    text: str
    label: str | None = None
    before: str = ""


def joined(items: Iterable[Item]) -> Iterator[str]:
    """Yield the lines of the body: decisions with the same label that follow each other share a line."""
    line, shared = "", None
    for item in items:
        here = item.label and (item.before, item.label)
        if here and here == shared:
            line += f" {item.text}"
            continue
        if line:
            yield line
        line = f"{item.before}{item.label}: {item.text}" if item.label else f"{item.before}{item.text}"
        shared = here
    if line:
        yield line


def decision_item(
    number: int, decision: Decision, book: Book[Any, Any, Any], start: Position, before: str = ""
) -> Item:
    """Return a decision as it is written. number: of the turn or round. start: any position of the game."""
    word = f"{book.format_action(decision.action, start)}{_note(decision)}"
    return Item(word, label(number, decision.seat), before)


def _items(record: GameRecord, book: Book[Any, Any, Any], places: Iterable[Place]) -> Iterator[Item]:
    """Yield the decisions, and the notes between them."""
    for place, decision in zip(places, record.decisions, strict=True):
        yield decision_item(place.number, decision, book, record.start)
        if place.summary is not None:
            yield Item(place.summary)


def _note(decision: Decision) -> str:
    if decision.arrival is not None:
        return f"{{{_arrival(decision.arrival)}}}"
    return "" if decision.milliseconds is None else f"{{{seconds_text(decision.milliseconds)}}}"


def _arrival(arrival: Arrival) -> str:
    words = [f"at {seconds_text(arrival.at)}"]
    if arrival.saw is not None:
        words.append(f"saw {arrival.saw}")
    if arrival.behind is not None:
        words.append(f"behind {seconds_text(arrival.behind)}")
    if arrival.is_clock:
        words.append("clock")
    return ", ".join(words)


def result_line(outcome: Outcome | None) -> str:
    """Write the last line of a record. outcome: None while the game is open."""
    if outcome is None:
        return OPEN
    winners = " ".join(map(str, outcome.winners)) or "nobody"
    return f"result: {winners} by {outcome.reason} ({outcome.rule})"
