"""The tables at which a tournament is played, and whether it can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ekoes.errors import TournamentError
from ekoes.games.changing import changed
from ekoes.games.registry import game as game_of
from ekoes.match.kinds import kind_of
from ekoes.match.new import table_from_plan
from ekoes.match.orders import MAX_PLAYERS
from ekoes.match.plan import TableOptions, TablePlan
from ekoes.match.rated import ranks
from ekoes.match.seats import SeatPlan
from ekoes.match.state import Table
from ekoes.tournament.plan import TournamentPlan
from ekoes.tournament.state import Entrant

__all__ = ["check_plan", "is_decided", "places_of", "table_of"]


def check_plan(plan: TournamentPlan) -> None:
    """Refuse a tournament that can't be played. Raises EkoesError naming the key."""
    players = game_of(plan.game).players
    if plan.players not in players or plan.players > MAX_PLAYERS:
        message = f"{players.start} to {players.stop - 1} can play"
        raise TournamentError(message, code="tournament/players", key="players")
    if (plan.form == "tables") != (plan.players > 2):
        message = "games of two are paired, games of more are played at tables"
        raise TournamentError(message, code="tournament/form", key="form")
    if "clock" in kind_of(plan.game).about(plan.game)["options"]:
        _check_clock(plan.options)
    for key in ("seed", "delay"):
        if getattr(plan.options, key) is not None:
            message = "each game has a seed of its own, and is seen by all as it is played"
            raise TournamentError(message, code="tournament/option", key=key)
    for number in range(players.start, plan.players + 1):
        table_of(plan, [Entrant(one, "", "") for one in range(number)], 1)


def _check_clock(options: TableOptions) -> None:
    if options.clock is None or options.clock.up != "lose":
        message = "needs a clock by which games are lost, so that each round ends"
        raise TournamentError(message, code="tournament/clock", key="clock")


def table_of(plan: TournamentPlan, entrants: Sequence[Entrant], seed: int, *, rated: bool = True) -> Table:
    """Return a table for entrants in the order of their seats, who sit there already.

    rated: whether it may count for ratings, where the plan wants that. Raises EkoesError.
    """
    options = plan.options.model_dump() | {"players": len(entrants), "rated": plan.options.rated and rated}
    seats = [SeatPlan(kind="open", name=one.name) for one in entrants]
    wish = TablePlan(game=plan.game, options=TableOptions.model_validate(options), seats=seats, public=True)
    table = table_from_plan(wish, "", fresh_seed=seed)
    taken: Any = zip(table.seats, entrants, strict=True)
    return changed(table, seats=tuple(changed(seat, kind="here", session=one.holder) for seat, one in taken))


def is_decided(table: Table) -> bool:
    """Tell whether nobody can change any more who has won: the game is over, or one alone is left."""
    return table.outcome is not None or len(table.people) <= 1


def places_of(table: Table) -> tuple[int, ...]:
    """Return for each seat of a game that is decided how many came before it.

    Whoever left the game to a bot is behind all who stayed, however that bot has played.
    """
    ended = ranks(table) if table.outcome is not None else (0,) * len(table.seats)
    merits = [(seat.kind == "bot", rank) for seat, rank in zip(table.seats, ended, strict=True)]
    return tuple(sum(other < own for other in merits) for own in merits)
