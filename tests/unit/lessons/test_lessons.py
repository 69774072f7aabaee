"""Lessons: all files are read strictly. The page plays them (web/src/table/taskTesting.ts)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ekoes.errors import EkoesError, LayoutError, TableError
from ekoes.games.api.registry import game, games
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.teaching import TEACHING
from ekoes.tables.lessons import Lesson, lesson_of, lessons_of, read_lessons
from ekoes.tables.studies import ChapterForm, check_words, read_chapter, read_form, samples
from tests.languages import TAGS

LESSONS = [lesson for game in games() for lesson in lessons_of(game).values()]


def called(lesson: object) -> str:
    return f"{lesson.game}-{lesson.name}" if isinstance(lesson, Lesson) else str(lesson)


@pytest.mark.parametrize("lesson", LESSONS, ids=called)
def test_lesson_has_a_wrong_try_and_speaks_every_language(lesson: Lesson) -> None:
    assert lesson.task.tries
    assert set(lesson.words) == set(TAGS)


def test_there_is_a_dozen_for_each_game_and_one_for_each_variant() -> None:
    studies = {name: lesson.study for name, lesson in lessons_of("eko").items()}
    assert set(VARIANTS) <= {name for name, study in studies.items() if study == "variants"}
    assert list(studies.values()).count("basics") >= 12
    assert len(lessons_of("ekko")) >= 11


def test_unknown_lesson_is_not_found() -> None:
    with pytest.raises(TableError, match="no lesson 'chess'"):
        lesson_of("eko", "chess")


FILE = "1-basics.json"


def content() -> dict[str, Any]:
    """Return the study of a file with one of its lessons, how to build."""
    study: dict[str, Any] = json.loads((TEACHING.folder / FILE).read_text("utf-8"))
    study["chapters"] = [chapter for chapter in study["chapters"] if chapter["name"] == "build"]
    return study


def read(value: object, file: str = FILE) -> Lesson:
    (lesson,) = read_lessons(game("eko"), file, json.dumps(value))
    return lesson


def changed(path: str, new: object) -> dict[str, Any]:
    """The study with one value of its chapter changed, or (after ``/``) of its own; ... takes it away."""
    whole = content()
    value: Any = whole if path.startswith("/") else whole["chapters"][0]
    *keys, last = (int(key) if key.isdigit() else key for key in path.strip("/").split("/"))
    for key in keys:
        value = value[key]
    if new is ...:
        del value[last]
    else:
        value[last] = new
    return whole


def test_words_name_places_as_people_call_them() -> None:
    lesson = read(content())
    task = lesson.words["en"]["text"]
    assert "{" not in task
    assert lesson.name == "build"


WRONG = [
    ("/study", 2, "'study'"),
    ("/game", "ekko", "'game'"),
    ("/colour", 1, "'colour'"),
    ("/words/en", ..., "'words.en'"),
    ("/words/fr/title", ..., "'words.fr.title'"),
    ("/chapters", [], "'chapters'"),
    ("name", "The game", "'name'"),
    ("name", ..., "'name'"),
    ("colour", 1, "'colour'"),
    ("record", '[Game "eko"]', "needs either"),
    ("position", ..., "needs either"),
    ("position/players", 1, "'players'"),
    ("position/stacks/-1,1/height", 5, "'stacks.-1,1.height'"),
    ("marks", ["7,7"], "'marks'"),
    ("task", ..., "'task'"),
    ("task/seat", 2, "'task.seat'"),
    ("task/goal", {}, "'task.goal'"),
    ("task/goal", {"beauty": 1}, "'task.goal.beauty'"),
    ("task/goal/building/at", "9,9", "'task.goal.building.at'"),
    ("task/goal/building/kind", "hut", "'task.goal.building.kind'"),
    ("task/goal", {"stack": {"at": "1,0", "height": 5}}, "'task.goal.stack.height'"),
    ("task/goal", {"did": {"dance": 1}}, "'task.goal.did.dance'"),
    ("task/goal", {"did": {"move": 0}}, "'task.goal.did.move'"),
    ("task/goal", {"won": False}, "'task.goal.won'"),
    ("task/goal", {"emperor": "home"}, "'task.goal.emperor'"),
    ("task/goal", {"captive": 7}, "'task.goal.captive'"),
    ("task/goal", {"points": "many"}, "'task.goal.points'"),
    ("task/solution/0", {"from": "1,0"}, "'task.solution[0].type'"),
    ("task/allowed", [[]], "'task.allowed[0]'"),
    ("task/tries/0/says", "Not so", "'task.tries[0].says'"),
    ("task/tries/0/after", -1, "'task.tries[0].after'"),
    ("task/tries/0/when", 1, "'task.tries[0].when'"),
    ("task/tries/0/says", "never", "'words.en.never'"),
    ("task/answers", [{"seat": 1, "action": {"type": "end"}}], "'task.answers[0]'"),
    ("task/answers", [{"after": 1}], "'task.answers[0]'"),
    ("task/answers", [{"after": 0, "clock": True}], "'task.answers[0].after'"),
    ("task/answers", [{"after": 1, "seat": 4, "action": {"type": "end"}}], "'task.answers[0].seat'"),
    ("words/en", ..., "'words.en'"),
    ("words/xx", {"title": "X"}, "'words.xx'"),
    ("words/fr/done", ..., "'words.fr.done'"),
    ("words/de/about", ..., "'words.de.about'"),
    ("words/cs/title", "", "'words.cs.title'"),
    ("words/cs/title", "x" * 101, "'words.cs.title'"),
    ("words/en/joke", "Knock, knock.", "'words.en.joke'"),
    ("words/en/text", "Go to {nowhere}.", "'words.en.text'"),
    ("words/en/text", "Go to {8,8}.", "'words.en.text'"),
]


@pytest.mark.parametrize(("path", "new", "key"), WRONG, ids=lambda value: str(value)[:40])
def test_invalid_lessons_are_refused_with_file_and_key(path: str, new: object, key: str) -> None:
    with pytest.raises(EkoesError) as caught:
        read(changed(path, new))
    shown = str(caught.value)
    assert f"{FILE}: " in shown
    assert path.startswith("/") or "chapter " in shown
    assert key in shown
    assert "\n" not in shown


@pytest.mark.parametrize("file", ["Basics.json", "1.json", "1_basics.json"])
def test_file_is_called_by_number_and_name(file: str) -> None:
    with pytest.raises(EkoesError, match="has a name like"):
        read(content(), file)


def test_key_that_stands_twice_is_refused() -> None:
    with pytest.raises(EkoesError, match=r"1-basics\.json: appears twice"):
        read_lessons(game("eko"), FILE, '{"study": 1, "study": 1}')


def test_two_chapters_of_one_name_are_refused() -> None:
    twice = content()
    twice["chapters"] *= 2
    with pytest.raises(EkoesError, match=r"1-basics\.json: chapter build: another chapter"):
        read(twice)


def test_allowed_decisions_need_words_for_the_others() -> None:
    with pytest.raises(EkoesError, match=r"words\.en\.other"):
        read(changed("task/allowed", [{"type": "build"}]))


def test_board_that_is_none_is_refused_by_its_rule() -> None:
    with pytest.raises(LayoutError, match=r"^E2\.8.*1-basics\.json: chapter build: "):
        read(changed("position/tiles/6", ["F", 0, 0, 0]))


@pytest.mark.parametrize("name", samples())
def test_studies_of_ours_are_complete_in_every_language(name: str) -> None:
    study = samples()[name]
    check_words(study.words, frozenset({"title"}))
    assert set(study.words) == set(TAGS)
    for content in study.chapters:
        chapter = read_chapter(game(study.game), read_form(ChapterForm, content))
        assert set(chapter.words) == set(TAGS), chapter.name
        assert all({"title", "text"} <= set(words) for words in chapter.words.values()), chapter.name
