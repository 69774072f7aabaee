"""``ekoes engine``: the bots of this house for other programs, by the engine protocol.

One thread reads, so that a ``stop`` is seen while a request is at work; another answers, in order but for
the stops, which follow at once what is at work.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from threading import Condition, Thread

import typer

from ekoes.cli.at_work import AT_WORK
from ekoes.cli.choosing import COMMANDS, rehearse
from ekoes.cli.console import emit, standard_input, write_json
from ekoes.cli.requests import Asked, Request, answer_to, perform, read_requests
from ekoes.errors import EkoesError

__all__ = ["command"]

_MOST_WAITING = 1000
"""Requests that are read ahead; more stay in the pipe."""


def command() -> None:
    """Let other programs ask the bots of all games, one JSON per line in and out, until they quit."""
    _get_ready()
    desk = _Desk()
    worker = Thread(target=_answer_all, args=(desk,), daemon=True)
    worker.start()
    for asked in read_requests(standard_input()):
        if _is(asked, "quit"):
            break
        desk.put(asked)
    desk.put(None)
    worker.join()


def _get_ready() -> None:
    """Compile and load all that an answer needs: then it takes no longer than its thought."""
    from ekoes.bots.opening import warm_bots
    from ekoes.cli.warm import warm_once

    warm_once()
    warm_bots()
    rehearse()


class _Desk:
    """What is asked, in order; the first is at work until it has been answered. None: there is no more."""

    def __init__(self) -> None:
        self._asked: deque[Asked | None] = deque()
        self._changed = Condition()

    def put(self, asked: Asked | None) -> None:
        """Add what is asked, a stop right after what is at work. Waits while there is too much."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._asked) < _MOST_WAITING)
            if _is(asked, "stop") and self._asked:
                AT_WORK.halt()
            self._asked.insert(self._place(asked), asked)
            self._changed.notify_all()

    def _place(self, asked: Asked | None) -> int:
        """Return where something goes: at the end, a stop after what is at work and earlier stops."""
        place = len(self._asked) if not _is(asked, "stop") else min(1, len(self._asked))
        while place < len(self._asked) and _is(self._asked[place], "stop"):
            place += 1
        return place

    def first(self) -> Asked | None:
        """Return what is to be at work now, as soon as something is."""
        with self._changed:
            self._changed.wait_for(lambda: self._asked)
            return self._asked[0]

    def done(self) -> None:
        """Take away what was at work."""
        with self._changed:
            self._asked.popleft()
            AT_WORK.clear()
            self._changed.notify_all()


def _is(asked: Asked | None, name: str) -> bool:
    """Whether a request is a plain one of a name; with any other key it waits for its turn to be refused."""
    return asked is not None and asked.request.get("cmd") == name and asked.request.keys() <= {"id", "cmd"}


def _answer_all(desk: _Desk) -> None:
    """Answer what is asked, until there is no more."""
    while (asked := desk.first()) is not None:
        answer = answer_to(asked, _do)
        desk.done()  # before it is told: whoever asks on must not find it at work
        with suppress(typer.Exit):  # nobody hears it: the end of the input will follow
            emit([write_json(answer)])


def _do(request: Request) -> object:
    """Do what is asked. Raises EkoesError, whatever goes wrong: the program lives on."""
    try:
        return perform(request, COMMANDS)
    except EkoesError:
        raise
    except Exception as error:
        raise EkoesError(f"internal error, please report it: {type(error).__name__}: {error}") from error
