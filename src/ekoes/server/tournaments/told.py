"""What is told of a tournament, by the names under which it is told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ekoes.games.contract import Json
from ekoes.match.clock_plan import clock_json
from ekoes.server.lobby.entries import chosen
from ekoes.storage.tournaments import Held, Summary
from ekoes.tournament.draw import rounds_of
from ekoes.tournament.plan import TournamentPlan
from ekoes.tournament.points import points_of
from ekoes.tournament.standings import BREAKS, standings
from ekoes.tournament.state import Entrant, Game, Status, Tournament

__all__ = ["SHELVES", "about", "entry", "own", "told"]

SHELVES = ("about", "entrants", "rounds", "standings")


def entry(summary: Summary) -> Json:
    """Return what a list tells of a tournament."""
    numbers = {"drawn": summary.rounds, "entrants": summary.entrants}
    at = int(summary.made_at.timestamp() * 1000)
    return about(summary.plan, summary.status) | numbers | {"since": at}


def about(plan: TournamentPlan, status: Status) -> Json:
    """Return what a plan says, and whether it has begun."""
    clock = plan.options.clock
    return {
        "name": plan.name,
        "game": plan.game,
        "form": plan.form,
        "players": plan.players,
        "options": chosen(plan.game, plan.options.of_game()),
        "status": status,
        "late": plan.late and plan.form != "robin",
        "grace": plan.grace,
        **({"rounds": plan.rounds} if plan.form != "robin" else {}),
        **({"rated": True} if plan.options.rated else {}),
        **({"clock": clock_json(clock)} if clock else {}),
    }


def told(held: Held, host: str) -> dict[str, dict[str, Any]]:
    """Return all that everybody is told, shelf by shelf. host: the name of who has made it."""
    tournament = held.tournament
    facts = {
        "rounds": rounds_of(tournament),
        "drawn": len(tournament.rounds),
        "host": host,
        "breaks": list(BREAKS[tournament.plan.form]),
        **({"drawn_at": int(held.drawn_at.timestamp() * 1000)} if held.drawn_at else {}),
    }
    return {
        "about": about(tournament.plan, tournament.status) | facts,
        "entrants": {str(one.number): _entrant(one) for one in tournament.entrants},
        "rounds": {
            str(number): [_game(game) for game in games] for number, games in enumerate(tournament.rounds, 1)
        },
        "standings": _standings(tournament),
    }


def own(held: Held, holder: str, *, may_end: bool) -> Json:
    """Return what somebody is told alone. may_end: whether they see to the tournament."""
    entrant = next((one for one in held.tournament.entrants if one.holder == holder), None)
    mine = {} if entrant is None or entrant.left is not None else {"entrant": entrant.number}
    return mine | ({"host": True} if may_end else {}) | _next_game(held.tournament, mine.get("entrant"))


def _next_game(tournament: Tournament, entrant: int | None) -> Json:
    if entrant is None or not tournament.rounds or tournament.status != "running":
        return {}
    found = tournament.game_of(entrant, -1)
    is_due = found is not None and found[0].places is None
    return {"table": found[0].table} if found is not None and is_due else {}


def _entrant(one: Entrant) -> Json:
    return {"name": one.name} | ({} if one.left is None else {"left": True})


def _game(game: Game) -> Json:
    over: Json = {}
    if game.places is not None:
        over = {"points": [_number(points_of(game, seat)) for seat in range(len(game.seats))]}
    table = {} if game.table is None else {"table": game.table}
    absent = {"absent": sorted(game.absent)} if game.absent else {}
    return {"seats": list(game.seats)} | table | over | absent


def _standings(tournament: Tournament) -> dict[str, Json]:
    return {
        str(it.entrant): {
            "rank": it.rank,
            "points": _number(it.points),
            "breaks": [_number(one) for one in it.breaks],
        }
        for it in standings(tournament)
    }


def _number(exact: Fraction) -> float | int:
    """Return points as they are told, to hundredths; who stands where was judged by the exact ones."""
    return int(exact) if exact.denominator == 1 else round(float(exact), 2)
