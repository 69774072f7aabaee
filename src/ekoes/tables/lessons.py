"""Lessons: small positions with a goal, read strictly from files and judged by the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from ekoes.errors import EkoesError, IllegalActionError, NotationError, PositionError, TableError
from ekoes.games.api.contract import Game, Json, Position
from ekoes.games.api.reading import (
    parse_json,
    read_fields,
    read_flag,
    read_list,
    read_object,
    read_whole,
    shown,
)
from ekoes.games.api.registry import game, load
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.teaching import Goal, Teaching
from ekoes.tables.create import table_class
from ekoes.tables.orders import Tick
from ekoes.tables.seats import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table

OTHER = "other"
"""The key of the reply to a decision that the lesson does not allow."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A move of another player, right before or after the learner's decision number ``count``.

    action: None: the clock runs out.
    """

    seat: int
    action: Json | None
    count: int
    is_before: bool


@dataclass(frozen=True, slots=True)
class Try:
    """A wrong try: the learner's action after so many decisions of the solution.

    says: the number of the rule that refuses it, or the key of the lesson's own text.
    """

    action: Json
    after: int
    says: str

    @property
    def is_refused(self) -> bool:
        """Whether the rules refuse it, rather than the lesson."""
        return not self.says.islower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One lesson. solution: the learner's decisions that reach the goal, as JSON.

    allowed: patterns that limit the legal actions of the learner; empty: no limit. marks: highlighted on the
    board until the first decision. words: language -> key -> text; ``title``, ``task`` and ``done`` always
    exist.
    """

    game: str
    name: str
    chapter: str
    seat: int
    options: Json
    position: Position
    goal: Goal
    solution: tuple[Json, ...]
    allowed: tuple[Json, ...]
    tries: tuple[Try, ...]
    answers: tuple[Answer, ...]
    marks: tuple[Any, ...]
    words: Mapping[str, Mapping[str, str]]

    def steer(self, action: Json) -> str | None:
        """Return the key of the reply to an action that the lesson does not allow, None if it does."""
        if self.allowed and not any(fits(pattern, action) for pattern in self.allowed):
            return OTHER
        own = (attempt for attempt in self.tries if not attempt.is_refused and attempt.says != OTHER)
        return next((attempt.says for attempt in own if fits(attempt.action, action)), None)


def fits(pattern: Json, action: Json) -> bool:
    """Return whether an action has all keys and values of a pattern."""
    return all(key in action and action[key] == value for key, value in pattern.items())


VERSION = 1
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A placeholder for the name of a place in a lesson's texts."""

_RULE = "lesson"
_NAME = re.compile(r"[a-z][a-z-]{0,29}")
_NUMBER_OF_RULE = re.compile(r"[A-Z]\d+\.\d+")
KEYS: Final = dict.fromkeys(
    ("lesson", "chapter", "position", "goal", "solution", "words"), False
) | dict.fromkeys(("seat", "options", "allowed", "tries", "answers", "marks"), True)
"""The keys of a lesson, and whether each is optional."""

_WORDS = ("title", "task", "done")
_MOST_DECISIONS = 40
_LONGEST_TEXT = 600


def teaching_of(game: Game) -> Teaching | None:
    """Return a game's part for lessons, None if it has none."""
    part = game.parts.teaching
    return None if part is None else cast("Teaching", load(part))


def read_lesson(game: Game, file: str, text: str, languages: tuple[str, ...]) -> Lesson:
    """Read the file of a lesson. languages: of the page; texts in the first one are required.

    Raises: NotationError, PositionError or LayoutError naming file, rule and key.
    """
    try:
        return _Reader(game, _name(file), parse_json(text), languages).read()
    except EkoesError as error:
        raise type(error)(
            f"{file}: {error.message}", code=error.code, rule=error.rule, key=error.key
        ) from None


def _name(file: str) -> str:
    """Return the name of a lesson: that of its file without the number that orders the lessons."""
    name = re.sub(r"^\d+-|\.json$", "", file)
    if not _NAME.fullmatch(name):
        raise NotationError("a lesson is called like 05-kamikaze.json")
    return name


class _Reader:
    def __init__(self, game: Game, name: str, content: object, languages: tuple[str, ...]) -> None:
        teaching = teaching_of(game)
        if teaching is None:
            raise NotationError("this game has no lessons", key="game")
        self.game, self.name, self.languages, self.teaching = game, name, languages, teaching
        self.content = read_object(content, _RULE)

    def read(self) -> Lesson:
        self.check_keys()
        read_whole(self.content["lesson"], "lesson", VERSION, VERSION, _RULE)
        position = self.game.from_json(read_object(self.content["position"], "position"))
        seat = read_whole(self.content.get("seat", 0), "seat", 0, position.players - 1, _RULE)
        solution = tuple(self.action(value, f"solution[{n}]") for n, value in self.rows("solution"))
        tries = tuple(self.attempt(value, f"tries[{n}]") for n, value in self.rows("tries"))
        lesson = Lesson(
            game=self.game.name,
            name=self.name,
            chapter=_word(self.content["chapter"], "chapter"),
            seat=seat,
            options=read_object(self.content.get("options", {}), "options"),
            position=position,
            goal=self.goal(position),
            solution=solution,
            allowed=tuple(self.pattern(value, f"allowed[{n}]") for n, value in self.rows("allowed")),
            tries=tries,
            answers=tuple(self.answer(value, f"answers[{n}]", position) for n, value in self.rows("answers")),
            marks=tuple(self.mark(value, position) for _, value in self.rows("marks")),
            words=self.words(position),
        )
        self.check_said(lesson)
        return lesson

    def check_keys(self) -> None:
        for key in self.content:
            if key not in KEYS:
                raise PositionError("unknown key", key=shown(key))
        for key, is_optional in KEYS.items():
            if not is_optional and key not in self.content:
                raise PositionError("missing", key=key)

    def rows(self, key: str) -> list[tuple[int, Any]]:
        rows = read_list(self.content.get(key, []), key)
        if len(rows) > _MOST_DECISIONS:
            raise PositionError(f"has more than {_MOST_DECISIONS} entries", key=key)
        return list(enumerate(rows))

    # actions

    def pattern(self, value: object, key: str) -> Json:
        pattern = read_object(value, key)
        if not isinstance(pattern.get("type"), str):
            raise PositionError("names the type of an action", key=f"{key}.type")
        return pattern

    def action(self, value: object, key: str) -> Json:
        """Read an action; the table checks it when it is played."""
        return self.pattern(value, key)

    def attempt(self, value: object, key: str) -> Try:
        content = read_fields(value, key, ("action", "says"), ("after",))
        says = content["says"]
        if not isinstance(says, str) or not (_NUMBER_OF_RULE.fullmatch(says) or _NAME.fullmatch(says)):
            raise PositionError("names a rule or a key of the words", key=f"{key}.says")
        after = read_whole(content.get("after", 0), f"{key}.after", 0, _MOST_DECISIONS, _RULE)
        return Try(self.action(content["action"], f"{key}.action"), after, says)

    def answer(self, value: object, key: str, position: Position) -> Answer:
        content = read_fields(value, key, (), ("before", "after", "seat", "action", "clock"))
        if ("before" in content) == ("after" in content):
            raise PositionError("comes before or after a decision of the learner", key=key)
        if ("action" in content) == ("clock" in content):
            raise PositionError("is an action, or the clock", key=key)
        when = "before" if "before" in content else "after"
        count = read_whole(content[when], f"{key}.{when}", 1, _MOST_DECISIONS, _RULE)
        if read_flag(content.get("clock", False), f"{key}.clock"):
            return Answer(0, None, count, when == "before")
        seat = read_whole(content.get("seat", 1), f"{key}.seat", 0, position.players - 1, _RULE)
        return Answer(seat, self.action(content["action"], f"{key}.action"), count, when == "before")

    def goal(self, position: Position) -> Goal:
        content = read_object(self.content["goal"], "goal")
        known = self.teaching.goals
        for key in content:
            if key not in known:
                message = f"unknown goal; there are: {', '.join(known)}"
                raise PositionError(message, key=f"goal.{shown(key)}")
        if not content:
            raise PositionError("asks for nothing", key="goal")
        parts = [known[key](position, value, f"goal.{key}") for key, value in content.items()]
        return lambda now, seat, done: all(part(now, seat, done) for part in parts)

    def mark(self, value: object, position: Position) -> object:
        self.teaching.check_mark(position, value)
        return value

    # texts

    def words(self, position: Position) -> Mapping[str, Mapping[str, str]]:
        content = read_object(self.content["words"], "words")
        for tag in content:
            if tag not in self.languages:
                message = f"is no language of the page: {', '.join(self.languages)}"
                raise PositionError(message, key=f"words.{shown(tag)}")
        if self.languages[0] not in content:
            raise PositionError("missing", key=f"words.{self.languages[0]}")
        return {
            tag: {key: self.text(text, f"words.{tag}.{shown(key)}", position) for key, text in said.items()}
            for tag, said in ((tag, read_object(content[tag], f"words.{tag}")) for tag in content)
        }

    def text(self, value: object, key: str, position: Position) -> str:
        """Return a text with its placeholders replaced by the names of places."""
        if not isinstance(value, str) or not 0 < len(value.strip()) <= _LONGEST_TEXT:
            raise PositionError(f"must be a text of at most {_LONGEST_TEXT} characters", key=key)
        try:
            return PLACEHOLDER.sub(lambda found: self.teaching.named(position, found[1]), value)
        except EkoesError as error:
            raise PositionError(error.message, rule=error.rule, key=key) from None

    def check_said(self, lesson: Lesson) -> None:
        """Check that every language has exactly the texts that the lesson uses."""
        said = {*_WORDS, *(attempt.says for attempt in lesson.tries if not attempt.is_refused)}
        if lesson.allowed:
            said.add(OTHER)
        for tag, words in lesson.words.items():
            for key in said - set(words):
                raise PositionError("missing", key=f"words.{tag}.{key}")
            for key in set(words) - said:
                raise PositionError("is never said", key=f"words.{tag}.{shown(key)}")


def _word(value: object, key: str) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise PositionError("must be a word in lower case", key=key)
    return value


@cache
def lessons_of(game: str) -> Mapping[str, Lesson]:
    """Return the lessons of a game by name; none if the game has no lessons.

    Raises: EkoesError naming a file and its key.
    """
    teaching = teaching_of(game_of(game))
    if teaching is None:
        return MappingProxyType({})
    found = sorted((file.name, file) for file in teaching.folder.iterdir() if file.name.endswith(".json"))
    read = [read_lesson(game_of(game), name, file.read_text("utf-8"), _languages()) for name, file in found]
    return MappingProxyType({lesson.name: lesson for lesson in read})


def lesson_of(game: str, name: str) -> Lesson:
    """Return a lesson. Raises TableError if there is none of this name."""
    lesson = lessons_of(game).get(name)
    if lesson is None:
        raise TableError(f"there is no lesson {name!r:.40}", code="lesson/not-found", key="lesson")
    return lesson


@cache
def _languages() -> tuple[str, ...]:
    listed = json.loads(files("ekoes").joinpath("languages.json").read_text("utf-8"))
    return tuple(language["tag"] for language in listed)


LEARNER = "learner"
"""The session that holds the learner's seat."""

Result = Literal["open", "reached", "missed"]

_BEGAN = datetime(2000, 1, 1, tzinfo=UTC)
_STEP = timedelta(seconds=20)
"""Time between two decisions of the learner: longer than any delay of the game."""
_JUST = timedelta(milliseconds=300)


@dataclass(frozen=True, slots=True)
class Played:
    """The progress of a lesson. taken: how many of the learner's decisions were played.

    result: ``missed`` if the goal can't be reached any more. says: the key of the lesson's reply to the
    latest decision, which was not played; refusal: the error of the rules. at: the time in the lesson.
    """

    table: Table
    taken: int
    result: Result
    at: datetime
    says: str | None = None
    refusal: EkoesError | None = None


def play_lesson(lesson: Lesson, decisions: Sequence[Json]) -> Played:
    """Play a lesson by the learner's decisions; the latest may be illegal.

    Raises: EkoesError if an earlier one is.
    """
    table = _begun(lesson)
    for number, action in enumerate(decisions, 1):
        steered = _state(lesson, table, number - 1)
        if steered.result != "open":
            raise TableError("this lesson is over", code="table/game-over")
        try:
            after = _decided(lesson, table, number, action)
        except EkoesError as error:
            if number < len(decisions):
                raise
            return replace(steered, refusal=error)
        says = lesson.steer(action)
        if says is not None:
            return replace(steered, says=says)
        table = after
    return _state(lesson, table, len(decisions))


def _begun(lesson: Lesson) -> Table:
    """Return the table at the start of a lesson: the learner, and bots that never act by themselves."""
    names = range(lesson.position.players)
    stand_in = game(lesson.game).parts.stand_in
    seats = tuple(
        Seat("here", "", seat, session=LEARNER) if seat == lesson.seat else Seat("bot", "", seat, stand_in)
        for seat in names
    )
    options = {"players": lesson.position.players} | lesson.options
    return table_class(lesson.game).at_position(lesson.game, options, lesson.position, seats, _BEGAN)


def _decided(lesson: Lesson, table: Table, number: int, action: Json) -> Table:
    """Return the table after a decision of the learner and the moves of the other players."""
    at = _BEGAN + number * _STEP
    for answer in lesson.answers:
        if answer.count == number and answer.is_before:
            table = _answered(table, answer, at - _JUST)
    order = table.order_for(lesson.seat, action)
    table = submit(table, order, LEARNER, at)
    if _is_reached(lesson, table):
        return table
    after = (answer for answer in lesson.answers if answer.count == number and not answer.is_before)
    for turn, answer in enumerate(after, 1):
        try:
            table = _answered(table, answer, at + turn * _JUST)
        except (IllegalActionError, TableError):
            break  # the learner went another way, to which the lesson knows no answer
    return table


def _answered(table: Table, answer: Answer, at: datetime) -> Table:
    if answer.action is None:
        strikes = table.deadline
        return submit(table, Tick(key="clock"), None, max(at, strikes or at))
    order = table.order_for(answer.seat, answer.action)
    return submit(table, order, None, at)


def _is_reached(lesson: Lesson, table: Table) -> bool:
    teaching = teaching_of(game(lesson.game))
    done = [] if teaching is None else [teaching.done(entry) for entry in table.log]
    return lesson.goal(table.position, lesson.seat, done)


def _state(lesson: Lesson, table: Table, taken: int) -> Played:
    at = _BEGAN + taken * _STEP
    if _is_reached(lesson, table):
        return Played(table, taken, "reached", at)
    is_open = table.can_act(lesson.seat)
    return Played(table, taken, "open" if is_open else "missed", at)
