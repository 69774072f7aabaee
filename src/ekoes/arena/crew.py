"""Workers that are processes of this machine; one that dies costs time, and nothing else."""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from ekoes.arena.work import Work
from ekoes.errors import EkoesError

__all__ = ["CrewError", "done_by_crew", "done_here"]

In = TypeVar("In")
Out = TypeVar("Out")

_AHEAD = 2
"""Pieces that a worker has at once, so that it never waits for the next one."""
_DEATHS = 3
"""Workers that one piece may end before nobody tries it again."""


class CrewError(EkoesError):
    """The work can't go on."""


def done_here(work: Work[In, Out], pieces: Iterable[In]) -> Iterator[Out]:
    """Yield the result of each piece, done in this process."""
    with work as ready:
        for piece in pieces:
            yield ready(piece)


def done_by_crew(work: Work[In, Out], pieces: Iterable[In], workers: int) -> Iterator[Out]:
    """Yield the result of each piece, in the order in which they are done. Raises CrewError."""
    crew: _Crew[In, Out] = _Crew(work, pieces)
    try:
        crew.hire(workers)
        while crew.members:
            yield from crew.next_results()
    finally:
        crew.dismiss()


class _Member:
    """One worker, seen from here. pieces: what it has to do, the one at work first."""

    def __init__(self, work: Work[Any, Any]) -> None:
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, work), daemon=True)
        self.process.start()
        other.close()
        self.pieces: deque[Any] = deque()

    def give(self, piece: object) -> None:
        self.pieces.append(piece)
        try:
            self.pipe.send(piece)
        except OSError:  # it is dead: whoever listens to it will notice
            return

    def dismiss(self) -> None:
        self.process.terminate()
        self.process.join()
        self.pipe.close()


class _Crew(Generic[In, Out]):
    """All workers, and what is left to do."""

    def __init__(self, work: Work[In, Out], pieces: Iterable[In]) -> None:
        self.work = work
        self.pieces = iter(pieces)
        self.again: deque[In] = deque()
        self.deaths: Counter[str] = Counter()
        self.members: dict[Connection, _Member] = {}

    def hire(self, count: int) -> None:
        """Let more workers begin."""
        for _ in range(count):
            member = _Member(self.work)
            self.members[member.pipe] = member
            for _ in range(_AHEAD):
                self._feed(member)
            self._send_home(member)

    def next_results(self) -> Iterator[Out]:
        """Wait for workers that have something to say."""
        for pipe in wait(list(self.members)):
            member = self.members[pipe]  # type: ignore[index]
            try:
                is_done, result = member.pipe.recv()
            except (EOFError, OSError):
                self._bury(member)
                continue
            if not is_done:
                raise CrewError(result)
            member.pieces.popleft()
            self._feed(member)
            yield result
            self._send_home(member)

    def dismiss(self) -> None:
        """End all workers that are left."""
        for member in self.members.values():
            member.dismiss()
        self.members.clear()

    def _feed(self, member: _Member) -> None:
        piece = self.again.popleft() if self.again else next(self.pieces, None)
        if piece is not None:
            member.give(piece)

    def _send_home(self, member: _Member) -> None:
        if not member.pieces:
            self.members.pop(member.pipe).dismiss()

    def _bury(self, member: _Member) -> None:
        """Let another worker do what a dead one had to do. Raises CrewError for a piece that kills."""
        self.members.pop(member.pipe).dismiss()
        killer = repr(member.pieces[0])
        self.deaths[killer] += 1
        if self.deaths[killer] >= _DEATHS:
            raise CrewError(f"{_DEATHS} workers died one after the other at {killer:.100}")
        self.again.extend(member.pieces)
        self.hire(1)


def _serve(pipe: Connection, work: Work[Any, Any]) -> None:
    """Do pieces until nobody sends any more; a worker whose crew is gone goes too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with work as ready:
            while True:
                pipe.send((True, ready(pipe.recv())))
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:  # noqa: BLE001 - whatever went wrong is told at home, in one line
        pipe.send((False, f"{type(error).__name__}: {error}"))
