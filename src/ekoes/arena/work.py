"""What a worker does: it keeps its players, and plays the games whose numbers it is given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Protocol, Self, TypeVar

from ekoes.arena.choice import Choice, ForfeitError, Limit, Past
from ekoes.arena.plan import Plan
from ekoes.arena.players import Player
from ekoes.arena.result import Result
from ekoes.arena.schedule import Pairing, Schedule
from ekoes.arena.seats import player_of
from ekoes.arena.table import Table
from ekoes.games.contract import Position
from ekoes.games.registry import game

__all__ = ["Games", "Hall", "Hands", "Work"]

In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)
Piece = TypeVar("Piece")
Done = TypeVar("Done")

_WARM_DECISIONS = 16


class Work(Protocol[In_contra, Out_co]):
    """What workers are handed, and what they do with each piece; picklable until it is opened."""

    def __enter__(self) -> Self:
        """Get ready, in the worker."""

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind."""

    def __repr__(self) -> str:
        """Equal works are written alike."""

    def __call__(self, piece: In_contra, /) -> Out_co:
        """Do one piece; equal pieces come to equal results, whoever does them."""


class Hands(Protocol):
    """Whoever does the work: takes it with its pieces, and yields what they come to, in any order."""

    def __call__(self, work: Work[Piece, Done], pieces: Iterable[Piece], /) -> Iterator[Done]:
        """Begin; closing what this returns ends the work."""


class Hall:
    """The players of a plan, opened when they are first needed."""

    def __init__(self, plan: Plan) -> None:
        """Take a plan that has been checked."""
        self.plan = plan
        self.schedule = Schedule(plan)
        self._players: dict[int, Player] = {}
        self._opening: tuple[int, Position] | None = None

    def __enter__(self) -> Self:
        """Let bots decide a little, uncounted: what they load at first is no thought of theirs."""
        if all(entrant.program is None for entrant in self.plan.players):
            with self.table(0) as table:
                for _ in islice(table.steps(), _WARM_DECISIONS):
                    pass
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.plan!r})"

    def __exit__(self, *_: object) -> None:
        """Send everybody home."""
        for place in list(self._players):
            self._leave(place)

    @contextmanager
    def table(self, number: int) -> Iterator[Table]:
        """Seat the players of a game; whoever forfeits it begins the next one anew."""
        pairing = self.schedule[number]
        players = [self._player(place) for place in pairing.seats]
        table = Table(self.plan, pairing, players, self._begin(pairing))
        yield table
        if table.forfeit is not None:
            self._leave(pairing.seats[table.forfeit.seat])

    def _begin(self, pairing: Pairing) -> Position:
        """Return the first position; games of one opening come one after the other, and share it."""
        if self._opening is None or self._opening[0] != pairing.opening:
            position = game(self.plan.game).new(pairing.options, pairing.seed)
            self._opening = (pairing.opening, position)
        return self._opening[1]

    def _player(self, place: int) -> Player:
        if place not in self._players:
            player = player_of(self.plan.game, self.plan.players[place])
            try:
                self._players[place] = player.__enter__()
            except ForfeitError as error:
                return _Absent(error)
        return self._players[place]

    def _leave(self, place: int) -> None:
        player = self._players.pop(place, None)
        if player is not None:
            player.__exit__(None, None, None)


class _Absent:
    """Sits where somebody could not even begin."""

    def __init__(self, error: ForfeitError) -> None:
        self.error = error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:  # noqa: ARG002
        raise self.error


class Games(Hall):
    """Plays games and tells what became of them."""

    def __call__(self, numbers: Sequence[int]) -> list[Result]:
        """Play games, by their numbers."""
        return [self._play(number) for number in numbers]

    def _play(self, number: int) -> Result:
        with self.table(number) as table:
            for _ in table.steps():
                pass
            return table.result()
