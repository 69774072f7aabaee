"""A program of anybody's at a seat: asked by the engine protocol, and held to it.

What it may not do loses the game and no more: it is killed, and asked again it is started anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Self

from ekoes.arena.choice import Choice, ForfeitError, Limit, Past
from ekoes.arena.process import Process
from ekoes.arena.protocol import DEFAULT_MEMORY, GRACE, PROTOCOL
from ekoes.bots.sight import decisions_seen
from ekoes.errors import EkoesError
from ekoes.games.contract import Json, Position
from ekoes.games.strict_json import parse_json

__all__ = ["Program", "Terms"]

_KEPT = ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "EKOES_CACHE_DIR")
"""What a program gets of our own environment."""
_LIBRARIES = ("OMP", "OPENBLAS", "MKL")
"""Whose threads are as many as the program may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How a program is started and held.

    level: which of its levels plays, None: its full strength. threads: how many it may use. memory: MiB,
    of each of its processes. environment: what it gets beside the little that every program gets. folder:
    where it is started, None: here. start: seconds until it has to say hello. patience: seconds for a
    choice whose limit names none.
    """

    level: str | None = None
    threads: int = 1
    memory: int = DEFAULT_MEMORY
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: Path | None = None
    start: float = 60.0
    patience: float = 60.0


class Program:
    """A player that is another program; a context manager, killed with all that it started at the end."""

    def __init__(self, command: Sequence[str], terms: Terms | None = None) -> None:
        """Take a program that has not been started. command: its words."""
        self._command = tuple(command)
        self._terms = terms or Terms()
        self._process: Process | None = None
        self._number = 0
        self.hello: Json = {}
        """What it last said of itself: ``name``, ``version``, ``games``, ``levels``."""

    def __enter__(self) -> Self:
        """Start it and hear its hello. Raises ForfeitError."""
        self._running()
        return self

    def __exit__(self, *_: object) -> None:
        """Let it quit, and see to it that nothing of it is left."""
        if self._process is not None:
            self._process.end(_line(self._number + 1, {"cmd": "quit"}))
            self._process = None

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Ask for the decision of a seat. Raises ForfeitError: the game is lost.

        past: leads to the position, so that repetitions and what was seen are known.
        """
        with self._held(self._running()) as process:
            result, took = self._chosen(process, position.game.name, _what(position, seat, past), limit)
            return Choice(_legal_action(position, seat, result.get("action")), took)

    def wish(self, game: str, what: Json, limit: Limit) -> Json:
        """Ask what to do, and return it as it is said: whoever asks has it judged. Raises ForfeitError.

        what: ``position`` and ``seat``, with ``actions`` if need be; or ``view``, ``seat`` and ``seen``.
        """
        with self._held(self._running()) as process:
            action = self._chosen(process, game, what, limit)[0].get("action")
            if not isinstance(action, dict):
                raise ForfeitError("garbled", "its answer has no action")
            return action

    def _chosen(self, process: Process, game: str, what: Json, limit: Limit) -> tuple[Json, float]:
        """Return what it answers, and how long it took."""
        if game not in self.hello["games"]:
            raise ForfeitError("garbled", f"it does not play {game}")
        seconds = self._terms.patience if limit.seconds is None else limit.seconds
        begun = perf_counter()
        result = self._ask(process, {"cmd": "choose"} | what | self._limits(limit), seconds + GRACE)
        return result, perf_counter() - begun

    def _running(self) -> Process:
        """Return its process, started if there is none."""
        if self._process is None:
            terms = self._terms
            self._process = Process(self._command, terms.memory, _environment(terms), terms.folder)
            with self._held(self._process):
                self.hello = self._ask(self._process, {"cmd": "hello"}, terms.start)
                if self.hello.get("protocol") != PROTOCOL or not isinstance(self.hello.get("games"), list):
                    raise ForfeitError("garbled", f"its hello is not one of protocol {PROTOCOL}")
        return self._process

    @contextmanager
    def _held(self, process: Process) -> Iterator[Process]:
        """Kill it if anything goes wrong in the block."""
        try:
            yield process
        except BaseException:
            self._process = None
            process.end()
            raise

    def _ask(self, process: Process, request: Json, seconds: float) -> Json:
        """Return the result of a request. Raises ForfeitError."""
        self._number += 1
        answer = _read(process.ask(_line(self._number, request), seconds))
        if "error" in answer:
            raise ForfeitError("garbled", f"it refuses the request: {str(answer['error'])[:200]}")
        result = answer.get("result")
        if not isinstance(result, dict) or type(answer.get("id")) is not int or answer["id"] != self._number:
            raise ForfeitError("garbled", "what it said is no answer to the request")
        return result

    def _limits(self, limit: Limit) -> Json:
        terms = self._terms
        limits: Json = {"seed": limit.seed, "threads": terms.threads, "memory": terms.memory}
        if limit.iterations is not None:
            limits["iterations"] = limit.iterations
        if limit.seconds is not None or limit.iterations is None:
            limits["time"] = terms.patience if limit.seconds is None else limit.seconds
        return limits if terms.level is None else limits | {"level": terms.level}


def _environment(terms: Terms) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    threads = {f"{library}_NUM_THREADS": str(terms.threads) for library in _LIBRARIES}
    return {"LANG": "C.UTF-8"} | kept | threads | dict(terms.environment)


def _what(position: Position, seat: int, past: Past | None) -> Json:
    """Return what a request tells of the game: of a seat that does not see everything, its view alone."""
    game, sight = position.game, position.sight(seat)
    if sight is not position:
        seen = decisions_seen(game, past.decisions, seat) if past is not None else []
        return {"view": position.view(seat), "seat": seat, "seen": seen}
    if past is None:
        return {"position": position.to_json(), "seat": seat}
    actions = [game.action_to_json(action) for _, action in past.decisions]
    return {"position": past.first.to_json(), "actions": actions, "seat": seat}


def _line(number: int, request: Json) -> bytes:
    return json.dumps({"id": number} | request, separators=(",", ":")).encode() + b"\n"


def _read(line: bytes) -> Json:
    """Read an answer. Raises ForfeitError."""
    try:
        answer = parse_json(line.decode())
    except (UnicodeDecodeError, EkoesError) as error:
        raise ForfeitError("garbled", f"what it said is no JSON: {line[:80]!r}") from error
    if not isinstance(answer, dict):
        raise ForfeitError("garbled", "what it said is no JSON object")
    return answer


def _legal_action(position: Position, seat: int, value: object) -> Any:  # noqa: ANN401
    """Return the action that it chose. Raises ForfeitError if the rules do not allow it."""
    try:
        action = position.game.parse_action(value)
    except EkoesError as error:
        raise ForfeitError("illegal", f"no action: {error}") from error
    if action not in position.legal(seat):
        refusal = position.why_not(seat, action) or "not possible here"
        raise ForfeitError("illegal", f"{json.dumps(value)[:200]}: {refusal}")
    return action
