"""Plans that the tests of the arena play."""

from __future__ import annotations

from typing import Any

from ekoes.arena.plan import Plan
from ekoes.arena.plan_reader import check_plan

EKO = {"game": "eko", "rounds": 3, "turn_limit": 12}
RANDOM = {"name": "r", "bot": "random"}
GREEDY = {"name": "g", "bot": "greedy"}


def plan(**more: Any) -> Plan:
    """A plan of short games of Ekö, checked."""
    return check_plan(Plan.model_validate(EKO | {"players": [GREEDY, RANDOM]} | more))
