"""What is to be played: a frozen plan, as a file says it and as the log of a run keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ekoes.arena.choice import Limit
from ekoes.games.registry import game

__all__ = ["Entrant", "Layout", "Plan", "Sprt", "Variant"]

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
    """Somebody who takes part: a bot of the house with its settings, or a program.

    program: a command and its arguments, which speak the engine protocol. level: of a program.
    seconds, iterations: instead of the plan's. memory: MiB that a program may hold.
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
            raise ValueError("a level is asked of a program; a bot of the house has a name for each")
        return self


class Layout(_Part):
    """Where it is played: options of the game, and a seed if the opening is to be always the same."""

    name: Name = "drawn"
    options: dict[str, Any] = {}
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = None


class Variant(_Part):
    """By which rules it is played: options of the game."""

    name: Name = "plain"
    options: dict[str, Any] = {}


class Sprt(_Part):
    """A test that ends as soon as the first player is known to be elo1, or no more than elo0, the better.

    alpha: how often elo1 may be taken for true where elo0 is; beta: the other way round.
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
    """What is to be played.

    seats: how many sit at a table (None: the fewest that can play). rounds: how often everybody plays
    everything; a test may end earlier. lineups: who sits together, by name (None: everybody with
    everybody). seconds, iterations: of a decision. turn_limit: a longer game has no winner.
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
        """How many sit at a table."""
        return self.seats or game(self.game).players.start

    @cached_property
    def longest(self) -> int | None:
        """The turn limit; the game's own for tables of bots where the plan says none."""
        ends = game(self.game).table_ends
        return None if ends.turn_limit is None else self.turn_limit or ends.longest

    def options(self, layout: Layout, variant: Variant) -> Mapping[str, Any]:
        """Return the options of the game for a layout and a variant."""
        return {"players": self.table, **layout.options, **variant.options}

    def limit(self, entrant: Entrant, seed: int) -> Limit:
        """Return what a decision of an entrant may cost."""
        return Limit(entrant.seconds or self.seconds, entrant.iterations or self.iterations, seed)
