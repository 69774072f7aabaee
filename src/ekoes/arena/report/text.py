"""A report as text in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ekoes.arena.report.summary import Summary
from ekoes.arena.report.words import (
    CHALLENGE,
    RULES,
    challenge,
    ending,
    heading,
    headline,
    per_cent,
    seconds,
    signed,
    verdict,
)

__all__ = ["report_text"]


def report_text(summary: Summary) -> Iterator[RenderableType]:
    """Yield what to print, part by part."""
    yield Text(heading(summary), style="bold")
    yield Text(headline(summary))
    said = verdict(summary)
    if said is not None:
        yield Text(said, style="bold")
    yield _strengths(summary)
    if len(summary.lines) > 1:
        yield _cross(summary)
    if summary.challenges:
        yield _challenges(summary)
    yield _seats(summary)
    yield _endings(summary)
    if summary.tally.forfeits:
        yield _forfeits(summary)
    yield from (Text(rule, style="dim") for rule in RULES)


def _table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right")
    return table


def _strengths(summary: Summary) -> Table:
    table = _table("Strength", ("player", "Elo", "95 %", "games", "score", "won", "half", "95 %", "longest"))
    for line in summary.lines:
        record = line.record
        table.add_row(
            line.name,
            signed(line.elo),
            f"{signed(line.low)} … {signed(line.high)}",
            f"{record.games}",
            per_cent(record.score, record.games),
            per_cent(record.won, record.games),
            *map(seconds, line.times),
        )
    return table


def _cross(summary: Summary) -> Table:
    table = _table("Row against column", ("", *(line.name for line in summary.lines)))
    for line in summary.lines:
        cells = (summary.tally.pairs.get((line.place, other.place)) for other in summary.lines)
        table.add_row(line.name, *("" if cell is None else per_cent(*cell) for cell in cells))
    return table


def _challenges(summary: Summary) -> Table:
    table = _table("One against the table", CHALLENGE)
    for one in summary.challenges:
        table.add_row(*challenge(one))
    return table


def _seats(summary: Summary) -> Table:
    table = _table("Seats", ("seat", "score", "won alone"))
    for seat, record in sorted(summary.tally.seats.items()):
        table.add_row(str(seat), per_cent(record.score, record.games), per_cent(record.alone, record.games))
    return table


def _endings(summary: Summary) -> Table:
    table = _table("How games ended", ("", "games", ""))
    for (reason, rule, winners), count in summary.tally.endings.most_common():
        table.add_row(ending(reason, rule, winners), f"{count}", per_cent(count, summary.tally.games))
    return table


def _forfeits(summary: Summary) -> Table:
    table = _table("Games lost by forfeit", ("player", "reason", "games"))
    for (place, reason), count in summary.tally.forfeits.most_common():
        table.add_row(summary.plan.players[place].name, reason, f"{count}")
    return table
