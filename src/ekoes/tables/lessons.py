"""Lessons: the studies in the package of a game, in each of which every chapter has a task."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Any

from ekoes.errors import EkoesError, NotationError, PositionError, TableError
from ekoes.games.api.contract import Game
from ekoes.games.api.reading import parse_json, shown
from ekoes.games.api.registry import game as game_of
from ekoes.tables.studies import (
    PLACEHOLDER,
    Chapter,
    ChapterForm,
    StudyForm,
    TaskForm,
    Words,
    check_words,
    languages,
    read_chapter,
    read_form,
    teaching_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson(Chapter):
    """A chapter of a study in a game's package, with a task.

    study: the name of the study; title: its title by language. about: what one learns, by language.
    words: with ``text`` and ``done`` too.
    """

    study: str
    title: Mapping[str, str]
    about: Mapping[str, str]
    task: TaskForm


def read_lessons(game: Game, file: str, text: str) -> list[Lesson]:
    """Read the study in a file.

    Raises: NotationError, PositionError or LayoutError naming file, chapter, rule and key.
    """
    where = file
    try:
        study = _name(file)
        form = read_form(StudyForm, parse_json(text))
        if form.game != game.name:
            raise PositionError(f"must be {game.name!r}", key="game")
        check_words(form.words, frozenset({"title"}))
        _check_first(form.words)
        title, lessons = {tag: words["title"] for tag, words in form.words.items()}, list[Lesson]()
        for number, content in enumerate(form.chapters, 1):
            where = f"{file}: chapter {content.get('name', number)!s:.30}"
            parts = _read(game, read_form(ChapterForm, content))
            if parts["name"] in {lesson.name for lesson in lessons}:
                raise PositionError("another chapter has this name", key="name")
            lessons.append(Lesson(**parts, study=study, title=title))
    except EkoesError as error:
        message = f"{where}: {error.message}"
        raise type(error)(message, code=error.code, rule=error.rule, key=error.key) from None
    return lessons


def _name(file: str) -> str:
    """Return the name of a study: that of its file without the number that orders the studies."""
    found = re.fullmatch(r"\d+-([a-z][a-z-]{0,29})\.json", file)
    if found is None:
        raise NotationError("a study has a name like 1-basics.json")
    return found[1]


def _read(game: Game, form: ChapterForm) -> dict[str, Any]:
    """Return the fields of a chapter."""
    for key in ("name", "task"):
        if getattr(form, key) is None:
            raise PositionError("missing", key=key)
    _check_first(form.words)
    other = {tag: {key: texts[key] for key in texts if key != "about"} for tag, texts in form.words.items()}
    chapter = read_chapter(game, form.model_copy(update={"words": other}))
    for tag, texts in form.words.items():
        for key in {"about", "text", "done"} - set(texts):
            raise PositionError("missing", key=f"words.{tag}.{key}")
    about = {tag: texts["about"] for tag, texts in form.words.items()}
    words = {
        tag: {key: _named(game, chapter, text, f"words.{tag}.{shown(key)}") for key, text in texts.items()}
        for tag, texts in chapter.words.items()
    }
    parts = {field.name: getattr(chapter, field.name) for field in fields(chapter)}
    return parts | {"about": about, "words": words}


def _check_first(words: Words) -> None:
    """Check that there are texts in the first language of the page."""
    if languages()[0] not in words:
        raise PositionError("missing", key=f"words.{languages()[0]}")


def _named(game: Game, chapter: Chapter, text: str, key: str) -> str:
    """Return a text with its placeholders replaced by the names of places."""
    teaching = teaching_of(game)
    try:
        return PLACEHOLDER.sub(
            lambda found: found[0] if teaching is None else teaching.named(chapter.position, found[1]), text
        )
    except EkoesError as error:
        raise PositionError(error.message, rule=error.rule, key=key) from None


@cache
def lessons_of(game: str) -> Mapping[str, Lesson]:
    """Return the lessons of a game by name; none if the game has no lessons.

    Raises: EkoesError naming a file, a chapter and its key.
    """
    teaching = teaching_of(game_of(game))
    if teaching is None:
        return MappingProxyType({})
    found = sorted((file.name, file) for file in teaching.folder.iterdir() if file.name.endswith(".json"))
    read = (read_lessons(game_of(game), name, file.read_text("utf-8")) for name, file in found)
    return MappingProxyType({lesson.name: lesson for lessons in read for lesson in lessons})


def lesson_of(game: str, name: str) -> Lesson:
    """Return a lesson. Raises TableError if there is none of this name."""
    lesson = lessons_of(game).get(name)
    if lesson is None:
        raise TableError(f"there is no lesson {name!r:.40}", code="lesson/not-found", key="lesson")
    return lesson
