"""Another program as a process in bounds: a line goes in, a line comes out, or the game is lost.

Nothing that the program does can hold us up: pipes never block, every wait has an end, what it may
send is bounded, and its whole process group is killed in the end.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, NoReturn

from ekoes.arena.choice import ForfeitError

__all__ = ["LONGEST_ANSWER", "Process"]

LONGEST_ANSWER = 1024 * 1024
"""Bytes that may come for one line, blank lines before it included."""

_CHUNK = 65536
_LAST_WORDS = 1000  # bytes of standard error that are kept
_FAREWELL = 0.3  # seconds that a program has to end by itself
_LONGEST_TOLD = 200
_HINTS = ("memory", "bad_alloc")  # what programs say that got no more memory


class Process:
    """A started program. command: its words; memory: MiB; environment: all that it gets of it."""

    def __init__(
        self, command: Sequence[str], memory: int, environment: Mapping[str, str], folder: Path | None = None
    ) -> None:
        """Start it, in a process group of its own. folder: where; None: here."""
        launch = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")), str(memory)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - the program is the user's own choice
            [*launch, *command],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=dict(environment),
            cwd=folder,
            bufsize=0,
            start_new_session=True,
        )
        self._unsent = b""
        self._came = bytearray()
        self._last_words = b""
        self._selector = selectors.DefaultSelector()
        self._watch(self._process.stdout, selectors.EVENT_READ, self._hear)
        self._watch(self._process.stderr, selectors.EVENT_READ, self._overhear)

    def _watch(self, pipe: IO[bytes] | None, event: int, act: Callable[[int], None]) -> None:
        if pipe is not None:
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, event, act)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and return the one that comes next. Raises ForfeitError: then it should be ended."""
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
            raise ForfeitError("garbled", "it answered before it had been asked")
        return answer

    def end(self, farewell: bytes = b"") -> None:
        """Kill it and all processes that it has started. farewell: a line that it is told before."""
        if farewell:
            with suppress(ForfeitError):
                self.ask(farewell, _FAREWELL)
        with suppress(ProcessLookupError, PermissionError):  # nobody is left
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _send(self, pipe: int) -> None:
        try:
            sent = os.write(pipe, self._unsent[:_CHUNK])
        except BrokenPipeError:  # it does not listen: it will be found dead, or silent
            sent = len(self._unsent)
        self._unsent = self._unsent[sent:]
        if not self._unsent:
            self._selector.unregister(pipe)

    def _hear(self, pipe: int) -> None:
        data = os.read(pipe, _CHUNK)
        if not data:
            self._lose()
        self._left -= len(data)
        if self._left < 0:
            raise ForfeitError("flood", f"more than {LONGEST_ANSWER // 1024} KiB for one answer")
        self._came += data

    def _next_line(self) -> bytes | None:
        while (end := self._came.find(b"\n")) >= 0:
            line = bytes(self._came[:end])
            del self._came[: end + 1]
            if line.strip():
                return line
        return None

    def _overhear(self, pipe: int) -> None:
        """Keep the end of what it tells people."""
        data = os.read(pipe, _CHUNK)
        if not data:
            self._selector.unregister(pipe)
        self._last_words = (self._last_words + data)[-_LAST_WORDS:]

    def _lose(self) -> NoReturn:
        """Raise ForfeitError: its output has ended. How it died is told, if it has."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        errors = self._process.stderr
        if errors is not None and errors.fileno() in self._selector.get_map():
            with suppress(BlockingIOError):
                self._overhear(errors.fileno())
        words = self._last_words.decode("utf-8", "replace").split("\n")
        said = next((line.strip() for line in reversed(words) if line.strip()), "")
        status = self._process.returncode
        ran_out = status not in {None, 0} and any(hint in said.lower() for hint in _HINTS)
        told = f"{_ended(status)}: {said[:_LONGEST_TOLD]}" if said else _ended(status)
        raise ForfeitError("memory" if ran_out else "dead", told)


def _ended(status: int | None) -> str:
    if status is None:
        return "it closed its output"
    return f"it ended with status {status}" if status >= 0 else f"it was ended by signal {-status}"
