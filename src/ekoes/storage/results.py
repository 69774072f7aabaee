"""Results and reviews of finished games, ratings and leaderboards, and the search of public games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session, aliased

from ekoes.games.api.registry import game as game_of
from ekoes.storage.engine import Repository
from ekoes.storage.names import known_as
from ekoes.storage.schema import (
    AccountRow,
    EntrantRow,
    GameRow,
    LeagueEntryRow,
    LeagueGameRow,
    OpeningQueueRow,
    PairingRow,
    ProgramRow,
    RatingRow,
    ResultRow,
    ReviewRow,
    SearchTermRow,
    TournamentRow,
)
from ekoes.tables.orders import MAX_PLAYERS
from ekoes.tables.ratings import NEW, UNCERTAIN, Rating, after_game, has_won, pool, ranks, users
from ekoes.tables.table import ABORTED, Table
from ekoes.tournaments.state import is_brief, places_of


def note_places(connection: Connection, table_id: str, table: Table) -> None:
    """Store the result of an undecided game of a tournament that is not over; nothing for other tables."""
    over = select(TournamentRow.id).where(TournamentRow.ended_at.is_not(None))
    is_this = (PairingRow.table_id == table_id, PairingRow.places.is_(None))
    result = {"places": places_of(table), "brief": is_brief(table), "berserk": sorted(table.berserk)}
    goes_on = PairingRow.tournament_id.not_in(over)
    connection.execute(update(PairingRow).where(*is_this, goes_on).values(result))


def withdraw(connection: Connection, user: str) -> None:
    """Withdraw a user from running tournaments, and delete their entries in those not yet started."""
    theirs = EntrantRow.user_id == user
    begun = select(TournamentRow.id).where(TournamentRow.started_at.is_not(None))
    connection.execute(delete(EntrantRow).where(theirs, EntrantRow.tournament_id.not_in(begun)))
    rounds = (
        select(TournamentRow.rounds).where(TournamentRow.id == EntrantRow.tournament_id).scalar_subquery()
    )
    connection.execute(
        update(EntrantRow).where(theirs, EntrantRow.left_after.is_(None)).values(left_after=rounds)
    )


def erase_entrant(connection: Connection, user: str) -> None:
    """Withdraw an account and erase its name from its tournaments."""
    withdraw(connection, user)
    theirs = update(EntrantRow).where(EntrantRow.user_id == user)
    connection.execute(theirs.values(user_id=None, name=""))


def leave_league(connection: Connection, user: str, game: str | None = None) -> None:
    """Remove a program, with its results, from the league of a game, or from all."""
    row, entry = LeagueGameRow, LeagueEntryRow
    games = delete(row).where(or_(row.first == user, row.second == user))
    entries = delete(entry).where(entry.user_id == user)
    connection.execute(games if game is None else games.where(row.game == game))
    connection.execute(entries if game is None else entries.where(entry.game == game))


def erase_from_leagues(connection: Connection, user: str) -> None:
    """Remove an account, and the programs that it has entered, from all leagues."""
    theirs = select(LeagueEntryRow.user_id).where(LeagueEntryRow.author == user)
    for one in {user, *connection.scalars(theirs)}:
        leave_league(connection, one)


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A table whose game has just ended."""

    table_id: str
    table: Table
    at: datetime


def end_game(connection: Connection, finished: FinishedGame) -> None:
    """Store a result and update ratings, in the transaction that ends the game."""
    table, table_id, at = finished.table, finished.table_id, finished.at
    placed = ranks(table)
    with Session(connection) as session:
        ratings = _rate(session, finished, placed)
        session.flush()
    rated = table.counts and bool(ratings)
    game = {
        "table_id": table_id,
        "game": table.game,
        "players": len(table.seats),
        "pool": pool(table),
        "rated": rated,
        "reason": table.outcome.reason if table.outcome else "",
        "length": table.length,
        "ended_at": at,
    }
    connection.execute(insert(GameRow).values(game))
    if table.public or table.counts:
        moment = {"ended_at": at, "table_id": table_id}
        found = sorted(_words(table, rated=rated))
        connection.execute(insert(SearchTermRow), [{"word": word, **moment} for word in found])
        if game_of(table.game).parts.openings is not None and not table.imported:
            connection.execute(insert(OpeningQueueRow).values(table_id=table_id))
    rows = []
    for number, (user, seat) in enumerate(zip(users(table), table.seats, strict=True)):
        was, now = ratings.get(number, (None, None))
        rows.append(
            {
                "table_id": table_id,
                "seat": number,
                "user_id": user,
                "name": seat.name,
                "bot": seat.bot,
                "rank": placed[number],
                "won": has_won(table, number),
                "mean_before": was and was.mean,
                "deviation_before": was and was.deviation,
                "mean": now and now.mean,
                "deviation": now and now.deviation,
            }
        )
    connection.execute(insert(ResultRow), rows)
    note_places(connection, table_id, table)


def _rate(
    session: Session, finished: FinishedGame, placed: Sequence[int]
) -> dict[int, tuple[Rating, Rating]]:
    """Rate the players of a game. Returns: their ratings before and after it, by seat; {} if it changes none.

    A game that counts changes those of all players if all have accounts; any other those of bot accounts.
    """
    table = finished.table
    players = [user for user in users(table) if user is not None]
    if len(set(players)) < len(table.seats):
        return {}
    changes = set(players)
    if not table.counts:
        changes = set(session.scalars(select(ProgramRow.user_id).where(ProgramRow.user_id.in_(players))))
        if not changes:
            return {}
    # Lock the players' rows, so that games that end at the same time are rated one after the other.
    theirs = select(AccountRow.user_id).where(AccountRow.user_id.in_(changes)).order_by(AccountRow.user_id)
    if set(session.scalars(theirs.with_for_update(key_share=True))) != changes:
        return {}
    known = select(RatingRow).where(RatingRow.user_id.in_(players), RatingRow.pool == pool(table))
    rows = {row.user_id: row for row in session.scalars(known)}
    new = (pool(table), *NEW, 0, 0, finished.at)
    ratings = [rows.get(user) or RatingRow(user, *new) for user in players]
    before = [Rating(row.mean, row.deviation) for row in ratings]
    after = after_game(before, placed)
    changing = [seat for seat, user in enumerate(players) if user in changes]
    for seat in changing:
        row = ratings[seat]
        row.mean, row.deviation = after[seat]
        row.games, row.won, row.at = row.games + 1, row.won + has_won(table, seat), finished.at
        session.add(row)
    return {seat: (before[seat], after[seat]) for seat in changing}


@dataclass(frozen=True, slots=True)
class Standing:
    """The rating of an account in a pool, with games played and won."""

    name: str
    pool: str
    rating: Rating
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a seat. account: its current name, None for guests and bots.

    rating: before and after the game, None where it was not rated.
    """

    seat: int
    user_id: str | None
    name: str
    account: str | None
    bot: str | None
    rank: int
    won: bool
    rating: tuple[Rating, Rating] | None


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game."""

    table_id: str
    pool: str
    rated: bool
    reason: str
    length: int
    ended_at: datetime
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """The score between two players in the games that both played."""

    won: int
    lost: int
    even: int


class Results(Repository):
    """Results, ratings and leaderboards."""

    def standings(self, user: str) -> list[Standing]:
        """Return the ratings of an account, the most played pool first."""
        whose = _STANDINGS.where(RatingRow.user_id == user)
        return self._standings(whose.order_by(RatingRow.games.desc(), RatingRow.pool))

    def rating(self, user: str, pool: str) -> Rating | None:
        """Return the rating of an account in a pool, None if it has none."""
        found = select(RatingRow.mean, RatingRow.deviation).where(
            RatingRow.user_id == user, RatingRow.pool == pool
        )
        row = self._first(found)
        return None if row is None else Rating(row.mean, row.deviation)

    def leaders(self, pool: str, most: int) -> list[Standing]:
        """Return the leaderboard of a pool: only people with a certain rating."""
        certain = _STANDINGS.where(RatingRow.pool == pool, RatingRow.deviation <= UNCERTAIN, _IS_PERSON)
        return self._standings(certain.order_by(RatingRow.mean.desc(), RatingRow.at).limit(most))

    def pools(self) -> list[tuple[str, int]]:
        """Return each pool with the number of people who have a rating there, the largest first."""
        number = func.count()
        found = select(RatingRow.pool, number).where(_IS_PERSON).group_by(RatingRow.pool)
        ordered = found.order_by(number.desc(), RatingRow.pool)
        return [(pool, people) for pool, people in self._rows(ordered)]

    def curve(self, user: str, pool: str) -> list[tuple[datetime, Rating]]:
        """Return the rating of an account after each of its games in a pool, oldest first."""
        found = (
            select(GameRow.ended_at, ResultRow.mean, ResultRow.deviation)
            .join(GameRow, GameRow.table_id == ResultRow.table_id)
            .where(ResultRow.user_id == user, GameRow.pool == pool, ResultRow.mean.is_not(None))
            .order_by(GameRow.ended_at, GameRow.table_id)
        )
        rows: Sequence[Any] = self._rows(found)
        return [(row.ended_at, Rating(row.mean, row.deviation)) for row in rows]

    def games(self, user: str, viewer: str | None, before: datetime | None, most: int) -> list[Played]:
        """Return the latest games of a user that a viewer may see: rated ones, and the viewer's own.

        before: only those that ended earlier.
        """
        theirs = [_sat(user)]
        if viewer != user:
            theirs.append(GameRow.rated | (_sat(viewer) if viewer else False))
        if before is not None:
            theirs.append(GameRow.ended_at < before)
        with self._transaction() as connection:
            return played_where(connection, theirs, most)

    def of_table(self, table_id: str) -> Played | None:
        """Return the finished game of a table, None while it is running."""
        with self._transaction() as connection:
            return next(iter(played_where(connection, [GameRow.table_id == table_id], 1)), None)

    def between(self, one: str, other: str) -> Between:
        """Return the score between two players."""
        mine, theirs = aliased(ResultRow), aliased(ResultRow)
        found = (
            select(mine.rank, theirs.rank)
            .join(theirs, theirs.table_id == mine.table_id)
            .where(mine.user_id == one, theirs.user_id == other)
        )
        counts = Counter((a > b) - (a < b) for a, b in self._rows(found))
        return Between(counts[-1], counts[1], counts[0])

    def _standings(self, statement: Select[str, str, float, float, int, int]) -> list[Standing]:
        rows = self._rows(statement)
        return [
            Standing(name, pool, Rating(mean, off), games, won) for name, pool, mean, off, games, won in rows
        ]


class StoredReviews(Repository):
    """The reviews of finished games."""

    def of(self, table_id: str, version: int) -> str | None:
        """Return the review of a game as JSON, None if there is none of this version of the form."""
        is_this = (ReviewRow.table_id == table_id, ReviewRow.version == version)
        return self._scalar(select(ReviewRow.body).where(*is_this))

    def latest(self, user: str, game: str, version: int, most: int) -> list[tuple[Played, str | None]]:
        """Return the latest games of a user that were not aborted, each with its review as ``of``."""
        conditions = (GameRow.game == game, GameRow.length > 0, GameRow.reason != ABORTED, _sat(user))
        with self._transaction() as connection:
            games = played_where(connection, conditions, most)
            found = select(ReviewRow.table_id, ReviewRow.body).where(
                ReviewRow.version == version, ReviewRow.table_id.in_([one.table_id for one in games])
            )
            bodies = dict(connection.execute(found).all())
        return [(one, bodies.get(one.table_id)) for one in games]

    def put(self, table_id: str, version: int, body: str, at: datetime) -> None:
        """Store the review of a game, instead of an earlier one."""
        with self._transaction() as connection:
            connection.execute(delete(ReviewRow).where(ReviewRow.table_id == table_id))
            row = {"table_id": table_id, "version": version, "body": body, "made_at": at}
            connection.execute(insert(ReviewRow).values(row))


_STANDINGS = select(
    AccountRow.name, RatingRow.pool, RatingRow.mean, RatingRow.deviation, RatingRow.games, RatingRow.won
).join(AccountRow, AccountRow.user_id == RatingRow.user_id)


_IS_PERSON = RatingRow.user_id.not_in(select(ProgramRow.user_id))
"""Of a rating: not that of a bot account."""


def _sat(user: str) -> ColumnElement[bool]:
    return GameRow.table_id.in_(select(ResultRow.table_id).where(ResultRow.user_id == user))


def played_where(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], most: int
) -> list[Played]:
    """Return the latest games that match, with the results of all seats."""
    columns = (
        GameRow.table_id,
        GameRow.pool,
        GameRow.rated,
        GameRow.reason,
        GameRow.length,
        GameRow.ended_at,
    )
    latest = select(*columns).where(*conditions).order_by(GameRow.ended_at.desc(), GameRow.table_id.desc())
    games = connection.execute(latest.limit(most)).all()
    seats = (
        select(ResultRow, AccountRow.name.label("account"))
        .outerjoin(AccountRow, AccountRow.user_id == ResultRow.user_id)
        .where(ResultRow.table_id.in_([game.table_id for game in games]))
        .order_by(ResultRow.table_id, ResultRow.seat)
    )
    rows = connection.execute(seats).all()
    results = {
        table_id: tuple(map(_result, some)) for table_id, some in groupby(rows, lambda row: row.table_id)
    }
    return [Played(*game, results[game.table_id]) for game in games]


def _result(row: Row[ResultRow, str]) -> Result:
    rating = None
    if row.mean is not None:
        rating = (Rating(row.mean_before, row.deviation_before), Rating(row.mean, row.deviation))
    return Result(row.seat, row.user_id, row.name, row.account, row.bot, row.rank, row.won, rating)


_EVERY_GAME = "all"
"""The word of every public game."""
_LONGEST = 160


def _words(table: Table, *, rated: bool) -> set[str]:
    """Return the words by which a finished game is found; each filter of a search is one of them."""
    people = [(seat.name, has_won(table, number)) for number, seat in enumerate(table.seats)]
    return {
        _EVERY_GAME,
        _named("game", table.game),
        _named("players", str(len(table.seats))),
        _named("tempo", pool(table).rpartition("/")[2]),
        _named("rated", "yes" if rated else "no"),
        _named("reason", table.outcome.reason if table.outcome else ""),
        _named("result", "won" if any(won for _, won in people) else "drawn"),
        *(_option(key, value) for key, values in table.options.items() for value in _values(values)),
        *(word for name, won in people if name for word in _people_words(name, won=won)),
    }


def _named(kind: str, value: str) -> str:
    """Return the word of a value."""
    return f"{kind}:{value}"[:_LONGEST]


def _option(key: str, value: str) -> str:
    """Return the word of an option's value."""
    return _named("option", f"{key}:{value}")


def _people_words(name: str, *, won: bool) -> Iterator[str]:
    """Yield the words of a player's name, in the form in which names are compared, ignoring spacing."""
    folded = " ".join(known_as(name).split())
    yield _named("player", folded)
    if won:
        yield _named("winner", folded)


def _values(value: object) -> Iterator[str]:
    """Yield the searchable values of an option; numbers and boards are not."""
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, str))


def erase_from_index(connection: Connection, is_theirs: ColumnElement[bool]) -> None:
    """Remove the names of results from the index, unless another player of the game has the same name."""
    of_games = (
        select(ResultRow.table_id, ResultRow.name, is_theirs.label("is_theirs"), GameRow.ended_at)
        .join(GameRow, GameRow.table_id == ResultRow.table_id)
        .where(ResultRow.table_id.in_(select(ResultRow.table_id).where(is_theirs)))
    )
    rows = connection.execute(of_games).all()
    kept = {(row.table_id, word) for row in rows if not row.is_theirs for word in _both(row.name)}
    for row in rows:
        gone = [word for word in _both(row.name) if (row.table_id, word) not in kept]
        if row.is_theirs and gone:
            connection.execute(
                delete(SearchTermRow).where(
                    SearchTermRow.word.in_(gone),
                    SearchTermRow.ended_at == row.ended_at,
                    SearchTermRow.table_id == row.table_id,
                )
            )


def _both(name: str) -> tuple[str, ...]:
    return tuple(_people_words(name, won=True)) if name else ()


_ENOUGH = 2000
"""At most so many matches are counted to compare the frequency of words."""

_Moment = tuple[datetime, str]
"""A page's cursor: end and table of its last game."""


_Name = Annotated[str, Field(min_length=1, max_length=160)]
_Word = Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,20}$")]
_Option = Annotated[str, Field(pattern=r"^[a-z_]{1,20}:[a-z0-9_-]{1,20}$")]
_Day = Annotated[date, Field(ge=date(1, 1, 2), le=date(9999, 12, 30))]


class Search(BaseModel):
    """Conditions that all must hold; None or empty matches everything."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    player: Annotated[
        list[_Name],
        Field(max_length=4, description="names, at most four, of players of the same game; case is ignored"),
    ] = []
    winner: Annotated[
        _Name | None, Field(description="the name of a player who won, perhaps with others")
    ] = None
    game: _Word | None = None
    players: Annotated[int, Field(ge=1, le=MAX_PLAYERS)] | None = None
    option: Annotated[
        list[_Option],
        Field(max_length=12, description="``key:value`` of options that are words, lists of words, booleans"),
    ] = []
    tempo: Annotated[
        _Word | None, Field(description="``untimed``, ``live``, ``days``, ``calm`` or ``imported``")
    ] = None
    rated: bool | None = None
    reason: Annotated[_Word | None, Field(description="of the end, such as ``resignation``")] = None
    result: Annotated[
        Literal["won", "drawn"] | None, Field(description="``drawn``: the game has no winner")
    ] = None
    since: Annotated[_Day | None, Field(description="the first day on which the game ended, in UTC")] = None
    until: Annotated[_Day | None, Field(description="the last day, included, in UTC")] = None

    def words(self) -> tuple[str, ...]:
        """Return the index words that a game must all have."""
        given = {
            "game": self.game,
            "players": self.players,
            "tempo": self.tempo,
            "reason": self.reason,
            "result": self.result,
        }
        rated = () if self.rated is None else (_named("rated", "yes" if self.rated else "no"),)
        winner = () if self.winner is None else tuple(_people_words(self.winner, won=True))[1:]
        chosen = (
            *(_named(kind, str(value)) for kind, value in given.items() if value is not None),
            *rated,
            *(next(_people_words(name, won=False)) for name in self.player),
            *winner,
            *(_option(*one.split(":")) for one in self.option),
        )
        return tuple(dict.fromkeys(chosen)) or (_EVERY_GAME,)


class Archive(Repository):
    """Searches finished games."""

    def search(self, search: Search, after: _Moment | None, most: int) -> list[Played]:
        """Return the latest matching games. after: the cursor of the page before."""
        with self._transaction() as connection:
            ids = list(connection.scalars(found(connection, search, after).limit(most)))
            return played_where(connection, [GameRow.table_id.in_(ids)], most) if ids else []

    def count(self, search: Search) -> int:
        """Return the number of matching games."""
        with self._transaction() as connection:
            games = found(connection, search, None).subquery()
            return connection.scalar(select(func.count()).select_from(games)) or 0

    def knows(self, table_id: str) -> bool:
        """Return whether the game of a table is public."""
        ended = select(GameRow.ended_at).where(GameRow.table_id == table_id).scalar_subquery()
        is_this = (SearchTermRow.word == _EVERY_GAME, SearchTermRow.ended_at == ended)
        is_public = select(exists().where(*is_this, SearchTermRow.table_id == table_id))
        return bool(self._scalar(is_public))


def found(connection: Connection, search: Search, after: _Moment | None) -> Select[Any]:
    """Return the statement of a search, the latest game first."""
    rarest, *others = _rarest_first(connection, search)
    where = [SearchTermRow.word == rarest, *_between(search)]
    if after is not None:
        ended_at, table_id = after
        # redundant, but lets the index start there
        where.append(SearchTermRow.ended_at <= ended_at)
        earlier = SearchTermRow.ended_at < ended_at
        where.append(or_(earlier, SearchTermRow.table_id < table_id))
    where += [_has(word) for word in others]
    latest = (SearchTermRow.ended_at.desc(), SearchTermRow.table_id.desc())
    return select(SearchTermRow.table_id).where(*where).order_by(*latest)


def _rarest_first(connection: Connection, search: Search) -> Sequence[str]:
    words = search.words()
    if len(words) == 1:
        return words

    def games(word: str) -> int:
        some = select(SearchTermRow.word).where(SearchTermRow.word == word, *_between(search)).limit(_ENOUGH)
        return connection.scalar(select(func.count()).select_from(some.subquery())) or 0

    return sorted(words, key=games)


def _between(search: Search) -> list[ColumnElement[bool]]:
    since, until = search.since, search.until
    return [
        *([] if since is None else [SearchTermRow.ended_at >= _begin(since)]),
        *([] if until is None else [SearchTermRow.ended_at < _begin(until + timedelta(days=1))]),
    ]


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _has(word: str) -> ColumnElement[bool]:
    other = aliased(SearchTermRow)
    same = (other.ended_at == SearchTermRow.ended_at, other.table_id == SearchTermRow.table_id)
    return exists().where(other.word == word, *same)
