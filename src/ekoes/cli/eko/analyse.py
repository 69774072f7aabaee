"""``ekoes eko analyse``: who will win a position, and by which lines, live."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.console import emit
from ekoes.cli.eko.arguments import read_eko
from ekoes.cli.shared.position import PositionFile
from ekoes.errors import PositionError

if TYPE_CHECKING:
    from rich.console import Group

    from ekoes.bots.analysis import Info
    from ekoes.games.eko.position import EkoPosition

__all__ = ["command"]

_TIMES_A_SECOND = 4


def command(
    file: PositionFile,
    time: Annotated[float, typer.Option(min=0.01, help="Seconds to search.")] = 5.0,
    lines: Annotated[int, typer.Option(min=1, max=100, help="How many lines to show.")] = 3,
    memory: Annotated[int, typer.Option(min=1, help="MiB that the tree may take.")] = 128,
) -> None:
    """Search a position; each line stands with the chance of every player to win after it."""
    position = read_eko(file)
    if not position.actors():
        raise PositionError("the game is over", key="phase")
    info = asyncio.run(_watch(position, time, lines, memory))
    emit(_told(position, info))


async def _watch(position: EkoPosition, seconds: float, lines: int, memory: int) -> Info:
    """Show what is known by now while it lasts, where somebody looks on. Returns what is known in the end."""
    from rich.console import Console
    from rich.live import Live

    from ekoes.bots.analysis import analyse

    console = Console(stderr=True)
    with Live(console=console, transient=True, refresh_per_second=_TIMES_A_SECOND) as live:
        infos = analyse(position, seconds=seconds, lines=lines, every=1 / _TIMES_A_SECOND, memory=memory)
        async for info in infos:
            live.update(_shown(position, info))
    return info


def _shown(position: EkoPosition, info: Info) -> Group:
    from rich.console import Group
    from rich.text import Text

    return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in _told(position, info)))


def _told(position: EkoPosition, info: Info) -> list[str]:
    """Return what is known, in lines for people."""
    from ekoes.games.eko.notation import format_action

    speed = info.iterations / max(info.seconds, 1e-3)
    searched = f"{info.iterations} decisions searched, {speed:,.0f} a second, depth {info.depth}"
    return [
        f"{_chances(info.value)}  {searched}",
        *(
            f"{_chances(line.value)}  {' '.join(format_action(action, position) for action in line.actions)}"
            for line in info.lines
        ),
    ]


def _chances(value: tuple[float, ...]) -> str:
    """Return the chance of each player in percent, seat by seat."""
    return " ".join(f"{100 * chance:5.1f}" for chance in value)
