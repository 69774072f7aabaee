"""What the lobby tells of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from ekoes.games.contract import Json
from ekoes.match.clock_plan import clock_json
from ekoes.match.kinds import kind_of
from ekoes.match.seats import Seat
from ekoes.match.standing import standing
from ekoes.match.state import Table

__all__ = ["chosen", "goes_on", "own_entry", "public_entry"]

_UNTOLD = frozenset({"seed", "players"})


def _nobody(_holder: str) -> bool:
    return False


def goes_on(table: Table) -> bool:
    """Tell whether the game at a table, begun or not, is still to be played there."""
    return table.outcome is None and table.rematch is None


def public_entry(table: Table, since: int, is_program: Callable[[str], bool] = _nobody) -> Json:
    """Return what everybody is told of a public table.

    since: when it was made, in milliseconds. is_program: tells who is a bot of somebody's.
    """
    return {
        "game": table.game,
        "open": not table.is_started,
        "options": chosen(table.game, table.options),
        "seats": [_seat(seat, is_program) for seat in table.seats],
        "since": since,
        **({"rated": True} if table.rated else {}),
        **({"clock": clock_json(table.clock)} if table.clock else {}),
    }


def own_entry(table: Table, holder: str, since: int, is_program: Callable[[str], bool] = _nobody) -> Json:
    """Return what whoever has a seat at a table is told of it."""
    told = {"standing": standing(table, holder), "public": table.public, **_due(table)}
    return public_entry(table, since, is_program) | told


def _due(table: Table) -> Json:
    """Tell when the clock that runs at a table of days will have run out, in milliseconds."""
    strikes = kind_of(table.game).strikes_at(table) if table.clock and table.clock.days else None
    return {} if strikes is None else {"due": int(strikes.timestamp() * 1000)}


def chosen(game: str, options: Json) -> Json:
    """Return the options that are not as they usually are."""
    usual = _usual(game)
    return {key: value for key, value in options.items() if key in usual and usual[key] != value}


@cache
def _usual(game: str) -> Mapping[str, object]:
    """Return what a game is set to unless something else is chosen."""
    about = kind_of(game).about(game)["options"]
    return {key: value.get("default") for key, value in about.items() if key not in _UNTOLD}


def _seat(seat: Seat, is_program: Callable[[str], bool]) -> Json:
    told = {"name": seat.name, "colour": seat.colour, "taken": seat.is_taken}
    if seat.session is not None and is_program(seat.session):
        return told | {"program": True}
    return told if seat.bot is None else told | {"bot": seat.bot}
