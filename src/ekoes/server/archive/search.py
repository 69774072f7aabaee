"""The query parameters of an archive search."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ekoes.protocol.incoming import MessageError
from ekoes.storage.results import Played, Search
from ekoes.tables.orders import MAX_PLAYERS

_Name = Annotated[str, Field(min_length=1, max_length=160)]
_Word = Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,20}$")]
_Option = Annotated[str, Field(pattern=r"^[a-z_]{1,20}:[a-z0-9_-]{1,20}$")]
_Day = Annotated[date, Field(ge=date(1, 1, 2), le=date(9999, 12, 30))]
_BETWEEN = "~"


class ArchiveQuery(BaseModel):
    """Conditions that all must hold.

    player: names of players of the same game. option: ``key:value`` each. since, until: days in UTC,
    both included.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    player: Annotated[list[_Name], Field(max_length=4)] = []
    winner: _Name | None = None
    game: _Word | None = None
    players: Annotated[int, Field(ge=1, le=MAX_PLAYERS)] | None = None
    option: Annotated[list[_Option], Field(max_length=12)] = []
    tempo: _Word | None = None
    rated: bool | None = None
    reason: _Word | None = None
    result: Literal["won", "drawn"] | None = None
    since: _Day | None = None
    until: _Day | None = None
    after: Annotated[str, Field(max_length=80)] | None = None

    def search(self) -> Search:
        """Return the conditions for the database."""
        options = (one.partition(":") for one in self.option)
        return Search(
            game=self.game,
            players=self.players,
            tempo=self.tempo,
            rated=self.rated,
            reason=self.reason,
            result=self.result,
            people=tuple(self.player),
            winner=self.winner,
            options=tuple((key, value) for key, _, value in options),
            since=None if self.since is None else _begin(self.since),
            until=None if self.until is None else _begin(self.until + timedelta(days=1)),
        )


def cursor(last: Played) -> str:
    """Return the cursor to the games after this one."""
    return f"{last.ended_at.isoformat()}{_BETWEEN}{last.table_id}"


def read_cursor(text: str | None) -> tuple[datetime, str] | None:
    """Parse a cursor. Raises MessageError."""
    if text is None:
        return None
    at, _, table_id = text.partition(_BETWEEN)
    try:
        moment = datetime.fromisoformat(at)
    except ValueError as error:
        message = "must be the cursor of the previous response"
        raise MessageError(message, code="message/bad-type", key="after") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC), table_id


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
