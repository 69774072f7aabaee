"""What people agree on at a table where the quicker hand wins: a draw, open hands after each round."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.registry import game
from ekoes.match.proposal import Consent, Proposal, What
from ekoes.match.race.state import RaceTable, after_step

__all__ = ["check_take_back", "granted", "replaced", "returned", "silent", "wishes", "with_consent"]


def with_consent(table: RaceTable, consent: Consent) -> RaceTable:
    """Return a table before its first deal, set to what it leaves to its people."""
    play = table.presenter.impatient(table.play) if consent.absence else table.play
    return changed(table, consent=consent, play=play)


def wishes(table: RaceTable) -> tuple[What, ...]:
    """Return what anybody may propose now."""
    pause: tuple[What, ...] = () if table.consent.is_at_rest else ("pause",)
    return (*pause, "hands") if table.presenter.may_show(table.play) else pause


def check_take_back(table: RaceTable, seat: int) -> None:  # noqa: ARG001 - nothing is taken back here
    """Refuse: everybody has seen what was quicker."""
    raise TableError("nothing is taken back in this game", code="table/no-take-back")


def silent(table: RaceTable) -> Collection[int]:
    """Return who has left turn after turn to the clock."""
    return [seat for seat in table.presenter.silent(table.play) if seat in table.people]


def granted(table: RaceTable, proposal: Proposal, at: datetime) -> RaceTable:
    """Return the table after what all have agreed to."""
    match proposal.what:
        case "pause":
            since = at if table.latest is None else max(at, table.latest)
            return changed(table, consent=table.consent.resting(since))
        case "draw":
            return _drawn(table, at)
        case "hands":
            play, options = table.presenter.showing(table.play)
            return changed(table, play=play, options=table.options | options)
        case _:
            return table


def replaced(table: RaceTable, seat: int, at: datetime) -> RaceTable:  # noqa: ARG001
    """Return the table as it goes on with a bot."""
    return _with_people(table, at)


def returned(table: RaceTable, seat: int, at: datetime) -> RaceTable:  # noqa: ARG001
    """Return the table as it goes on with its player."""
    return _with_people(table, at)


def _with_people(table: RaceTable, at: datetime) -> RaceTable:
    return after_step(table, table.presenter.with_people(table.play, table.people, _time(table, at)))


def _time(table: RaceTable, at: datetime) -> datetime:
    """Return a moment as the game has it, none before the latest that it has heard of."""
    return table.consent.time(at if table.latest is None else max(at, table.latest))


def _drawn(table: RaceTable, at: datetime) -> RaceTable:
    """End the game without a winner. Raises TableError where no rule says that it may end so."""
    if game(table.game).table_ends.agreement is None:
        raise TableError("this game knows no draw by agreement", code="table/wrong-order")
    return after_step(table, table.presenter.draw(table.play, _time(table, at)))
