"""Reading a plan from TOML: whatever is wrong is told with its line and its key."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from ekoes.arena.lineups import line_ups
from ekoes.arena.plan import MOST_GAMES, Plan
from ekoes.arena.seats import bot_of
from ekoes.errors import EkoesError, NotationError
from ekoes.games.failures import told_failure
from ekoes.games.registry import game
from ekoes.games.strict_toml import parse_toml

__all__ = ["check_plan", "read_plan"]

Path = tuple[str | int, ...]
_MOST_LINES = 5000


class _PlanError(NotationError):
    """A value of a plan that can't be; path: keys and places down to it."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


def read_plan(text: str) -> Plan:
    """Read a plan. Raises NotationError with the line and the key at fault."""
    if text.count("\n") > _MOST_LINES:
        raise NotationError(f"a plan has at most {_MOST_LINES} lines")
    value = parse_toml(text)
    try:
        return check_plan(_plan(value))
    except _PlanError as error:
        raise NotationError(f"line {_line_of(text, error.path)}: {_told(error)}") from error


def check_plan(plan: Plan) -> Plan:
    """Check what the parts of a plan mean to each other and to the game. Raises NotationError."""
    _check_game(plan)
    for part in ("players", "layouts", "variants"):
        _check_names(part, [entry.name for entry in getattr(plan, part)])
    for place, entrant in enumerate(plan.players):
        if entrant.bot is not None:
            _tried(("players", place, "settings" if entrant.settings else "bot"), bot_of, plan.game, entrant)
    _check_lineups(plan)
    _check_openings(plan)
    _check_size(plan)
    return plan


def _plan(value: dict[str, Any]) -> Plan:
    try:
        return Plan.model_validate(value)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        _, _, message = told_failure(detail, [])
        raise _PlanError(tuple(detail["loc"]), message.removeprefix("Value error, ")) from error


def _check_game(plan: Plan) -> None:
    played = _tried(("game",), game, plan.game)
    if plan.table not in played.players:
        least, most = played.players.start, played.players.stop - 1
        raise _PlanError(("seats",), f"{least} to {most} sit at a table of {plan.game}, not {plan.table}")
    if plan.turn_limit is not None and played.table_ends.turn_limit is None:
        raise _PlanError(("turn_limit",), f"{plan.game} knows no limit of turns")


def _check_names(part: str, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise _PlanError((part, place, "name"), f"{name!r} stands here twice")


def _check_lineups(plan: Plan) -> None:
    known = {entrant.name for entrant in plan.players}
    for place, lineup in enumerate(plan.lineups or ()):
        if len(lineup) != plan.table:
            raise _PlanError(("lineups", place), f"{plan.table} sit at a table, not {len(lineup)}")
        for name in lineup:
            if name not in known:
                raise _PlanError(("lineups", place), f"no player is called {name!r}")
    if plan.sprt is not None and (plan.table != 2 or [*line_ups(plan)] != [(0, 1)]):
        raise _PlanError(("sprt",), "two are tested against each other: two players at tables of two")


def _check_openings(plan: Plan) -> None:
    """Set up every layout with every variant once."""
    for part in ("layouts", "variants"):
        for place, entry in enumerate(getattr(plan, part)):
            if "players" in entry.options:
                raise _PlanError((part, place, "options", "players"), "a plan says this once, in seats")
    played = game(plan.game)
    for place, layout in enumerate(plan.layouts):
        for other, variant in enumerate(plan.variants):
            try:
                played.new(plan.options(layout, variant), layout.seed or 0)
            except EkoesError as error:
                keys = tuple((error.key or "").split("."))
                where: Path = ("variants", other) if keys[0] in variant.options else ("layouts", place)
                raise _PlanError((*where, "options", *keys), error.message) from error


def _check_size(plan: Plan) -> None:
    games = plan.rounds * len(line_ups(plan)) * plan.table * len(plan.layouts) * len(plan.variants)
    if games > MOST_GAMES:
        raise _PlanError(("rounds",), f"that would be {games} games, and {MOST_GAMES} are the most")


def _tried(path: Path, act: Any, *arguments: object) -> Any:  # noqa: ANN401 - whatever is done
    try:
        return act(*arguments)
    except EkoesError as error:
        inner = tuple(error.key.split(".")) if error.key and path[-1] == "settings" else ()
        raise _PlanError((*path, *inner), error.message) from error


def _told(error: _PlanError) -> str:
    keys = ".".join(str(key + 1) if isinstance(key, int) else key for key in error.path)
    return f"{keys!r}: {error.message}" if keys else error.message


def _line_of(text: str, path: Path) -> int:
    """Return the line on which the value at a path begins, or what lies around it if it is missing.

    The beginnings of a file are read, one line longer each time, until the value is there.
    """
    lines = text.split("\n")
    found, depth, begin = 1, 0, 1
    for count in range(1, len(lines) + 1):
        try:
            value = tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        reached = _depth(value, path)
        if reached > depth:
            found, depth = begin, reached
        begin = count + 1
    return found


def _depth(value: Any, path: Path) -> int:  # noqa: ANN401 - whatever TOML holds
    """Return how many of the keys of a path lead somewhere."""
    for count, key in enumerate(path):
        known = range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()
        place = int(key) if isinstance(value, list) and str(key).isdecimal() else key
        if place not in known:
            return count
        value = value[place]
    return len(path)
