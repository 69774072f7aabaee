"""The league of bots: its entries, and the results of its games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, union, update
from sqlalchemy.orm import aliased

from ekoes.arena.league import Results
from ekoes.errors import AccountError
from ekoes.storage.accounts import lock_session
from ekoes.storage.engine import Repository
from ekoes.storage.results import leave_league
from ekoes.storage.schema import (
    AccountRow,
    EventRow,
    LeagueEntryRow,
    LeagueGameRow,
    PlaceRow,
    ReportRow,
    TableRow,
)
from ekoes.storage.tables import delete_table

MOST_OF_ONE, MOST_PROGRAMS = 3, 20
"""Programs of one author in the league of a game, and of all authors."""
MOST_MISSED = 3
"""Nights in a row without coming to a game, after which a program is out."""
MOST_COUNTED = 100
"""The latest games of each two that count."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A program in a league. author: the name of the account that entered it."""

    user: str
    name: str
    author_id: str
    author: str
    missed: int
    missed_at: datetime | None

    @property
    def is_out(self) -> bool:
        """Whether it has missed too many games."""
        return self.missed >= MOST_MISSED


class League(Repository):
    """Entries and results. A player is a level, or the user id of a program."""

    def entries(self, game: str) -> list[Entry]:
        """Return the programs of a league, the oldest first."""
        author, entry = aliased(AccountRow), LeagueEntryRow
        columns = (entry.user_id, AccountRow.name, entry.author, author.name, entry.missed, entry.missed_at)
        found = (
            select(*columns)
            .join(AccountRow, AccountRow.user_id == entry.user_id)
            .join(author, author.user_id == entry.author)
            .where(entry.game == game)
            .order_by(entry.since, entry.user_id)
        )
        return [Entry(*row) for row in self._rows(found)]

    def authored(self, author: str) -> list[tuple[str, str, datetime]]:
        """Return the entries of an author: game, name of the program, and since when."""
        found = (
            select(LeagueEntryRow.game, AccountRow.name, LeagueEntryRow.since)
            .join(AccountRow, AccountRow.user_id == LeagueEntryRow.user_id)
            .where(LeagueEntryRow.author == author)
            .order_by(LeagueEntryRow.since)
        )
        return [(game, name, since) for game, name, since in self._rows(found)]

    def enter(self, game: str, user: str, author: str, at: datetime) -> None:
        """Enter a program, again if it is out.

        Raises: AccountError if there are too many, or another account has entered it.
        """
        with self._session() as session:
            lock_session(session.connection(), author)
            known = session.get(LeagueEntryRow, (game, user))
            if known is not None and known.author != author:
                raise AccountError("another account has entered this bot", code="league/entered", key="token")
            if known is not None:
                known.missed, known.missed_at = 0, None
                return
            number = select(func.count()).where(LeagueEntryRow.game == game)
            theirs = session.scalar(number.where(LeagueEntryRow.author == author)) or 0
            if theirs >= MOST_OF_ONE:
                raise AccountError(f"an account can enter at most {MOST_OF_ONE} bots", code="league/too-many")
            if (session.scalar(number) or 0) >= MOST_PROGRAMS:
                raise AccountError(f"{MOST_PROGRAMS} bots are the most", code="league/full")
            session.add(LeagueEntryRow(game, user, author, at))

    def leave(self, game: str, user: str) -> None:
        """Remove a program with its results."""
        with self._transaction() as connection:
            leave_league(connection, user, game)

    def miss(self, game: str, user: str, since: datetime, at: datetime) -> None:
        """Count that a program did not come to a game, once a night. since: when this night began."""
        row = LeagueEntryRow
        is_new = or_(row.missed_at.is_(None), row.missed_at < since)
        missed = update(row).where(row.game == game, row.user_id == user, is_new)
        self._execute(missed.values(missed=row.missed + 1, missed_at=at))

    # ------------------------------------------------------------ games

    def drop(self, table_id: str) -> None:
        """Delete a game."""
        self._execute(delete(LeagueGameRow).where(LeagueGameRow.table_id == table_id))

    def end(self, table_id: str, winner: int | None, at: datetime) -> None:
        """Store the result of a game to which all came, and delete the oldest ones of the two.

        A table goes with its result if only levels have played there and no report names it, to save space.
        """
        row = LeagueGameRow
        with self._session() as session:
            ended = session.get(row, table_id)
            if ended is None:  # one of them has left the league meanwhile
                return
            ended.winner, ended.ended_at = winner, at
            pair = (ended.first, ended.second)
            came = update(LeagueEntryRow).where(
                LeagueEntryRow.game == ended.game, LeagueEntryRow.user_id.in_(pair)
            )
            session.execute(came.values(missed=0, missed_at=None))
            theirs = (row.game == ended.game, row.ended_at.is_not(None), _is_between(*pair))
            session.flush()
            latest = select(row.table_id).where(*theirs).order_by(row.ended_at.desc(), row.table_id)
            surplus = list(session.scalars(latest.offset(MOST_COUNTED)))
            session.execute(delete(row).where(row.table_id.in_(surplus)))
            needed = union(
                *(select(it.table_id).where(it.table_id.in_(surplus)) for it in (PlaceRow, ReportRow))
            )
            for one in {*surplus}.difference(session.scalars(needed)):
                delete_table(session.connection(), one)

    def running(self) -> list[LeagueGameRow]:
        """Return the games that are not over, the oldest first."""
        row = LeagueGameRow
        return self._scalars(select(row).where(row.ended_at.is_(None)).order_by(row.began_at))

    def unheard(self, table_id: str, users: Iterable[str]) -> list[str]:
        """Return those users who have given no order at a table."""
        spoke = select(EventRow.session_id).where(EventRow.table_id == table_id).distinct()
        there = set(self._scalars(spoke))
        return [user for user in users if user not in there]

    def played(self, game: str, since: datetime) -> int:
        """Return how many games have begun since a time."""
        row = LeagueGameRow
        return self._scalar(select(func.count()).where(row.game == game, row.began_at >= since)) or 0

    def results(self, game: str, before: datetime | None = None) -> Results:
        """Return the results that count. before: only of games that ended earlier."""
        row = LeagueGameRow
        ended = row.ended_at.is_not(None) if before is None else row.ended_at < before
        outcome = (row.first, row.second, row.winner)
        found = select(*outcome, func.count()).where(row.game == game, ended).group_by(*outcome)
        return {(first, second, winner): games for first, second, winner, games in self._rows(found)}

    def latest(self, game: str, most: int) -> list[LeagueGameRow]:
        """Return the latest games whose tables still exist."""
        row = LeagueGameRow
        ended = select(row).join(TableRow, TableRow.id == row.table_id)
        ended = ended.where(row.game == game, row.ended_at.is_not(None))
        return self._scalars(ended.order_by(row.ended_at.desc(), row.table_id).limit(most))


def _is_between(one: str, other: str) -> ColumnElement[bool]:
    row = LeagueGameRow
    return or_(and_(row.first == one, row.second == other), and_(row.first == other, row.second == one))
