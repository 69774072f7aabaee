"""Plans that the tests of the arena play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ekoes.arena.game import Result
from ekoes.arena.plan import Plan, check_plan
from ekoes.arena.statistics import Statistics

EKO = {"game": "eko", "rounds": 3, "turn_limit": 12}
RANDOM = {"name": "r", "bot": "random"}
GREEDY = {"name": "g", "bot": "greedy"}


def plan(**more: Any) -> Plan:
    """A plan of short games of Ekö, checked."""
    return check_plan(Plan.model_validate(EKO | {"players": [GREEDY, RANDOM]} | more))


def statistics_of(plan: Plan, results: Iterable[Result]) -> Statistics:
    """The statistics of results."""
    statistics = Statistics(plan)
    for result in results:
        statistics.add(result)
    return statistics
