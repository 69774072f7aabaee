"""`ekoes play`: start the server on this machine and open the page."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.network import EVERYWHERE, invitation, network_addresses
from ekoes.errors import EkoesError

if TYPE_CHECKING:
    from ekoes.server.settings import Settings

__all__ = ["command"]


def command(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0: for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free one.")] = 8765,
    data: Annotated[Path | None, typer.Option(help="The folder in which games are kept.")] = None,
    database: Annotated[str, typer.Option(help="An SQLAlchemy URL. Default: SQLite in that folder.")] = "",
    origin: Annotated[
        list[str] | None, typer.Option(help="A further address people use, behind a proxy.")
    ] = None,
    bot_workers: Annotated[
        int | None,
        typer.Option(min=0, help="Processes in which bots think; 0: none. Default: all cores but one."),
    ] = None,
    one_house: Annotated[
        bool,
        typer.Option("--one-house", help="Two at one address may play rated games: a club, or a proxy."),
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> None:
    """Start the server, print its address and open the page."""
    listener = _listen(host, port)
    from ekoes.cli.warm import warm_once
    from ekoes.server.settings import Settings

    warm_once()
    settings = Settings(
        data=_data_folder(data),
        database=database,
        origins=frozenset(origin or []),
        bot_workers=bot_workers,
        address=next(iter(network_addresses(listener)), None),
        one_house=one_house,
    )
    _serve(listener, settings, opens_browser=not no_browser)


def _listen(host: str, port: int) -> socket.socket:
    """Take the port before anything slow happens. Raises EkoesError if it can't be had."""
    if not host:
        raise EkoesError("--host names no address; 0.0.0.0 listens on all of them")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]
        message = f"can't listen on {host} port {port}: {reason}; --host and --port choose another place"
        raise EkoesError(message) from error


def _data_folder(chosen: Path | None) -> Path:
    """Return the folder in which games are kept, made if need be. Raises EkoesError if it can't be."""
    from platformdirs import user_data_path

    folder = chosen or user_data_path("ekoes", appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EkoesError(f"can't keep games in {folder}: {error.strerror}") from error
    return folder


def _serve(listener: socket.socket, settings: Settings, *, opens_browser: bool) -> None:
    """Serve until the person ends it with Ctrl-C."""
    import uvicorn

    from ekoes.server.app import create_app
    from ekoes.server.wire import uvicorn_config

    address = _address(listener)

    class Server(uvicorn.Server):
        """Tells the address once the server answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            typer.echo(f"Ekoes plays at {address}   (games: {settings.data}; Ctrl-C ends it)")
            if invited := invitation(network_addresses(listener), draws=sys.stdout.isatty()):
                typer.echo(invited)
            if opens_browser:
                _open_browser(address)

    with contextlib.suppress(KeyboardInterrupt):
        Server(uvicorn_config(create_app(settings))).run(sockets=[listener])


def _address(listener: socket.socket) -> str:
    """Return the address to open for what the server listens on."""
    host, port = listener.getsockname()[:2]
    if host in EVERYWHERE:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _open_browser(address: str, open_page: Callable[[str], bool] = webbrowser.open) -> None:
    """Open the page where there is a screen; a browser in this terminal would only be in the way."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform in {"darwin", "win32"} or any(map(os.environ.get, screens)):
        open_page(address)
