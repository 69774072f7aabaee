"""Arguments that several commands of the arena take, and what they read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.console import emit, label, read_text, within
from ekoes.errors import NotationError

if TYPE_CHECKING:
    from ekoes.arena.plan import Plan
    from ekoes.arena.report.summary import Summary
    from ekoes.arena.work import Hands

__all__ = [
    "Out",
    "PlanFile",
    "Ray",
    "Workers",
    "folder_of",
    "hands",
    "need_extra",
    "print_report",
    "read_plan_file",
]

_LIBRARIES = ("matplotlib", "pyarrow", "scipy")

PlanFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A plan as TOML; - is standard input.", show_default=False)
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Where everything goes.", show_default="the name of the plan without .toml"
    ),
]
Workers = Annotated[
    int,
    typer.Option(
        min=1,
        max=1024,
        help="Processes that play; 1: this one alone.",
        default_factory=lambda: os.cpu_count() or 1,
        show_default="the processor's cores",
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a cluster of Ray; local: begin one on this machine."),
]


def need_extra() -> None:
    """Find out whether the libraries of the arena are there. Raises NotationError."""
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise NotationError(f"{' and '.join(missing)} is missing: pip install 'ekoes[arena]'")


def read_plan_file(file: str) -> Plan:
    """Read a plan. Raises NotationError naming file, line and key."""
    need_extra()
    from ekoes.arena.plan_reader import read_plan

    text = read_text(file)
    with within(label(file)):
        return read_plan(text)


def folder_of(file: str, out: Path | None) -> Path:
    """Return where a run goes."""
    if out is not None:
        return out
    if not file.endswith(".toml"):
        raise NotationError("say where everything goes, or name the plan NAME.toml", key="out")
    return Path(file.removesuffix(".toml"))


@contextmanager
def hands(workers: int, ray: str | None) -> Iterator[Hands]:
    """Yield who plays."""
    if ray is not None:
        from ekoes.arena.cluster import cluster_at

        with cluster_at(ray) as there:
            yield there
        return
    from ekoes.arena.run import hands_here

    yield hands_here(workers)


def print_report(summary: Summary) -> None:
    """Print a report, with colours where the terminal has them."""
    import shutil

    from rich.console import Console

    from ekoes.arena.report.text import report_text

    console = Console(file=sys.stdout, width=max(100, shutil.get_terminal_size().columns))
    with console.capture() as shown:
        for part in report_text(summary):
            console.print(part)
    emit([shown.get().rstrip("\n")])
