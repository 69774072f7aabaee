"""The tables of the database. SQLite in a file by default; nothing depends on SQLite.

tables ─┬─< seats     the seats of the new table; later players are in the state
        ├─< places    the users at its seats
        ├─< events    every accepted order, with the log entries that it added; append-only
        ├─< states    the new table, and the table after some of the events
        ├── games     finished games ──< results   of each seat
        │             ├── reviews   made when first asked for
        │             └─< search_terms  words of the search index of public games
        ├─< lines     chat messages
        └─< mutes     users muted at the table by another one
sessions ─┬─< seats, places, events, lines, mutes
          ├── accounts ──< recoveries   users with a name and a password
          ├─< devices                   browsers where an account is signed in
          ├─< tokens                    API tokens of an account
          ├── programs                  accounts that belong to programs
          ├─< league_entries            programs in the league of bots, and their authors
          ├─< results, ratings
          ├─< solvers, puzzle_answers   what an account has solved, and its puzzle rating
          ├─< relations                 blocks and follows
          ├─< studies                   of guests too
          ├─< club_members, club_lines
          ├─< challenges                pending challenges by name
          ├─< vacations                 periods in which correspondence clocks are stopped
          ├─< pushes                    Web Push subscriptions
          ├── rights                    roles and restrictions
          └─< reports                   reports about users
moderator_actions   the moderation log; append-only
puzzle_ratings   ratings of puzzles by the answers of accounts
uptimes     periods in which a server was running
members     processes that share the database
leases      what each of them owns: most are tables
league_games   games of the league of bots, the latest of each two
tournaments ─┬─< entrants
             └─< pairings   the games of each round, most of them at tables
clubs ─┬─< club_members   with their roles, and who is banned
       ├─< club_lines     chat messages
       ├─< club_tables    tables for members alone
       └─< tournaments    some of them
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, MappedAsDataclass, mapped_column

from ekoes.games.api.contract import Json
from ekoes.tables.ratings import Rating


class _Moment(TypeDecorator[datetime]):
    """A time in UTC, also where the database drops time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class _Json(TypeDecorator[Any]):
    """JSON in a column of text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:  # noqa: ARG002
        return None if value is None else json.loads(value)


class Base(DeclarativeBase):
    """All tables of the database. Rows that are dataclasses are what the store takes and returns."""

    type_annotation_map = {datetime: _Moment}  # noqa: RUF012 - SQLAlchemy's way


class SchemaRow(Base):
    """The one row with the version of the database's schema. oldest: the first whose programs may use it."""

    __tablename__ = "schema"

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    oldest: Mapped[int]


class SessionRow(Base):
    """A user: a guest, whose signed cookie carries the id, or an account."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    created_at: Mapped[datetime]


class TableRow(Base):
    """A table as created, and the columns by which it is found.

    options: JSON. secret: the seed of its bots; it is in no other column and never sent to a client. The
    other columns follow the latest event. is_active: whether a bot or a clock acts without players. events:
    their number. wakes_at: when a clock runs out that runs without players, while the server is up. names: of
    the seats, in order; they stand in no state and no event, so a deleted account's name is gone with it.
    """

    __tablename__ = "tables"
    __table_args__ = (
        Index("active_tables", "is_active"),
        Index("tables_by_wake_up", "wakes_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    options: Mapped[str] = mapped_column(Text)
    seed: Mapped[int] = mapped_column(BigInteger)
    turn_limit: Mapped[int | None]
    created_at: Mapped[datetime]
    is_active: Mapped[bool]
    is_over: Mapped[bool]
    events: Mapped[int]
    secret: Mapped[str] = mapped_column(String(64))
    wakes_at: Mapped[datetime | None]
    names: Mapped[list[str]] = mapped_column(_Json)


class SeatRow(Base):
    """A seat of a new table."""

    __tablename__ = "seats"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    colour: Mapped[int]
    bot: Mapped[str | None] = mapped_column(String(40))
    session_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))


class PlaceRow(Base):
    """A seat with the user who has it."""

    __tablename__ = "places"
    __table_args__ = (Index("places_of_users", "user_id"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))


class AccountRow(Base):
    """A registered user. known_as, look: the normalised name, unique by letters and by look.

    password: its hash. look: None if an older account looked alike when looks were added.
    """

    __tablename__ = "accounts"
    __table_args__ = (Index("accounts_by_look", "look", unique=True),)

    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    known_as: Mapped[str] = mapped_column(String(160), unique=True)
    look: Mapped[str | None] = mapped_column(String(160))
    password: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime]


class RecoveryRow(Base):
    """An unused recovery code. code: its digest."""

    __tablename__ = "recoveries"

    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    code: Mapped[str] = mapped_column(String(64), primary_key=True)


class DeviceRow(MappedAsDataclass, Base):
    """A browser where an account is signed in; its cookie carries the id. about: its user agent."""

    __tablename__ = "devices"
    __table_args__ = (Index("devices_of_users", "user_id"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"))
    about: Mapped[str] = mapped_column(String(200))
    since: Mapped[datetime]
    seen_at: Mapped[datetime]


class EventRow(Base):
    """An accepted order. body: the order as JSON, without a name; version: the table's after it.

    length: of the log after it, which an undo makes shorter. entries: the log entries that it added, a line
    of JSON each; shown: their public parts, as sent to clients. rules: the version that judged it.
    result: a hash of what it led to (``fingerprint`` of ``storage/tables.py``).
    """

    __tablename__ = "events"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version: Mapped[int]
    session_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))
    key: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    rules: Mapped[str] = mapped_column(String(20))
    result: Mapped[str | None] = mapped_column(String(16))
    length: Mapped[int]
    entries: Mapped[str] = mapped_column(Text)
    shown: Mapped[str] = mapped_column(Text)


class StateRow(Base):
    """The whole table after an event, without its log and the names of its seats (``storage/tables.py``).

    number: of the event, 0 for the new table. At least every 16th event has a state, and each that changes a
    seat or ends the game, and the latest one when the table leaves memory. digest: of ``state``.
    """

    __tablename__ = "states"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    state: Mapped[str] = mapped_column(Text)
    clock: Mapped[str | None] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(32))


class GameRow(Base):
    """A finished game. length: of its log; pool: its rating pool (``ekoes.tables.ratings``)."""

    __tablename__ = "games"
    __table_args__ = (Index("games_by_end", "ended_at"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    players: Mapped[int]
    pool: Mapped[str] = mapped_column(String(60))
    rated: Mapped[bool]
    reason: Mapped[str] = mapped_column(String(20))
    length: Mapped[int]
    ended_at: Mapped[datetime]


class ResultRow(Base):
    """The result of a seat. rank: how many players finished before it; won: alone or with others.

    user_id: the player, None for a bot and for a deleted account. The means and deviations are those of the
    rating before and after the game, None where it was not rated.
    """

    __tablename__ = "results"
    __table_args__ = (Index("results_of_users", "user_id"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("games.table_id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    bot: Mapped[str | None] = mapped_column(String(40))
    rank: Mapped[int]
    won: Mapped[bool]
    mean_before: Mapped[float | None]
    deviation_before: Mapped[float | None]
    mean: Mapped[float | None]
    deviation: Mapped[float | None]


class ReviewRow(Base):
    """The review of a finished game. version: of its form; body: JSON."""

    __tablename__ = "reviews"

    table_id: Mapped[str] = mapped_column(ForeignKey("games.table_id"), primary_key=True)
    version: Mapped[int]
    body: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime]


class OpeningQueueRow(Base):
    """A public game whose opening is not counted yet."""

    __tablename__ = "opening_queue"

    table_id: Mapped[str] = mapped_column(ForeignKey("games.table_id"), primary_key=True)


class OpeningRow(Base):
    """A move at a moment of the opening of a public game (``ekoes.games.api.parts``).

    winners: their places in the order of turns, one digit each.
    """

    __tablename__ = "openings"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 - SQLAlchemy's way

    moment: Mapped[str] = mapped_column(String(40), primary_key=True)
    gist: Mapped[str] = mapped_column(String(40), primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("games.table_id"), primary_key=True)
    winners: Mapped[str] = mapped_column(String(8))


class RatingRow(MappedAsDataclass, Base):
    """The rating of an account in a pool; bot accounts are rated apart from people, by unrated games."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ratings_by_pool", "pool", "mean"),)

    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    pool: Mapped[str] = mapped_column(String(60), primary_key=True)
    mean: Mapped[float]
    deviation: Mapped[float]
    games: Mapped[int]
    won: Mapped[int]
    at: Mapped[datetime]


class PuzzleRatingRow(Base):
    """The rating of a puzzle that was answered; one that was not has that of its difficulty."""

    __tablename__ = "puzzle_ratings"

    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    puzzle: Mapped[str] = mapped_column(String(20), primary_key=True)
    mean: Mapped[float]
    deviation: Mapped[float]
    answers: Mapped[int]


class SolverRow(MappedAsDataclass, Base):
    """The puzzle rating of an account in a game. answers: those that were rated.

    day: the latest day whose daily puzzle was solved; streak: how many days in a row ended with it.
    """

    __tablename__ = "solvers"

    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    mean: Mapped[float]
    deviation: Mapped[float]
    answers: Mapped[int]
    right_answers: Mapped[int]
    day: Mapped[date | None]
    streak: Mapped[int]

    @property
    def rating(self) -> Rating:
        """The rating."""
        return Rating(self.mean, self.deviation)


class PuzzleAnswerRow(MappedAsDataclass, Base):
    """The first answer of an account to a puzzle. solved_at: when it was first solved, maybe later.

    was_right: None for a puzzle that its guest had solved before there was an account; it was not rated.
    """

    __tablename__ = "puzzle_answers"

    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    puzzle: Mapped[str] = mapped_column(String(20), primary_key=True)
    was_right: Mapped[bool | None]
    at: Mapped[datetime]
    solved_at: Mapped[datetime | None]


class StudyRow(MappedAsDataclass, Base):
    """A study of a user. title, chapters: its title and the number of chapters, which are in the content too.

    content: JSON (``ekoes.tables.studies``). version: how often it was changed.
    """

    __tablename__ = "studies"
    __table_args__ = (Index("studies_of_users", "user_id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    game: Mapped[str] = mapped_column(String(20))
    title: Mapped[str] = mapped_column(String(100))
    chapters: Mapped[int]
    content: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    changed_at: Mapped[datetime]


class LineRow(MappedAsDataclass, Base):
    """A chat message. number: from 1 at its table; room: its audience; seat: of the author at that time.

    text: free text, or phrase: the key of a phrase, which each reader sees in their language.
    """

    __tablename__ = "lines"
    __table_args__ = (UniqueConstraint("table_id", "user_id", "key"), Index("lines_of_users", "user_id"))

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, init=False)
    room: Mapped[str] = mapped_column(String(8))
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    key: Mapped[str] = mapped_column(String(64))
    seat: Mapped[int | None]
    name: Mapped[str] = mapped_column(String(40))
    text: Mapped[str | None] = mapped_column(Text)
    phrase: Mapped[str | None] = mapped_column(String(20))
    at: Mapped[datetime]


class MuteRow(Base):
    """A user whom another one has muted at a table."""

    __tablename__ = "mutes"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    other: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)


class RelationRow(MappedAsDataclass, Base):
    """A block or follow. name: of the other user at that time."""

    __tablename__ = "relations"
    __table_args__ = (UniqueConstraint("user_id", "kind", "other"), Index("ties_of_others", "other"))

    number: Mapped[int] = mapped_column(primary_key=True, init=False)
    kind: Mapped[str] = mapped_column(String(8))
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    other: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    since: Mapped[datetime]


class ChallengeRow(MappedAsDataclass, Base):
    """A pending challenge. user_id: the challenger; plan: JSON, whose table gets the seed if it names none.

    asked: user ids by seat; waits: those who have not answered yet.
    """

    __tablename__ = "challenges"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"))
    plan: Mapped[str] = mapped_column(Text)
    seed: Mapped[int] = mapped_column(BigInteger)
    asked: Mapped[dict[str, str]] = mapped_column(_Json)
    waits: Mapped[list[str]] = mapped_column(_Json)
    ends: Mapped[datetime]


class RightsRow(MappedAsDataclass, Base):
    """A user's role and restrictions. No row: none."""

    __tablename__ = "rights"

    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    is_moderator: Mapped[bool] = mapped_column(default=False)
    silenced_until: Mapped[datetime | None] = mapped_column(default=None)
    closed_at: Mapped[datetime | None] = mapped_column(default=None)

    def silence(self, at: datetime) -> datetime | None:
        """Return until when the user is silenced, None if they are not at that time."""
        until = self.silenced_until
        return until if until is not None and until > at else None


class ReportRow(MappedAsDataclass, Base):
    """A report about a user. table_id: None for one from their profile. name: of the reported user.

    line: the number of the reported message. words: the reporter's text. lines: the last messages that they
    saw. verdict: the moderator's.
    """

    __tablename__ = "reports"

    number: Mapped[int] = mapped_column(primary_key=True, init=False)
    table_id: Mapped[str | None] = mapped_column(ForeignKey("tables.id"))
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    about: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    line: Mapped[int | None]
    reason: Mapped[str] = mapped_column(String(20))
    words: Mapped[str] = mapped_column(Text)
    lines: Mapped[list[Json]] = mapped_column(_Json)
    at: Mapped[datetime]
    resolved_at: Mapped[datetime | None] = mapped_column(default=None)
    verdict: Mapped[str | None] = mapped_column(Text, default=None)

    def to_json(self) -> Json:
        """Return the report for moderators, without its author."""
        return {
            "id": self.number,
            "table": self.table_id,
            "name": self.name,
            "line": self.line,
            "reason": self.reason,
            "words": self.words,
            "lines": self.lines,
            "at": self.at.isoformat(),
            "resolved_at": None if self.resolved_at is None else self.resolved_at.isoformat(),
            "verdict": self.verdict,
        }


class ModeratorActionRow(MappedAsDataclass, Base):
    """An entry of the moderation log. by: the moderator's name; user_id, name: the user concerned."""

    __tablename__ = "moderator_actions"

    number: Mapped[int] = mapped_column(primary_key=True, init=False)
    at: Mapped[datetime]
    by: Mapped[str] = mapped_column(String(40))
    did: Mapped[str] = mapped_column(String(20))
    user_id: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    words: Mapped[str] = mapped_column(Text)

    def to_json(self) -> Json:
        """Return the entry as shown in the log."""
        facts = {"id": self.number, "at": self.at.isoformat(), "by": self.by, "did": self.did}
        return facts | {"name": self.name, "words": self.words}


class UptimeRow(Base):
    """A period in which a server was running. until: its last heartbeat."""

    __tablename__ = "uptimes"

    began: Mapped[datetime] = mapped_column(primary_key=True)
    until: Mapped[datetime]


class TokenRow(Base):
    """An API token.

    digest: of its text. scopes: what it allows, separated by blanks. used_at: the last use, to within a day;
    None: never.
    """

    __tablename__ = "tokens"
    __table_args__ = (Index("tokens_of_users", "user_id"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"))
    name: Mapped[str] = mapped_column(String(40))
    scopes: Mapped[str] = mapped_column(String(200))
    since: Mapped[datetime]
    used_at: Mapped[datetime | None]


class ProgramRow(Base):
    """An account that belongs to a program."""

    __tablename__ = "programs"

    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    since: Mapped[datetime]


class SearchTermRow(Base):
    """A word of the search index of finished games (``storage/results.py``)."""

    __tablename__ = "search_terms"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 - SQLAlchemy's way

    word: Mapped[str] = mapped_column(String(160), primary_key=True)
    ended_at: Mapped[datetime] = mapped_column(primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("games.table_id"), primary_key=True)


class VacationRow(MappedAsDataclass, Base):
    """A vacation of an account. until: when it ends at the latest, or has ended."""

    __tablename__ = "vacations"

    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    began: Mapped[datetime] = mapped_column(primary_key=True)
    until: Mapped[datetime]


class TournamentRow(Base):
    """A tournament. plan: JSON; user_id: its creator; rounds: how many have been drawn.

    club_id: of the club whose members alone may join, also once the club is deleted.
    """

    __tablename__ = "tournaments"
    __table_args__ = (Index("tournaments_of_clubs", "club_id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    plan: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    rounds: Mapped[int]
    club_id: Mapped[str | None] = mapped_column(String(32))


class EntrantRow(Base):
    """An entrant of a tournament. joined, left_after: after how many rounds; None: still playing.

    user_id: None for a deleted account.
    """

    __tablename__ = "entrants"
    __table_args__ = (
        UniqueConstraint("tournament_id", "user_id"),
        Index("entrants_by_user", "user_id"),
    )

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    joined: Mapped[int]
    left_after: Mapped[int | None]


class PairingRow(MappedAsDataclass, Base):
    """A game of a round, counted from 0. table_id: None for a bye or a game without players.

    seats: the entrants by seat; places: how many players finished before each, None while the
    game is running; absent, came: the seats of players who did not come and of those who did. brief: whether
    it ended before two decisions of each; berserk: the seats that played with half of their time; both None
    while it is running, and if an earlier release stored its end.
    """

    __tablename__ = "pairings"
    __table_args__ = (Index("pairings_by_table", "table_id"),)

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    table_id: Mapped[str | None] = mapped_column(ForeignKey("tables.id"))
    seats: Mapped[list[int]] = mapped_column(_Json)
    places: Mapped[list[int] | None] = mapped_column(_Json)
    absent: Mapped[list[int]] = mapped_column(_Json)
    came: Mapped[list[int]] = mapped_column(_Json)
    made_at: Mapped[datetime]
    brief: Mapped[bool | None] = mapped_column(default=None)
    berserk: Mapped[list[int] | None] = mapped_column(_Json, default=None)


class LeagueEntryRow(MappedAsDataclass, Base):
    """A program in the league of a game. author: the account that entered it.

    missed: the nights in a row in which it did not come to a game, at last at missed_at; it is out after
    some of them, and stays as an entry until its author enters or removes it.
    """

    __tablename__ = "league_entries"
    __table_args__ = (Index("league_entries_by_author", "author"),)

    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    author: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"))
    since: Mapped[datetime]
    missed: Mapped[int] = mapped_column(default=0)
    missed_at: Mapped[datetime | None] = mapped_column(default=None)


class LeagueGameRow(MappedAsDataclass, Base):
    """A game of the league. first, second: by seat, a level or the user id of a program.

    winner: the seat that won alone; None: both did, or none, or it is running. table_id is no foreign key:
    a game that begins is here before its table.
    """

    __tablename__ = "league_games"
    __table_args__ = (Index("league_games_by_end", "game", "ended_at"),)

    table_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    first: Mapped[str] = mapped_column(String(64))
    second: Mapped[str] = mapped_column(String(64))
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime | None] = mapped_column(default=None)
    winner: Mapped[int | None] = mapped_column(default=None)


class PushRow(MappedAsDataclass, Base):
    """A Web Push subscription. id: a digest of its endpoint, where messages are sent.

    credential: the one in its cookie. p256dh, auth: its keys; origin: the URL by which it knows the server.
    """

    __tablename__ = "pushes"
    __table_args__ = (Index("pushes_of_users", "user_id"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True, init=False)
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    credential: Mapped[str] = mapped_column(String(64))
    endpoint: Mapped[str] = mapped_column(Text)
    p256dh: Mapped[str] = mapped_column(String(100))
    auth: Mapped[str] = mapped_column(String(40))
    origin: Mapped[str] = mapped_column(String(300))
    since: Mapped[datetime]

    def __post_init__(self) -> None:
        self.id = sha256(self.endpoint.encode()).hexdigest()


class MemberRow(MappedAsDataclass, Base):
    """A server process. address: where the others reach it; beats: the number of its heartbeats.

    clock: its time at the latest heartbeat; None: unknown.
    """

    __tablename__ = "members"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    address: Mapped[str] = mapped_column(String(200))
    beats: Mapped[int] = mapped_column(BigInteger)
    clock: Mapped[datetime | None]


class LeaseRow(Base):
    """A lease. member: the owner, or the last one if that was removed; empty once released.

    epoch: the number of owners so far.
    """

    __tablename__ = "leases"
    __table_args__ = (Index("leases_of_members", "member"),)

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    member: Mapped[str] = mapped_column(String(32))
    epoch: Mapped[int]


class ClubRow(Base):
    """A club. known_as, look: as of an account. is_open: anybody may join.

    invitation: the secret of the link by which others do. members: their number, without those banned.
    weekly: the game, players and days per turn of the table that is made each week; weekly_at: the next one.
    """

    __tablename__ = "clubs"
    __table_args__ = (Index("clubs_by_members", "members"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    known_as: Mapped[str] = mapped_column(String(160), unique=True)
    look: Mapped[str] = mapped_column(String(160), unique=True)
    text: Mapped[str] = mapped_column(Text)
    is_open: Mapped[bool]
    invitation: Mapped[str] = mapped_column(String(32))
    members: Mapped[int]
    since: Mapped[datetime]
    weekly: Mapped[Json | None] = mapped_column(_Json, default=None)
    weekly_at: Mapped[datetime | None] = mapped_column(default=None)


class ClubMemberRow(Base):
    """A member of a club, or an account that is banned from it. since: of the membership or the ban."""

    __tablename__ = "club_members"
    __table_args__ = (Index("clubs_of_users", "user_id"),)

    club_id: Mapped[str] = mapped_column(ForeignKey("clubs.id"), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("accounts.user_id"), primary_key=True)
    role: Mapped[str] = mapped_column(String(10))
    since: Mapped[datetime]


class ClubLineRow(Base):
    """A chat message in a club. number: from 1 there. Only the latest are stored."""

    __tablename__ = "club_lines"
    __table_args__ = (Index("club_lines_of_users", "user_id"),)

    club_id: Mapped[str] = mapped_column(ForeignKey("clubs.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]


class ClubTableRow(Base):
    """A table at which only members of a club may sit down."""

    __tablename__ = "club_tables"
    __table_args__ = (Index("tables_of_clubs", "club_id"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    club_id: Mapped[str] = mapped_column(ForeignKey("clubs.id"))
