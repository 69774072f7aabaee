"""docs/guide/add-a-lesson.md: its keys and goals are those that are read, and its example is a lesson."""

from __future__ import annotations

import json
import re

from ekoes.games.api.registry import game, games
from ekoes.tables.lessons import KEYS, lesson_of, read_lesson, teaching_of
from tests.docs.pages import fences, read

GUIDE = read("docs/guide/add-a-lesson.md")
TITLES = {"eko": "Ekö", "ekko": "EKKO"}


def rows(heading: str) -> dict[str, str]:
    """First cell -> second, of the table with a heading."""
    table = GUIDE[GUIDE.index(f"| {heading} |") :].partition("\n\n")[0]
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]*)\|", table, flags=re.MULTILINE))


def test_guide_lists_the_keys_of_a_lesson() -> None:
    assert {key: cell.strip() == "optional" for key, cell in rows("key").items()} == KEYS


def test_guide_lists_the_goals_of_each_game() -> None:
    told = {name: cell.strip() for name, cell in rows("goal").items()}
    for name in games():
        teaching = teaching_of(game(name))
        goals = set() if teaching is None else set(teaching.goals)
        assert goals == {goal for goal, of in told.items() if of in {"both", TITLES[name]}}


def test_example_is_a_lesson() -> None:
    (text,) = fences(GUIDE, "json")
    value = json.loads(text)
    value["position"] = lesson_of("eko", "build").position.to_json()
    lesson = read_lesson(game("eko"), "06-build.json", json.dumps(value), ("en",))
    assert lesson.solution == lesson_of("eko", "build").solution
