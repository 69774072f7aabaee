"""The settings and the state of a tournament, and the tables of a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from ekoes.errors import TournamentError
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.values import changed
from ekoes.tables.create import table_class, table_from_plan
from ekoes.tables.orders import MAX_PLAYERS, Strict, VisibleName
from ekoes.tables.ratings import ranks
from ekoes.tables.settings import SeatPlan, TableOptions, TablePlan
from ekoes.tables.table import Table

MOST_ENTRANTS = 128
_MOST_ROUNDS = 15
_LONGEST_GRACE = 14 * 24 * 60
_SHORTEST, _LONGEST = 20, 180
_GRACE_IN_ARENA = timedelta(minutes=1)
_POINTS = 2
"""Points of the leader of a game of EKKO per minute: two or three in a round of 15 to 35 decisions."""
_DECISIONS = 2
"""Decisions per player, on average; a game with fewer is brief."""

Form = Literal["robin", "swiss", "tables", "arena"]
"""Round robin, Swiss, tables of more than two players, or an arena, where whoever is free is paired again."""


class TournamentPlan(Strict):
    """The settings of a tournament, from its creator.

    options: of each of its tables, including ``players``. rounds: how many; ignored in a round robin and an
    arena. grace: minutes after which a player who has not come loses the game; one in an arena. late: whether
    users may join after the start; in an arena they always may. minutes: of an arena. starts_at: when it
    starts by itself; None: when its organiser wants.
    """

    name: VisibleName
    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    form: Form
    rounds: Annotated[int, Field(ge=1, le=_MOST_ROUNDS)] = 5
    grace: Annotated[int, Field(ge=1, le=_LONGEST_GRACE)] = 10
    late: bool = True
    minutes: Annotated[int, Field(ge=_SHORTEST, le=_LONGEST)] = 60
    starts_at: Annotated[AwareDatetime, Field(strict=False)] | None = None

    @property
    def players(self) -> int:
        """The most players at a table."""
        players = self.options.of_game().get("players")
        return players if isinstance(players, int) else 0

    @property
    def takes_late(self) -> bool:
        """Whether users may join after the start."""
        return self.form == "arena" or (self.late and self.form != "robin")

    @property
    def patience(self) -> timedelta:
        """The time to come to a game."""
        return _GRACE_IN_ARENA if self.form == "arena" else timedelta(minutes=self.grace)


Status = Literal["open", "running", "over"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant. number: from 1, in order of joining.

    user: None for a deleted account. joined: after how many rounds; left: likewise, None while
    playing.
    """

    number: int
    name: str
    user: str | None = None
    joined: int = 0
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a round: its entrants in the order of their seats; a single one has a bye.

    table: its id. places: for each seat how many finished before it, None while the game is running. absent:
    the seats of players who did not come; came: of those who did. brief: whether it ended before two
    decisions of each. berserk: the seats that played with half of their time.
    """

    seats: tuple[int, ...]
    table: str | None = None
    places: tuple[int, ...] | None = None
    absent: frozenset[int] = frozenset()
    came: frozenset[int] = frozenset()
    brief: bool = False
    berserk: frozenset[int] = frozenset()

    @property
    def is_bye(self) -> bool:
        """Whether it is a bye."""
        return len(self.seats) == 1

    @property
    def is_played(self) -> bool:
        """Whether all players came: only then it counts as a meeting."""
        return not self.is_bye and not self.absent


@dataclass(frozen=True, slots=True)
class Tournament:
    """The entrants and the games of each round so far; in an arena a round is of those paired together."""

    plan: TournamentPlan
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[tuple[Game, ...], ...] = ()
    status: Status = "open"

    @property
    def active(self) -> tuple[Entrant, ...]:
        """The entrants who have not left."""
        return tuple(one for one in self.entrants if one.left is None)

    @property
    def running(self) -> tuple[tuple[Game, int], ...]:
        """The games that are not over, with their rounds (from 0)."""
        return tuple(
            (game, played)
            for played, games in enumerate(self.rounds)
            for game in games
            if game.table is not None and game.places is None
        )

    @property
    def is_round_over(self) -> bool:
        """Whether every game of the latest round is over."""
        return not self.rounds or all(game.places is not None for game in self.rounds[-1])

    @property
    def ended_rounds(self) -> tuple[tuple[Game, ...], ...]:
        """The rounds whose games are all over: only they count in the standings."""
        return self.rounds if self.is_round_over else self.rounds[:-1]

    def is_rematch(self, game: Game, played: int) -> bool:
        """Return whether the two of a game were paired before a round (from 0)."""
        pair = set(game.seats)
        return len(pair) == 2 and any(
            set(other.seats) == pair for some in self.rounds[:played] for other in some
        )

    def game_of(self, entrant: int, played: int) -> tuple[Game, int] | None:
        """Return the game and seat of an entrant in a round (from 0); None if they had none."""
        for game in self.rounds[played]:
            if entrant in game.seats:
                return game, game.seats.index(entrant)
        return None


def check_plan(plan: TournamentPlan) -> None:
    """Raise EkoesError, naming the key, if a tournament with these settings is not possible."""
    players = game_of(plan.game).players
    if plan.players not in players or plan.players > MAX_PLAYERS:
        message = f"{players.start} to {players.stop - 1} can play"
        raise TournamentError(message, code="tournament/players", key="players")
    if plan.form != "arena" and (plan.form == "tables") != (plan.players > 2):
        message = "games of two are paired, games of more are played at tables"
        raise TournamentError(message, code="tournament/form", key="form")
    if "clock" in table_class(plan.game).about(plan.game)["options"]:
        _check_clock(plan)
    if plan.options.seed is not None:
        raise TournamentError("each game has a seed of its own", code="tournament/option", key="seed")
    for number in range(players.start, plan.players + 1):
        table = table_of(plan, [Entrant(one, "", "") for one in range(number)], 1)
        if table.options.get("turn_clock", 0) is None:
            message = "needs a clock that decides for idle players, so that each game ends"
            raise TournamentError(message, code="tournament/clock", key="turn_clock")
    if plan.form == "arena" and table.options.get("target", 0) > _POINTS * plan.minutes:
        raise _too_long("target")


def _check_clock(plan: TournamentPlan) -> None:
    clock = plan.options.clock
    if clock is None or clock.up != "lose":
        message = "needs a clock by which games are lost, so that each round ends"
        raise TournamentError(message, code="tournament/clock", key="clock")
    if plan.form == "arena" and (clock.days is not None or 2 * (clock.base or 0) > 60 * plan.minutes):
        raise _too_long("clock")


def _too_long(key: str) -> TournamentError:
    return TournamentError("a game of an arena has to end in its time", code="tournament/too-long", key=key)


def table_of(plan: TournamentPlan, entrants: Sequence[Entrant], seed: int, *, rated: bool = True) -> Table:
    """Return a table with the entrants seated in order.

    rated: whether it may be rated if the plan wants that. Raises EkoesError.
    """
    options = plan.options.model_dump() | {"players": len(entrants), "rated": plan.options.rated and rated}
    seats = [SeatPlan(kind="open", name=one.name) for one in entrants]
    made = TablePlan(game=plan.game, options=TableOptions.model_validate(options), seats=seats, public=True)
    table = table_from_plan(made, "", fresh_seed=seed)
    taken: Any = zip(table.seats, entrants, strict=True)
    held = tuple(changed(seat, kind="here", session=one.user) for seat, one in taken)
    seated = changed(table, seats=held, binding=True)
    return seated.with_berserk() if plan.form == "arena" else seated


def is_decided(table: Table) -> bool:
    """Return whether the result can't change any more: the game is over, or at most one person is left."""
    return table.outcome is not None or len(table.people) <= 1


def is_brief(table: Table) -> bool:
    """Return whether a game has fewer than two decisions for each seat: it brings no points in an arena."""
    return table.length < _DECISIONS * len(table.seats)


def places_of(table: Table) -> tuple[int, ...]:
    """Return for each seat of a decided game how many finished before it.

    A player who left the game to a bot is behind all who stayed, whatever that bot has done.
    """
    ended = ranks(table) if table.outcome is not None else (0,) * len(table.seats)
    merits = [(seat.kind == "bot", rank) for seat, rank in zip(table.seats, ended, strict=True)]
    return tuple(sum(other < own for other in merits) for own in merits)
