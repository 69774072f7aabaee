"""Every lesson is played: by its shown solution, and by each wrong try, which gets its explanation."""

from __future__ import annotations

import pytest

from ekoes.errors import EkoesError, TableError
from ekoes.games.api.registry import games
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.tables.lessons import Lesson, lesson_of, lessons_of
from ekoes.tables.studies import Try, play_task
from tests.languages import TAGS

LESSONS = [lesson for game in games() for lesson in lessons_of(game).values()]
TRIES = [(lesson, attempt) for lesson in LESSONS for attempt in lesson.task.tries]


def called(lesson: object) -> str:
    return f"{lesson.game}-{lesson.name}" if isinstance(lesson, Lesson) else str(lesson)


@pytest.mark.parametrize("lesson", LESSONS, ids=called)
def test_solution_reaches_the_goal_and_nothing_before_it_does(lesson: Lesson) -> None:
    for count in range(len(lesson.task.solution)):
        assert play_task(lesson.task, lesson.task.solution[:count]).result == "open"
    played = play_task(lesson.task, lesson.task.solution)
    assert (played.result, played.taken, played.says, played.refusal) == (
        "reached",
        len(lesson.task.solution),
        None,
        None,
    )


@pytest.mark.parametrize(("lesson", "attempt"), TRIES, ids=called)
def test_wrong_try_is_not_done_and_gets_its_explanation(lesson: Lesson, attempt: Try) -> None:
    before = lesson.task.solution[: attempt.after]
    played = play_task(lesson.task, [*before, attempt.action])
    assert (played.result, played.taken) == ("open", len(before))
    assert played.table == play_task(lesson.task, before).table
    if attempt.is_refused:
        assert isinstance(played.refusal, EkoesError)
        assert (played.refusal.rule, played.says) == (attempt.says, None)
    else:
        assert (played.says, played.refusal) == (attempt.says, None)
        assert all(attempt.says in words for words in lesson.words.values())


@pytest.mark.parametrize("lesson", LESSONS, ids=called)
def test_lesson_has_a_wrong_try_and_speaks_every_language(lesson: Lesson) -> None:
    assert lesson.task.tries
    assert set(lesson.words) == set(TAGS)


def test_there_is_a_dozen_for_each_game_and_one_for_each_variant() -> None:
    studies = {name: lesson.study for name, lesson in lessons_of("eko").items()}
    assert set(VARIANTS) <= {name for name, study in studies.items() if study == "variants"}
    assert list(studies.values()).count("basics") >= 12
    assert len(lessons_of("ekko")) >= 11


def test_wrong_turn_in_a_lesson_reports_the_missed_goal() -> None:
    lesson = lesson_of("eko", "attack")
    astray = {"type": "move", "from": "-1,0", "to": "-1,1"}
    played = play_task(lesson.task, [astray])
    assert (played.result, played.taken) == ("missed", 1)
    with pytest.raises(TableError, match="this task is over"):
        play_task(lesson.task, [astray, astray])


def test_earlier_decision_that_can_not_be_done_is_an_error() -> None:
    lesson = lesson_of("eko", "attack")
    refused = {"type": "move", "from": "-1,0", "to": "-2,3"}
    with pytest.raises(EkoesError, match="too weak"):
        play_task(lesson.task, [refused, lesson.task.solution[0]])


def test_faster_player_in_a_lesson_is_a_third_of_a_second_ahead() -> None:
    lesson = lesson_of("ekko", "late")
    table = play_task(lesson.task, lesson.task.solution).table
    assert [(entry.seat, entry.verdict.value, entry.behind) for entry in table.log] == [
        (1, "play", None),
        (0, "late", 300),
    ]


def test_unknown_lesson_is_not_found() -> None:
    with pytest.raises(TableError, match="no lesson 'chess'"):
        lesson_of("eko", "chess")
