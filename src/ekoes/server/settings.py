"""What a server is set to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

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
    two at one address may play rated games: a club in one room, or a proxy before the server.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: Path
    database: str = ""
    page: Path = PAGE
    origins: frozenset[str] = frozenset()
    bot_workers: Annotated[int, Field(ge=0)] | None = None
    address: str | None = None
    one_house: bool = False

    @property
    def database_url(self) -> str:
        """The SQLAlchemy URL of the database."""
        return self.database or f"sqlite:///{self.data / 'ekoes.sqlite'}"

    @property
    def key_file(self) -> Path:
        """The file of the key that signs the cookies."""
        return self.data / "secret.key"
