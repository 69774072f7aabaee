"""docs/reference/studies.md: its keys and goals are those that are read, and its example is a study."""

from __future__ import annotations

import json
import re

from ekoes.games.api.registry import game, games
from ekoes.tables.lessons import lesson_of, read_lessons
from ekoes.tables.studies import ChapterForm, StudyForm, TaskForm, keys_of, teaching_of
from tests.docs.pages import fences, read

REFERENCE = read("docs/reference/studies.md")
TITLES = {"eko": "Ekö", "ekko": "EKKO"}


def rows(heading: str) -> dict[str, str]:
    """First cell -> second, of the table with a heading."""
    table = REFERENCE[REFERENCE.index(f"| {heading} |") :].partition("\n\n")[0]
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]*)\|", table, flags=re.MULTILINE))


def test_reference_lists_the_keys_of_a_study() -> None:
    for heading, form in (("study", StudyForm), ("chapter", ChapterForm), ("task", TaskForm)):
        assert {key: cell.strip() == "optional" for key, cell in rows(heading).items()} == keys_of(form)


def test_reference_lists_the_goals_of_each_game() -> None:
    told = {name: cell.strip() for name, cell in rows("goal").items()}
    for name in games():
        teaching = teaching_of(game(name))
        goals = set() if teaching is None else set(teaching.goals)
        assert goals == {goal for goal, of in told.items() if of in {"both", TITLES[name]}}


def test_example_is_a_study() -> None:
    (text,) = fences(REFERENCE, "json")
    value = json.loads(text)
    value["chapters"][0]["position"] = lesson_of("eko", "build").chapter.position.to_json()
    (lesson,) = read_lessons(game("eko"), "1-basics.json", json.dumps(value))
    assert lesson.task.solution == lesson_of("eko", "build").task.solution
