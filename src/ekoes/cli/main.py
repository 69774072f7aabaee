"""The command ``ekoes``: finds the command that is asked for and imports that one alone.

A command is a function whose parameters Typer reads: ``command`` of a module in ``GENERAL``, ``ARENA`` or
``ADMIN``, or of one that a game names among its parts, or what ``command_for`` of a module in ``shared``
makes for a game. Results go to standard output, messages to standard error; the exit status is 0, or 2 with
a reason of one line.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated

import typer

from ekoes import __version__
from ekoes.errors import EkoesError
from ekoes.games.registry import game, games

__all__ = ["ADMIN", "ARENA", "GENERAL", "SHARED", "command_of", "commands", "main", "run", "words_of"]

GENERAL = {
    word: f"ekoes.cli.{word}"
    for word in (
        "play",
        "backup",
        "restore",
        "migrate",
        "copy",
        "warm",
        "batch",
        "engine",
        "bridge",
        "levels",
    )
}
"""Word -> the module whose function ``command`` does it."""

ARENA = {word: f"ekoes.cli.arena.{word}" for word in ("run", "show", "compare", "sample")}
"""Word after ``arena`` -> the module whose function ``command`` does it."""

ADMIN = {
    word: f"ekoes.cli.admin.{word}"
    for word in ("moderator", "silence", "close", "reports", "report", "audit", "key")
}
"""Word after ``admin`` -> the module whose function ``command`` does it."""

_GROUPS = {
    "arena": ("Any player against any other: matches, ratings, reports.", ARENA),
    "admin": ("Run a server: moderators, silences, closed accounts, reports, what was done, keys.", ADMIN),
}
"""Groups of commands that belong to no game: what they are about, and their words."""

SHARED = ("new", "legal", "apply", "playouts", "show", "replay", "match")
"""What every game has: ``ekoes.cli.shared`` makes the command of one game."""

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
        if not words or (len(words) == 1 and words[0] in {*_GROUPS, *games()}):
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


def commands() -> dict[str, Callable[..., None]]:
    """Return every command: what a user types -> the function that does it. Imports them all."""
    general = {word: import_module(module).command for word, module in GENERAL.items()}
    for name, (_, modules) in _GROUPS.items():
        general |= {f"{name} {word}": import_module(module).command for word, module in modules.items()}
    return general | {f"{name} {word}": command_of(name, word) for name in games() for word in words_of(name)}


def words_of(name: str) -> list[str]:
    """Return the words of a game's commands, those of every game first."""
    parts = game(name).parts
    lacking = {word for word in ("playouts", "show") if getattr(parts, word) is None}
    shared = [word for word in SHARED if word not in lacking]
    return [*shared, *(word for word in parts.commands if word not in shared)]


def command_of(name: str, word: str) -> Callable[..., None]:
    """Return a command of a game: the game's own of that name, or the one of every game."""
    own = game(name).parts.commands.get(word)
    if own is not None:
        command: Callable[..., None] = import_module(own).command
    else:
        command = import_module(f"ekoes.cli.shared.{word}").command_for(name)
    return command


def _app(arguments: Sequence[str]) -> typer.Typer:
    """Return the application: with the one command that the arguments name, or else with all."""
    app = _group("Ekoes: play games, study them, program them.", _root)
    if arguments[0] in GENERAL:
        app.command(arguments[0])(import_module(GENERAL[arguments[0]]).command)
        return app
    if arguments[0] in _GROUPS and len(arguments) > 1 and arguments[1] in _GROUPS[arguments[0]][1]:
        app.add_typer(_general_group(arguments[0], [arguments[1]]), name=arguments[0])
        return app
    wanted = arguments[0] in games() and len(arguments) > 1 and arguments[1] in words_of(arguments[0])
    if wanted:
        app.add_typer(_group_of(arguments[0], [arguments[1]]), name=arguments[0])
        return app
    for word, module in GENERAL.items():
        app.command(word)(import_module(module).command)
    for name, (_, modules) in _GROUPS.items():
        app.add_typer(_general_group(name, modules), name=name)
    for name in games():
        app.add_typer(_group_of(name, words_of(name)), name=name)
    return app


def _group_of(name: str, words: Sequence[str]) -> typer.Typer:
    """Return the commands of a game; importing them is the slow part."""
    group = _group(f"{game(name).title}: positions, actions, records, players.")
    for word in words:
        group.command(word)(command_of(name, word))
    return group


def _general_group(name: str, words: Iterable[str]) -> typer.Typer:
    """Return the commands of a group that belongs to no game."""
    about, modules = _GROUPS[name]
    group = _group(about)
    for word in words:
        group.command(word)(import_module(modules[word]).command)
    return group


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


def _reason(error: EkoesError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)


def _refuse(reason: str) -> int:
    line = " ".join(reason.split())
    short = line if len(line) <= _LONGEST_REASON else line[:_LONGEST_REASON] + "…"
    sys.stderr.write(f"ekoes: {short}\n")
    return BAD_INPUT
