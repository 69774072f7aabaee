"""Before a server lets anybody in, kernels are loaded, and pages that only a start needs have gone."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ekoes.server.workers.warmup import let_go_of_files

LETS_GO = """
import re
from pathlib import Path
from ekoes.server.workers.warmup import get_ready, rules_steps

def held():
    maps = Path("/proc/self/smaps").read_text()
    return sum(int(kib) for kib in re.findall(r"libllvmlite[^\\n]*\\n(?:.*\\n)*?Rss: +([0-9]+) kB", maps))

for step in rules_steps():
    step.run()
before = held()
get_ready()
after = held()

import numba
import numpy as np

@numba.njit
def double(numbers):
    return 2 * numbers

assert double(np.arange(3)).tolist() == [0, 2, 4], "the compiler has come back"
print(before, after)
"""


def test_where_nothing_tells_of_mappings_nothing_is_done(tmp_path: Path) -> None:
    assert let_go_of_files(tmp_path / "smaps") == 0


def test_what_was_changed_after_it_was_read_stays(tmp_path: Path) -> None:
    """A mapping of pages that are this process's own is no file's any more."""
    maps = tmp_path / "smaps"
    maps.write_text(
        "10000-20000 r--p 00000000 fe:00 1 /lib/relocated.so\nRss: 64 kB\nAnonymous: 4 kB\n"
        "20000-30000 rw-p 00000000 fe:00 1 /lib/data.so\nRss: 64 kB\nAnonymous: 0 kB\n"
        "30000-40000 r--p 00000000 fe:00 1 /var/tables.sqlite\nRss: 64 kB\nAnonymous: 0 kB\n"
        "40000-50000 rw-p 00000000 00:00 0\nRss: 64 kB\nAnonymous: 64 kB\n"
    )
    assert let_go_of_files(maps) == 0


def test_compiler_is_let_go_and_comes_back_when_it_is_needed() -> None:
    run = subprocess.run([sys.executable, "-c", LETS_GO], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    before, after = map(int, re.findall(r"\d+", run.stdout))
    assert after < before / 10, "KiB of the compiler in memory"
