"""The command ``ekoes``: finds the command that is asked for and imports that one alone.

A command is a module of this package with a function ``command``, whose parameters Typer reads. It
stands in ``COMMANDS``. Results go to standard output, messages to standard error; the exit status
is 0, or 2 with a reason of one line.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated

import typer

from ekoes import __version__
from ekoes.errors import EkoesError

__all__ = ["COMMANDS", "main", "run"]

COMMANDS = {
    "play": "ekoes.cli.play",
    "warm": "ekoes.cli.warm",
    "batch": "ekoes.cli.batch",
    "eko new": "ekoes.cli.eko.new",
    "eko legal": "ekoes.cli.eko.legal",
    "eko apply": "ekoes.cli.eko.apply",
    "eko perft": "ekoes.cli.eko.perft",
    "eko playouts": "ekoes.cli.eko.playouts",
    "eko show": "ekoes.cli.eko.show",
    "eko svg": "ekoes.cli.eko.svg",
    "eko replay": "ekoes.cli.eko.replay",
    "eko match": "ekoes.cli.eko.match",
    "ekko new": "ekoes.cli.ekko.new",
    "ekko legal": "ekoes.cli.ekko.legal",
    "ekko apply": "ekoes.cli.ekko.apply",
    "ekko playouts": "ekoes.cli.ekko.playouts",
    "ekko show": "ekoes.cli.ekko.show",
    "ekko replay": "ekoes.cli.ekko.replay",
    "ekko races": "ekoes.cli.ekko.races",
    "ekko match": "ekoes.cli.ekko.match",
    "ekko strength": "ekoes.cli.ekko.strength",
}
"""What a user types -> the module whose function ``command`` does it."""

GROUPS = {
    "eko": "Ekö, the board game: positions, actions, records, pictures.",
    "ekko": "EKKO, the card game: positions, actions, records, players.",
}
"""First word of the commands that stand together -> their help."""

BAD_INPUT = 2
_LONGEST_REASON = 600
_MANY_OBJECTS = 100_000  # between two collections of garbage: a start makes many objects and no garbage


def run() -> None:
    """Do what the process was asked for and end it with the exit status."""
    gc.set_threshold(_MANY_OBJECTS)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Do one command. Returns the exit status; no error reaches the caller."""
    try:
        words = list(arguments)
        if not words or (len(words) == 1 and words[0] in GROUPS):
            words.append("--help")
        result = _app(words)(args=words, prog_name="ekoes", standalone_mode=False)
    except (EkoesError, OSError) as error:
        return _refuse(_reason(error))
    except typer.TyperException as error:
        return _refuse(error.format_message())
    except (Exception, typer.Abort) as error:  # the last resort: whatever went wrong, a user reads one line
        if os.environ.get("EKOES_DEBUG"):
            raise
        return _refuse(f"internal error, please report it: {type(error).__name__}: {error}")
    return result if isinstance(result, int) else 0


def _app(arguments: Sequence[str]) -> typer.Typer:
    """Return the application: with the one command that the arguments name, or else with all."""
    app = _group(
        "Ekoes: the board game Ekö and the card game EKKO. Play them, study them, program them.",
        _root,
    )
    groups = {name: _group(about) for name, about in GROUPS.items()}
    for name, group in groups.items():
        app.add_typer(group, name=name)
    for name in _wanted(arguments):
        *path, word = name.split()
        home = groups[path[0]] if path else app
        home.command(word)(import_module(COMMANDS[name]).command)
    return app


def _group(about: str, callback: Callable[..., None] = lambda: None) -> typer.Typer:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=about)
    app.callback()(callback)
    return app


def _tell_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"ekoes {__version__}\n")
        raise typer.Exit


def _root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version and end."),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def _wanted(arguments: Sequence[str]) -> list[str]:
    """Return the commands that must be known to read these arguments; importing is the slow part."""
    for length in (1, 2):
        name = " ".join(arguments[:length])
        if name in COMMANDS:
            return [name]
    return list(COMMANDS)


def _reason(error: EkoesError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)


def _refuse(reason: str) -> int:
    line = " ".join(reason.split())
    short = line if len(line) <= _LONGEST_REASON else line[:_LONGEST_REASON] + "…"
    sys.stderr.write(f"ekoes: {short}\n")
    return BAD_INPUT
