"""What leaves a table where the quicker hand wins, with what every table tells."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from ekoes.errors import TableError
from ekoes.games.contract import Json
from ekoes.match.race.state import RaceTable
from ekoes.match.state import delay_json, outcome_json, rated_json, rematch_json

__all__ = [
    "board_json",
    "entries_json",
    "kept_entries",
    "notes",
    "options_json",
    "own_state",
    "past_state",
    "shared_state",
    "timed",
]


def options_json(table: RaceTable) -> Json:
    """Return the options; the seed, which nobody has chosen, stays here."""
    return table.options | rated_json(table) | delay_json(table)


def board_json(table: RaceTable) -> Json:  # noqa: ARG001
    """There is no board."""
    return {}


def kept_entries(table: RaceTable, before: RaceTable) -> int:  # noqa: ARG001
    """Return how many entries stand unchanged: all, for nothing is taken back."""
    return before.length


def timed(table: RaceTable) -> Collection[str]:
    """Return the keys of the shared state that time alone changes."""
    return table.presenter.timed


def shared_state(table: RaceTable, now: datetime) -> Json:
    """Return the part of the state that is the same for everybody."""
    look = table.presenter
    ends = {"outcome": outcome_json(table.outcome), "rematch": rematch_json(table)}
    return look.shared(table.play, table.consent.time(now)) | ends | look.own(table.play, ())


def own_state(table: RaceTable, seats: Collection[int]) -> Json:
    """Return the part of the state that is for the holder of some seats."""
    return table.presenter.own(table.play, seats)


def notes(table: RaceTable, seats: Collection[int]) -> Json:  # noqa: ARG001
    """Nothing is written down for later."""
    return {}


def past_state(table: RaceTable, entries: int, then: RaceTable) -> Json:
    """Return the state after some entries, as everybody saw it; once it is over, with all that was hidden.

    then: a table whose log holds the last of them with its position; of none, the table as it was made.
    """
    look = table.presenter
    entry = then.log[entries - then.log_start - 1] if entries else None
    position = then.position if entry is None else entry.position
    if position is None:
        raise TableError("this position lies in the store", code="table/not-found")
    outcome = outcome_json(table.outcome) if entries == table.length else None
    ends = {"outcome": outcome, "rematch": rematch_json(table)}
    return look.own(table.play, ()) | look.past(table.play, position, entries, entry) | ends


def entries_json(table: RaceTable, start: int = 0) -> list[Json]:
    """Return the log from its entry ``start`` (0: the first) on, without what only one eye may see."""
    told = table.presenter.told
    shown = table.log[start - table.log_start :]
    return [{"n": number} | told(entry) for number, entry in enumerate(shown, start + 1)]
