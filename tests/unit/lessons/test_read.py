"""Lesson files are read strictly: errors name file and key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ekoes.errors import EkoesError, LayoutError
from ekoes.games.api.registry import game
from ekoes.games.eko.teaching import TEACHING
from ekoes.tables.lessons import Lesson, read_lesson

LANGUAGES = ("en", "fr", "de", "cs")


def content() -> dict[str, Any]:
    value: dict[str, Any] = json.loads((TEACHING.folder / "06-build.json").read_text("utf-8"))
    return value


def read(value: object, file: str = "06-build.json") -> Lesson:
    return read_lesson(game("eko"), file, json.dumps(value), LANGUAGES)


def changed(path: str, new: object) -> dict[str, Any]:
    """The lesson with one value changed; ... takes it away."""
    whole = content()
    value: Any = whole
    *keys, last = (int(key) if key.isdigit() else key for key in path.split("/"))
    for key in keys:
        value = value[key]
    if new is ...:
        del value[last]
    else:
        value[last] = new
    return whole


def test_words_name_places_as_people_call_them() -> None:
    lesson = read(content())
    task = lesson.words["en"]["task"]
    assert "{" not in task
    assert lesson.name == "build"


WRONG = [
    ("lesson", 2, "'lesson'"),
    ("chapter", "The game", "'chapter'"),
    ("chapter", ..., "'chapter'"),
    ("seat", 2, "'seat'"),
    ("colour", 1, "'colour'"),
    ("position/players", 1, "'players'"),
    ("position/stacks/-1,1/height", 5, "'stacks.-1,1.height'"),
    ("goal", {}, "'goal'"),
    ("goal", {"beauty": 1}, "'goal.beauty'"),
    ("goal/building/at", "9,9", "'goal.building.at'"),
    ("goal/building/kind", "hut", "'goal.building.kind'"),
    ("goal", {"stack": {"at": "1,0", "height": 5}}, "'goal.stack.height'"),
    ("goal", {"did": {"dance": 1}}, "'goal.did.dance'"),
    ("goal", {"did": {"move": 0}}, "'goal.did.move'"),
    ("goal", {"won": False}, "'goal.won'"),
    ("goal", {"emperor": "home"}, "'goal.emperor'"),
    ("goal", {"captive": 7}, "'goal.captive'"),
    ("goal", {"points": "many"}, "'goal.points'"),
    ("marks", ["7,7"], "'marks'"),
    ("solution/0", {"from": "1,0"}, "'solution[0].type'"),
    ("allowed", [[]], "'allowed[0]'"),
    ("tries/0/says", "Not so", "'tries[0].says'"),
    ("tries/0/after", -1, "'tries[0].after'"),
    ("tries/0/when", 1, "'tries[0].when'"),
    ("tries/0/says", "never", "'words.en.never'"),
    ("answers", [{"seat": 1, "action": {"type": "end"}}], "'answers[0]'"),
    ("answers", [{"after": 1}], "'answers[0]'"),
    ("answers", [{"after": 0, "clock": True}], "'answers[0].after'"),
    ("answers", [{"after": 1, "seat": 4, "action": {"type": "end"}}], "'answers[0].seat'"),
    ("words/en", ..., "'words.en'"),
    ("words/xx", {"title": "X"}, "'words.xx'"),
    ("words/fr/done", ..., "'words.fr.done'"),
    ("words/cs/title", "", "'words.cs.title'"),
    ("words/en/joke", "Knock, knock.", "'words.en.joke'"),
    ("words/en/task", "Go to {nowhere}.", "'words.en.task'"),
    ("words/en/task", "Go to {8,8}.", "'words.en.task'"),
]


@pytest.mark.parametrize(("path", "new", "key"), WRONG, ids=lambda value: str(value)[:40])
def test_invalid_lessons_are_refused_with_file_and_key(path: str, new: object, key: str) -> None:
    with pytest.raises(EkoesError) as caught:
        read(changed(path, new))
    shown = str(caught.value)
    assert "06-build.json: " in shown
    assert key in shown
    assert "\n" not in shown


@pytest.mark.parametrize("file", ["Build.json", "06.json", "06_build.json"])
def test_file_is_called_by_number_and_name(file: str) -> None:
    with pytest.raises(EkoesError, match="has a name like"):
        read(content(), file)


def test_key_that_stands_twice_is_refused() -> None:
    with pytest.raises(EkoesError, match=r"06-build\.json: appears twice"):
        read_lesson(game("eko"), "06-build.json", '{"lesson": 1, "lesson": 1}', LANGUAGES)


def test_allowed_decisions_need_words_for_the_others() -> None:
    with pytest.raises(EkoesError, match=r"words\.en\.other"):
        read(changed("allowed", [{"type": "build"}]))


def test_board_that_is_none_is_refused_by_its_rule() -> None:
    with pytest.raises(LayoutError, match=r"^E2\.8.*06-build\.json: "):
        read(changed("position/tiles/6", ["F", 0, 0, 0]))
