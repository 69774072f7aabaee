"""The plan of a run: what is played, read from TOML, and the schedule of its games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import Annotated, Any, Self, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ekoes.arena.players import Limit
from ekoes.bots import Bot, bot
from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.chance import Chance
from ekoes.games.api.reading import error_details, parse_toml
from ekoes.games.api.registry import game

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

    program: the command of an engine with its arguments. level: of an engine. seconds, iterations: override
    those of the plan. memory: limit of an engine in MiB.
    """

    name: Name
    bot: str | None = None
    program: Annotated[tuple[str, ...], Field(strict=False, min_length=1)] | None = None
    settings: dict[str, Any] = {}
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
    options: dict[str, Any] = {}
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = None


class Variant(_Part):
    """A rule variant: options of the game."""

    name: Name = "plain"
    options: dict[str, Any] = {}


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


def read_plan(text: str) -> Plan:
    """Read a plan from TOML. Raises NotationError naming the key."""
    try:
        return check_plan(Plan.model_validate(parse_toml(text)))
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        _, _, message = error_details(detail, [])
        raise _refusal(message.removeprefix("Value error, "), *detail["loc"]) from error


def check_plan(plan: Plan) -> Plan:
    """Check that a plan is consistent and valid for its game. Raises NotationError."""
    _check_game(plan)
    for part in ("players", "layouts", "variants"):
        _check_names(part, [entry.name for entry in getattr(plan, part)])
    for place, entrant in enumerate(plan.players):
        if entrant.bot is not None:
            try:
                bot_of(plan.game, entrant)
            except EkoesError as error:
                path = ("settings", *(error.key or "").split(".")) if entrant.settings else ("bot",)
                raise _refusal(error.message, "players", place, *path) from error
    _check_lineups(plan)
    _check_openings(plan)
    _check_size(plan)
    return plan


def bot_of(game: str, entrant: Entrant) -> Bot:
    """Return the bot of an entrant, with its settings. Raises NotationError naming the key."""
    found = bot(game, entrant.bot or "")
    if not entrant.settings:
        return found
    with_settings = getattr(found, "with_settings", None)
    if with_settings is None:
        raise NotationError(f"{found.name} takes no settings", key=next(iter(entrant.settings)))
    return cast("Bot", with_settings(entrant.settings))


def _check_game(plan: Plan) -> None:
    try:
        played = game(plan.game)
    except EkoesError as error:
        raise _refusal(error.message, "game") from error
    if plan.table not in played.players:
        least, most = played.players.start, played.players.stop - 1
        raise _refusal(f"a table of {plan.game} has {least} to {most} seats, not {plan.table}", "seats")
    if plan.turn_limit is not None and played.table_ends.turn_limit is None:
        raise _refusal(f"{plan.game} has no turn limit", "turn_limit")


def _check_names(part: str, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise _refusal(f"{name!r} appears twice", part, place, "name")


def _check_lineups(plan: Plan) -> None:
    known = {entrant.name for entrant in plan.players}
    for place, lineup in enumerate(plan.lineups or ()):
        if len(lineup) != plan.table:
            raise _refusal(f"a table has {plan.table} seats, not {len(lineup)}", "lineups", place)
        for name in lineup:
            if name not in known:
                raise _refusal(f"no player is called {name!r}", "lineups", place)
    if plan.sprt is not None and (plan.table != 2 or [*line_ups(plan)] != [(0, 1)]):
        raise _refusal("two are tested against each other: two players at tables of two", "sprt")


def _check_openings(plan: Plan) -> None:
    """Check that every layout can be set up with every variant."""
    for part in ("layouts", "variants"):
        for place, entry in enumerate(getattr(plan, part)):
            if "players" in entry.options:
                raise _refusal("set seats instead", part, place, "options", "players")
    played = game(plan.game)
    for place, layout in enumerate(plan.layouts):
        for other, variant in enumerate(plan.variants):
            try:
                played.new(plan.options(layout, variant), layout.seed or 0)
            except EkoesError as error:
                keys = tuple((error.key or "").split("."))
                where = ("variants", other) if keys[0] in variant.options else ("layouts", place)
                raise _refusal(error.message, *where, "options", *keys) from error


def _check_size(plan: Plan) -> None:
    games = len(Schedule(plan))
    if games > MOST_GAMES:
        raise _refusal(f"that would be {games} games; the limit is {MOST_GAMES}", "rounds")


def _refusal(message: str, *path: str | int) -> NotationError:
    """Return the error for the value at a path; entries of lists are counted from 1."""
    key = ".".join(str(step + 1) if isinstance(step, int) else step for step in path)
    return NotationError(message, key=key or None)
