"""What people at a table of turns agree on: a draw, a turn taken back, going on by correspondence."""

from __future__ import annotations

from datetime import datetime

from ekoes.errors import TableError
from ekoes.games.changing import changed
from ekoes.games.contract import Outcome
from ekoes.games.registry import game
from ekoes.match.clock_plan import ClockPlan
from ekoes.match.proposal import Consent, Proposal, What
from ekoes.match.turns.back import retimed, stood_at
from ekoes.match.turns.clock import clocked
from ekoes.match.turns.decide import goes_on_without
from ekoes.match.turns.state import TurnTable
from ekoes.match.turns.times import first_times

__all__ = ["check_take_back", "granted", "replaced", "returned", "silent", "wishes", "with_consent"]


def with_consent(table: TurnTable, consent: Consent) -> TurnTable:
    """Return a table before its first decision, set to what it leaves to its people."""
    return changed(table, consent=consent)


def wishes(table: TurnTable) -> tuple[What, ...]:
    """Return what anybody may propose now."""
    is_live = table.clock is not None and table.clock.days is None
    pause: tuple[What, ...] = () if table.consent.is_at_rest else ("pause",)
    return (*pause, "adjourn") if is_live else pause


def check_take_back(table: TurnTable, seat: int) -> None:
    """Raise TableError if a seat can't have its last turn back: what others have come to see stays seen."""
    if not table.consent.take_back:
        raise TableError("no turn is taken back at this table", code="table/no-take-back")
    if table.start_of(seat) is None:
        message = "you have no turn behind you, or something hidden has come to light since"
        raise TableError(message, code="table/nothing-to-take-back")


def silent(table: TurnTable) -> frozenset[int]:  # noqa: ARG001 - clocks of turns see to them
    """Return nobody: a clock of turns ends."""
    return frozenset()


def granted(table: TurnTable, proposal: Proposal, at: datetime) -> TurnTable:
    """Return the table after what all have agreed to."""
    match proposal.what:
        case "pause":
            return changed(table, consent=table.consent.resting(at))
        case "draw":
            return clocked(_drawn(table), at)
        case "take_back":
            return clocked(_taken_back(table, proposal.by, at), at)
        case "adjourn" if table.clock is not None:
            return clocked(_adjourned(table, table.clock, proposal.days), at)
        case _:
            return table


def replaced(table: TurnTable, seat: int, at: datetime) -> TurnTable:
    """Return the table as it goes on with a bot."""
    return clocked(goes_on_without(table, seat), at)


def returned(table: TurnTable, seat: int, at: datetime) -> TurnTable:  # noqa: ARG001
    """Return the table as it goes on with its player."""
    return clocked(table, at)


def _drawn(table: TurnTable) -> TurnTable:
    """End the game without a winner. Raises TableError where no rule says that it may end so."""
    rule = game(table.game).table_ends.agreement
    if rule is None:
        raise TableError("this game knows no draw by agreement", code="table/wrong-order")
    return changed(table, held=None, outcome=Outcome((), "agreement", rule))


def _taken_back(table: TurnTable, seat: int, at: datetime) -> TurnTable:
    """Return the table as if a turn and all after it had not been: its player's clock has run all along."""
    start = table.start_of(seat)
    if start is None:
        raise TableError("there is no turn to take back", code="table/nothing-to-take-back")
    times = start.before.times
    if times is not None and times.up(table.consent.time(at)):
        raise TableError("no time is left for taking it back", code="table/nothing-to-take-back")
    return changed(stood_at(table, start.before, start.length), offers=frozenset())


def _adjourned(table: TurnTable, clock: ClockPlan, days: int | None) -> TurnTable:
    """Return the table by correspondence: all have the days anew, and nobody is absent any more."""
    plan = ClockPlan(days=days, up=clock.up)
    fresh = first_times(plan, len(table.seats), table.times.turn if table.times else table.turn)
    lags = table.times.lags if table.times else fresh.lags
    consent = changed(table.consent, absence=0, away=frozenset())
    after = changed(table, clock=plan, consent=consent)
    return retimed(after, lambda times: changed(fresh, lags=lags, turn=times.turn))
