"""The players of the arena: bots of this package, and external engines.

An external engine is another program that speaks the engine protocol, version 1.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter
from types import MappingProxyType
from typing import IO, Any, NoReturn, Protocol, Self

from ekoes.bots import Thought, decide, decisions_seen, seated
from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, Position
from ekoes.games.api.parts import Chooser
from ekoes.games.api.reading import parse_json


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of a choice, and its seed.

    seconds: of wall clock; iterations: of a search; None: no limit. The first one reached ends the search.
    seed: equal seeds make equal choices, unless the clock decides.
    """

    seconds: float | None = None
    iterations: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice. action: a legal action of the game. seconds: how long it took."""

    action: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class Past:
    """The history of a game.

    first: a position; decisions: (seat, action) since then, in order. seen: the positions at the beginning
    of each turn, as the repetition rule compares them, if the game has one.
    """

    first: Position
    decisions: Sequence[tuple[int, Any]]
    seen: Sequence[bytes] = ()


class ForfeitError(EkoesError):
    """A player loses the game, not the match, because it broke the protocol, the rules or its limits.

    reason: a stable word, ``illegal``, ``time``, ``dead``, ``flood``, ``memory`` or ``garbled``. The
    message describes what happened in one line.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class Player(Protocol):
    """A player of many games, one after the other."""

    def close(self) -> None:
        """Release everything; the next choice begins anew."""

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Choose a legal action for a seat to move. Raises ForfeitError.

        position, past: complete. A player that is not trusted passes on only what its seat may see.
        """


class BotPlayer:
    """A bot of this package. It sees only ``Position.sight``, and respects limits if it supports them.

    At each seat of a game it may keep what it found, as at a table; each game begins without.
    """

    def __init__(self, bot: Chooser) -> None:
        self.bot = bot
        self._past: Past | None = None
        self._seated: dict[int, Chooser] = {}

    def close(self) -> None:
        """Forget the game."""
        self._past, self._seated = None, {}

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Let the bot choose, with the seed of the limit."""
        begun = perf_counter()
        thought = Thought(limit.seconds, limit.iterations, () if past is None else past.seen)
        action = decide(self._at(seat, past), position.sight(seat), seat, Chance(limit.seed), thought)
        return Choice(action, perf_counter() - begun)

    def _at(self, seat: int, past: Past | None) -> Chooser:
        """Return the bot for a seat. past: of a game, the same object for all its decisions."""
        if past is None:
            return self.bot
        if past is not self._past:
            self._past, self._seated = past, {}
        return self._seated.setdefault(seat, seated(self.bot))


# ---------------------------------------------------------------- external engines

PROTOCOL = 1
"""The version of the engine protocol."""

BUDGETS = ("time", "iterations", "depth")
"""The limits, of which a request has at least one."""

VIEW_KEYS = ("view", "seat", "seen")
"""The keys that replace a position in games with hidden information."""

DEFAULT_MEMORY = 256
"""The default memory limit in MiB."""

GRACE = 0.5
"""Seconds beyond its time after which a silent program forfeits the game."""


LONGEST_ANSWER = 1024 * 1024
"""The largest answer in bytes, including blank lines before it."""

_CHUNK = 65536
_LAST_WORDS = 1000  # bytes of standard error that are stored
_FAREWELL = 0.3  # seconds for a program to exit by itself
_TO_END = 1.0  # seconds for the status of a program that has closed its output
_TO_KILL = 10.0  # seconds in which all processes of a program end
_LONGEST_QUOTE = 200
_HINTS = ("memory", "bad_alloc")  # in messages of programs that ran out of memory


class Process:
    """A program as a child process with limits: one line in, one line out.

    Pipes never block, every wait has a timeout, output is bounded, and whatever the program has started is
    killed at the end (``launch.py``). command: program and arguments; memory: MiB; environment: the complete
    environment.
    """

    def __init__(self, command: Sequence[str], memory: int, environment: Mapping[str, str]) -> None:
        """Start the program in its own session."""
        launch = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")), str(memory)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - the program is the user's own choice
            [*launch, *command],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=dict(environment),
            bufsize=0,
            start_new_session=True,
        )
        self._unsent = b""
        self._received = bytearray()
        self._last_words = b""
        self._selector = selectors.DefaultSelector()
        self._watch(self._process.stdout, selectors.EVENT_READ, self._read_output)
        self._watch(self._process.stderr, selectors.EVENT_READ, self._read_errors)

    def _watch(self, pipe: IO[bytes] | None, event: int, act: Callable[[int], None]) -> None:
        if pipe is not None:
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, event, act)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the next one. Raises ForfeitError: then the program should be killed."""
        ends = monotonic() + seconds
        self._unsent, self._left = line, LONGEST_ANSWER
        self._watch(self._process.stdin, selectors.EVENT_WRITE, self._send)
        while (answer := self._next_line()) is None:
            rest = ends - monotonic()
            if rest <= 0:
                raise ForfeitError("time", f"no answer within {seconds:g} s")
            for key, _ in self._selector.select(rest):
                key.data(key.fd)
        if self._unsent:
            raise ForfeitError("garbled", "it answered before it had read the request")
        return answer

    def end(self, farewell: bytes = b"") -> None:
        """Kill the program and whatever it has started. farewell: a line to send first."""
        if farewell:
            with suppress(ForfeitError):
                self.ask(farewell, _FAREWELL)
        self._process.terminate()
        try:
            self._process.wait(_TO_KILL)
        except subprocess.TimeoutExpired:  # the program has stopped what should kill it
            self._process.kill()
            self._process.wait()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _send(self, pipe: int) -> None:
        try:
            sent = os.write(pipe, self._unsent[:_CHUNK])
        except BrokenPipeError:  # it has closed its input: reading will time out or find it dead
            sent = len(self._unsent)
        self._unsent = self._unsent[sent:]
        if not self._unsent:
            self._selector.unregister(pipe)

    def _read_output(self, pipe: int) -> None:
        data = os.read(pipe, _CHUNK)
        if not data:
            self._fail()
        self._left -= len(data)
        if self._left < 0:
            raise ForfeitError("flood", f"more than {LONGEST_ANSWER // 1024} KiB for one answer")
        self._received += data

    def _next_line(self) -> bytes | None:
        while (end := self._received.find(b"\n")) >= 0:
            line = bytes(self._received[:end])
            del self._received[: end + 1]
            if line.strip():
                return line
        return None

    def _read_errors(self, pipe: int) -> None:
        """Store the last bytes of standard error."""
        data = os.read(pipe, _CHUNK)
        if not data:
            self._selector.unregister(pipe)
        self._last_words = (self._last_words + data)[-_LAST_WORDS:]

    def _fail(self) -> NoReturn:
        """Raise ForfeitError because the output has ended, with the exit status if there is one."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_TO_END)
        errors = self._process.stderr
        if errors is not None and errors.fileno() in self._selector.get_map():
            with suppress(BlockingIOError):
                self._read_errors(errors.fileno())
        words = self._last_words.decode("utf-8", "replace").split("\n")
        said = next((line.strip() for line in reversed(words) if line.strip()), "")
        status = self._process.returncode
        ran_out = status not in {None, 0} and any(hint in said.lower() for hint in _HINTS)
        message = f"{_ended(status)}: {said[:_LONGEST_QUOTE]}" if said else _ended(status)
        raise ForfeitError("memory" if ran_out else "dead", message)


def _ended(status: int | None) -> str:
    if status is None:
        return "it closed its output"
    return f"it ended with status {status}" if status >= 0 else f"it was ended by signal {-status}"


_INHERITED = ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "EKOES_CACHE_DIR")
"""The environment variables that a program inherits."""
_LIBRARIES = ("OMP", "OPENBLAS", "MKL")
"""Libraries whose number of threads is limited to one."""


class Program:
    """An external engine as a player, started when it is first asked; a context manager that kills it.

    A violation of the protocol forfeits the game: the program is killed, and started again for the next one.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        level: str | None = None,
        memory: int = DEFAULT_MEMORY,
        environment: Mapping[str, str] = MappingProxyType({}),
        start: float = 60.0,
        patience: float = 60.0,
    ) -> None:
        """Create a player that is not started yet. command: program and arguments.

        level: the level that plays, None: full strength. memory: MiB per process. environment: additional
        variables. start: seconds until it has to answer ``hello`` and ``ready``. patience: seconds for a
        choice without a time limit.
        """
        self._command = tuple(command)
        self._level, self._memory, self._environment = level, memory, environment
        self._start, self._patience = start, patience
        self._process: Process | None = None
        self._number = 0
        self._ready_for: set[str] = set()
        self.hello: Json = {}
        """Its last answer to ``hello``: ``name``, ``version``, ``games``, ``levels``, perhaps ``ready``."""

    def __enter__(self) -> Self:
        """Start the program now and read its ``hello``. Raises ForfeitError."""
        self._running()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Send ``quit``, then kill whatever is left."""
        if self._process is not None:
            self._process.end(_line(self._number + 1, {"cmd": "quit"}))
            self._process = None

    def ready(self, game: str) -> None:
        """Let the program get ready for a game, if its ``hello`` asks for that. Raises ForfeitError."""
        with self._killed_on_error(self._running()) as process:
            self._make_ready(process, game)

    def choose(self, position: Position, seat: int, limit: Limit, past: Past | None = None) -> Choice:
        """Ask for the decision of a seat. Raises ForfeitError.

        past: the history of the position, for repetitions and hidden information.
        """
        with self._killed_on_error(self._running()) as process:
            result, took = self._chosen(process, position.game.name, _what(position, seat, past), limit)
            return Choice(check_action(position, seat, result.get("action")), took)

    def ask(self, game: str, what: Json, limit: Limit) -> Json:
        """Ask for an action and return it unchecked: the caller has it judged. Raises ForfeitError.

        what: ``position`` and ``seat``, with ``actions`` if need be; or ``view``, ``seat`` and ``seen``.
        """
        with self._killed_on_error(self._running()) as process:
            action = self._chosen(process, game, what, limit)[0].get("action")
            if not isinstance(action, dict):
                raise ForfeitError("garbled", "its answer has no action")
            return action

    def _chosen(self, process: Process, game: str, what: Json, limit: Limit) -> tuple[Json, float]:
        """Return the answer and how long it took."""
        if game not in self.hello["games"]:
            raise ForfeitError("garbled", f"it does not play {game}")
        self._make_ready(process, game)
        seconds = self._patience if limit.seconds is None else limit.seconds
        begun = perf_counter()
        result = self._ask(process, {"cmd": "choose"} | what | self._limits(limit), seconds + GRACE)
        return result, perf_counter() - begun

    def _make_ready(self, process: Process, game: str) -> None:
        if self.hello.get("ready") is True and game not in self._ready_for:
            self._ask(process, {"cmd": "ready", "game": game}, self._start)
            self._ready_for.add(game)

    def _running(self) -> Process:
        """Return its process; start it if there is none."""
        if self._process is None:
            self._process = Process(self._command, self._memory, _inherited() | dict(self._environment))
            self._ready_for.clear()
            with self._killed_on_error(self._process):
                self.hello = self._ask(self._process, {"cmd": "hello"}, self._start)
                if self.hello.get("protocol") != PROTOCOL or not isinstance(self.hello.get("games"), list):
                    raise ForfeitError("garbled", f"its hello is not one of protocol {PROTOCOL}")
        return self._process

    @contextmanager
    def _killed_on_error(self, process: Process) -> Iterator[Process]:
        """Kill the process if the block raises."""
        try:
            yield process
        except BaseException:
            self._process = None
            process.end()
            raise

    def _ask(self, process: Process, request: Json, seconds: float) -> Json:
        """Return the result of a request. Raises ForfeitError."""
        self._number += 1
        answer = _parse_answer(process.ask(_line(self._number, request), seconds))
        if "error" in answer:
            raise ForfeitError("garbled", f"it refuses the request: {str(answer['error'])[:200]}")
        result = answer.get("result")
        if not isinstance(result, dict) or type(answer.get("id")) is not int or answer["id"] != self._number:
            raise ForfeitError("garbled", "its answer does not belong to the request")
        return result

    def _limits(self, limit: Limit) -> Json:
        limits: Json = {"seed": limit.seed, "threads": 1, "memory": self._memory}
        if limit.iterations is not None:
            limits["iterations"] = limit.iterations
        if limit.seconds is not None or limit.iterations is None:
            limits["time"] = self._patience if limit.seconds is None else limit.seconds
        return limits if self._level is None else limits | {"level": self._level}


def _inherited() -> dict[str, str]:
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    threads = {f"{library}_NUM_THREADS": "1" for library in _LIBRARIES}
    return {"LANG": "C.UTF-8"} | inherited | threads


def _what(position: Position, seat: int, past: Past | None) -> Json:
    """Return the part of a request about the game: only a view if something is hidden from the seat."""
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


def _parse_answer(line: bytes) -> Json:
    """Read an answer. Raises ForfeitError."""
    try:
        answer = parse_json(line.decode())
    except (UnicodeDecodeError, EkoesError) as error:
        raise ForfeitError("garbled", f"its answer is no JSON: {line[:80]!r}") from error
    if not isinstance(answer, dict):
        raise ForfeitError("garbled", "its answer is no JSON object")
    return answer


def check_action(position: Position, seat: int, value: object) -> object:
    """Return the action that a program has chosen for a seat. Raises ForfeitError if it is illegal."""
    try:
        action = position.game.parse_action(value)
    except EkoesError as error:
        raise ForfeitError("illegal", f"no action: {error}") from error
    if action not in position.legal(seat):
        refusal = position.why_not(seat, action) or "not possible here"
        raise ForfeitError("illegal", f"{json.dumps(value)[:200]}: {refusal}")
    return action
