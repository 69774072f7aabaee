"""``ekoes eko replay``: check a game record and print where it leads."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from ekoes.cli.console import emit, note, read_text, within, write_json
from ekoes.errors import RecordError

__all__ = ["command"]


def command(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A game record; - is standard input.", show_default=False),
    ],
    at: Annotated[int | None, typer.Option(min=0, help="Stop after so many decisions.")] = None,
    every: Annotated[bool, typer.Option("--every", help="Print every position, one per line.")] = False,
) -> None:
    """Replay a game record and print the position it leads to."""
    from ekoes.record import read_record, replay

    text = read_text(file)
    with within(file):
        record = read_record(text)
        if at is not None and at > len(record.decisions):
            raise RecordError(f"the record has {len(record.decisions)} decisions, not {at}")
    positions = list(islice(replay(record), None if at is None else at + 1))
    emit(write_json(position.to_json()) for position in (positions if every else positions[-1:]))
    if record.outcome is None:
        note(f"{len(record.decisions)} decisions; the game goes on")
    else:
        winners = ", ".join(f"seat {seat}" for seat in record.outcome.winners) or "nobody"
        note(
            f"{len(record.decisions)} decisions; {winners} by {record.outcome.reason} ({record.outcome.rule})"
        )
