"""What the commands share: reading files, writing results, showing progress."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import typer

from ekoes.errors import EkoesError, NotationError
from ekoes.games.contract import Position
from ekoes.games.registry import game
from ekoes.games.strict_json import parse_json
from ekoes.games.strict_toml import parse_toml

__all__ = [
    "chosen_seed",
    "emit",
    "label",
    "note",
    "progress",
    "read_data",
    "read_position",
    "read_text",
    "within",
    "words",
    "write_json",
]

LARGEST_INPUT = 64 * 1024 * 1024
"""Bytes of a file that are read at most."""


def read_text(file: str) -> str:
    """Read a file, or standard input for ``-``. Raises OSError or NotationError."""
    if file == "-":
        data = standard_input().read(LARGEST_INPUT + 1)
    elif "\0" in file:
        raise NotationError("the name of a file has no null character")
    else:
        with Path(file).open("rb") as stream:
            data = stream.read(LARGEST_INPUT + 1)
    if len(data) > LARGEST_INPUT:
        raise NotationError(f"{label(file)}: larger than {LARGEST_INPUT // 1024 // 1024} MiB")
    return decode(data, label(file))


def standard_input() -> BinaryIO:
    """Return standard input, byte by byte. Raises NotationError if the process was started without."""
    if sys.stdin is None:
        raise NotationError("there is no standard input")
    return sys.stdin.buffer


def decode(data: bytes, label: str) -> str:
    """Read bytes as UTF-8. Raises NotationError naming the byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"{label}: not UTF-8 text: byte {error.start + 1} does not fit") from error


def read_position(file: str, name: str) -> Position:
    """Read a position of a game from a file. Raises an error that names the file."""
    text = read_text(file)
    with within(label(file)):
        return game(name).from_json(parse_json(text))


def read_data(file: str) -> Any:  # noqa: ANN401 - any content
    """Read a file as TOML if its name says so, else as JSON. Raises an error that names the file."""
    text = read_text(file)
    with within(label(file)):
        return parse_toml(text) if file.endswith(".toml") else parse_json(text)


@contextmanager
def within(place: str) -> Iterator[None]:
    """Put the place before the message of any EkoesError that comes out of the block."""
    try:
        yield
    except EkoesError as error:
        raise type(error)(f"{place}: {error}", code=error.code) from error


def label(file: str) -> str:
    """Return how messages name a file."""
    return "standard input" if file == "-" else file


def words(text: str) -> list[str]:
    """Return the words of a list with commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def write_json(value: object) -> str:
    """Return a value as one line of JSON, without blanks."""
    return json.dumps(value, separators=(",", ":"))


def emit(lines: Iterable[str]) -> None:
    """Write lines to standard output; a reader that has gone away ends the command quietly."""
    if sys.stdout is None:
        raise NotationError("there is no standard output")
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def note(message: str) -> None:
    """Write a message to standard error."""
    sys.stderr.write(f"{message}\n")


def chosen_seed(seed: int | None) -> int:
    """Return the seed that a user gave, or draw one and tell it."""
    if seed is None:
        seed = secrets.randbelow(2**32)
        note(f"seed {seed}")
    return seed


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how much of a long work is done, on standard error and only if it is a terminal.

    Yields a function that is told how much more has been done.
    """
    if not sys.stderr.isatty():
        yield lambda _more: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)
