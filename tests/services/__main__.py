"""`python -m tests.services` says where the servers are that tests start, and gets what is missing."""

from __future__ import annotations

import sys

from tests.services import others, redis
from tests.services.packages import NOT_HAD, get
from tests.services.postgres import programs

for package, found in (
    ("postgresql", programs),
    ("redis-server", redis.program),
    ("nginx-light", others.nginx),
    ("systemd", others.systemd_analyze),
):
    if found() is None:
        get(package)
    if (path := found()) is None:
        sys.exit(NOT_HAD.format(package))
    print(f"{package}: {path}")
