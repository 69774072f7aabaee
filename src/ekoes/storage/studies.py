"""Stores studies, and the openings of public games."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, distinct, func, select, update
from sqlalchemy.orm import defer

from ekoes.errors import EkoesError, StorageError, TableError
from ekoes.games.api.parts import Played, Score
from ekoes.storage.accounts import add_session, lock_session
from ekoes.storage.engine import Repository, execute_all, insert_ignore
from ekoes.storage.schema import OpeningQueueRow, OpeningRow, ResultRow, StudyRow
from ekoes.storage.tables import course_of, find_row
from ekoes.tables.analysis_board import opening_of

_LOG = logging.getLogger("ekoes.storage")
MOST_STUDIES = 100
"""The most studies of one user."""
_ATTEMPTS = 20


class Content(NamedTuple):
    """A change of a study by its owner. content: JSON, which has title and chapters too."""

    title: str
    chapters: int
    content: str


class Studies(Repository):
    """Studies of users, stored as JSON and listed without it."""

    def make(self, study_id: str, user: str, game: str, content: Content, at: datetime) -> None:
        """Store a new study. Raises TableError ``study/too-many``."""
        with self._session() as session:
            add_session(session.connection(), user, at)
            lock_session(session.connection(), user)
            theirs = session.scalar(select(func.count()).where(StudyRow.user_id == user)) or 0
            if theirs >= MOST_STUDIES:
                message = f"a user has at most {MOST_STUDIES} studies; delete one first"
                raise TableError(message, code="study/too-many")
            session.add(StudyRow(study_id, user, game, *content, version=0, changed_at=at))

    def of(self, user: str, *, whole: bool = False) -> list[StudyRow]:
        """Return the studies of a user, the latest changed first. whole: with their contents."""
        theirs = select(StudyRow).where(StudyRow.user_id == user)
        latest = theirs.order_by(StudyRow.changed_at.desc(), StudyRow.id)
        return self._scalars(latest if whole else latest.options(defer(StudyRow.content)))

    def get(self, study_id: str) -> StudyRow:
        """Return a study. Raises TableError ``study/not-found``."""
        study = self._get(StudyRow, study_id)
        if study is None:
            raise TableError("there is no such study", code="study/not-found", key="study")
        return study

    def change(self, study_id: str, user: str, edited: Callable[[StudyRow], Content], at: datetime) -> None:
        """Replace the content of a study by a function of it, called again if it has changed meanwhile.

        Raises: TableError ``study/not-found`` or ``study/not-yours``; what the function raises.
        """
        for _ in range(_ATTEMPTS):
            study = self.owned(study_id, user)
            values = {"version": study.version + 1, "changed_at": at, **edited(study)._asdict()}
            is_this = (StudyRow.id == study_id, StudyRow.version == study.version)
            if self._execute(update(StudyRow).where(*is_this).values(values)):
                return
        raise StorageError("others keep changing this study; please try again", code="storage/conflict")

    def owned(self, study_id: str, user: str) -> StudyRow:
        """Return a study of a user. Raises TableError ``study/not-found`` or ``study/not-yours``."""
        study = self.get(study_id)
        if study.user_id != user:
            raise TableError("only its owner changes a study", code="study/not-yours")
        return study

    def drop(self, study_id: str, user: str) -> None:
        """Delete a study of a user. Raises TableError ``study/not-found`` or ``study/not-yours``."""
        self.owned(study_id, user)
        self._execute(delete(StudyRow).where(StudyRow.id == study_id))

    def hand_over(self, guest: str, user: str) -> None:
        """Move the studies of a guest to the account where the browser signs in."""
        self._execute(update(StudyRow).where(StudyRow.user_id == guest).values(user_id=user))


class StoredOpenings(Repository):
    """The openings of public games, which are counted when they are first asked for."""

    def count_new(self, most: int) -> int:
        """Count the openings of waiting games, at most so many. Returns the number of these games.

        Two processes may count the same game at once; it counts once.
        """
        waiting = self._scalars(
            select(OpeningQueueRow.table_id).order_by(OpeningQueueRow.table_id).limit(most)
        )
        for table_id in waiting:
            with self._transaction() as connection:
                _count(connection, table_id)
        return len(waiting)

    def played(self, moments: Sequence[str], players: int) -> dict[str, Played]:
        """Return what was played at some moments of games of so many players, by moment."""
        is_one = OpeningRow.moment.in_(moments)
        number = func.count(distinct(OpeningRow.table_id))
        games = select(OpeningRow.moment, number).where(is_one).group_by(OpeningRow.moment)
        alike = (OpeningRow.moment, OpeningRow.gist, OpeningRow.winners)
        results = select(*alike, func.count()).where(is_one).group_by(*alike)
        with self._transaction() as connection:
            came = connection.execute(games).all()
            rows = connection.execute(results).all()
        scores: dict[str, dict[str, Score]] = defaultdict(lambda: defaultdict(Score))
        for moment, gist, winners, count in rows:
            scores[moment][gist].add([int(place) for place in winners], players, count)
        return {moment: Played(count, scores[moment]) for moment, count in came}


def _count(connection: Connection, table_id: str) -> None:
    """Store what was played in the opening of a game; nothing if it can't be read."""
    row = find_row(connection, table_id)
    won = select(ResultRow.seat).where(ResultRow.table_id == table_id, ResultRow.won)
    try:
        if row is not None:
            made, log, _ = course_of(connection, row)
            entries, places = opening_of(made, log, list(connection.scalars(won)))
            winners = "".join(map(str, places))
            rows = [
                {"moment": moment, "gist": gist, "table_id": table_id, "winners": winners}
                for moment, gist in entries
            ]
            execute_all(connection, insert_ignore(connection, OpeningRow), rows)
    except EkoesError as error:
        _LOG.warning("the opening of table %s is not counted: %s", table_id, error)
    connection.execute(delete(OpeningQueueRow).where(OpeningQueueRow.table_id == table_id))
