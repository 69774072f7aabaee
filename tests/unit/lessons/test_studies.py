"""Chapters of studies: games with variations, whose main line may be a task, and positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ekoes.errors import EkoesError
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import game
from ekoes.games.eko.game import EKO
from ekoes.records import Decision, GameRecord, GameTree, Node, write_tree
from ekoes.tables.lessons import lesson_of
from ekoes.tables.studies import (
    Chapter,
    ChapterForm,
    read_chapter,
    read_form,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "ekko" / "games"
WORDS = {"en": {"title": "The first turns"}}


START = EKO.new({"players": 2}, 7)


def actions(position: Any) -> list[Decision]:
    (seat,) = position.actors()
    return [Decision(seat, action) for action in sorted(position.legal(seat), key=str)]


def grown() -> GameTree:
    """Return a game with a variation to each decision of seat 0, of which the early ones have a comment."""
    nodes, positions, at = [Node(comment="Look at the camps.")], [START], 0

    def add(decision: Decision, comment: str = "") -> None:
        nodes.append(Node(at, decision, comment=comment))
        positions.append(positions[at].play(decision.seat, decision.action))

    for step in range(8):
        main, other, *_ = actions(positions[at])
        add(main)
        after = len(nodes) - 1
        if main.seat == 0:
            add(other, f"Not here, {step}." if step < 3 else "")
        at = after
    line = [node.decision for node in nodes[1:]]
    main_decisions, position = [], START
    for decision in line:
        if decision == actions(position)[0]:
            main_decisions.append(decision)
            position = position.play(decision.seat, decision.action)
    return GameTree(GameRecord("eko", START, tuple(main_decisions)), tuple(nodes))


RECORD = write_tree(grown())


def read(words: Json | None = None, **form: Any) -> Chapter:
    return read_chapter(game("eko"), read_form(ChapterForm, {"words": words or WORDS} | form))


def test_task_of_a_game_has_nothing_but_a_seat() -> None:
    chapter = read(record=RECORD, task={"seat": 1})
    assert chapter.task is not None
    assert (chapter.task.seat, chapter.task.goal) == (1, None)


def test_game_without_a_task_is_read_with_its_moves() -> None:
    chapter = read(record=RECORD, words={"de": {"title": "Die ersten Züge", "text": "Sieh hin."}})
    assert chapter.task is None
    assert chapter.texts("text") == {"de": "Sieh hin."}
    assert chapter.tree is not None
    assert len(chapter.tree.nodes) > 1


BUILD = lesson_of("eko", "build").position.to_json()
WRONG: list[tuple[Json, str]] = [
    ({}, "needs either a position or a record"),
    ({"record": RECORD, "position": BUILD}, "needs either a position or a record"),
    ({"record": RECORD.replace("[Game", "[Gane")}, "line"),
    ({"record": f"{RECORD}99. seat 0: a1"}, "line"),
    ({"record": "x" * 50_000}, "'record'"),
    ({"record": RECORD, "task": {"seat": 2}}, "'task.seat'"),
    ({"record": RECORD, "task": {"goal": {"won": True}}}, "'task'"),
    ({"position": BUILD, "task": {"seat": 0}}, "'task.goal'"),
    ({"position": BUILD, "task": {"seats": 0}}, "'task.seats'"),
    ({"position": BUILD | {"players": 9}}, "'players'"),
    ({"position": BUILD, "words": {}}, "'words'"),
    ({"position": BUILD, "words": {"en": {"text": "Hello."}}}, "'words.en.title'"),
    ({"position": BUILD, "words": {"en": {"title": "A", "done": "B"}}}, "'words.en.done'"),
    ({"position": BUILD, "words": {"en": {"title": "A", "text": "x" * 2001}}}, "'words.en.text'"),
]


@pytest.mark.parametrize(("form", "says"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_chapters_are_refused_with_the_key_or_the_line(form: Json, says: str) -> None:
    with pytest.raises(EkoesError) as caught:
        read_chapter(game("eko"), read_form(ChapterForm, {"words": WORDS} | form))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_record_of_another_game_is_refused() -> None:
    with pytest.raises(EkoesError, match="a record of eko, not of ekko"):
        read_chapter(game("ekko"), read_form(ChapterForm, {"words": WORDS, "record": RECORD}))


def test_chapter_of_a_race_is_a_sequence_without_a_task() -> None:
    live = (GOLDEN / "live-four-players-to-12.txt").read_text("utf-8")
    sequence = (GOLDEN / "two-players.txt").read_text("utf-8")
    form = {"words": WORDS, "record": sequence}
    read_chapter(game("ekko"), read_form(ChapterForm, form))
    for wrong, says in (({"record": live}, "live game"), ({"task": {"seat": 0}}, "a game of turns")):
        with pytest.raises(EkoesError, match=says):
            read_chapter(game("ekko"), read_form(ChapterForm, form | wrong))
