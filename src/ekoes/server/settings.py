"""Server settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ekoes.server.runtime.vacations import DAYS, LONGEST_VACATION
from ekoes.storage.dialects import Address, file_address

PAGE = Path(__file__).with_name("static")
"""Where the build puts the page."""
DOCUMENTS = Path(__file__).with_name("docs")
"""Where ``make docs`` puts the documentation."""


class Settings(BaseModel):
    """The settings of a server.

    data: the folder of the database and the keys. database: an SQLAlchemy URL (default: an SQLite file in
    ``data``). page: the folder of the built page. documents: the folder of the built documentation, which may
    be missing. origins: origins besides the server's own that may open WebSockets, such as
    ``https://games.example``; link previews name one of them. bot_workers: worker processes for bots; None:
    one for each core but one; 0: none, bots run in threads of the server. address: the URL, with a slash at
    its end, by which clients in the same network reach the server. one_house: players with the same address
    may play rated games: a club in one room, or a reverse proxy. vacation_days: days of vacation per account
    and year. kept_days: days without a decision or change after which a table or study of guests is deleted;
    0: never. push_anywhere: allow push services in the local network, for tests. league_hours: between which
    the league of bots plays, by the machine's clock; league_games: how many of each game a night; 0: none.
    cluster: the address by which other processes with the same database reach this one, such as
    ``10.0.0.5:8765``; empty: there are none. redis: the URL of the Redis that all processes share, such as
    ``redis://10.0.0.7:6379/0``, required with ``cluster``; empty: there is none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: Path
    database: str = ""
    page: Path = PAGE
    documents: Path = DOCUMENTS
    origins: frozenset[str] = frozenset()
    bot_workers: Annotated[int, Field(ge=0)] | None = None
    address: str | None = None
    one_house: bool = False
    vacation_days: Annotated[int, Field(ge=0, le=LONGEST_VACATION)] = DAYS
    kept_days: Annotated[int, Field(ge=0, le=36500)] = 90
    push_anywhere: bool = False
    league_hours: tuple[int, int] = (1, 5)
    league_games: Annotated[int, Field(ge=0, le=1000)] = 0
    cluster: str = ""
    redis: str = ""

    @property
    def database_url(self) -> Address:
        """The SQLAlchemy URL of the database."""
        return self.database or file_address(self.data / "ekoes.sqlite")

    @property
    def push_key_file(self) -> Path:
        """The file of the key that signs push notifications (VAPID)."""
        return self.data / "push.pem"

    @property
    def key_file(self) -> Path:
        """The file of the keys that sign cookies."""
        return self.data / "secret.key"
