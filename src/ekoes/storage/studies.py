"""Studies of users: stored as JSON, listed without it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import defer

from ekoes.errors import StorageError, TableError
from ekoes.storage.accounts import add_session
from ekoes.storage.engine import Repository, add
from ekoes.storage.schema import StudyRow

MOST_STUDIES = 100
"""The most studies of one user."""
_ATTEMPTS = 20


class Content(NamedTuple):
    """What an owner changes of a study. content: JSON, which has title and chapters too."""

    title: str
    chapters: int
    content: str


class Studies(Repository):
    """Studies of users."""

    def make(self, study_id: str, user: str, game: str, content: Content, at: datetime) -> None:
        """Store a new study. Raises TableError ``study/too-many``."""
        with self._transaction() as connection:
            add_session(connection, user, at)
            theirs = connection.scalar(select(func.count()).where(StudyRow.user_id == user)) or 0
            if theirs >= MOST_STUDIES:
                message = f"a user has at most {MOST_STUDIES} studies; delete one first"
                raise TableError(message, code="study/too-many")
            add(connection, StudyRow(study_id, user, game, *content, version=0, changed_at=at))

    def of(self, user: str) -> list[StudyRow]:
        """Return the studies of a user without their contents, the latest changed first."""
        return self._scalars(_of(user).options(defer(StudyRow.content)))

    def all(self, user: str) -> list[StudyRow]:
        """Return the studies of a user with their contents, the latest changed first."""
        return self._scalars(_of(user))

    def get(self, study_id: str) -> StudyRow:
        """Return a study. Raises TableError ``study/not-found``."""
        study = self._get(StudyRow, study_id)
        if study is None:
            raise TableError("there is no such study", code="study/not-found", key="study")
        return study

    def knows(self, study_id: str) -> bool:
        """Return whether there is a study."""
        return self._scalar(select(StudyRow.id).where(StudyRow.id == study_id)) is not None

    def change(self, study_id: str, user: str, edited: Callable[[StudyRow], Content], at: datetime) -> None:
        """Replace the content of a study by what a function makes of it, called again if it was changed then.

        Raises: TableError ``study/not-found`` or ``study/not-yours``; what the function raises.
        """
        for _ in range(_ATTEMPTS):
            study = self.owned(study_id, user)
            values = {"version": study.version + 1, "changed_at": at, **edited(study)._asdict()}
            is_this = (StudyRow.id == study_id, StudyRow.version == study.version)
            if self._execute(update(StudyRow).where(*is_this).values(values)):
                return
        raise StorageError("the study is changed all the time", code="storage/conflict")

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


def _of(user: str) -> Select[StudyRow]:
    return select(StudyRow).where(StudyRow.user_id == user).order_by(StudyRow.changed_at.desc(), StudyRow.id)
