"""The archive: games that are over and of which everybody may know, found by what they are.

Each game is kept under words (``storage/mentions.py``), sorted by its end. A search goes along the rarest
of its words and looks each game up under the others, so it reads an index alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, exists, func, or_, select
from sqlalchemy.orm import aliased

from ekoes.storage.database import transaction
from ekoes.storage.mentions import EVERY_GAME, named, option, people_words
from ekoes.storage.results import Played, played_where
from ekoes.storage.schema import GameRow, MentionRow

__all__ = ["Archive", "Search", "found"]

_ENOUGH = 2000
"""A word with so many games is not counted further: any other may be gone along as well."""

_Moment = tuple[datetime, str]
"""Where a page of an answer ends: when its last game did, and which that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is looked for; what is None or empty is left open.

    result: ``won`` or ``drawn``. people: who played, all of them. options: key and value of each.
    since, until: the end lies between.
    """

    game: str | None = None
    players: int | None = None
    tempo: str | None = None
    rated: bool | None = None
    reason: str | None = None
    result: str | None = None
    people: tuple[str, ...] = ()
    winner: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    since: datetime | None = None
    until: datetime | None = None

    def words(self) -> tuple[str, ...]:
        """Return the words that a game must have, all of them."""
        given = {
            "game": self.game,
            "players": self.players,
            "tempo": self.tempo,
            "reason": self.reason,
            "result": self.result,
        }
        rated = () if self.rated is None else (named("rated", "yes" if self.rated else "no"),)
        winner = () if self.winner is None else tuple(people_words(self.winner, won=True))[1:]
        chosen = (
            *(named(kind, str(value)) for kind, value in given.items() if value is not None),
            *rated,
            *(next(people_words(name, won=False)) for name in self.people),
            *winner,
            *(option(key, value) for key, value in self.options),
        )
        return tuple(dict.fromkeys(chosen)) or (EVERY_GAME,)


class Archive:
    """Finds games. Each method is one transaction and may raise StorageError; any thread may call it."""

    def __init__(self, engine: Engine) -> None:
        """Read a database."""
        self._engine = engine

    def search(self, search: Search, after: _Moment | None, most: int) -> list[Played]:
        """Return the latest games that are looked for. after: those alone that ended before this one."""
        with transaction(self._engine) as connection:
            ids = list(connection.scalars(found(connection, search, after).limit(most)))
            return played_where(connection, [GameRow.table_id.in_(ids)], most) if ids else []

    def knows(self, table_id: str) -> bool:
        """Tell whether everybody may find the game of a table."""
        ended = select(GameRow.ended_at).where(GameRow.table_id == table_id).scalar_subquery()
        is_this = (MentionRow.word == EVERY_GAME, MentionRow.ended_at == ended)
        with transaction(self._engine) as connection:
            told = select(exists().where(*is_this, MentionRow.table_id == table_id))
            return bool(connection.scalar(told))


def found(connection: Connection, search: Search, after: _Moment | None) -> Select[Any]:
    """Return what reads the games that are looked for, the latest first."""
    rarest, *others = _rarest_first(connection, search)
    where = [MentionRow.word == rarest, *_between(search)]
    if after is not None:
        ended_at, table_id = after
        # the plain half lets the index begin there
        where.append(MentionRow.ended_at <= ended_at)
        earlier = MentionRow.ended_at < ended_at
        where.append(or_(earlier, MentionRow.table_id < table_id))
    where += [_has(word) for word in others]
    latest = (MentionRow.ended_at.desc(), MentionRow.table_id.desc())
    return select(MentionRow.table_id).where(*where).order_by(*latest)


def _rarest_first(connection: Connection, search: Search) -> Sequence[str]:
    words = search.words()
    if len(words) == 1:
        return words

    def games(word: str) -> int:
        some = select(MentionRow.word).where(MentionRow.word == word, *_between(search)).limit(_ENOUGH)
        return connection.scalar(select(func.count()).select_from(some.subquery())) or 0

    return sorted(words, key=games)


def _between(search: Search) -> list[ColumnElement[bool]]:
    since, until = search.since, search.until
    return [
        *([] if since is None else [MentionRow.ended_at >= since]),
        *([] if until is None else [MentionRow.ended_at < until]),
    ]


def _has(word: str) -> ColumnElement[bool]:
    """Tell whether a game is kept under another word too."""
    other = aliased(MentionRow)
    same = (other.ended_at == MentionRow.ended_at, other.table_id == MentionRow.table_id)
    return exists().where(other.word == word, *same)
