"""Writing a record as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise

from ekoes.games.api.contract import CHANCE, Outcome, Position
from ekoes.games.api.table import Arrival, Decision, seconds_text
from ekoes.records.referee import FORMAT, OPEN, Book, GameRecord, Place, book_of, replay


def write_record(record: GameRecord, places: Iterable[Place] | None = None) -> str:
    """Write a record as text.

    places: of its decisions, as judged at the time; None: found by replay with the current
    rules. Raises IllegalActionError if the decisions do not replay.
    """
    book = book_of(record.game)
    tags = {"Game": record.game, "Format": FORMAT}
    if record.rules is not None:
        tags["Rules"] = record.rules
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
    places = places_of(record.game, replay(record)) if places is None else places
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]
    return "\n".join([*head, "", *_turns(record, book, places), "", result_line(record.outcome), ""])


def label(number: int, seat: int) -> str:
    """Write the label of the decisions of a seat: ``12. seat 0``; of chance: ``12. table``."""
    return f"{number}. table" if seat == CHANCE else f"{number}. seat {seat}"


def places_of(game: str, positions: Iterable[Position]) -> Iterator[Place]:
    """Yield the place of each decision by the current rules. positions: the first and all following."""
    book = book_of(game)
    for before, after in pairwise(positions):
        yield Place(book.number(before), book.summary(before, after))


def _turns(record: GameRecord, book: Book, places: Iterable[Place]) -> Iterator[str]:
    """Yield a line for each seat's part of a turn, and the notes between them."""
    line = before = ""
    for place, decision in zip(places, record.decisions, strict=True):
        here = label(place.number, decision.seat)
        if here != before:
            if line:
                yield line
            line, before = f"{here}:", here
        line += f" {book.format_action(decision.action, record.start)}{_note(decision)}"
        if place.summary is not None:
            yield line
            yield place.summary
            line = before = ""
    if line:
        yield line


def _note(decision: Decision) -> str:
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
