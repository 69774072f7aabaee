"""`python -m tests.services [NAME …]` installs the programs that tests start, and prints where they are."""

from __future__ import annotations

import sys

from tests.services.programs import PROGRAMS, install

for name in sys.argv[1:] or PROGRAMS:
    print(f"{name}: {install(name)}")
