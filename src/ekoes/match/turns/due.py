"""What the program itself has to order at a table of turns: what chance decides, and who is out of time."""

from __future__ import annotations

from datetime import datetime

from ekoes.bots import stand_in
from ekoes.games.chance import Chance
from ekoes.games.contract import CHANCE, Json
from ekoes.games.registry import game
from ekoes.match.orders import AnyOrder, Deal, PassTurn, Tick
from ekoes.match.question import DECISION, Question, answer_to
from ekoes.match.turns.state import TurnTable

__all__ = ["due"]


def due(table: TurnTable, at: datetime, chance: Chance) -> tuple[AnyOrder, datetime] | None:
    """Return what chance decides, where it is asked, or what comes of it that a player's time is up.

    It counts from the moment at which the server comes to it: nobody else's clock runs before that.
    """
    if CHANCE in table.asked:
        action = game(table.game).action_to_json(table.position.chance_action(chance))
        return Deal(key=f"deal-{table.version}", action=action), at
    late = () if table.times is None else table.times.up(at)
    if table.clock is None or not late:
        return None
    if table.clock.up != "pass" or table.held is not None:
        return Tick(key=f"tick-{table.version}"), at
    action = _passing(table, late[0], chance)
    return PassTurn(key=f"pass-{table.version}", seat=late[0], action=action), at


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
