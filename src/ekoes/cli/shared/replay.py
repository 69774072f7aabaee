"""``ekoes GAME replay``: check a game record and print where it leads."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from ekoes.cli.console import emit, label, note, read_text, within, write_json
from ekoes.errors import RecordError

if TYPE_CHECKING:
    from ekoes.record import GameRecord

__all__ = ["command_for", "read_game"]


def command_for(game: str) -> Callable[..., None]:
    """Return the command of a game."""

    def command(
        file: Annotated[
            str,
            typer.Argument(metavar="FILE", help="A game record; - is standard input.", show_default=False),
        ],
        at: Annotated[int | None, typer.Option(min=0, help="Stop after so many decisions.")] = None,
        every: Annotated[bool, typer.Option("--every", help="Print every position, one per line.")] = False,
    ) -> None:
        """Replay a game record and print the position it leads to."""
        from ekoes.record import replay

        record = read_game(file, game)
        if at is not None and at > len(record.decisions):
            raise RecordError(f"{label(file)}: the record has {len(record.decisions)} decisions, not {at}")
        positions = list(islice(replay(record), None if at is None else at + 1))
        emit(write_json(position.to_json()) for position in (positions if every else positions[-1:]))
        note(_end(record))

    return command


def read_game(file: str, game: str) -> GameRecord:
    """Read a record of a game from a file. Raises an error that names the file."""
    from ekoes.record import read_record

    text = read_text(file)
    with within(label(file)):
        record = read_record(text)
        if record.game != game:
            raise RecordError(f"a record of {record.game}: `ekoes {record.game} replay` reads it")
    return record


def _end(record: GameRecord) -> str:
    """Tell how long the game was and how it ended."""
    count = f"{len(record.decisions)} decisions"
    if record.outcome is None:
        return f"{count}; the game goes on"
    winners = ", ".join(f"seat {seat}" for seat in record.outcome.winners) or "nobody"
    return f"{count}; {winners} by {record.outcome.reason} ({record.outcome.rule})"
