"""`python -m tests.services [NAME …]` installs the programs that tests start, and prints where they are."""

from __future__ import annotations

import sys

from tests.services.programs import PROGRAMS, find, install

names = sys.argv[1:] or list(PROGRAMS)
install(names)
for name in names:
    print(f"{name}: {find(name)}")
