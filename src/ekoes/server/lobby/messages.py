"""What a page may send to the lobby, read strictly."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from ekoes.match.orders import Key, Name, Strict
from ekoes.match.plan import TableOptions
from ekoes.server.messages import read_message

__all__ = ["Bots", "Hello", "LobbyMessage", "Seek", "Unseek", "parse_lobby_message"]

_LONGEST_WAIT = 600


class Hello(Strict):
    """Say how one is called here; an account is called by its own name."""

    type: Literal["hello"] = "hello"
    key: Key
    name: Name


class Bots(Strict):
    """Who plays where nobody else has come. after: seconds of waiting."""

    bot: Annotated[str, Field(max_length=40)]
    after: Annotated[int, Field(ge=0, le=_LONGEST_WAIT)]


class Seek(Strict):
    """Look for others who want to play the same; whoever looks for something else looks no more for this."""

    type: Literal["seek"] = "seek"
    key: Key
    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    name: Name | None = None
    bots: Bots | None = None


class Unseek(Strict):
    """Look for nobody any more."""

    type: Literal["unseek"] = "unseek"
    key: Key


LobbyMessage = Hello | Seek | Unseek

_MESSAGES: TypeAdapter[LobbyMessage] = TypeAdapter(Annotated[LobbyMessage, Field(discriminator="type")])


def parse_lobby_message(text: str) -> LobbyMessage:
    """Read a message. Raises MessageError naming the key at fault."""
    return read_message(text, _MESSAGES)
