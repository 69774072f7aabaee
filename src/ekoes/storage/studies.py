"""Studies of users: stored as JSON, listed without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select, update

from ekoes.errors import StorageError, TableError
from ekoes.storage.accounts import add_session
from ekoes.storage.engine import Repository, columns_of
from ekoes.storage.schema import StudyRow

MOST_STUDIES = 100
"""The most studies of one user."""
_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """A study in the list of its owner. chapters: their number."""

    id: str
    game: str
    title: str
    chapters: int
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Content:
    """What an owner changes of a study. content: JSON, which has title and chapters too."""

    title: str
    chapters: int
    content: str


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A study. user_id: of its owner. version: how often it was changed."""

    id: str
    user_id: str
    game: str
    content: str
    version: int
    changed_at: datetime


class Studies(Repository):
    """Studies of users."""

    def make(self, study_id: str, user: str, game: str, content: Content, at: datetime) -> None:
        """Store a new study. Raises TableError ``study/too-many``."""
        row = {"id": study_id, "user_id": user, "game": game, "version": 0, "changed_at": at}
        with self._transaction() as connection:
            add_session(connection, user, at)
            theirs = connection.scalar(select(func.count()).where(StudyRow.user_id == user)) or 0
            if theirs >= MOST_STUDIES:
                message = f"a user has at most {MOST_STUDIES} studies; delete one first"
                raise TableError(message, code="study/too-many")
            connection.execute(insert(StudyRow).values(row | asdict(content)))

    def of(self, user: str) -> list[ListedStudy]:
        """Return the studies of a user, the latest changed first."""
        found = select(*columns_of(StudyRow, ListedStudy)).where(StudyRow.user_id == user)
        rows = self._rows(found.order_by(StudyRow.changed_at.desc(), StudyRow.id))
        return [ListedStudy(*row) for row in rows]

    def get(self, study_id: str) -> StoredStudy:
        """Return a study. Raises TableError ``study/not-found``."""
        row = self._first(select(*columns_of(StudyRow, StoredStudy)).where(StudyRow.id == study_id))
        if row is None:
            raise TableError("there is no such study", code="study/not-found", key="study")
        return StoredStudy(*row)

    def knows(self, study_id: str) -> bool:
        """Return whether there is a study."""
        return self._scalar(select(StudyRow.id).where(StudyRow.id == study_id)) is not None

    def all(self, user: str) -> list[StoredStudy]:
        """Return the studies of a user with their contents, the latest changed first."""
        return [self.get(one.id) for one in self.of(user)]

    def change(
        self, study_id: str, user: str, edited: Callable[[StoredStudy], Content], at: datetime
    ) -> None:
        """Replace the content of a study by what a function makes of it, called again if it was changed then.

        Raises: TableError ``study/not-found`` or ``study/not-yours``; what the function raises.
        """
        for _ in range(_ATTEMPTS):
            study = self.owned(study_id, user)
            values = {"version": study.version + 1, "changed_at": at, **asdict(edited(study))}
            is_this = (StudyRow.id == study_id, StudyRow.version == study.version)
            if self._execute(update(StudyRow).where(*is_this).values(values)):
                return
        raise StorageError("the study is changed all the time", code="storage/conflict")

    def owned(self, study_id: str, user: str) -> StoredStudy:
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
