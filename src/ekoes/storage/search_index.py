"""The words by which a finished game is found, and their removal with an account."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ekoes.games.api.contract import Json
from ekoes.storage.schema import GameRow, MentionRow, ResultRow

EVERY_GAME = "all"
"""The word of every public game."""
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Facts:
    """What a finished game is indexed by. tempo: its kind of clock; people: names, and who won."""

    game: str
    players: int
    tempo: str
    rated: bool
    reason: str
    options: Json
    people: Iterable[tuple[str, bool]]


def words(facts: Facts) -> set[str]:
    """Return the words of a game; each filter of a search is one of them."""
    return {
        EVERY_GAME,
        named("game", facts.game),
        named("players", str(facts.players)),
        named("tempo", facts.tempo),
        named("rated", "yes" if facts.rated else "no"),
        named("reason", facts.reason),
        named("result", "won" if any(won for _, won in facts.people) else "drawn"),
        *(option(key, value) for key, values in facts.options.items() for value in _values(values)),
        *(word for name, won in facts.people if name for word in people_words(name, won=won)),
    }


def named(kind: str, value: str) -> str:
    """Return the word of a value."""
    return f"{kind}:{value}"[:_LONGEST]


def option(key: str, value: str) -> str:
    """Return the word of an option's value."""
    return named("option", f"{key}:{value}")


def people_words(name: str, *, won: bool) -> Iterator[str]:
    """Yield the words of a player's name, ignoring case and spacing."""
    folded = " ".join(name.casefold().split())
    yield named("player", folded)
    if won:
        yield named("winner", folded)


def _values(value: Any) -> Iterator[str]:  # noqa: ANN401 - an option is anything
    """Yield the searchable values of an option; numbers and boards are not."""
    if isinstance(value, bool):
        yield str(value).lower()
    elif isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, str))


def add_to_index(connection: Connection, table_id: str, ended_at: Any, found: Collection[str]) -> None:  # noqa: ANN401
    """Index a game."""
    rows = [{"word": word, "ended_at": ended_at, "table_id": table_id} for word in sorted(found)]
    connection.execute(insert(MentionRow), rows)


def erase_from_index(connection: Connection, holder: str) -> None:
    """Remove a user's names from the index, unless another player of the game has the same name."""
    theirs = (
        select(ResultRow.table_id, ResultRow.name, ResultRow.holder, GameRow.ended_at)
        .join(GameRow, GameRow.table_id == ResultRow.table_id)
        .where(ResultRow.table_id.in_(select(ResultRow.table_id).where(ResultRow.holder == holder)))
    )
    rows = connection.execute(theirs).all()
    kept = {(row.table_id, word) for row in rows if row.holder != holder for word in _both(row.name)}
    for row in rows:
        gone = [word for word in _both(row.name) if (row.table_id, word) not in kept]
        if row.holder == holder and gone:
            connection.execute(
                delete(MentionRow).where(
                    MentionRow.word.in_(gone),
                    MentionRow.ended_at == row.ended_at,
                    MentionRow.table_id == row.table_id,
                )
            )


def _both(name: str) -> tuple[str, ...]:
    return tuple(people_words(name, won=True)) if name else ()
