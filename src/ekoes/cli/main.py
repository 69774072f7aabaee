"""The command ``ekoes``: finds the requested command and imports only its module, so that it starts fast.

The tables below name the function of each command; Typer reads its parameters. Results go to standard output,
messages to standard error; the exit status is 0, or 2 with a one-line reason.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib import import_module
from inspect import signature
from io import TextIOWrapper
from typing import Annotated

import typer

from ekoes import __version__
from ekoes.errors import EkoesError
from ekoes.games.api.registry import game, games

GENERAL = {
    "play": "play:play",
    "site": "site:site",
    "backup": "database:backup",
    "restore": "database:restore",
    "migrate": "database:migrate",
    "copy": "database:copy",
    "dump": "database:dump",
    "warm": "bots:warm",
    "batch": "requests:batch",
    "engine": "engine:engine",
    "bridge": "engine:bridge",
    "verify": "verify:verify",
    "levels": "bots:levels",
}
"""Word -> module of this package and function."""

_ENVIRONMENT = {"play": {"auto_envvar_prefix": "EKOES"}}
"""Commands whose options are read from the environment too: ``--log-level`` from ``EKOES_LOG_LEVEL``."""
GROUPS = {
    "arena": (
        "Any player against any other: matches, ratings, reports.",
        {word: f"arena:{word}" for word in ("run", "show", "compare", "sample", "games")},
    ),
    "admin": (
        "Run a server: moderators, silences, closed accounts, reports, audit log, keys.",
        {
            word: f"admin:{word}"
            for word in ("moderator", "silence", "close", "reports", "report", "study", "audit", "key")
        },
    ),
}
"""First word -> help and commands of a group that belongs to no game."""

GAME_COMMANDS = ("new", "legal", "apply", "playouts", "show", "replay")
"""The commands of every game, functions of ``games`` whose first parameter is the name of the game."""

OWN_COMMANDS = {
    "eko": {word: f"eko:{word}" for word in ("new", "perft", "svg", "train", "analyse")}
    | {"review": "review:review", "puzzles": "eko:puzzles", "fairness": "eko:fairness"},
    "ekko": {word: f"ekko:{word}" for word in ("new", "races")} | {"review": "review:review_rounds"},
}
"""Game -> its own commands, which replace those of every game of the same name."""

BAD_INPUT = 2
_LONGEST_REASON = 600
_MANY_OBJECTS = 100_000  # between two collections of garbage: a start makes many objects and no garbage


def run() -> None:
    """Run the command of this process and exit with its status."""
    gc.set_threshold(_MANY_OBJECTS)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status. Never raises."""
    try:
        words = list(arguments)
        if not words or (len(words) == 1 and words[0] in {*GROUPS, *games()}):
            words.append("--help")
        result = _app(words)(args=words, prog_name="ekoes", standalone_mode=False)
    except (EkoesError, OSError) as error:
        return _refuse(_reason(error))
    except typer.TyperException as error:
        return _refuse(error.format_message())
    except (Exception, typer.Abort) as error:  # the last resort: the user reads one line
        if os.environ.get("EKOES_DEBUG"):
            raise
        return _refuse(f"internal error, please report it: {type(error).__name__}: {error}")
    return result if isinstance(result, int) else 0


def commands() -> dict[str, Callable[..., None]]:
    """Return every command: what a user types -> the function. Imports all of them."""
    found = {word: _load(where) for word, where in GENERAL.items()}
    groups = (*GROUPS, *games())
    return found | {f"{name} {word}": _command(name, word) for name in groups for word in _words(name)}


def _load(where: str) -> Callable[..., None]:
    module, _, function = where.partition(":")
    command: Callable[..., None] = getattr(import_module(f"ekoes.cli.{module}"), function)
    return command


def _words(name: str) -> list[str]:
    """Return the words of the commands of a group or a game, those of every game first."""
    if name in GROUPS:
        return list(GROUPS[name][1])
    if name not in games():
        return []
    parts = game(name).parts
    lacking = {word for word in ("playouts", "show") if getattr(parts, word) is None}
    shared = [word for word in GAME_COMMANDS if word not in lacking]
    return [*shared, *(word for word in OWN_COMMANDS.get(name, {}) if word not in shared)]


def _command(name: str, word: str) -> Callable[..., None]:
    """Return a command of a group or a game."""
    own = GROUPS[name][1] if name in GROUPS else OWN_COMMANDS.get(name, {})
    return _load(own[word]) if word in own else _of_game(_load(f"games:{word}"), name)


def _of_game(command: Callable[..., None], name: str) -> Callable[..., None]:
    """Return a command of every game as one of a game: without its first parameter."""

    @wraps(command)
    def of_game(**arguments: object) -> None:
        command(name, **arguments)

    whole = signature(command, eval_str=True)
    of_game.__signature__ = whole.replace(parameters=list(whole.parameters.values())[1:])  # type: ignore[attr-defined]
    return of_game


def _app(arguments: Sequence[str]) -> typer.Typer:
    """Return the application with the one command that the arguments name, or else with all commands."""
    first, second = (*arguments, "")[:2]
    if first in GENERAL:
        general, groups = [first], {}
    elif second in _words(first):
        general, groups = [], {first: [second]}
    else:
        general, groups = list(GENERAL), {name: _words(name) for name in (*GROUPS, *games())}
    app = _group("Ekoes: play games, study them, program them.", _root)
    for word in general:
        app.command(word, context_settings=_ENVIRONMENT.get(word))(_load(GENERAL[word]))
    for name, words in groups.items():
        app.add_typer(_commands_of(name, words), name=name)
    return app


def _commands_of(name: str, words: Iterable[str]) -> typer.Typer:
    """Return a group with some of its commands; importing them is the slow part."""
    group = _group(
        GROUPS[name][0] if name in GROUPS else f"{game(name).title}: positions, actions, records, players."
    )
    for word in words:
        group.command(word)(_command(name, word))
    return group


def _group(about: str, callback: Callable[..., None] = lambda: None) -> typer.Typer:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=about)
    app.callback()(callback)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"ekoes {__version__}\n")
        raise typer.Exit


def _root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Accept the options before the command."""


def _reason(error: EkoesError | OSError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)


def _refuse(reason: str) -> int:
    line = " ".join(reason.split())
    short = line if len(line) <= _LONGEST_REASON else line[:_LONGEST_REASON] + "…"
    sys.stderr.write(f"ekoes: {short}\n")
    return BAD_INPUT
