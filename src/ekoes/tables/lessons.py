"""Lessons: small positions with a goal, read strictly from files and judged by the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, cast

from pydantic import AfterValidator, Field, ValidationError, model_validator

from ekoes.errors import EkoesError, IllegalActionError, NotationError, PositionError, TableError
from ekoes.games.api.contract import Game, Json, Position
from ekoes.games.api.reading import error_text, parse_json, read_whole, shown
from ekoes.games.api.registry import game, load
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.teaching import Goal, Teaching
from ekoes.tables.create import table_class
from ekoes.tables.orders import Strict, Tick
from ekoes.tables.seats import Seat
from ekoes.tables.submit import submit
from ekoes.tables.table import Table

OTHER = "other"
"""The key of the reply to a decision that the lesson does not allow."""


_RULE = "lesson"
_NAME = r"[a-z][a-z-]{0,29}"
_MOST_DECISIONS = 40
_LONGEST_TEXT = 600


def _read_text(text: str) -> str:
    if not 0 < len(text.strip()) <= _LONGEST_TEXT:
        raise ValueError(f"must be a text of at most {_LONGEST_TEXT} characters")
    return text


_Text = Annotated[str, AfterValidator(_read_text)]
_Word = Annotated[str, Field(pattern=f"^{_NAME}$")]
_Count = Annotated[int, Field(ge=1, le=_MOST_DECISIONS)]
_Few = Field(max_length=_MOST_DECISIONS, strict=False)
"""A JSON list that is not long, read as a tuple."""
_Actions = Annotated[tuple[Json, ...], _Few]


class Answer(Strict):
    """A move of another player, right before or after a decision of the learner, counted from 1.

    action: None: the clock runs out.
    """

    seat: Annotated[int, Field(ge=0)] = 1
    action: Json | None = None
    clock: bool = False
    before: _Count | None = None
    after: _Count | None = None

    @model_validator(mode="after")
    def _is_complete(self) -> Answer:
        if (self.before is None) == (self.after is None):
            raise ValueError("needs either before or after")
        if (self.action is None) != self.clock:
            raise ValueError("is an action, or the clock")
        return self


class Try(Strict):
    """A wrong try: the learner's action after so many decisions of the solution.

    says: the number of the rule that refuses it, or the key of the lesson's own text.
    """

    action: Json
    after: Annotated[int, Field(ge=0, le=_MOST_DECISIONS)] = 0
    says: Annotated[str, Field(pattern=rf"^({_NAME}|[A-Z]\d+\.\d+)$")]

    @property
    def is_refused(self) -> bool:
        """Whether the rules refuse it, rather than the lesson."""
        return not self.says.islower()


class _File(Strict):
    """The file of a lesson, before the game has read its parts."""

    lesson: Literal[1]
    chapter: _Word
    position: Json
    goal: Json
    solution: _Actions
    words: dict[str, dict[str, _Text]]
    seat: Annotated[int, Field(ge=0)] = 0
    options: Json = Field(default_factory=dict)
    allowed: _Actions = ()
    tries: Annotated[tuple[Try, ...], _Few] = ()
    answers: Annotated[tuple[Answer, ...], _Few] = ()
    marks: Annotated[tuple[Any, ...], _Few] = ()

    def actions(self) -> Iterator[tuple[str, Json]]:
        """Yield all actions and patterns of actions with their keys."""
        for name in ("solution", "allowed"):
            yield from ((f"{name}[{n}]", action) for n, action in enumerate(getattr(self, name)))
        yield from ((f"tries[{n}].action", attempt.action) for n, attempt in enumerate(self.tries))
        for n, answer in enumerate(self.answers):
            if answer.action is not None:
                yield f"answers[{n}].action", answer.action


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


PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A placeholder for the name of a place in a lesson's texts."""
KEYS: Final = {name: not field.is_required() for name, field in _File.model_fields.items()}
"""The keys of a lesson, and whether each is optional."""
_WORDS = ("title", "task", "done")


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
    if not re.fullmatch(_NAME, name):
        raise NotationError("a lesson has a name like 05-kamikaze.json")
    return name


class _Reader:
    def __init__(self, game: Game, name: str, content: object, languages: tuple[str, ...]) -> None:
        teaching = teaching_of(game)
        if teaching is None:
            raise NotationError("this game has no lessons", key="game")
        self.game, self.name, self.languages, self.teaching = game, name, languages, teaching
        try:
            self.file = _File.model_validate(content)
        except ValidationError as error:
            detail = error.errors()[0]
            parts = (f"[{part}]" if isinstance(part, int) else f".{shown(part)}" for part in detail["loc"])
            raise PositionError(error_text(detail), key="".join(parts).lstrip(".")) from None
        self.position = game.from_json(self.file.position)

    def read(self) -> Lesson:
        file = self.file
        for key, seat in (
            ("seat", file.seat),
            *((f"answers[{n}].seat", answer.seat) for n, answer in enumerate(file.answers)),
        ):
            read_whole(seat, key, 0, self.position.players - 1, _RULE)
        for key, action in file.actions():
            if not isinstance(action.get("type"), str):
                raise PositionError("names the type of an action", key=f"{key}.type")
        for mark in file.marks:
            self.teaching.check_mark(self.position, mark)
        read = {"position": self.position, "goal": self.goal(), "words": self.words()}
        fields = {key: value for key, value in file if key != "lesson"}
        lesson = Lesson(game=self.game.name, name=self.name, **fields | read)
        self.check_words(lesson)
        return lesson

    def goal(self) -> Goal:
        content, known = self.file.goal, self.teaching.goals
        for key in content:
            if key not in known:
                message = f"unknown goal; there are: {', '.join(known)}"
                raise PositionError(message, key=f"goal.{shown(key)}")
        if not content:
            raise PositionError("asks for nothing", key="goal")
        parts = [known[key](self.position, value, f"goal.{key}") for key, value in content.items()]
        return lambda now, seat, done: all(part(now, seat, done) for part in parts)

    def words(self) -> Mapping[str, Mapping[str, str]]:
        content = self.file.words
        for tag in content:
            if tag not in self.languages:
                message = f"is no language of the page: {', '.join(self.languages)}"
                raise PositionError(message, key=f"words.{shown(tag)}")
        if self.languages[0] not in content:
            raise PositionError("missing", key=f"words.{self.languages[0]}")
        return {
            tag: {key: self.text(text, f"words.{tag}.{shown(key)}") for key, text in texts.items()}
            for tag, texts in content.items()
        }

    def text(self, text: str, key: str) -> str:
        """Return a text with its placeholders replaced by the names of places."""
        try:
            return PLACEHOLDER.sub(lambda found: self.teaching.named(self.position, found[1]), text)
        except EkoesError as error:
            raise PositionError(error.message, rule=error.rule, key=key) from None

    def check_words(self, lesson: Lesson) -> None:
        """Check that every language has exactly the texts that the lesson uses."""
        used = {*_WORDS, *(attempt.says for attempt in lesson.tries if not attempt.is_refused)}
        if lesson.allowed:
            used.add(OTHER)
        for tag, words in lesson.words.items():
            for key in used - set(words):
                raise PositionError("missing", key=f"words.{tag}.{key}")
            for key in set(words) - used:
                raise PositionError("is not used", key=f"words.{tag}.{shown(key)}")


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

BEGAN = datetime(2000, 1, 1, tzinfo=UTC)
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
    table = alone(lesson.game, lesson.position, lesson.seat, lesson.options)
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


def alone(game: str, position: Position, learner: int, options: Json | None = None) -> Table:
    """Return a table that stands at a position: the learner, and bots that never act by themselves."""
    stand_in = game_of(game).parts.stand_in
    seats = tuple(
        Seat("here", "", seat, session=LEARNER) if seat == learner else Seat("bot", "", seat, stand_in)
        for seat in range(position.players)
    )
    whole = {"players": position.players} | (options or {})
    return table_class(game).at_position(game, whole, position, seats, BEGAN)


def _decided(lesson: Lesson, table: Table, number: int, action: Json) -> Table:
    """Return the table after a decision of the learner and the moves of the other players."""
    at = BEGAN + number * _STEP
    for answer in lesson.answers:
        if answer.before == number:
            table = _answered(table, answer, at - _JUST)
    order = table.order_for(lesson.seat, action)
    table = submit(table, order, LEARNER, at)
    if _is_reached(lesson, table):
        return table
    after = (answer for answer in lesson.answers if answer.after == number)
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
    at = BEGAN + taken * _STEP
    if _is_reached(lesson, table):
        return Played(table, taken, "reached", at)
    is_open = table.can_act(lesson.seat)
    return Played(table, taken, "open" if is_open else "missed", at)
