"""Hints for somebody who plays against bots; where other people sit there are none."""

from __future__ import annotations

from typing import cast

from ekoes.errors import TableError
from ekoes.games.contract import Json
from ekoes.games.registry import game as game_of
from ekoes.games.registry import load
from ekoes.games.teaching import Advice
from ekoes.match.kinds import kind_of
from ekoes.match.state import Table

__all__ = ["advice", "threats"]


def threats(table: Table, session: str, place: str) -> Json:
    """Tell what something at a place could do, were it its turn. Raises TableError, IllegalActionError."""
    return _advice_at(table, session).threats(kind_of(table.game).advised(table), place)


def advice(table: Table, session: str) -> Json:
    """Return one good action of the seat of a session that is asked, and why. Raises TableError."""
    given = _advice_at(table, session)
    own = (seat for seat, chair in enumerate(table.seats) if chair.session == session)
    seat = next((seat for seat in own if kind_of(table.game).expects(table, seat)), None)
    if seat is None:
        raise TableError("you are not asked now", code="table/not-now")
    return {"seat": seat, **given.advise(kind_of(table.game).advised(table), seat)}


def _advice_at(table: Table, session: str) -> Advice:
    """Return what a game tells beginners. Raises TableError where other people play, or nothing is told."""
    part = game_of(table.game).parts.advice
    if part is None:
        raise TableError("no such question is answered in this game", code="table/wrong-order")
    if table.has_others(session):
        raise TableError("hints are for games against bots", code="table/people")
    return cast("Advice", load(part))
