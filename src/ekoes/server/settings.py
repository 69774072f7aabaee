"""What a server is set to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ekoes.server.sweeper import DAYS as KEPT_DAYS
from ekoes.server.vacations import DAYS, LONGEST_VACATION

__all__ = ["PAGE", "Settings"]

PAGE = Path(__file__).with_name("static")
"""Where the build puts the page."""


class Settings(BaseModel):
    """What a server is set to.

    data: the folder of the database and the key. database: an SQLAlchemy URL (default: an SQLite
    file in ``data``). page: the folder of the built page. origins: origins besides the server's own
    that may open web sockets, such as ``https://games.example``. bot_workers: processes in which bots
    think; None: one for each core but one; 0: none, they think in threads of the server. address:
    the URL, with a slash at its end, by which others in the same network reach the server. one_house:
    two at one address may play rated games: a club in one room, or a proxy before the server. vacation_days:
    how many days of vacation each account has a year. kept_days: after how many days without a decision
    a table of guests is put away; 0: never. push_anywhere: notices also go to machines
    near by, which is for tests. cluster: where other processes that share the database reach this one,
    such as ``10.0.0.5:8765``; empty: there are none. redis: the address of a Redis, such as
    ``redis://10.0.0.7:6379/0``, in which servers count together and tell each other news; empty:
    there is none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: Path
    database: str = ""
    page: Path = PAGE
    origins: frozenset[str] = frozenset()
    bot_workers: Annotated[int, Field(ge=0)] | None = None
    address: str | None = None
    one_house: bool = False
    vacation_days: Annotated[int, Field(ge=0, le=LONGEST_VACATION)] = DAYS
    kept_days: Annotated[int, Field(ge=0, le=36500)] = KEPT_DAYS
    push_anywhere: bool = False
    cluster: str = ""
    redis: str = ""

    @property
    def database_url(self) -> str:
        """The SQLAlchemy URL of the database."""
        return self.database or f"sqlite:///{self.data / 'ekoes.sqlite'}"

    @property
    def push_key_file(self) -> Path:
        """The file of the key by which browsers know who sends them notices."""
        return self.data / "push.pem"

    @property
    def key_file(self) -> Path:
        """The file of the keys that sign the cookies."""
        return self.data / "secret.key"
