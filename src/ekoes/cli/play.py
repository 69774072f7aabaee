"""`ekoes play`: start the server on this machine and open the page."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ekoes.cli.data_folder import Database, data_folder
from ekoes.cli.network import EVERYWHERE, invitation, network_addresses
from ekoes.errors import EkoesError

if TYPE_CHECKING:
    from ekoes.server.settings import Settings

__all__ = ["command"]

_HELD = 3
"""The first file that systemd hands over."""


def command(
    host: Annotated[
        str, typer.Option(envvar="EKOES_HOST", help="The address to listen on; 0.0.0.0: for all.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar="EKOES_PORT", min=0, max=65535, help="The port; 0: any free one.")
    ] = 8765,
    data: Annotated[
        Path | None, typer.Option(envvar="EKOES_DATA", help="The folder in which games are kept.")
    ] = None,
    database: Database = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(envvar="EKOES_ORIGIN", help="A further address people use, behind a proxy."),
    ] = None,
    bot_workers: Annotated[
        int | None,
        typer.Option(
            envvar="EKOES_BOT_WORKERS",
            min=0,
            help="Processes in which bots think; 0: none. Default: all cores but one.",
        ),
    ] = None,
    one_house: Annotated[
        bool,
        typer.Option(
            "--one-house",
            envvar="EKOES_ONE_HOUSE",
            help="Two at one address may play rated games: a club, or a proxy.",
        ),
    ] = False,
    metrics: Annotated[
        int | None,
        typer.Option(
            envvar="EKOES_METRICS",
            min=1,
            max=65535,
            help="A port of this machine at which Prometheus finds measures.",
        ),
    ] = None,
    vacation_days: Annotated[
        int,
        typer.Option(
            envvar="EKOES_VACATION_DAYS",
            min=0,
            max=180,
            help="Days of vacation that each account has a year.",
        ),
    ] = 30,
    kept_days: Annotated[
        int,
        typer.Option(
            envvar="EKOES_KEPT_DAYS",
            min=0,
            max=36500,
            help="Days after which an abandoned table of guests goes; 0: never.",
        ),
    ] = 90,
    cluster: Annotated[
        str,
        typer.Option(
            envvar="EKOES_CLUSTER",
            metavar="HOST:PORT",
            help="One of several that share database and key: where the others reach this one.",
        ),
    ] = "",
    redis: Annotated[
        str,
        typer.Option(
            envvar="EKOES_REDIS",
            metavar="URL",
            help="A Redis in which several servers count together what is asked of them.",
        ),
    ] = "",
    log: Annotated[
        Literal["text", "json"],
        typer.Option(envvar="EKOES_LOG", help="Lines of the log: for people, or a JSON object each."),
    ] = "text",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option(envvar="EKOES_LOG_LEVEL", help="From where on things are told."),
    ] = "warning",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", envvar="EKOES_NO_BROWSER", help="Do not open the page.")
    ] = False,
) -> None:
    """Start the server, print its address and open the page."""
    listener = _listen(host, port)
    folder = _data_folder(data)
    from ekoes.cli.warm import warm_once
    from ekoes.server.process import begin_to_load

    warm_once()
    begin_to_load()
    from ekoes.server.logs import write_logs
    from ekoes.server.settings import Settings

    write_logs(sys.stderr, log_level, as_json=log == "json")
    settings = Settings(
        data=folder,
        database=database,
        origins=frozenset(origin or []),
        bot_workers=bot_workers,
        address=next(iter(network_addresses(listener)), None),
        one_house=one_house,
        vacation_days=vacation_days,
        kept_days=kept_days,
        cluster=cluster,
        redis=redis,
    )
    _serve(listener, settings, opens_browser=not no_browser, metrics=metrics)


def _listen(host: str, port: int) -> socket.socket:
    """Take the port before anything slow happens. Raises EkoesError if it can't be had.

    Where systemd holds the port (``LISTEN_FDS``) it is that one, which stays open while the server restarts.
    """
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS") == "1":
        return socket.socket(fileno=_HELD)
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
    folder = data_folder(chosen)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EkoesError(f"can't keep games in {folder}: {error.strerror}") from error
    return folder


def _serve(listener: socket.socket, settings: Settings, *, opens_browser: bool, metrics: int | None) -> None:
    """Serve until the person ends it with Ctrl-C."""
    from ekoes.server.app import create_app
    from ekoes.server.readied import get_ready
    from ekoes.server.serving import Server

    address = _address(listener)
    app = create_app(settings)
    get_ready()
    if metrics is not None:
        app.state.hub.metrics.serve(metrics)

    class Told(Server):
        """Tells the address once the server answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            typer.echo(f"Ekoes plays at {address}   (games: {settings.data}; Ctrl-C ends it)")
            if invited := invitation(network_addresses(listener), draws=sys.stdout.isatty()):
                typer.echo(invited)
            if opens_browser:
                _open_browser(address)

    with contextlib.suppress(KeyboardInterrupt):
        Told(app).run(sockets=[listener])


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
