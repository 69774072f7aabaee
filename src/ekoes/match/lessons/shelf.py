"""All lessons of a game, in the order in which they are learned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from ekoes.errors import TableError
from ekoes.games.registry import game as game_of
from ekoes.match.lessons.lesson import Lesson
from ekoes.match.lessons.read import read_lesson, teaching_of

__all__ = ["lesson_of", "lessons_of"]


@cache
def lessons_of(game: str) -> Mapping[str, Lesson]:
    """Return the lessons of a game by name; none if it is not taught.

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
    """Return the languages of the page."""
    listed = json.loads(files("ekoes").joinpath("languages.json").read_text("utf-8"))
    return tuple(language["tag"] for language in listed)
