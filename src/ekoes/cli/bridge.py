"""``ekoes bridge``: a program of the engine protocol plays at the tables of a server."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.errors import EkoesError

if TYPE_CHECKING:
    from ekoes.arena.program import Program

__all__ = ["command"]


def command(
    engine: Annotated[str, typer.Argument(help="The program and its words, as one text.")],
    token: Annotated[str, typer.Option(envvar="EKOES_TOKEN", help="A token of the account that plays.")],
    server: Annotated[str, typer.Option(help="The address of the server.")] = "http://127.0.0.1:8765",
    time: Annotated[float, typer.Option(min=0.05, max=60, help="Seconds for a decision, at most.")] = 1.0,
    level: Annotated[str, typer.Option(help="Which of the program's levels plays.")] = "",
    game: Annotated[list[str] | None, typer.Option(help="A game to be challenged to; else all.")] = None,
) -> None:
    """Seat a program of the engine protocol at a server: it accepts challenges and plays until Ctrl-C."""
    words = shlex.split(engine)
    if not words:
        raise EkoesError("which program? its words are missing")
    with contextlib.suppress(KeyboardInterrupt), _started(words, level) as program:
        asyncio.run(_play(program, server, token, time, game))


def _started(words: list[str], level: str) -> Program:
    """Return the program, which its block starts."""
    from ekoes.arena.program import Program, Terms

    return Program(words, Terms(level=level or None))


async def _play(program: Program, server: str, token: str, seconds: float, games: list[str] | None) -> None:
    try:
        from ekoes.client.bridge import Bridge, Terms
        from ekoes.client.client import Client
    except ModuleNotFoundError as error:
        raise EkoesError(f"this needs the extra `client`: {error.name} is not installed") from error
    async with Client(server, token) as client:
        name = await client.account()
        typer.echo(f"{program.hello['name']} plays as {name} at {server}   (Ctrl-C ends it)")
        terms = Terms(seconds=seconds, games=games)
        await Bridge(client, program, terms, lambda line: typer.echo(line, err=True)).run()
