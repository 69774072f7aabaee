"""What the bots at a table will do next, and when: a function of the table alone.

A bot sees its own view and nothing else. Its chance comes from the table's seed, its seat and the
moment that it answers, so that a plan stays the same while nothing changes. Whether and when it
passes never depends on its hand (K7.6).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING

from ekoes.bots.ekko.live import Plan, plan_mirror, plan_pass, plan_turn
from ekoes.errors import EkoesError
from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.ekko.action import action_to_json
from ekoes.games.ekko.live import clock_action
from ekoes.match.orders import Intent
from ekoes.match.race.entry import Moment, Stage
from ekoes.match.submit import submit
from ekoes.match.table import DEFAULT_PACE, Move

if TYPE_CHECKING:
    from ekoes.match.race.table import RaceTable

__all__ = ["next_intent"]

_LOG = logging.getLogger("ekoes.match")


class _Kind(IntEnum):
    TURN = 0
    MIRROR = 1
    PASS = 2


@dataclass(frozen=True, slots=True)
class _Planned:
    at: datetime
    seat: int
    intent: Json


def next_intent(table: RaceTable) -> Move | None:
    """Return the earliest thing that a bot will do, None if none does anything. Blocks while they think."""
    planned = sorted(_plans(table), key=lambda plan: (plan.at, plan.seat))
    for plan in planned:
        order = _order(table, plan)
        if order is not None:
            return Move(plan.at, order)
    return None


def _order(table: RaceTable, plan: _Planned) -> Intent | None:
    """Return the order of a plan that the table will take.

    A bot's mistake must not stop the game: in its turn the clock's choice stands in for it, in a
    window, which may have no clock, a pass.
    """
    intent = _intent(table, plan.seat, plan.intent)
    try:
        submit(table, intent, None, plan.at)
    except EkoesError as error:
        _LOG.warning("a bot's plan is refused: %s", error)
    else:
        return intent
    position = table.position
    if table.has_window:
        return _intent(table, plan.seat, {"type": "pass", "on": position.top})
    if table.stage is not Stage.RACE or plan.seat != position.player:
        return None
    return _intent(table, plan.seat, action_to_json(clock_action(position)) | {"on": position.top})


def _intent(table: RaceTable, seat: int, action: Json) -> Intent:
    value = {"key": f"bot-{seat}-{table.version}", "seat": seat, "action": action}
    return Intent.model_validate(value)


def _plans(table: RaceTable) -> Iterator[_Planned]:
    """Yield what each bot would do if nobody else did anything before."""
    if table.since is None or table.outcome is not None:
        return
    if table.stage is Stage.EFFECT and table.claim is not None:
        if table.seats[table.claim.seat].kind == "bot":  # of somebody who left in the midst of a mirror
            yield _Planned(table.since.at, table.claim.seat, {"type": "effect", "effect": "draw"})
        return
    for seat, chair in enumerate(table.seats):
        if chair.kind == "bot" and chair.bot is not None:
            yield from _plans_of(table, seat, chair.bot, table.since)


def _plans_of(table: RaceTable, seat: int, name: str, since: Moment) -> Iterator[_Planned]:
    match table.stage:
        case Stage.RACE:
            if seat == table.position.player:
                view = table.position.view(seat)
                plan = plan_turn(name, view, seat, _chance(table, seat, since, _Kind.TURN))
                yield _planned(table, seat, plan, since)
            if not table.rules.calm:
                yield from _mirror(table, seat, name)
        case Stage.WINDOW | Stage.LEAVING if seat not in table.decided and seat != table.position.leaving:
            yield _decision(table, seat, name, since)


def _mirror(table: RaceTable, seat: int, name: str) -> Iterator[_Planned]:
    """Yield when a bot plays the mirror of the top card, if it notices it."""
    moments = [moment for moment in (table.top_since, table.drew_since[seat]) if moment is not None]
    since = max(moments, key=lambda moment: moment.number)
    plan = plan_mirror(name, table.position.view(seat), seat, _chance(table, seat, since, _Kind.MIRROR))
    if plan is not None:
        yield _planned(table, seat, plan, since)


def _decision(table: RaceTable, seat: int, name: str, since: Moment) -> _Planned:
    """Return when a bot claims or passes: in a window at the same time, whichever it is.

    In a reaction time the mirror is played when the bot notices it: with equal chance, before it passes.
    """
    view = table.position.view(seat)
    mirror = plan_mirror(name, view, seat, _chance(table, seat, since, _Kind.PASS))
    letting_go = plan_pass(name, view, _chance(table, seat, since, _Kind.PASS))
    if mirror is None:
        return _planned(table, seat, letting_go, since)
    delay = letting_go.delay if table.has_window else mirror.delay
    return _planned(table, seat, Plan(delay, mirror.intent), since)


def _planned(table: RaceTable, seat: int, plan: Plan, since: Moment) -> _Planned:
    """Return a plan in time; the table's pace stretches or shortens every bot's delays.

    Where no person plays, bots take their time: nobody waits, and other tables want the machine too.
    """
    pace = table.pace if table.people else max(table.pace, DEFAULT_PACE)
    milliseconds = plan.delay * pace // DEFAULT_PACE
    return _Planned(since.at + timedelta(milliseconds=milliseconds), seat, plan.intent)


def _chance(table: RaceTable, seat: int, since: Moment, kind: _Kind) -> Chance:
    number = (since.number * len(table.seats) + seat) * len(_Kind) + kind
    return Chance(table.seed ^ Chance(number).bits())
