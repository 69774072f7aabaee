"""Started as a script: takes a bound of memory upon itself, then becomes another program.

``python -I -S launch.py MIB COMMAND…``. Nothing is imported but the standard library, so that it takes
some milliseconds, and no code runs between fork and exec in a process that has threads.
"""

from __future__ import annotations

import os
import resource
import signal
import sys

_MIB = 1024 * 1024
_NOT_STARTED = 127


def main(memory: str, *command: str) -> None:
    """Become a program that can't take more memory than so many MiB, in each of its processes."""
    most = int(memory) * _MIB
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and whoever comes after would too
    try:
        os.execvp(command[0], command)  # noqa: S606 - no shell is wanted
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        sys.exit(_NOT_STARTED)


if __name__ == "__main__":
    main(*sys.argv[1:])
