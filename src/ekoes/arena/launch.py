"""A script that limits its own memory, then executes another program.

``python -I -S launch.py MIB COMMAND…``. It imports only the standard library, so that it starts
within milliseconds, and no code runs between fork and exec of a process with threads.
"""

from __future__ import annotations

import os
import resource
import signal
import sys

_MIB = 1024 * 1024
_NOT_STARTED = 127


def main(memory: str, *command: str) -> None:
    """Execute a program whose processes can't take more than this many MiB each."""
    most = int(memory) * _MIB
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the program would inherit that
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is wanted
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(_NOT_STARTED)


if __name__ == "__main__":
    main(*sys.argv[1:])
