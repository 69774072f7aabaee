"""Playing a lesson: its position and the learner's decisions so far make a table, as the rules judge it.

Nothing is kept: whoever shows a lesson sends all decisions each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from ekoes.errors import EkoesError, IllegalActionError, TableError
from ekoes.games.contract import Json
from ekoes.games.registry import game
from ekoes.match.kinds import kind_of
from ekoes.match.lessons.lesson import Answer, Lesson
from ekoes.match.lessons.read import teaching_of
from ekoes.match.orders import Tick
from ekoes.match.seats import Seat
from ekoes.match.state import Table
from ekoes.match.submit import submit

__all__ = ["LEARNER", "Played", "Result", "play_lesson"]

LEARNER = "learner"
"""The session that holds the learner's seat."""

Result = Literal["open", "reached", "missed"]

_BEGAN = datetime(2000, 1, 1, tzinfo=UTC)
_STEP = timedelta(seconds=20)
"""From one decision of the learner to the next: no hand is still busy with the one before."""
_JUST = timedelta(milliseconds=300)


@dataclass(frozen=True, slots=True)
class Played:
    """Where a lesson stands. taken: the learner's decisions that were done.

    result: ``missed`` where the goal can't be reached any more. says: the key of the lesson's words on the
    latest decision, which was not done; refusal: what the rules say of it. at: the time in the lesson.
    """

    table: Table
    taken: int
    result: Result
    at: datetime
    says: str | None = None
    refusal: EkoesError | None = None


def play_lesson(lesson: Lesson, decisions: Sequence[Json]) -> Played:
    """Play a lesson by the learner's decisions; the latest may be one that can't be done.

    Raises: EkoesError if an earlier one can't be.
    """
    table = _begun(lesson)
    for number, action in enumerate(decisions, 1):
        steered = _state(lesson, table, number - 1)
        if steered.result != "open":
            raise TableError("this lesson is over", code="table/game-over")
        try:
            after = _decided(lesson, table, number, action)
        except EkoesError as error:
            if number < len(decisions):
                raise
            return replace(steered, refusal=error)
        says = lesson.steer(action)
        if says is not None:
            return replace(steered, says=says)
        table = after
    return _state(lesson, table, len(decisions))


def _begun(lesson: Lesson) -> Table:
    """Return the table of a lesson as it begins: the learner, and bots that nobody asks."""
    names = range(lesson.position.players)
    stand_in = game(lesson.game).parts.stand_in
    seats = tuple(
        Seat("here", "", seat, session=LEARNER) if seat == lesson.seat else Seat("bot", "", seat, stand_in)
        for seat in names
    )
    options = {"players": lesson.position.players} | lesson.options
    table: Table = kind_of(lesson.game).table_at(lesson.game, options, lesson.position, seats, _BEGAN)
    return table


def _decided(lesson: Lesson, table: Table, number: int, action: Json) -> Table:
    """Return the table after a decision of the learner and what others answer to it."""
    at = _BEGAN + number * _STEP
    for answer in lesson.answers:
        if answer.count == number and answer.is_before:
            table = _answered(table, answer, at - _JUST)
    order = kind_of(table.game).order_of(table, lesson.seat, action)
    table = submit(table, order, LEARNER, at)
    if _is_reached(lesson, table):
        return table
    after = (answer for answer in lesson.answers if answer.count == number and not answer.is_before)
    for turn, answer in enumerate(after, 1):
        try:
            table = _answered(table, answer, at + turn * _JUST)
        except (IllegalActionError, TableError):
            break  # the learner went another way, to which the lesson knows no answer
    return table


def _answered(table: Table, answer: Answer, at: datetime) -> Table:
    if answer.action is None:
        strikes = kind_of(table.game).strikes_at(table)
        return submit(table, Tick(key="clock"), None, max(at, strikes or at))
    order = kind_of(table.game).order_of(table, answer.seat, answer.action)
    return submit(table, order, None, at)


def _is_reached(lesson: Lesson, table: Table) -> bool:
    teaching = teaching_of(game(lesson.game))
    done = [] if teaching is None else [teaching.done(entry) for entry in table.log]
    return lesson.goal(kind_of(lesson.game).position_of(table), lesson.seat, done)


def _state(lesson: Lesson, table: Table, taken: int) -> Played:
    at = _BEGAN + taken * _STEP
    if _is_reached(lesson, table):
        return Played(table, taken, "reached", at)
    is_open = kind_of(lesson.game).expects(table, lesson.seat)
    return Played(table, taken, "open" if is_open else "missed", at)
