"""The tables of the database. SQLite in a file by default; nothing here is SQLite's alone.

tables ─┬─< seats     the seats as the table was made; who sits there later is in the state
        ├─< places    who sits there now
        ├─< events    every order a table took, in order; never changed, never deleted
        ├─< entries   its log as it stands: an undo takes its last entry away
        ├─< states    the table as it was made, and as it stood every so many events
        ├── games     that are over ──< results   of each seat there
        │             └─< mentions   words by which those are found that everybody may know of
        ├── untold    games that are over of which those who watch are not told yet
        ├─< lines     what people said there
        └─< mutes     who does not want to hear whom there
sessions ─┬─< seats, places, events, lines, mutes
          ├── accounts ──< recoveries   of holders with a name and a password
          ├─< devices                   browsers at which an account is signed in
          ├─< tokens                    by which programs act for an account
          ├── programs                  accounts that are programs' own
          ├─< results, ratings          what they have come to
          ├─< ties                      whom somebody blocks or follows
          ├─< vacations                 when their clocks of days stand
          ├─< pushes                    browsers that want notices
          ├── rights                    what who runs the server has said of them
          └─< reports                   what others have said of them
deeds       what was done by those who run the server, in order; never changed, never deleted
uptimes     when a server was there
members     processes that share the database
leases      what each of them owns: a table, most of them
tournaments ─┬─< entrants   who plays there
             └─< pairings   the games of each round, most of them at tables
"""

from __future__ import annotations

from datetime import UTC, datetime

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
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = [
    "AccountRow",
    "Base",
    "DeedRow",
    "DeviceRow",
    "EntrantRow",
    "EntryRow",
    "EventRow",
    "GameRow",
    "LeaseRow",
    "LineRow",
    "MemberRow",
    "MentionRow",
    "MuteRow",
    "PairingRow",
    "PlaceRow",
    "ProgramRow",
    "PushRow",
    "RatingRow",
    "RecoveryRow",
    "ReportRow",
    "ResultRow",
    "RightsRow",
    "SchemaRow",
    "SeatRow",
    "SessionRow",
    "StateRow",
    "TableRow",
    "TieRow",
    "TokenRow",
    "TournamentRow",
    "UntoldRow",
    "UptimeRow",
    "VacationRow",
]


class _Moment(TypeDecorator[datetime]):
    """A moment in UTC, also where the database forgets time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Base(DeclarativeBase):
    """All tables of the database."""

    type_annotation_map = {datetime: _Moment}  # noqa: RUF012 - SQLAlchemy's way


class SchemaRow(Base):
    """The one row that says which version of this schema the database has.

    oldest: the first one whose programs may use it too; None: none but its own.
    """

    __tablename__ = "schema"

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    oldest: Mapped[int | None]


class SessionRow(Base):
    """Whoever holds seats: a guest, whose browser's cookie carries the id, signed, or an account."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    created_at: Mapped[datetime]


class TableRow(Base):
    """A table as it was made, and as it stands.

    options: JSON. digest: of the state as the table was made. What follows its latest event: stirs,
    whether a bot or a clock goes on there by itself; is_over; rules, the version of those that judged
    it; events, their number; state and clock, the whole table without its log (``storage/state.py``);
    strikes_at, when a clock runs out that goes on though nobody is there, if the server stays so long.
    A table of schema 1 has digest, rules, state and clock when it is opened. secret: where its bots'
    chance comes from; in no other column, and nothing that is sent comes from it.
    """

    __tablename__ = "tables"
    __table_args__ = (
        Index("tables_that_stir", "stirs"),
        Index("tables_that_strike", "strikes_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    options: Mapped[str] = mapped_column(Text)
    seed: Mapped[int] = mapped_column(BigInteger)
    turn_limit: Mapped[int | None]
    created_at: Mapped[datetime]
    stirs: Mapped[bool]
    is_over: Mapped[bool]
    digest: Mapped[str | None] = mapped_column(String(32))
    rules: Mapped[str | None] = mapped_column(String(20))
    events: Mapped[int] = mapped_column(default=0)
    state: Mapped[str | None] = mapped_column(Text)
    clock: Mapped[str | None] = mapped_column(Text)
    secret: Mapped[str | None] = mapped_column(String(64))
    strikes_at: Mapped[datetime | None]


class SeatRow(Base):
    """A seat as the table was made."""

    __tablename__ = "seats"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    name: Mapped[str] = mapped_column(String(40))
    colour: Mapped[int]
    bot: Mapped[str | None] = mapped_column(String(40))
    session_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))


class PlaceRow(Base):
    """A seat that somebody holds now."""

    __tablename__ = "places"
    __table_args__ = (Index("places_of_holders", "holder"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"))


class AccountRow(Base):
    """A holder with a name and a password. known_as: the name as no two may have it; password: its hash."""

    __tablename__ = "accounts"

    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    known_as: Mapped[str] = mapped_column(String(160), unique=True)
    password: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime]


class RecoveryRow(Base):
    """A recovery code that was not used yet. code: its digest."""

    __tablename__ = "recoveries"

    holder: Mapped[str] = mapped_column(ForeignKey("accounts.holder"), primary_key=True)
    code: Mapped[str] = mapped_column(String(64), primary_key=True)


class DeviceRow(Base):
    """A browser at which an account is signed in; its cookie carries the id. about: what it calls itself."""

    __tablename__ = "devices"
    __table_args__ = (Index("devices_of_holders", "holder"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    holder: Mapped[str] = mapped_column(ForeignKey("accounts.holder"))
    about: Mapped[str] = mapped_column(String(200))
    since: Mapped[datetime]
    seen_at: Mapped[datetime]


class EventRow(Base):
    """One order that a table took. body: the order as JSON; version: the table's after it.

    rules: the version of those that judged it. digest: of the state after it. Of tables of schema 1
    both are empty until the table is opened.
    """

    __tablename__ = "events"
    __table_args__ = (UniqueConstraint("table_id", "session_id", "key"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    version: Mapped[int]
    session_id: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))
    key: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    rules: Mapped[str | None] = mapped_column(String(20))
    digest: Mapped[str | None] = mapped_column(String(32))


class EntryRow(Base):
    """One entry of a log. number: from 1 on; event: that it came with.

    body: the entry in full, as JSON; shown: what everybody may see of it, as it goes over the wire.
    """

    __tablename__ = "entries"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    event: Mapped[int]
    body: Mapped[str] = mapped_column(Text)
    shown: Mapped[str] = mapped_column(Text)


class StateRow(Base):
    """A table as it stood after an event; number: the event's, 0 as it was made."""

    __tablename__ = "states"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    state: Mapped[str] = mapped_column(Text)
    clock: Mapped[str | None] = mapped_column(Text)


class GameRow(Base):
    """A game that is over. length: of its log; pool: the games it compares with (``ekoes.match.rated``)."""

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
    """How a game ended for a seat. rank: how many came before it; won: alone or with others.

    holder: who sat there, None for a bot and for an account that was deleted. The means and deviations
    are those of its rating before and after the game, None where it was not rated.
    """

    __tablename__ = "results"
    __table_args__ = (Index("results_of_holders", "holder"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("games.table_id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    holder: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    bot: Mapped[str | None] = mapped_column(String(40))
    rank: Mapped[int]
    won: Mapped[bool]
    mean_before: Mapped[float | None]
    deviation_before: Mapped[float | None]
    mean: Mapped[float | None]
    deviation: Mapped[float | None]


class RatingRow(Base):
    """How good an account is among the games of a pool."""

    __tablename__ = "ratings"
    __table_args__ = (Index("ratings_by_pool", "pool", "mean"),)

    holder: Mapped[str] = mapped_column(ForeignKey("accounts.holder"), primary_key=True)
    pool: Mapped[str] = mapped_column(String(60), primary_key=True)
    mean: Mapped[float]
    deviation: Mapped[float]
    games: Mapped[int]
    won: Mapped[int]
    at: Mapped[datetime]


class LineRow(Base):
    """A line that somebody said at a table. number: from 1 on; room: who hears it; seat: as it was said from.

    text: their own words, or phrase: a word that each reader reads in their language.
    """

    __tablename__ = "lines"
    __table_args__ = (UniqueConstraint("table_id", "holder", "key"), Index("lines_of_holders", "holder"))

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    room: Mapped[str] = mapped_column(String(8))
    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    key: Mapped[str] = mapped_column(String(64))
    seat: Mapped[int | None]
    name: Mapped[str] = mapped_column(String(40))
    text: Mapped[str | None] = mapped_column(Text)
    phrase: Mapped[str | None] = mapped_column(String(20))
    at: Mapped[datetime]


class MuteRow(Base):
    """Somebody whom a holder does not want to hear at a table."""

    __tablename__ = "mutes"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    other: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)


class TieRow(Base):
    """Somebody whom a holder blocks or follows. name: as they were called then."""

    __tablename__ = "ties"
    __table_args__ = (UniqueConstraint("holder", "kind", "other"), Index("ties_of_others", "other"))

    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(8))
    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    other: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    since: Mapped[datetime]


class RightsRow(Base):
    """What a holder may do more than others, or less. No row: as everybody."""

    __tablename__ = "rights"

    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"), primary_key=True)
    is_moderator: Mapped[bool]
    silenced_until: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]


class ReportRow(Base):
    """What somebody says of somebody else. name: of whom it is about; line: the one that it is about.

    words: of who reports. lines: the last ones that they heard, as JSON. verdict: of who resolved it.
    """

    __tablename__ = "reports"

    number: Mapped[int] = mapped_column(primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"))
    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    about: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    line: Mapped[int | None]
    reason: Mapped[str] = mapped_column(String(20))
    words: Mapped[str] = mapped_column(Text)
    lines: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]
    resolved_at: Mapped[datetime | None]
    verdict: Mapped[str | None] = mapped_column(Text)


class DeedRow(Base):
    """What somebody who runs the server did. by: their name; holder, name: whom it was done to."""

    __tablename__ = "deeds"

    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    by: Mapped[str] = mapped_column(String(40))
    did: Mapped[str] = mapped_column(String(20))
    holder: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    words: Mapped[str] = mapped_column(Text)


class UptimeRow(Base):
    """A time in which a server was there. until: when it was last known to be."""

    __tablename__ = "uptimes"

    began: Mapped[datetime] = mapped_column(primary_key=True)
    until: Mapped[datetime]


class TokenRow(Base):
    """What lets a program act for an account.

    digest: of its text. scopes: what it may do, with blanks between.
    used_at: when it was last used, give or take a day; None: never.
    """

    __tablename__ = "tokens"
    __table_args__ = (Index("tokens_of_holders", "holder"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    holder: Mapped[str] = mapped_column(ForeignKey("accounts.holder"))
    name: Mapped[str] = mapped_column(String(40))
    scopes: Mapped[str] = mapped_column(String(200))
    since: Mapped[datetime]
    used_at: Mapped[datetime | None]


class ProgramRow(Base):
    """An account that is a program's, since when."""

    __tablename__ = "programs"

    holder: Mapped[str] = mapped_column(ForeignKey("accounts.holder"), primary_key=True)
    since: Mapped[datetime]


class MentionRow(Base):
    """A word by which a game that is over is found (``storage/mentions.py``)."""

    __tablename__ = "mentions"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 - SQLAlchemy's way

    word: Mapped[str] = mapped_column(String(160), primary_key=True)
    ended_at: Mapped[datetime] = mapped_column(primary_key=True)
    table_id: Mapped[str] = mapped_column(ForeignKey("games.table_id"), primary_key=True)


class UntoldRow(Base):
    """A game that ended, until those who watch are told of it at ``tells_at``."""

    __tablename__ = "untold"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    ended_at: Mapped[datetime]
    tells_at: Mapped[datetime]


class VacationRow(Base):
    """A vacation of an account. until: when it ends at the latest, or has ended."""

    __tablename__ = "vacations"

    holder: Mapped[str] = mapped_column(ForeignKey("accounts.holder"), primary_key=True)
    began: Mapped[datetime] = mapped_column(primary_key=True)
    until: Mapped[datetime]


class TournamentRow(Base):
    """A tournament. plan: JSON; holder: who has made it; rounds: how many have been drawn."""

    __tablename__ = "tournaments"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    plan: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    rounds: Mapped[int]


class EntrantRow(Base):
    """Somebody who plays in a tournament. joined, left_after: after how many rounds; None: they play on.

    holder: None for an account that was deleted.
    """

    __tablename__ = "entrants"
    __table_args__ = (
        UniqueConstraint("tournament_id", "holder"),
        Index("entrants_by_holder", "holder"),
    )

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    holder: Mapped[str | None] = mapped_column(ForeignKey("sessions.id"))
    name: Mapped[str] = mapped_column(String(40))
    joined: Mapped[int]
    left_after: Mapped[int | None]


class PairingRow(Base):
    """A game of a round, from 0 on; table_id: None for a bye and where nobody plays.

    seats: the entrants in their order, places: how many came before each, None while the game goes on;
    absent, came: seats of those who did not come and of those who did. All of them JSON.
    """

    __tablename__ = "pairings"
    __table_args__ = (Index("pairings_by_table", "table_id"),)

    tournament_id: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    table_id: Mapped[str | None] = mapped_column(ForeignKey("tables.id"))
    seats: Mapped[str] = mapped_column(Text)
    places: Mapped[str | None] = mapped_column(Text)
    absent: Mapped[str] = mapped_column(Text)
    came: Mapped[str] = mapped_column(Text)
    made_at: Mapped[datetime]


class PushRow(Base):
    """A browser that wants notices while its page is closed. id: the name of its endpoint.

    credential: what its cookie carries. p256dh, auth: its keys; origin: by which address it knows the server.
    """

    __tablename__ = "pushes"
    __table_args__ = (Index("pushes_of_holders", "holder"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    holder: Mapped[str] = mapped_column(ForeignKey("sessions.id"))
    credential: Mapped[str] = mapped_column(String(64))
    endpoint: Mapped[str] = mapped_column(Text)
    p256dh: Mapped[str] = mapped_column(String(100))
    auth: Mapped[str] = mapped_column(String(40))
    origin: Mapped[str] = mapped_column(String(300))
    since: Mapped[datetime]


class MemberRow(Base):
    """A process that is there. address: where the others reach it; beats: as often as it was heard.

    clock: the time as it had it at the latest beat; NULL: of a release before schema 15.
    """

    __tablename__ = "members"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    address: Mapped[str] = mapped_column(String(200))
    beats: Mapped[int] = mapped_column(BigInteger)
    clock: Mapped[datetime | None]


class LeaseRow(Base):
    """What has one owner. member: who that is, or was, if there is no such member any more.

    epoch: how many have owned it.
    """

    __tablename__ = "leases"
    __table_args__ = (Index("leases_of_members", "member"),)

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    member: Mapped[str] = mapped_column(String(32))
    epoch: Mapped[int]
