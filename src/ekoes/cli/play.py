"""``ekoes play``: start a server and open the page."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
import webbrowser
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Literal, Self

import typer

from ekoes.cli.console import need_extra
from ekoes.cli.database import Data, Database, data_folder
from ekoes.errors import EkoesError

if TYPE_CHECKING:
    from ekoes.server.settings import Settings

_HELD = 3
"""The first file descriptor passed by systemd."""


def play(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for all interfaces.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any free port.")] = 8765,
    data: Data = None,
    database: Database = "",
    origin: Annotated[list[str] | None, typer.Option(help="A further public origin, behind a proxy.")] = None,
    bot_workers: Annotated[
        int | None,
        typer.Option(min=0, help="Worker processes for bots; 0 for none. Default: one less than the cores."),
    ] = None,
    one_house: Annotated[
        bool,
        typer.Option(
            "--one-house",
            help="Allow rated games between players at one IP address (a club, or behind a proxy).",
        ),
    ] = False,
    metrics: Annotated[
        int | None, typer.Option(min=1, max=65535, help="A local port that serves Prometheus metrics.")
    ] = None,
    vacation_days: Annotated[
        int, typer.Option(min=0, max=180, help="Vacation days per account and year.")
    ] = 30,
    kept_days: Annotated[
        int,
        typer.Option(
            min=0, max=36500, help="Days until an abandoned table or study of guests is deleted; 0 for never."
        ),
    ] = 90,
    league_hours: Annotated[
        str, typer.Option(metavar="FROM-TO", help="The hours of the day in which the league of bots plays.")
    ] = "1-5",
    league_games: Annotated[
        int, typer.Option(min=0, max=1000, help="Games a night of the league of each game.")
    ] = 12,
    cluster: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT",
            help="For one of several servers with one database and key: its address (needs --redis).",
        ),
    ] = "",
    redis: Annotated[
        str, typer.Option(metavar="URL", help="A Redis server shared by all servers of a cluster.")
    ] = "",
    log: Annotated[
        Literal["text", "json"],
        typer.Option(help="The log format: text for people, or one JSON object per line."),
    ] = "text",
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], typer.Option(help="The lowest level that is logged.")
    ] = "warning",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
) -> None:
    """Start the server, print its address and open the page."""
    need_extra("server")
    listener = _listen(host, port)
    folder = _data_folder(data)
    locked = _lock(folder, shared=bool(cluster))
    is_open = _compile(listener, opens_browser=not no_browser)
    from ekoes.server.ops.logs import write_logs
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
        league_hours=_hours(league_hours),
        league_games=league_games,
        cluster=cluster,
        redis=redis,
    )
    with locked:
        _serve(listener, settings, opens_browser=not (no_browser or is_open), metrics=metrics)


_TEXTS = {
    "en": "Ekoes is preparing the rules for this computer. This happens once and takes about half a minute.",
    "de": "Ekoes richtet die Regeln für diesen Rechner ein. Das dauert einmal eine halbe Minute.",
    "fr": "Ekoes prépare les règles pour cet ordinateur : une demi-minute, une seule fois.",
    "cs": "Ekoes připravuje pravidla pro tento počítač. Stane se to jen jednou a trvá to asi půl minuty.",
}
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Ekoes</title>
<style>
  :root {{ color-scheme: light dark }}
  body {{ font: 1.1rem/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh;
    max-width: 30rem; margin: auto; padding: 1rem; gap: 1rem }}
  h1 {{ margin: 0; font-weight: 600 }} p {{ margin: 0 }} progress {{ width: 100% }}
</style></head>
<body><h1>Ekoes</h1><p role="status">{text}</p>
<progress value="{done}" max="{steps}"></progress></body></html>
"""


class _Server(ThreadingHTTPServer):
    def handle_error(
        self, request: socket.socket | tuple[bytes, socket.socket], client_address: object
    ) -> None:
        """Print a traceback, unless a visitor went away before the answer came."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class WaitingPage:
    """Answers every request on a listening socket with a page that shows progress and reloads itself.

    Requests are answered with status 503 and ``Retry-After``. Connections that come after the end wait for
    the next server on the socket.
    """

    def __init__(self, listener: socket.socket) -> None:
        self._progress = (0, 1)
        address = listener.getsockname()[:2]
        self._server = _Server(address, self._handler(), bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = listener.dup()

    def show(self, done: int, steps: int) -> None:
        """Set the progress."""
        self._progress = (done, steps)

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                wanted = self.headers.get("Accept-Language", "")[:2].lower()
                language = wanted if wanted in _TEXTS else "en"
                done, steps = page._progress
                body = _PAGE.format(language=language, text=_TEXTS[language], done=done, steps=steps).encode()
                self.send_response(503)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Retry-After", "1")
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_HEAD = do_GET  # noqa: N815 - names of the base class

            def log_message(self, *_arguments: object) -> None:
                """Do not log requests."""

        return Handler


def _compile(listener: socket.socket, *, opens_browser: bool) -> bool:
    """Compile the rules if they are not cached, and start compiling the bots.

    Meanwhile a page shows the progress and turns into the home page by itself.

    Returns: whether there was such a page.
    """
    from ekoes.cli.bots import watch
    from ekoes.games.kernels import COMPILED
    from ekoes.server.workers.warmup import COMPLETE, is_marked, rules_steps, start_compiling

    if not COMPILED or is_marked(COMPLETE):
        return False
    processes = start_compiling()
    Thread(target=lambda: [process.wait() for process in processes], daemon=True).start()
    names = [step.name for step in rules_steps()]
    if all(map(is_marked, names)):
        return False
    with WaitingPage(listener) as page:
        if opens_browser:
            _open_browser(_address(listener))
        watch(processes, names, page.show)
    return True


def _listen(host: str, port: int) -> socket.socket:
    """Bind the port before anything slow happens. Raises EkoesError if it can't.

    Uses the socket passed by systemd (``LISTEN_FDS``) if there is one; it stays open across restarts.
    """
    if os.environ.get("LISTEN_PID") == str(os.getpid()) and os.environ.get("LISTEN_FDS") == "1":
        return socket.socket(fileno=_HELD)
    if not host:
        raise EkoesError("--host is empty; use 0.0.0.0 to listen on all interfaces")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]
        message = f"can't listen on {host} port {port}: {reason}; choose another with --host and --port"
        raise EkoesError(message) from error


def _data_folder(chosen: Path | None) -> Path:
    """Return the data folder, created if needed. Raises EkoesError if it can't be."""
    folder = data_folder(chosen)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise EkoesError(f"can't write to the data folder {folder}: {error.strerror}") from error
    return folder


def _lock(folder: Path, *, shared: bool) -> contextlib.AbstractContextManager[object]:
    """Lock a data folder until the process ends, where the system has such locks.

    shared: by the processes of a cluster. Raises EkoesError if another server uses it.
    """
    if sys.platform == "win32":
        return contextlib.nullcontext()
    import fcntl

    file = os.fdopen(os.open(folder / "server.lock", os.O_WRONLY | os.O_CREAT, 0o600), "w")
    try:
        fcntl.flock(file, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
    except BlockingIOError:
        file.close()
        message = f"another server uses the data folder {folder}; give this one another by --data"
        raise EkoesError(f"{message}, or both --cluster and --redis") from None
    return file


def _serve(listener: socket.socket, settings: Settings, *, opens_browser: bool, metrics: int | None) -> None:
    """Serve until Ctrl-C."""
    from ekoes.server.app import create_app
    from ekoes.server.http.requests import services_of
    from ekoes.server.realtime.sockets import Server
    from ekoes.server.workers.warmup import get_ready

    address = _address(listener)
    app = create_app(settings)
    services = services_of(app)
    if metrics is not None:
        services.hub.metrics.serve(metrics)

    class AnnouncingServer(Server):
        """Prints the address once the server accepts connections, and loads the kernels only then."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            Thread(target=get_ready, name="warmup", daemon=True).start()
            typer.echo(f"Ekoes plays at {address}   (games: {settings.data}; Ctrl-C ends it)")
            if invited := invitation(network_addresses(listener), draws=sys.stdout.isatty()):
                typer.echo(invited)
            if opens_browser:
                _open_browser(address)

    with contextlib.suppress(KeyboardInterrupt):
        AnnouncingServer(app, services.hub, services.register.connections).run(sockets=[listener])


def _address(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    if host in EVERYWHERE:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _open_browser(address: str, open_page: Callable[[str], bool] = webbrowser.open) -> None:
    """Open the page if there is a display; a browser in the terminal would only be in the way."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform in {"darwin", "win32"} or any(map(os.environ.get, screens)):
        open_page(address)


def _hours(text: str) -> tuple[int, int]:
    """Read hours such as ``1-5``. Raises typer.BadParameter."""
    found = re.fullmatch(r"(1?\d|2[0-3])-(1?\d|2[0-3])", text)
    if found is None:
        message = f"{text!r} is not two hours from 0 to 23, such as 1-5"
        raise typer.BadParameter(message, param_hint="--league-hours")
    return int(found[1]), int(found[2])


EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not listened on
"""Hosts that stand for all interfaces."""


def network_addresses(listener: socket.socket) -> list[str]:
    """Return the URLs at which other machines can reach a listener, the likeliest first; maybe none.

    Private addresses come before public ones: friends are usually in the same network.
    """
    host, port = listener.getsockname()[:2]
    if host not in EVERYWHERE:
        is_inside = host in {"localhost", "::1"} or host.startswith("127.")
        return [] if is_inside else [_address(listener)]
    return [f"http://{address}:{port}/" for address in sorted(_own(), key=lambda own: not own.is_private)]


def _own() -> list[IPv4Address]:
    """Return the addresses of this machine that others can reach."""
    from ifaddr import get_adapters

    found = [IPv4Address(ip.ip) for adapter in get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return [address for address in found if not (address.is_loopback or address.is_link_local)]


def invitation(addresses: list[str], *, draws: bool) -> str:
    """Return the text that invites friends to these addresses. draws: add a QR code of the first one."""
    if not addresses:
        return ""
    text = f"Friends in the same network open {' or '.join(addresses)}"
    return f"{text}\n{_code(addresses[0])}" if draws else text


def _code(text: str) -> str:
    """Draw a text as a QR code of half blocks."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue().rstrip("\n")
