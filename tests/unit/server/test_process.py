"""Processes beside the server are forked from one that is ready."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each is started afresh")

FORKED = """
import os, signal
from multiprocessing.forkserver import _forkserver
from pathlib import Path
from ekoes.server.workers.worker_process import _CONTEXT, Process, end_fork_server

def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

def nothing():
    pass

if __name__ == "__main__":
    _CONTEXT.set_forkserver_preload(["ekoes.errors"])  # is soon there
    first, second = Process("first", nothing), Process("second", nothing)
    for one in (first, second):
        one.get_ready()
        print(parent(one.pid) == parent(first.pid) != os.getpid(), os.getpriority(os.PRIO_PROCESS, one.pid))
    print(first.do(10, os.getpid) == first.pid, second.do(10, os.getpid) == second.pid)
    os.kill(parent(first.pid), signal.SIGKILL)
    try:
        third = Process("third", nothing)
    except ChildProcessError:  # unless it has gone already
        third = Process("third", nothing)
    third.get_ready()
    print(third.do(10, os.getpid) == third.pid)
    for one in (first, second, third):
        end_fork_server()
        print(_forkserver._forkserver_pid is None)
        one.kill()
    end_fork_server()
    print(_forkserver._forkserver_pid is None)
    fourth = Process("fourth", nothing)
    fourth.get_ready()
    print(fourth.do(10, os.getpid) == fourth.pid)
"""


def output(*arguments: str | Path) -> str:
    """What Python prints, which has no error to tell of."""
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    return done.stdout


def test_fork_server_is_replaced_when_it_dies_and_ends_after_the_last_worker(
    tmp_path: Path,
) -> None:
    program = tmp_path / "program.py"
    program.write_text(FORKED, "ascii")
    nice = os.getpriority(os.PRIO_PROCESS, 0) + 5
    ended = ["False"] * 3 + ["True"]
    assert output(program).splitlines() == [f"True {nice}"] * 2 + ["True True", "True", *ended, "True"]


def test_one_that_loads_knows_nothing_of_servers_and_has_no_threads() -> None:
    look = "print(threading.active_count(), 'fastapi' in sys.modules)"
    assert output("-c", f"import sys, threading, ekoes.server.preload; {look}") == "1 False\n"
