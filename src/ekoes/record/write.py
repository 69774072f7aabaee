"""Writing a record as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ekoes.games.contract import CHANCE, Outcome, Position
from ekoes.games.recording import Arrival, Decision, seconds_text
from ekoes.record.book import Book, book_of
from ekoes.record.game_record import FORMAT, OPEN, GameRecord, replay

__all__ = ["label", "result_line", "write_record"]


def write_record(record: GameRecord, positions: Iterable[Position] | None = None) -> str:
    """Write a record as text. Raises IllegalActionError if its decisions do not replay.

    positions: the first one and the one after each decision, for whoever has just seen them.
    """
    book = book_of(record.game)
    tags = {"Game": record.game, "Format": FORMAT}
    if record.date is not None:
        tags["Date"] = record.date
    tags |= {f"Seat{seat}": name for seat, name in enumerate(record.names)}
    if record.seed is not None:
        tags["Seed"] = str(record.seed)
    if record.turn_limit is not None:
        tags["TurnLimit"] = str(record.turn_limit)
    if record.table is not None:
        tags |= book.table_tags(record.table)
    tags |= book.opening_tags(record.start) | dict(record.tags)
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]
    return "\n".join(
        [*head, "", *_turns(record, book, positions or replay(record)), "", result_line(record.outcome), ""]
    )


def label(number: int, seat: int) -> str:
    """Write what stands before the decisions of a seat: ``12. seat 0``; of chance: ``12. table``."""
    return f"{number}. table" if seat == CHANCE else f"{number}. seat {seat}"


def _turns(record: GameRecord, book: Book, positions: Iterable[Position]) -> Iterator[str]:
    """Yield a line for each seat's part of a turn, and what is noted between them."""
    line = before = ""
    for (position, after), decision in zip(pairwise(positions), record.decisions, strict=True):
        here = label(book.number(position), decision.seat)
        if here != before:
            if line:
                yield line
            line, before = f"{here}:", here
        line += f" {book.format_action(decision.action)}{_note(decision)}"
        summary = book.summary(position, after)
        if summary is not None:
            yield line
            yield summary
            line = before = ""
    if line:
        yield line


def _note(decision: Decision) -> str:
    """Write what stands in braces behind a decision."""
    if decision.arrival is not None:
        return f"{{{_arrival(decision.arrival)}}}"
    return "" if decision.milliseconds is None else f"{{{seconds_text(decision.milliseconds)}}}"


def _arrival(arrival: Arrival) -> str:
    words = [f"at {seconds_text(arrival.at)}"]
    if arrival.saw is not None:
        words.append(f"saw {arrival.saw}")
    if arrival.behind is not None:
        words.append(f"behind {seconds_text(arrival.behind)}")
    if arrival.is_clock:
        words.append("clock")
    return ", ".join(words)


def result_line(outcome: Outcome | None) -> str:
    """Write the last line of a record. outcome: None while the game is open."""
    if outcome is None:
        return OPEN
    winners = " ".join(map(str, outcome.winners)) or "nobody"
    return f"result: {winners} by {outcome.reason} ({outcome.rule})"
