"""The plan of a run: what is played, read from TOML, and the schedule of its games."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import Annotated, Any, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ekoes.arena.players import Limit
from ekoes.bots import chooser
from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Chooser
from ekoes.games.api.reading import error_details, parse_toml
from ekoes.games.api.registry import game

T = TypeVar("T")
MOST_GAMES = 100_000_000

Name = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[^\s\"\\][^\"\\\n\t]*$")]
Seconds = Annotated[float, Field(gt=0, le=86400)]
Iterations = Annotated[int, Field(ge=1, le=10**12)]
Probability = Annotated[float, Field(gt=0, lt=0.5)]
Elo = Annotated[float, Field(ge=-1000, le=1000)]
Names = Annotated[tuple[Name, ...], Field(strict=False, min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Entrant(_Part):
    """A participant: a bot with its settings, or an external engine.

    bot: its name, or outside of files the bot itself. program: the command of an engine with its arguments.
    level: of an engine. seconds, iterations: override those of the plan. memory: limit of an engine in MiB.
    """

    name: Name
    bot: Any = None
    program: Annotated[tuple[str, ...], Field(strict=False, min_length=1)] | None = None
    settings: Json = {}
    level: str | None = None
    seconds: Seconds | None = None
    iterations: Iterations | None = None
    memory: Annotated[int, Field(ge=16, le=1 << 20)] = 256

    @model_validator(mode="after")
    def _is_one_or_the_other(self) -> Self:
        if (self.bot is None) == (self.program is None):
            raise ValueError("a player is either a bot or a program")
        if self.bot is not None and self.level is not None:
            raise ValueError("level is for programs; name the level of a bot in bot")
        return self


class Layout(_Part):
    """A board: options of the game, and a seed if the opening is to be always the same."""

    name: Name = "drawn"
    options: Json = {}
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = None


class Variant(_Part):
    """A rule variant: options of the game."""

    name: Name = "plain"
    options: Json = {}


class Sprt(_Part):
    """A sequential test whether the first player is elo1 stronger (H1) or only elo0 (H0).

    alpha: probability of accepting H1 if H0 is true; beta: the other way round.
    """

    elo0: Elo = 0.0
    elo1: Elo = 10.0
    alpha: Probability = 0.05
    beta: Probability = 0.05

    @model_validator(mode="after")
    def _is_upwards(self) -> Self:
        if self.elo0 >= self.elo1:
            raise ValueError("elo0 must be less than elo1")
        return self


class Plan(_Part):
    """A plan of games.

    seats: players at a table (None: the fewest possible). rounds: how often the whole schedule is played; a
    test may end earlier. lineups: players at each table, by name (None: all combinations). seconds,
    iterations: limits of a decision. turn_limit: a longer game has no winner.
    """

    game: str
    players: Annotated[tuple[Entrant, ...], Field(strict=False, min_length=1, max_length=64)]
    rounds: Annotated[int, Field(ge=1, le=MOST_GAMES)]
    seats: Annotated[int, Field(ge=1, le=16)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 1
    lineups: Annotated[tuple[Names, ...], Field(strict=False, min_length=1)] | None = None
    seconds: Seconds | None = None
    iterations: Iterations | None = None
    turn_limit: Annotated[int, Field(ge=1, le=10**6)] | None = None
    layouts: Annotated[tuple[Layout, ...], Field(strict=False, min_length=1)] = (Layout(),)
    variants: Annotated[tuple[Variant, ...], Field(strict=False, min_length=1)] = (Variant(),)
    sprt: Sprt | None = None

    @cached_property
    def table(self) -> int:
        """The number of players at a table."""
        return self.seats or game(self.game).players.start

    @cached_property
    def longest(self) -> int | None:
        """The turn limit; by default that of the game for tables of bots."""
        ends = game(self.game).table_ends
        return None if ends.turn_limit is None else self.turn_limit or ends.longest

    def options(self, layout: Layout, variant: Variant) -> Mapping[str, Any]:
        """Return the options of the game for a layout and a variant."""
        return {"players": self.table, **layout.options, **variant.options}

    def limit(self, entrant: Entrant, seed: int) -> Limit:
        """Return the limit of a decision of an entrant."""
        return Limit(entrant.seconds or self.seconds, entrant.iterations or self.iterations, seed)


def line_ups(plan: Plan) -> tuple[tuple[int, ...], ...]:
    """Return the line-ups, each as indices into the list of players.

    By default all combinations; with fewer players than seats, all of them at every table, some more than
    once.
    """
    count = len(plan.players)
    if plan.lineups is not None:
        places = {entrant.name: place for place, entrant in enumerate(plan.players)}
        return tuple(tuple(places[name] for name in lineup) for lineup in plan.lineups)
    if count >= plan.table:
        return tuple(combinations(range(count), plan.table))
    tables = combinations_with_replacement(range(count), plan.table)
    return tuple(table for table in tables if len(set(table)) == count)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of the schedule.

    opening: games of one opening share the first position and the deals. seed: of the first position.
    deals: seed of the chance decisions. chance: seed of the players' random numbers, different in each
    game. seats: by seat, an index into the list of players.
    """

    number: int
    opening: int
    seed: int
    deals: int
    chance: int
    layout: Layout
    variant: Variant
    options: Mapping[str, Any]
    seats: tuple[int, ...]


class Schedule:
    """All games of a plan, by number from 0: a pure function of plan and number.

    A round has every line-up on every layout with every variant, and there each player in each seat once:
    these games share an opening, and the players rotate by one seat.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.cells = tuple(product(plan.layouts, plan.variants))
        self.lineups = line_ups(plan)

    def __len__(self) -> int:
        return self.plan.rounds * self.round

    @cached_property
    def round(self) -> int:
        """The number of games in a round."""
        return len(self.cells) * len(self.lineups) * self.plan.table

    def __getitem__(self, number: int) -> Pairing:
        if not 0 <= number < len(self):
            raise IndexError(number)
        rest, turned = divmod(number, self.plan.table)
        opening, lineup = divmod(rest, len(self.lineups))
        layout, variant = self.cells[opening % len(self.cells)]
        drawn = Chance(self.plan.seed ^ Chance(opening).bits())
        order = list(self.lineups[lineup])
        seed = drawn.below(2**32) if layout.seed is None else layout.seed
        drawn.shuffle(order)
        return Pairing(
            number=number,
            opening=opening,
            seed=seed,
            deals=drawn.bits(),
            chance=Chance(self.plan.seed).bits() ^ Chance(~number).bits(),
            layout=layout,
            variant=variant,
            options=self.plan.options(layout, variant),
            seats=tuple(order[turned:] + order[:turned]),
        )


Path = tuple[str | int, ...]
_MOST_LINES = 5000


class _PlanError(NotationError):
    """An invalid value in a plan. path: keys and indices that lead to it."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path


def read_plan(text: str) -> Plan:
    """Read a plan from TOML. Raises NotationError with the line and the key."""
    if text.count("\n") > _MOST_LINES:
        raise NotationError(f"a plan has at most {_MOST_LINES} lines")
    value = parse_toml(text)
    try:
        return _plan(value)
    except _PlanError as error:
        raise NotationError(f"line {_line_of(text, error.path)}: {_format_error(error)}") from error


def check_plan(plan: Plan) -> Plan:
    """Check that a plan is consistent and valid for its game. Raises NotationError."""
    _check_game(plan)
    for part in ("players", "layouts", "variants"):
        _check_names(part, [entry.name for entry in getattr(plan, part)])
    for place, entrant in enumerate(plan.players):
        if entrant.bot is not None:
            _with_path(
                ("players", place, "settings" if entrant.settings else "bot"), bot_of, plan.game, entrant
            )
    _check_lineups(plan)
    _check_openings(plan)
    games = len(Schedule(plan))
    if games > MOST_GAMES:
        raise _PlanError(("rounds",), f"that would be {games} games; the limit is {MOST_GAMES}")
    return plan


def bot_of(game: str, entrant: Entrant) -> Chooser:
    """Return the bot of an entrant, with its settings. Raises NotationError naming the key."""
    found = chooser(game, entrant.bot)
    if not entrant.settings:
        return found
    with_settings = getattr(found, "with_settings", None)
    if with_settings is None:
        raise NotationError(f"{entrant.bot} takes no settings", key=next(iter(entrant.settings)))
    return cast("Chooser", with_settings(entrant.settings))


def plan_of(value: Json) -> Plan:
    """Read a plan from what its file contains. Raises NotationError naming the key."""
    try:
        return _plan(value)
    except _PlanError as error:
        raise NotationError(_format_error(error)) from error


def _plan(value: Json) -> Plan:
    try:
        plan = Plan.model_validate(value)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        _, _, message = error_details(detail, [])
        raise _PlanError(tuple(detail["loc"]), message.removeprefix("Value error, ")) from error
    return check_plan(plan)


def _check_game(plan: Plan) -> None:
    played = _with_path(("game",), game, plan.game)
    if plan.table not in played.players:
        least, most = played.players.start, played.players.stop - 1
        raise _PlanError(("seats",), f"a table of {plan.game} has {least} to {most} seats, not {plan.table}")
    if plan.turn_limit is not None and played.table_ends.turn_limit is None:
        raise _PlanError(("turn_limit",), f"{plan.game} has no turn limit")


def _check_names(part: str, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise _PlanError((part, place, "name"), f"{name!r} appears twice")


def _check_lineups(plan: Plan) -> None:
    known = {entrant.name for entrant in plan.players}
    for place, lineup in enumerate(plan.lineups or ()):
        if len(lineup) != plan.table:
            raise _PlanError(("lineups", place), f"a table has {plan.table} seats, not {len(lineup)}")
        for name in lineup:
            if name not in known:
                raise _PlanError(("lineups", place), f"no player is called {name!r}")
    if plan.sprt is not None and (plan.table != 2 or [*line_ups(plan)] != [(0, 1)]):
        raise _PlanError(("sprt",), "two are tested against each other: two players at tables of two")


def _check_openings(plan: Plan) -> None:
    """Check that every layout can be set up with every variant."""
    for part in ("layouts", "variants"):
        for place, entry in enumerate(getattr(plan, part)):
            if "players" in entry.options:
                raise _PlanError((part, place, "options", "players"), "set seats instead")
    played = game(plan.game)
    for place, layout in enumerate(plan.layouts):
        for other, variant in enumerate(plan.variants):
            try:
                played.new(plan.options(layout, variant), layout.seed or 0)
            except EkoesError as error:
                keys = tuple((error.key or "").split("."))
                where: Path = ("variants", other) if keys[0] in variant.options else ("layouts", place)
                raise _PlanError((*where, "options", *keys), error.message) from error


def _with_path(path: Path, act: Callable[..., T], *arguments: object) -> T:
    try:
        return act(*arguments)
    except EkoesError as error:
        inner = tuple(error.key.split(".")) if error.key and path[-1] == "settings" else ()
        raise _PlanError((*path, *inner), error.message) from error


def _format_error(error: _PlanError) -> str:
    keys = ".".join(str(key + 1) if isinstance(key, int) else key for key in error.path)
    return f"{keys!r}: {error.message}" if keys else error.message


def _line_of(text: str, path: Path) -> int:
    """Return the line on which the value at a path begins, or the one around it if it is missing.

    Parses ever longer beginnings of the file until the value is there.
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


def _depth(value: object, path: Path) -> int:
    """Return how many keys of a path exist."""
    for count, key in enumerate(path):
        if isinstance(value, list):
            value = {str(place): one for place, one in enumerate(value)}
        if not isinstance(value, dict) or str(key) not in value:
            return count
        value = value[str(key)]
    return len(path)
