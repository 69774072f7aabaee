"""Writing a record as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from ekoes.games.api.contract import CHANCE, Outcome, Position
from ekoes.games.api.reading import seconds_text
from ekoes.games.api.table import Arrival, Decision
from ekoes.records.referee import FORMAT, OPEN, Book, GameRecord, Place, book_of, replay


def write_record(record: GameRecord, places: Iterable[Place] | None = None) -> str:
    """Write a record as text.

    places: of its decisions, as judged at the time; None: found by replay with the current
    rules. Raises IllegalActionError if the decisions do not replay.
    """
    book = book_of(record.game)
    places = places_of(record.game, replay(record)) if places is None else places
    body = joined(_items(record, book, places))
    return "\n".join([*head(record, book), "", *body, "", result_line(record.outcome), ""])


def head(record: GameRecord, book: Book, more: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """Return the lines of the tags. more: tags that are no part of a ``GameRecord``."""
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
    tags |= book.opening_tags(record.start) | dict(record.tags) | dict(more)
    return [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]


def label(number: int, seat: int) -> str:
    """Write the label of the decisions of a seat: ``12. seat 0``; of chance: ``12. table``."""
    return f"{number}. table" if seat == CHANCE else f"{number}. seat {seat}"


def places_of(game: str, positions: Iterable[Position]) -> Iterator[Place]:
    """Yield the place of each decision by the current rules. positions: the first and all following."""
    book = book_of(game)
    for before, after in pairwise(positions):
        yield Place(book.number(before), book.summary(before, after))


@dataclass(frozen=True, slots=True)
class Item:
    """A decision, or a line of its own. label: of the decision's line. before: the line's indent."""

    text: str
    label: str | None = None
    before: str = ""


def joined(items: Iterable[Item]) -> Iterator[str]:
    """Yield the lines of the body: decisions with the same label that follow each other share a line."""
    line, shared = "", None
    for item in items:
        here = item.label and (item.before, item.label)
        if here and here == shared:
            line += f" {item.text}"
            continue
        if line:
            yield line
        line = f"{item.before}{item.label}: {item.text}" if item.label else f"{item.before}{item.text}"
        shared = here
    if line:
        yield line


def decision_item(number: int, decision: Decision, book: Book, start: Position, before: str = "") -> Item:
    """Return a decision as it is written. number: of the turn or round. start: any position of the game."""
    word = f"{book.format_action(decision.action, start)}{_note(decision)}"
    return Item(word, label(number, decision.seat), before)


def _items(record: GameRecord, book: Book, places: Iterable[Place]) -> Iterator[Item]:
    """Yield the decisions, and the notes between them."""
    for place, decision in zip(places, record.decisions, strict=True):
        yield decision_item(place.number, decision, book, record.start)
        if place.summary is not None:
            yield Item(place.summary)


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
