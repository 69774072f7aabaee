"""Tournaments with their entrants, rounds and results."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute

from ekoes.errors import StorageError, TournamentError
from ekoes.storage.accounts import add_session, lock_session
from ekoes.storage.engine import Repository
from ekoes.storage.results import note_places, withdraw
from ekoes.storage.schema import EntrantRow, PairingRow, TournamentRow
from ekoes.storage.tables import Change, write
from ekoes.tables.table import Table
from ekoes.tournaments.pairing import rounds_of
from ekoes.tournaments.state import MOST_ENTRANTS, Entrant, Game, Status, Tournament, TournamentPlan

_LOG = logging.getLogger("ekoes.storage")
MOST_OPEN = 5
"""Unfinished tournaments of one organiser."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A tournament in a list."""

    id: str
    plan: TournamentPlan
    status: Status
    rounds: int
    entrants: int
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Held:
    """A tournament as stored. user_id: its creator; drawn: when each round was.

    club: whose members alone may join; None: everybody may.
    """

    id: str
    user_id: str
    club: str | None
    made_at: datetime
    started_at: datetime | None
    drawn: tuple[datetime, ...]
    tournament: Tournament

    @property
    def ends_at(self) -> datetime | None:
        """When the time of a running arena is up."""
        plan = self.tournament.plan
        if plan.form != "arena" or self.started_at is None:
            return None
        return self.started_at + timedelta(minutes=plan.minutes)

    @property
    def summary(self) -> Summary:
        """The tournament as shown in a list."""
        it = self.tournament
        return Summary(self.id, it.plan, it.status, len(it.rounds), len(it.active), self.made_at)


@dataclass(frozen=True, slots=True)
class Joined:
    """A tournament that a user has joined. number: of the entrant."""

    id: str
    name: str
    number: int
    made_at: datetime


class Tournaments(Repository):
    """Tournaments. Methods may also raise TournamentError."""

    # ------------------------------------------------------------ queries

    def load(self, tournament_id: str) -> Held:
        """Return a tournament. Raises TournamentError if there is none."""
        with self._transaction() as connection:
            return _load(connection, tournament_id)

    def all(self, most: int, club: str | None = None) -> list[Summary]:
        """Return the latest tournaments for everybody or of a club, unfinished ones first.

        Those of unknown settings are left out.
        """
        number = select(func.count()).where(
            EntrantRow.tournament_id == TournamentRow.id, EntrantRow.left_after.is_(None)
        )
        found = select(TournamentRow, number.scalar_subquery().label("entrants")).order_by(
            TournamentRow.ended_at.is_not(None), TournamentRow.made_at.desc(), TournamentRow.id
        )
        found = found.where(TournamentRow.club_id == club)
        rows: Sequence[Any] = self._rows(found.limit(most))
        summaries = []
        for row in rows:
            try:
                plan = _plan(row.plan)
            except StorageError as error:
                _LOG.warning("tournament %s is not listed: %s", row.id, error)
            else:
                summaries.append(Summary(row.id, plan, _status(row), row.rounds, row.entrants, row.made_at))
        return summaries

    def timed(self) -> list[str]:
        """Return the tournaments that run, or start by themselves."""
        starts_itself = TournamentRow.plan.contains('"starts_at":"', autoescape=True)
        goes_on = or_(TournamentRow.started_at.is_not(None), starts_itself)
        return self._scalars(select(TournamentRow.id).where(TournamentRow.ended_at.is_(None), goes_on))

    def of_table(self, table_id: str) -> str | None:
        """Return the tournament of a table, None if it has none."""
        found = select(PairingRow.tournament_id).where(PairingRow.table_id == table_id)
        return self._scalar(found)

    def joined(self, user: str) -> list[Joined]:
        """Return the tournaments of a user, the latest first."""
        found = (
            select(TournamentRow.id, TournamentRow.plan, EntrantRow.number, TournamentRow.made_at)
            .join(EntrantRow, EntrantRow.tournament_id == TournamentRow.id)
            .where(EntrantRow.user_id == user)
            .order_by(TournamentRow.made_at.desc(), TournamentRow.id)
        )
        rows = self._rows(found)
        return [Joined(one, json.loads(plan)["name"], number, at) for one, plan, number, at in rows]

    # ------------------------------------------------------------ entrants

    def make(
        self, tournament_id: str, user: str, plan: TournamentPlan, at: datetime, club: str | None = None
    ) -> None:
        """Store a new tournament. Raises TournamentError if the user has too many unfinished ones.

        club: whose members alone may join; None: everybody may.
        """
        row = {"id": tournament_id, "user_id": user, "plan": plan.model_dump_json(), "made_at": at}
        row["club_id"] = club
        theirs = (TournamentRow.user_id == user, TournamentRow.ended_at.is_(None))
        with self._transaction() as connection:
            add_session(connection, user, at)
            lock_session(connection, user)
            if (connection.scalar(select(func.count()).where(*theirs)) or 0) >= MOST_OPEN:
                message = f"an account can have at most {MOST_OPEN} unfinished tournaments"
                raise TournamentError(message, code="tournament/too-many")
            connection.execute(insert(TournamentRow).values(row | {"rounds": 0}))

    def join(self, tournament_id: str, user: str, name: str) -> None:
        """Enter a user from the next round on. Raises TournamentError if it is closed or full."""
        is_tournament = TournamentRow.id == tournament_id
        with self._transaction() as connection:  # the update lets entrants join one after the other
            connection.execute(update(TournamentRow).where(is_tournament).values(rounds=TournamentRow.rounds))
            held = _load(connection, tournament_id)
            known = {one.user: one for one in held.tournament.entrants}.get(user)
            if known is not None and known.left is None:
                return
            _check_open(held.tournament)
            is_this = EntrantRow.tournament_id == tournament_id
            if known is not None:
                again = update(EntrantRow).where(is_this, EntrantRow.number == known.number)
                connection.execute(again.values(left_after=None, name=name))
                return
            last = connection.scalar(select(func.max(EntrantRow.number)).where(is_this)) or 0
            row = {"tournament_id": tournament_id, "number": last + 1, "user_id": user, "name": name}
            joined = {"joined": len(held.tournament.rounds)}
            connection.execute(insert(EntrantRow).values(row | joined))

    def leave(self, tournament_id: str, number: int) -> None:
        """Withdraw an entrant after the current round; before the first one, delete the entry."""
        is_this = (EntrantRow.tournament_id == tournament_id, EntrantRow.number == number)
        with self._transaction() as connection:
            tournament = _load(connection, tournament_id).tournament
            if tournament.status == "open":
                connection.execute(delete(EntrantRow).where(*is_this))
            elif tournament.status == "running":
                still = update(EntrantRow).where(*is_this, EntrantRow.left_after.is_(None))
                connection.execute(still.values(left_after=len(tournament.rounds)))

    def withdraw(self, user: str) -> None:
        """Withdraw a user from all tournaments."""
        with self._transaction() as connection:
            withdraw(connection, user)

    # ------------------------------------------------------------ rounds

    def start(self, tournament_id: str, at: datetime) -> None:
        """Start a tournament; does nothing if it has started."""
        self._set(tournament_id, TournamentRow.started_at, at)

    def end(self, tournament_id: str, at: datetime) -> None:
        """End a tournament; does nothing if it is over."""
        self._set(tournament_id, TournamentRow.ended_at, at)

    def _set(self, tournament_id: str, column: InstrumentedAttribute[datetime | None], at: datetime) -> None:
        is_this = (TournamentRow.id == tournament_id, column.is_(None))
        self._execute(update(TournamentRow).where(*is_this).values({column: at}))

    def add_round(
        self, tournament_id: str, before: int, games: Sequence[Game], tables: Sequence[Change], at: datetime
    ) -> None:
        """Store a round, and create its tables. before: the number of earlier rounds.

        Raises: StorageError ``storage/conflict`` if that round is there already.
        """
        with self._session() as session:
            write(session.connection(), tables, set())
            for number, game in enumerate(games):
                places = None if game.places is None else list(game.places)
                others = (list(game.seats), places, sorted(game.absent), sorted(game.came), at)
                session.add(PairingRow(tournament_id, before, number, game.table, *others))
            there = update(TournamentRow).where(TournamentRow.id == tournament_id)
            session.execute(there.values(rounds=before + 1))

    def came(self, table_id: str, user: str) -> bool:
        """Store that a user has come to a game; returns whether it is theirs and they had not."""
        theirs = select(EntrantRow.number).where(
            EntrantRow.tournament_id == PairingRow.tournament_id, EntrantRow.user_id == user
        )
        found = select(PairingRow, theirs.scalar_subquery()).where(PairingRow.table_id == table_id)
        with self._session() as session:
            game, number = session.execute(found).one()
            if number not in game.seats or (seat := game.seats.index(number)) in game.came:
                return False
            game.came = sorted([*game.came, seat])
            return True

    def decide(self, table_id: str, table: Table) -> None:
        """Store the result of a game that only bots would finish; does nothing if it is decided."""
        with self._transaction() as connection:
            note_places(connection, table_id, table)

    def miss(self, table_id: str, absent: Iterable[int]) -> None:
        """Store the seats of absent players of an undecided game."""
        is_this = (PairingRow.table_id == table_id, PairingRow.places.is_(None))
        self._execute(update(PairingRow).where(*is_this).values(absent=sorted(absent)))


def _check_open(tournament: Tournament) -> None:
    has_rounds_left = tournament.plan.form == "arena" or len(tournament.rounds) < rounds_of(tournament)
    is_late = tournament.status == "running" and tournament.plan.takes_late
    if tournament.status != "open" and not (is_late and has_rounds_left):
        raise TournamentError("entries are closed", code="tournament/closed")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        raise TournamentError(f"{MOST_ENTRANTS} are the most", code="tournament/full")


def _load(connection: Connection, tournament_id: str) -> Held:
    row: Any = connection.execute(select(TournamentRow).where(TournamentRow.id == tournament_id)).first()
    if row is None:
        raise TournamentError("there is no such tournament", code="tournament/not-found")
    columns = (
        EntrantRow.number,
        EntrantRow.name,
        EntrantRow.user_id,
        EntrantRow.joined,
        EntrantRow.left_after,
    )
    theirs = select(*columns).where(EntrantRow.tournament_id == tournament_id).order_by(EntrantRow.number)
    entrants = tuple(Entrant(*one) for one in connection.execute(theirs))
    drawn = (
        select(PairingRow)
        .where(PairingRow.tournament_id == tournament_id)
        .order_by(PairingRow.round, PairingRow.number)
    )
    pairings = connection.execute(drawn).all()
    rounds = [list(some) for _, some in groupby(pairings, lambda one: one.round)]
    games = tuple(tuple(map(_game, some)) for some in rounds)
    tournament = Tournament(_plan(row.plan), entrants, games, _status(row))
    moments = tuple(some[0].made_at for some in rounds)
    return Held(tournament_id, row.user_id, row.club_id, row.made_at, row.started_at, moments, tournament)


def _plan(text: str) -> TournamentPlan:
    """Return stored settings. Raises StorageError if only an earlier release knows them."""
    try:
        return TournamentPlan.model_validate_json(text)
    except ValidationError as error:
        message = f"the settings of a tournament can't be read: {error.errors()[0]['msg']}"
        raise StorageError(message, code="storage/damaged") from error


def _status(row: Row[Any]) -> Status:
    if row.ended_at is not None:
        return "over"
    return "open" if row.started_at is None else "running"


def _game(row: Row[PairingRow]) -> Game:
    places = None if row.places is None else tuple(row.places)
    seen = frozenset(row.absent), frozenset(row.came)
    return Game(tuple(row.seats), row.table_id, places, *seen, bool(row.brief), frozenset(row.berserk or ()))
