"""What the program orders at a table of turns: what chance decides, somebody foresaw, a clock makes due."""

from __future__ import annotations

from datetime import datetime

from ekoes.bots import stand_in
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Json
from ekoes.games.registry import game
from ekoes.match.orders import AnyOrder, Deal, FollowLine, PassTurn, PutAside, Tick
from ekoes.match.question import DECISION, Question, answer_to
from ekoes.match.turns.state import TurnTable

__all__ = ["due"]


def due(table: TurnTable, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
    """Return what chance decides, or a player has foreseen, or what comes of it that their time is up.

    That counts from the moment at which the server comes to it: nobody else's clock runs before that.
    """
    if CHANCE in table.asked:
        action = game(table.game).action_to_json(table.position.chance_action(chance))
        return Deal(key=f"deal-{table.version}", action=action), at
    if table.lines and (foreseen := _foreseen(table)) is not None:
        return foreseen, at
    late = () if table.times is None else table.times.up(table.consent.time(at))
    if table.clock is None or not late:
        return None
    if table.clock.up != "pass" or table.held is not None:
        return Tick(key=f"tick-{table.version}"), at
    action = _passing(table, late[0], chance)
    return PassTurn(key=f"pass-{table.version}", seat=late[0], action=action), at


def _foreseen(table: TurnTable) -> AnyOrder | None:
    """Return what a seat that is asked has written down for this, or that its lines are put aside."""
    asked = (lines for lines in table.lines if lines.seat in table.asked and lines.aside is None)
    lines = next(asked, None)
    if lines is None:
        return None
    key, step = f"line-{table.version}-{lines.seat}", lines.next(table.position)
    if step is None:
        return PutAside(key=key, seat=lines.seat, why="other")
    if table.position.why_not(step.seat, game(table.game).parse_action(step.action)) is not None:
        return PutAside(key=key, seat=lines.seat, why="refused")
    return FollowLine(key=key, seat=step.seat, action=step.action)


def _passing(table: TurnTable, seat: int, chance: Chance) -> Json:
    """Return the least that can be decided for a seat: to end its turn, else what its stand-in would do."""
    least = table.presenter.least(table.position, seat)
    if least is not None:
        return game(table.game).action_to_json(least)
    question = Question(
        key=f"pass-{table.version}",
        version=table.version,
        game=table.game,
        bot=stand_in(table.game),
        seat=seat,
        asks=DECISION,
        sight=table.position.sight(seat),
        chance=chance.bits(),
        seen=table.begun,
    )
    return answer_to(question).action or {}
