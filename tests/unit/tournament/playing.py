"""Tournaments as tests play them, without a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ekoes.tables.settings import TableOptions
from ekoes.tournaments.pairing import next_round
from ekoes.tournaments.state import Entrant, Game, Tournament, TournamentPlan

Result = Callable[[Sequence[int]], tuple[int, ...]]
"""Seats of a game -> how many came before each."""


def plan(form: Any, players: int = 2, rounds: int = 5, game: str = "eko", **options: Any) -> TournamentPlan:
    known = TableOptions.model_validate({"players": players, **options})
    return TournamentPlan(name="Spring", game=game, options=known, form=form, rounds=rounds)


def people(number: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(one, f"P{one}", f"user-{one}") for one in range(1, number + 1))


def begun(number: int, form: Any, players: int = 2, rounds: int = 5) -> Tournament:
    return Tournament(plan(form, players, rounds), people(number), status="running")


def stronger_wins(seats: Sequence[int]) -> tuple[int, ...]:
    """The smaller number is the stronger."""
    return tuple(sum(other < own for other in seats) for own in seats)


def played(tournament: Tournament, result: Result = stronger_wins) -> Tournament | None:
    """Return a tournament after its next round, None if there is none."""
    games = next_round(tournament)
    if games is None:
        return None
    over = tuple(_over(game, result) for game in games)
    return replace(tournament, rounds=(*tournament.rounds, over))


def _over(game: Game, result: Result) -> Game:
    if game.places is not None:
        return game
    return replace(game, places=(0,) if game.is_bye else result(game.seats))


def to_the_end(tournament: Tournament, result: Result = stronger_wins) -> Tournament:
    while (after := played(tournament, result)) is not None:
        tournament = after
    return tournament
