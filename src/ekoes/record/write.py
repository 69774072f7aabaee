"""Writing a record as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from ekoes.games.contract import Outcome
from ekoes.record.game_record import FORMAT, OPEN, GameRecord, Opening, Turned, opening_of, replay

__all__ = ["result_line", "write_record"]


def write_record(record: GameRecord) -> str:
    """Write a record as text. Raises IllegalActionError if its decisions do not replay."""
    opening = opening_of(record.game)
    tags = {"Game": record.game, "Format": FORMAT}
    if record.date is not None:
        tags["Date"] = record.date
    tags |= {f"Seat{seat}": name for seat, name in enumerate(record.names)}
    if record.seed is not None:
        tags["Seed"] = str(record.seed)
    if record.turn_limit is not None:
        tags["TurnLimit"] = str(record.turn_limit)
    tags |= opening.opening_tags(record.start) | dict(record.tags)
    head = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in tags.items()]
    return "\n".join([*head, "", *_turns(record, opening), "", result_line(record.outcome), ""])


def _turns(record: GameRecord, opening: Opening) -> Iterator[str]:
    """Yield a line for each seat's part of a turn."""
    line, label = "", None
    for position, decision in zip(replay(record), record.decisions, strict=False):
        here = (cast("Turned", position).turn_number, decision.seat)
        if here != label:
            if line:
                yield line
            line, label = f"{here[0]}. seat {here[1]}:", here
        line += f" {opening.format_action(decision.action)}{_time(decision.milliseconds)}"
    if line:
        yield line


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    seconds = f"{milliseconds / 1000:.3f}".rstrip("0").rstrip(".")
    return f"{{{seconds}}}"


def result_line(outcome: Outcome | None) -> str:
    """Write the last line of a record. outcome: None while the game is open."""
    if outcome is None:
        return OPEN
    winners = " ".join(map(str, outcome.winners)) or "nobody"
    return f"result: {winners} by {outcome.reason} ({outcome.rule})"
