"""Answers to puzzles: the ratings of puzzles and of accounts, what an account has solved, and its streak."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from ekoes.storage.engine import Repository, insert_new
from ekoes.storage.schema import AccountRow, PuzzleAnswerRow, PuzzleRatingRow, SolverRow
from ekoes.tables.ratings import NEW, Rating, after_game

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """An answer to a puzzle. rating: of the puzzle before its first answer.

    day: the day whose daily puzzle it is; None: of none. may_rate: it is rated if it is the account's first.
    """

    game: str
    puzzle: str
    is_right: bool
    rating: Rating
    at: datetime
    day: date | None = None
    may_rate: bool = True


@dataclass(frozen=True, slots=True)
class Progress:
    """The record of an account in the puzzles of a game. answers: the number of rated ones.

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
        """Return the streak if it lasts until yesterday or today, else 0."""
        return self.streak if self.day is not None and today - self.day <= _DAY else 0


class PuzzleAnswers(Repository):
    """Answers to puzzles, and the ratings that follow from them."""

    def answer(self, user: str, given: PuzzleAnswer) -> tuple[Rating, Rating] | None:
        """Store an answer of an account. Only the first one to a puzzle is rated.

        Returns: the account's rating before and after it, None if it was not rated.
        """
        with self._session() as session:
            if not _lock_account(session, user):
                return None
            solver = _solver(session, user, given.game)
            if given.is_right and given.day is not None:
                _note_day(solver, given.day)
            known = session.get(PuzzleAnswerRow, (user, given.game, given.puzzle))
            if known is None and given.may_rate:
                return _rate(session, solver, given)
            if known is None:
                known = PuzzleAnswerRow(user, given.game, given.puzzle, None, given.at, None)
                session.add(known)
            if given.is_right and known.solved_at is None:
                known.solved_at = given.at
            return None

    def take_over(
        self, user: str, game: str, solved: Collection[str], run: tuple[date, int] | None, at: datetime
    ) -> None:
        """Store what a guest has solved in the browser where the account signs in, without rating it.

        run: the latest day and the number of days in a row; stored unless the account has solved one itself.
        """
        with self._session() as session:
            if not _lock_account(session, user):
                return
            solver = _solver(session, user, game)
            for puzzle in solved:
                known = session.get(PuzzleAnswerRow, (user, game, puzzle))
                if known is None:
                    session.add(PuzzleAnswerRow(user, game, puzzle, None, at, solved_at=at))
                elif known.solved_at is None:
                    known.solved_at = at
            if run is not None and solver.day is None:
                solver.day, solver.streak = run

    def progress(self, user: str, game: str) -> Progress:
        """Return what an account has done in the puzzles of a game."""
        answers = select(PuzzleAnswerRow.puzzle, PuzzleAnswerRow.solved_at)
        with self._session() as session:
            solver = session.get(SolverRow, (user, game))
            if solver is None:
                return Progress()
            rows = session.execute(
                answers.where(PuzzleAnswerRow.user_id == user, PuzzleAnswerRow.game == game)
            ).all()
        return Progress(
            solver.rating,
            solver.answers,
            solver.day,
            solver.streak,
            frozenset(puzzle for puzzle, _ in rows),
            frozenset(puzzle for puzzle, at in rows if at is not None),
        )

    def standings(self, user: str) -> list[SolverRow]:
        """Return what an account has done in the games where it has a puzzle rating."""
        theirs = select(SolverRow).where(SolverRow.user_id == user, SolverRow.answers > 0)
        return self._scalars(theirs.order_by(SolverRow.game))

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


def _lock_account(session: Session, user: str) -> bool:
    """Lock an account until the transaction ends, so that its answers are rated one after the other."""
    its = select(AccountRow.user_id).where(AccountRow.user_id == user)
    return session.scalar(its.with_for_update(key_share=True)) is not None


def _solver(session: Session, user: str, game: str) -> SolverRow:
    """Return what is stored of an account in a game; a new row if it is the first time."""
    key = {"user_id": user, "game": game}
    new = NEW._asdict() | {"answers": 0, "right_answers": 0, "streak": 0}
    insert_new(session.connection(), SolverRow, **key, **new)
    return session.get_one(SolverRow, key)


def _note_day(solver: SolverRow, day: date) -> None:
    if solver.day is None or solver.day < day:
        goes_on = solver.day is not None and day - solver.day == _DAY
        solver.day, solver.streak = day, solver.streak + 1 if goes_on else 1


def _rate(session: Session, solver: SolverRow, given: PuzzleAnswer) -> tuple[Rating, Rating]:
    """Rate a first answer like a game of the account against the puzzle, and store it."""
    key = {"game": given.game, "puzzle": given.puzzle}
    insert_new(session.connection(), PuzzleRatingRow, **key, **given.rating._asdict(), answers=0)
    puzzle = session.get_one(PuzzleRatingRow, key, with_for_update=True)
    before = solver.rating
    ranks = (0, 1) if given.is_right else (1, 0)
    after, of_puzzle = after_game((before, Rating(puzzle.mean, puzzle.deviation)), ranks)
    puzzle.mean, puzzle.deviation = of_puzzle
    puzzle.answers += 1
    solver.mean, solver.deviation = after
    solver.answers += 1
    solver.right_answers += given.is_right
    solved_at = given.at if given.is_right else None
    answer = (given.game, given.puzzle, given.is_right, given.at, solved_at)
    session.add(PuzzleAnswerRow(solver.user_id, *answer))
    return before, after
