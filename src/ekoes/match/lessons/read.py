"""Reading a lesson from its file, strictly: errors name the file and the key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from ekoes.errors import EkoesError, NotationError, PositionError
from ekoes.games.contract import Game, Json, Position
from ekoes.games.reading import read_fields, read_flag, read_list, read_object, read_whole, shown
from ekoes.games.registry import load
from ekoes.games.strict_json import parse_json
from ekoes.games.teaching import Goal, Teaching
from ekoes.match.lessons.lesson import OTHER, Answer, Lesson, Try

__all__ = ["KEYS", "PLACEHOLDER", "read_lesson", "teaching_of"]

VERSION = 1
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""What stands for the name of a place in a lesson's words."""

_RULE = "lesson"
_NAME = re.compile(r"[a-z][a-z-]{0,29}")
_NUMBER_OF_RULE = re.compile(r"[A-Z]\d+\.\d+")
KEYS: Final = dict.fromkeys(
    ("lesson", "chapter", "position", "goal", "solution", "words"), False
) | dict.fromkeys(("seat", "options", "allowed", "tries", "answers", "marks"), True)
"""The keys of a lesson, and whether each may be left out."""

_WORDS = ("title", "task", "done")
_MOST_DECISIONS = 40
_LONGEST_TEXT = 600


def teaching_of(game: Game) -> Teaching | None:
    """Return what a game brings for its lessons, None if it is not taught."""
    part = game.parts.teaching
    return None if part is None else cast("Teaching", load(part))


def read_lesson(game: Game, file: str, text: str, languages: tuple[str, ...]) -> Lesson:
    """Read the file of a lesson. languages: of the page; in the first of them every lesson has to speak.

    Raises: NotationError, PositionError or LayoutError naming file, rule and key.
    """
    try:
        return _Reader(game, _name(file), parse_json(text), languages).read()
    except EkoesError as error:
        raise type(error)(
            f"{file}: {error.message}", code=error.code, rule=error.rule, key=error.key
        ) from None


def _name(file: str) -> str:
    """Return the name of a lesson: that of its file without the number by which it is learned."""
    name = re.sub(r"^\d+-|\.json$", "", file)
    if not _NAME.fullmatch(name):
        raise NotationError("a lesson is called like 05-kamikaze.json")
    return name


class _Reader:
    """One lesson on its way from JSON to a value."""

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

    # what is done

    def pattern(self, value: object, key: str) -> Json:
        pattern = read_object(value, key)
        if not isinstance(pattern.get("type"), str):
            raise PositionError("names the type of an action", key=f"{key}.type")
        return pattern

    def action(self, value: object, key: str) -> Json:
        """Take an action; whether it is one, the table that plays it says."""
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

    # what is said

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
        """Return a text with the names of the places that it speaks of."""
        if not isinstance(value, str) or not 0 < len(value.strip()) <= _LONGEST_TEXT:
            raise PositionError(f"must be a text of at most {_LONGEST_TEXT} characters", key=key)
        try:
            return PLACEHOLDER.sub(lambda found: self.teaching.named(position, found[1]), value)
        except EkoesError as error:
            raise PositionError(error.message, rule=error.rule, key=key) from None

    def check_said(self, lesson: Lesson) -> None:
        """Check that all that may be said has its words in every language, and nothing else has."""
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
