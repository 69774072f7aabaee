"""A script that starts another program with limited memory, and ends whatever that has started.

``python -I -S launch.py MIB COMMAND…``. It imports only the standard library, so that it starts
within milliseconds, and no code runs between fork and exec of a process with threads.

It ends as the program ends, at once on SIGTERM or with the process that has started it, and leaves nothing:
on Linux what has lost its parent becomes a child of this process, also in a session of its own.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress

_MIB = 1024 * 1024
_NOT_STARTED = 127
_SIGNAL_AT_PARENTS_DEATH, _ADOPT_ORPHANS = 1, 36  # of prctl
_AWAITED = {signal.SIGCHLD, signal.SIGTERM}


def main(memory: str, *command: str) -> None:
    """Run a program whose processes can't take more than this many MiB each."""
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
        prctl(_SIGNAL_AT_PARENTS_DEATH, signal.SIGTERM, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGCHLD, lambda *_: None)  # what is ignored can't be awaited
    signal.pthread_sigmask(signal.SIG_BLOCK, _AWAITED)
    child = os.fork()
    if child == 0:
        _execute(int(memory) * _MIB, command)
    for pipe in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), pipe)
    status = _awaited(child)
    last = _killed(child)
    _end_as(os.waitstatus_to_exitcode(last if status is None else status))


def _execute(memory: int, command: tuple[str, ...]) -> None:
    """Become the program."""
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the program would inherit that
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _AWAITED)
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is wanted
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.stderr.flush()
        os._exit(_NOT_STARTED)


def _awaited(child: int) -> int | None:
    """Wait for the end of a child and return its status, None if this process is asked to end before."""
    while signal.sigwait(_AWAITED) == signal.SIGCHLD:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == child:
                return ended[1]
    return None


def _killed(child: int) -> int:
    """Kill a child and whatever has been started since. Returns: its status, if it has not ended before."""
    status = 0
    with suppress(ProcessLookupError, PermissionError):  # no process of the group is left
        os.killpg(child, signal.SIGKILL)
    while True:
        for orphan in _children():
            with suppress(ProcessLookupError):
                os.kill(orphan, signal.SIGKILL)
        try:
            ended = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if ended[0] == child:
            status = ended[1]


def _children() -> list[int]:
    """Return the children of this process, as far as the system tells."""
    found = []
    for name in os.listdir("/proc") if sys.platform == "linux" else ():  # noqa: PTH208 - pathlib starts slowly
        with suppress(OSError, ValueError), open(f"/proc/{int(name)}/stat", "rb") as file:  # noqa: PTH123
            if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                found.append(int(name))
    return found


def _end_as(code: int) -> None:
    """End with a status, or by a signal if it is negative."""
    if code < 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _AWAITED)
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
