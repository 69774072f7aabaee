"""Studies: chapters with a position or a game, words, and maybe a task, which pages play by the rules.

The lessons of a game are studies in its package (``ekoes.tables.lessons``); users make others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal, Self, TypeVar, cast

from pydantic import AfterValidator, Field, ValidationError, model_validator

from ekoes.errors import NotationError, PositionError, RecordError
from ekoes.games.api.contract import Game, Json, Position
from ekoes.games.api.parts import Teaching
from ekoes.games.api.reading import error_text, parse_json, read_whole, shown
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import load
from ekoes.records import GameTree, read_tree, write_tree
from ekoes.records.tree import main_line
from ekoes.tables.analysis_board import RecordText
from ekoes.tables.orders import SeatNumber, Strict

OTHER = "other"
"""The key of the reply to a decision that the task does not allow."""
MOST_CHAPTERS = 64
LONGEST_TASK = 100
"""Decisions of a reader in one task, at most."""
LONGEST_TITLE = 100
LONGEST_TEXT = 2000

_RULE = "study"
_NAME = r"[a-z][a-z0-9-]{0,29}"
_MOST = 100


def _read_text(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST_TEXT:
        raise ValueError(f"must be a text of at most {LONGEST_TEXT} characters")
    return text


_Text = Annotated[str, AfterValidator(_read_text)]
ChapterName = Annotated[str, Field(pattern=f"^{_NAME}$")]
_Count = Annotated[int, Field(ge=1, le=LONGEST_TASK)]
_Few = Field(max_length=_MOST, strict=False)
"""A JSON list that is not long, read as a tuple."""
_Actions = Annotated[tuple[Json, ...], _Few]
Words = dict[str, dict[str, _Text]]
"""Language -> key -> text."""
_F = TypeVar("_F", bound=Strict)


class Answer(Strict):
    """A move of another player, right before or after a decision of the reader, counted from 1.

    action: None: the clock runs out.
    """

    seat: SeatNumber = 1
    action: Json | None = None
    clock: bool = False
    before: _Count | None = None
    after: _Count | None = None

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if (self.before is None) == (self.after is None):
            raise ValueError("needs either before or after")
        if (self.action is None) != self.clock:
            raise ValueError("is an action, or the clock")
        return self


class Try(Strict):
    """A wrong try: the reader's action after so many decisions of the solution.

    says: the number of the rule that refuses it, or the key of the chapter's own text.
    """

    action: Json
    after: Annotated[int, Field(ge=0, le=LONGEST_TASK)] = 0
    says: Annotated[str, Field(pattern=rf"^({_NAME}|[A-Z]\d+\.\d+)$")]

    @property
    def is_refused(self) -> bool:
        """Whether the rules refuse it, rather than the task."""
        return not self.says.islower()


class TaskForm(Strict):
    """The task of a chapter: a goal that the reader has to reach. seat: the reader's.

    In a position: a goal and how it is reached. In a game: nothing more, as the decisions of the seat in its
    main line are to be found, and comments on variations answer wrong ones.
    """

    seat: SeatNumber = 0
    options: Json = Field(default_factory=dict)
    goal: Json | None = None
    solution: _Actions = ()
    allowed: _Actions = ()
    tries: Annotated[tuple[Try, ...], _Few] = ()
    answers: Annotated[tuple[Answer, ...], _Few] = ()

    def actions(self) -> Iterator[tuple[str, Json]]:
        """Yield all actions and patterns of actions with their keys."""
        for name in ("solution", "allowed"):
            yield from ((f"task.{name}[{n}]", action) for n, action in enumerate(getattr(self, name)))
        yield from ((f"task.tries[{n}].action", attempt.action) for n, attempt in enumerate(self.tries))
        for n, answer in enumerate(self.answers):
            if answer.action is not None:
                yield f"task.answers[{n}].action", answer.action


class ChapterForm(Strict):
    """A chapter as it is written, before the game has read its parts."""

    name: ChapterName | None = None
    position: Json | None = None
    record: RecordText | None = None
    marks: Annotated[tuple[Any, ...], _Few] = ()
    task: TaskForm | None = None
    words: Words

    @model_validator(mode="after")
    def _has_one_start(self) -> Self:
        if (self.position is None) == (self.record is None):
            raise ValueError("needs either a position or a record")
        return self


class StudyForm(Strict):
    """A study as it is written; its chapters are read one by one."""

    study: Literal[1]
    game: Annotated[str, Field(max_length=20)]
    words: Words
    chapters: Annotated[list[Json], Field(min_length=1, max_length=MOST_CHAPTERS)]


@cache
def samples() -> Mapping[str, StudyForm]:
    """Return the studies of ours, which everybody can read, by id. Their chapters are not checked."""
    folder = files("ekoes").joinpath("studies")
    found = sorted((file.name, file) for file in folder.iterdir() if file.name.endswith(".json"))
    return {
        name.removesuffix(".json"): read_form(StudyForm, parse_json(file.read_text("utf-8")))
        for name, file in found
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter. tree: its game; None: it is a position. marks: highlighted on the board at the start.

    words: language -> key -> text; ``title`` always exists.
    """

    game: str
    name: str
    position: Position
    tree: GameTree | None
    marks: tuple[Any, ...]
    task: TaskForm | None
    words: Mapping[str, Mapping[str, str]]

    def texts(self, key: str) -> dict[str, str]:
        """Return a text in the languages that have it."""
        return {tag: words[key] for tag, words in self.words.items() if key in words}


PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A placeholder for the name of a place in the texts of a game's own studies."""


@cache
def listed_languages() -> list[Json]:
    """Return the languages of the page, the first one first: BCP 47 tag, own name, direction."""
    listed: list[Json] = json.loads(files("ekoes").joinpath("languages.json").read_text("utf-8"))
    return listed


@cache
def languages() -> tuple[str, ...]:
    """Return the tags of the languages of the page."""
    return tuple(language["tag"] for language in listed_languages())


def read_form(form: type[_F], content: object) -> _F:
    """Check the keys and types of a form. Raises PositionError naming the key."""
    try:
        return form.model_validate(content)
    except ValidationError as error:
        detail = error.errors()[0]
        parts = (f"[{part}]" if isinstance(part, int) else f".{shown(part)}" for part in detail["loc"])
        raise PositionError(error_text(detail), key="".join(parts).lstrip(".") or None) from None


def check_words(words: Words, needed: frozenset[str], optional: frozenset[str] = frozenset()) -> None:
    """Check that texts are in languages of the page, the same texts in each. Raises PositionError."""
    if not words:
        raise PositionError("needs a language", key="words")
    there = set().union(*words.values())
    for tag, texts in words.items():
        if tag not in languages():
            raise PositionError(
                f"is no language of the page: {', '.join(languages())}", key=f"words.{shown(tag)}"
            )
        for key in (needed | there & optional) - set(texts):
            raise PositionError("missing", key=f"words.{tag}.{key}")
        for key in set(texts) - needed - optional:
            raise PositionError("is not used", key=f"words.{tag}.{shown(key)}")
        if len(texts.get("title", "")) > LONGEST_TITLE:
            raise PositionError(f"has at most {LONGEST_TITLE} characters", key=f"words.{tag}.title")


def read_chapter(game: Game, form: ChapterForm) -> Chapter:
    """Read a chapter: its position or record, task and words.

    Raises: NotationError, PositionError, LayoutError or RecordError naming rule and key.
    """
    return _Reader(game, form).read()


def check_chapter(game: str, form: ChapterForm) -> str | None:
    """Check a chapter by the rules; returns its record, if any, with a start that needs no drawing.

    Raises: EkoesError naming rule and key.
    """
    tree = read_chapter(game_of(game), form).tree
    return None if tree is None else write_tree(tree)


class _Reader:
    def __init__(self, game: Game, form: ChapterForm) -> None:
        self.game, self.form = game, form
        self.tree = None if form.record is None else self.read_record(form.record)
        self.position = game.from_json(form.position) if self.tree is None else self.tree.record.start

    def read(self) -> Chapter:
        form = self.form
        if form.task is not None:
            self.check_task(form.task)
        if form.marks:
            teaching = self.teaching()
            for mark in form.marks:
                teaching.check_mark(self.position, mark)
        used = {each.says for each in form.task.tries if not each.is_refused} if form.task else set()
        if form.task and form.task.allowed:
            used.add(OTHER)
        done = {"done", OTHER} if form.task and self.tree else {"done"} if form.task else set()
        check_words(form.words, frozenset({"title"} | used), frozenset({"text"} | done))
        return Chapter(
            game=self.game.name,
            name=form.name or "",
            position=self.position,
            tree=self.tree,
            marks=form.marks,
            task=form.task,
            words=form.words,
        )

    def read_record(self, text: str) -> GameTree:
        tree = read_tree(text)
        if tree.record.game != self.game.name:
            raise RecordError(f"this is a record of {tree.record.game}, not of {self.game.name}", key="Game")
        if tree.record.table is not None:
            message = "a chapter has no live game; the analysis board turns it into a sequence of decisions"
            raise RecordError(message, key="record")
        return tree

    def teaching(self) -> Teaching[Any]:
        teaching = teaching_of(self.game)
        if teaching is None:
            raise NotationError("this game has no lessons", key="game")
        return teaching

    def check_task(self, form: TaskForm) -> None:
        for key, seat in (
            ("task.seat", form.seat),
            *((f"task.answers[{n}].seat", answer.seat) for n, answer in enumerate(form.answers)),
        ):
            read_whole(seat, key, 0, self.position.players - 1, _RULE)
        if self.tree is not None:
            if form.model_fields_set - {"seat"}:
                raise PositionError("of a record is its main line: only the seat is given", key="task")
            self.check_task_of_game(self.tree, form.seat)
        for key, action in form.actions():
            if not isinstance(action.get("type"), str):
                raise PositionError("names the type of an action", key=f"{key}.type")
        if self.tree is None:
            self.check_goal(form.goal or {})

    def check_goal(self, content: Json) -> None:
        known = self.teaching().goals
        for key in content:
            if key not in known:
                message = f"unknown goal; there are: {', '.join(known)}"
                raise PositionError(message, key=f"task.goal.{shown(key)}")
        if not content:
            raise PositionError("asks for nothing", key="task.goal")
        for key, value in content.items():
            known[key](self.position, value, f"task.goal.{key}")

    def check_task_of_game(self, tree: GameTree, seat: int) -> None:
        """Check that a seat has decisions in a game, all of which are to be found from its first one on."""
        if self.game.parts.sequence is not None:
            raise PositionError("of a record needs a game of turns", key="task")
        decisions = [tree.nodes[number].decision for number in main_line(tree.nodes)]
        own = sum(one is not None and one.seat == seat for one in decisions)
        if not 0 < own <= LONGEST_TASK:
            message = f"this seat has {own} decisions in the record; it may have 1 to {LONGEST_TASK}"
            raise PositionError(message, code="study/no-moves", key="task.seat")


def teaching_of(game: Game) -> Teaching[Any] | None:
    """Return a game's part for lessons, None if it has none."""
    part = game.parts.teaching
    return None if part is None else cast("Teaching[Any]", load(part))
