"""Helpers of all commands: read files, write results, show progress."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import typer

from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.contract import Position
from ekoes.games.api.reading import parse_json, parse_toml
from ekoes.games.api.registry import game

if TYPE_CHECKING:
    from rich.console import RenderableType

T = TypeVar("T")

_NARROWEST = 100
"""Columns of boards and tables, at least."""
LARGEST_INPUT = 64 * 1024 * 1024
"""The largest input file, in bytes."""


def need_extra(extra: str) -> None:
    """Check that the packages of an extra are installed. Raises EkoesError naming what installs them."""
    from importlib.metadata import PackageNotFoundError, distribution

    for line in distribution("ekoes").requires or ():
        needed = re.fullmatch(rf"([\w.-]+).*; extra == '{extra}'", line)
        if needed:
            try:
                distribution(needed[1])
            except PackageNotFoundError:
                raise EkoesError(f"{needed[1]} is missing: pip install 'ekoes[{extra}]'") from None


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
    """Return standard input as bytes. Raises NotationError if the process has none."""
    if sys.stdin is None:
        raise NotationError("there is no standard input")
    return sys.stdin.buffer


def decode(data: bytes, label: str) -> str:
    """Read bytes as UTF-8, or by their mark as UTF-16, and the line ends of any system.

    Raises NotationError naming the byte.
    """
    encoding = "UTF-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "UTF-8"
    try:
        text = data.decode("utf-8-sig" if encoding == "UTF-8" else encoding)
    except UnicodeDecodeError as error:
        raise NotationError(f"{label}: not {encoding} text: byte {error.start + 1} does not fit") from error
    return StringIO(text, newline=None).read()


def read_position(file: str, name: str) -> Position:
    """Read a position of a game from a file. Raises an error that names the file."""
    text = read_text(file)
    with within(label(file)):
        return game(name).from_json(parse_json(text))


def read_data(file: str) -> object:
    """Read a file as TOML if its name says so, else as JSON. Raises an error that names the file."""
    text = read_text(file)
    with within(label(file)):
        return parse_toml(text) if file.endswith(".toml") else parse_json(text)


@contextmanager
def within(place: str) -> Iterator[None]:
    """Prefix the message of any EkoesError raised in the block with a place."""
    try:
        yield
    except EkoesError as error:
        raise type(error)(f"{place}: {error}", code=error.code) from error


def label(file: str) -> str:
    """Return how messages name a file."""
    return "standard input" if file == "-" else file


def words(text: str) -> list[str]:
    """Split a comma-separated list."""
    return [word.strip() for word in text.split(",") if word.strip()]


def write_json(value: object) -> str:
    """Return a value as one line of compact JSON."""
    return json.dumps(value, separators=(",", ":"))


def emit(lines: Iterable[str]) -> None:
    """Write lines to standard output; exit quietly if the reader has closed the pipe."""
    if sys.stdout is None:
        raise NotationError("there is no standard output")
    try:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def emit_json(value: object) -> None:
    """Write a value to standard output as one line of JSON."""
    emit([write_json(value)])


def emit_rich(*parts: RenderableType) -> None:
    """Write what rich renders to standard output, in colour where the terminal supports it."""
    from rich.console import Console

    width = max(_NARROWEST, shutil.get_terminal_size().columns)
    console = Console(file=sys.stdout, width=width, markup=False)
    with console.capture() as shown:
        for part in parts:
            console.print(part)
    emit([shown.get().rstrip("\n")])


def note(message: str) -> None:
    """Write a message to standard error."""
    sys.stderr.write(f"{message}\n")


def chosen_seed(seed: int | None) -> int:
    """Return the given seed, or draw one and print it."""
    if seed is None:
        seed = secrets.randbelow(2**32)
        note(f"seed {seed}")
    return seed


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if it is a terminal. Yields a function that advances it."""
    if not sys.stderr.isatty():
        yield lambda _more: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda more: bar.advance(task, more)


def track(items: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Yield items while ``progress`` shows how many have come."""
    with progress(what, total) as advance:
        for item in items:
            yield item
            advance(1)
