"""Answers to puzzles: the ratings of puzzles and of accounts, what an account has solved, and its streak."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, insert, select, update

from ekoes.storage.dialects import dialect_of
from ekoes.storage.engine import Repository
from ekoes.storage.schema import AccountRow, Base, PuzzleAnswerRow, PuzzleRatingRow, SolverRow
from ekoes.tables.ratings import NEW, Rating, after_game

_TABLES = Base.metadata.tables
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """An answer to a puzzle. rating: of the puzzle before anybody has answered it.

    day: the day whose daily puzzle it is; None: of none.
    """

    game: str
    puzzle: str
    is_right: bool
    rating: Rating
    at: datetime
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """What an account has done in the puzzles of a game. answers: the number of rated ones.

    tried: the puzzles that were answered, solved: those of them that were solved, rightly at once or later.
    day: the latest day whose daily puzzle was solved; streak: how many days in a row ended with it.
    """

    rating: Rating = NEW
    answers: int = 0
    day: date | None = None
    streak: int = 0
    tried: frozenset[str] = frozenset()
    solved: frozenset[str] = frozenset()

    def streak_on(self, today: date) -> int:
        """Return how many days in a row, until yesterday or today."""
        return self.streak if self.day is not None and today - self.day <= _DAY else 0


@dataclass(frozen=True, slots=True)
class SolverStanding:
    """The puzzle rating of an account in a game."""

    game: str
    rating: Rating
    answers: int
    right_answers: int


class PuzzleAnswers(Repository):
    """Answers to puzzles, and the ratings that follow from them."""

    def answer(self, user: str, given: PuzzleAnswer) -> tuple[Rating, Rating] | None:
        """Store an answer of an account. Only the first one to a puzzle is rated.

        Returns: the account's rating before and after it, None if it was not rated.
        """
        with self._transaction() as connection:
            if not _lock_account(connection, user):
                return None
            solver = _solver(connection, user, given.game)
            if given.is_right and given.day is not None:
                _note_day(connection, solver, given.day)
            is_this = _is_answer(user, given.game, given.puzzle)
            known = connection.execute(select(PuzzleAnswerRow.solved_at).where(*is_this)).first()
            if known is None:
                return _rate(connection, solver, given)
            if given.is_right and known.solved_at is None:
                connection.execute(update(PuzzleAnswerRow).where(*is_this).values(solved_at=given.at))
            return None

    def take_over(
        self, user: str, game: str, solved: Collection[str], run: tuple[date, int] | None, at: datetime
    ) -> None:
        """Store what a guest has solved in the browser where the account signs in, without rating it.

        run: the latest day and the number of days in a row; stored unless the account has solved one itself.
        """
        with self._transaction() as connection:
            if not _lock_account(connection, user):
                return
            solver = _solver(connection, user, game)
            for puzzle in solved:
                is_this = _is_answer(user, game, puzzle)
                row = {"user_id": user, "game": game, "puzzle": puzzle, "at": at}
                _insert_new(connection, "puzzle_answers", row)
                first = update(PuzzleAnswerRow).where(*is_this, PuzzleAnswerRow.solved_at.is_(None))
                connection.execute(first.values(solved_at=at))
            if run is not None and solver.day is None:
                _change(connection, solver, day=run[0], streak=run[1])

    def progress(self, user: str, game: str) -> Progress:
        """Return what an account has done in the puzzles of a game."""
        theirs = (PuzzleAnswerRow.user_id == user, PuzzleAnswerRow.game == game)
        with self._transaction() as connection:
            is_theirs = (SolverRow.user_id == user, SolverRow.game == game)
            solver = connection.execute(select(SolverRow.__table__).where(*is_theirs)).first()
            if solver is None:
                return Progress()
            found = select(PuzzleAnswerRow.puzzle, PuzzleAnswerRow.solved_at).where(*theirs)
            rows = connection.execute(found).all()
        return Progress(
            Rating(solver.mean, solver.deviation),
            solver.answers,
            solver.day,
            solver.streak,
            frozenset(puzzle for puzzle, _ in rows),
            frozenset(puzzle for puzzle, at in rows if at is not None),
        )

    def standings(self, user: str) -> list[SolverStanding]:
        """Return the puzzle ratings of an account, in games where it has answered."""
        theirs = (SolverRow.user_id == user, SolverRow.answers > 0)
        columns = (
            SolverRow.game,
            SolverRow.mean,
            SolverRow.deviation,
            SolverRow.answers,
            SolverRow.right_answers,
        )
        rows = self._rows(select(*columns).where(*theirs).order_by(SolverRow.game))
        return [SolverStanding(game, Rating(mean, off), *counts) for game, mean, off, *counts in rows]

    def of(self, user: str) -> list[PuzzleAnswerRow]:
        """Return the answers of an account, oldest first."""
        order = (PuzzleAnswerRow.at, PuzzleAnswerRow.game, PuzzleAnswerRow.puzzle)
        return self._scalars(select(PuzzleAnswerRow).where(PuzzleAnswerRow.user_id == user).order_by(*order))

    def rating(self, game: str, puzzle: str) -> Rating | None:
        """Return the rating of a puzzle, None if no account has answered it."""
        row = self._first(_ratings(game).where(PuzzleRatingRow.puzzle == puzzle))
        return None if row is None else Rating(row.mean, row.deviation)

    def ratings(self, game: str) -> dict[str, Rating]:
        """Return the ratings of the puzzles of a game that were answered."""
        return {row.puzzle: Rating(row.mean, row.deviation) for row in self._rows(_ratings(game))}


def _ratings(game: str) -> Select[str, float, float]:
    columns = (PuzzleRatingRow.puzzle, PuzzleRatingRow.mean, PuzzleRatingRow.deviation)
    return select(*columns).where(PuzzleRatingRow.game == game)


def _is_answer(user: str, game: str, puzzle: str) -> tuple[ColumnElement[bool], ...]:
    return (PuzzleAnswerRow.user_id == user, PuzzleAnswerRow.game == game, PuzzleAnswerRow.puzzle == puzzle)


def _lock_account(connection: Connection, user: str) -> bool:
    """Lock an account until the transaction ends, so that its answers are rated one after the other."""
    its = select(AccountRow.user_id).where(AccountRow.user_id == user)
    return connection.scalar(its.with_for_update(key_share=True)) is not None


def _insert_new(connection: Connection, table: str, row: dict[str, object]) -> None:
    connection.execute(dialect_of(connection.dialect.name).insert_ignore(_TABLES[table]), row)


def _solver(connection: Connection, user: str, game: str) -> Row[Any]:
    """Return what is stored of an account in a game; a new row if it is the first time."""
    row = {"user_id": user, "game": game, "answers": 0, "right_answers": 0, "streak": 0}
    _insert_new(connection, "solvers", row | {"mean": NEW.mean, "deviation": NEW.deviation})
    is_this = (SolverRow.user_id == user, SolverRow.game == game)
    return connection.execute(select(SolverRow.__table__).where(*is_this)).one()


def _change(connection: Connection, solver: Row[Any], **values: object) -> None:
    is_this = (SolverRow.user_id == solver.user_id, SolverRow.game == solver.game)
    connection.execute(update(SolverRow).where(*is_this).values(values))


def _note_day(connection: Connection, solver: Row[Any], day: date) -> None:
    if solver.day is None or solver.day < day:
        goes_on = solver.day is not None and day - solver.day == _DAY
        _change(connection, solver, day=day, streak=solver.streak + 1 if goes_on else 1)


def _rate(connection: Connection, solver: Row[Any], given: PuzzleAnswer) -> tuple[Rating, Rating]:
    """Rate a first answer like a game of the account against the puzzle, and store it."""
    this: dict[str, object] = {"game": given.game, "puzzle": given.puzzle}
    first = {"mean": given.rating.mean, "deviation": given.rating.deviation, "answers": 0}
    _insert_new(connection, "puzzle_ratings", this | first)
    is_this = (PuzzleRatingRow.game == given.game, PuzzleRatingRow.puzzle == given.puzzle)
    puzzle = connection.execute(
        select(PuzzleRatingRow.mean, PuzzleRatingRow.deviation).where(*is_this).with_for_update()
    ).one()
    before = Rating(solver.mean, solver.deviation)
    ranks = (0, 1) if given.is_right else (1, 0)
    after, of_puzzle = after_game((before, Rating(puzzle.mean, puzzle.deviation)), ranks)
    connection.execute(
        update(PuzzleRatingRow)
        .where(*is_this)
        .values(mean=of_puzzle.mean, deviation=of_puzzle.deviation, answers=PuzzleRatingRow.answers + 1)
    )
    _change(
        connection,
        solver,
        mean=after.mean,
        deviation=after.deviation,
        answers=solver.answers + 1,
        right_answers=solver.right_answers + given.is_right,
    )
    row = {
        "user_id": solver.user_id,
        "was_right": given.is_right,
        "at": given.at,
        "solved_at": given.at if given.is_right else None,
    }
    connection.execute(insert(PuzzleAnswerRow).values(this | row))
    return before, after
