"""A run: what is left of a plan is handed to workers, and what comes back is kept before it counts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from ekoes.arena.batches import batches
from ekoes.arena.log import Log
from ekoes.arena.plan import Plan
from ekoes.arena.result import Result
from ekoes.arena.sprt import PairTest
from ekoes.arena.work import Games, Hands

__all__ = ["Spent", "hands_here", "play_plan", "play_some"]

_BATCH = 8
"""Games that a worker gets at once."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run cost. games: played now; seconds: of wall clock; thought: of all players together."""

    games: int = 0
    seconds: float = 0.0
    thought: float = 0.0


def hands_here(workers: int) -> Hands:
    """Return who does the work on this machine: this process alone, or so many others."""
    from ekoes.arena.crew import done_by_crew, done_here

    return done_here if workers == 1 else partial(done_by_crew, workers=workers)


def play_plan(plan: Plan, log: Log, hands: Hands, show: Callable[[Result], None]) -> Spent:
    """Play what the log does not have yet. show: is told each game that counts, those of the log first.

    A test stops the run; what was played beyond its end, by workers that were ahead, does not count.
    """
    begun, games, thought = perf_counter(), 0, 0.0
    test = None if plan.sprt is None else PairTest(plan.sprt)
    if _is_over(_told(log, show), test, log):
        return Spent()
    results = play_some(plan, (number for number in range(len(log.offsets)) if number not in log), hands)
    for batch in results:
        fresh = log.append(batch)
        games += len(fresh)
        thought += sum(sum(result.times) for result in fresh) / 1e6
        if _is_over(_told(fresh, show), test, log):
            results.close()
            break
    return Spent(games, perf_counter() - begun, thought)


def play_some(plan: Plan, numbers: Iterable[int], hands: Hands) -> Generator[list[Result], None, None]:
    """Play some games of a plan and yield what they come to, a batch at a time, in any order."""
    yield from hands(Games(plan), batches(numbers, _BATCH))


def _told(results: Iterable[Result], show: Callable[[Result], None]) -> Iterator[Result]:
    for result in results:
        show(result)
        yield result


def _is_over(results: Iterable[Result], test: PairTest | None, log: Log) -> bool:
    """Count games for a test. Returns: whether it has ended."""
    for result in results:
        if test is not None and test.add(result.number, result.scores[result.seats.index(0)]):
            log.close_after(test.ended or 0)
    return log.end is not None or len(log.offsets) == 0
