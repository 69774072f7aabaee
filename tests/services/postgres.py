"""A PostgreSQL server of the tests: in a temporary folder, reached by a socket there, gone with them.

What it keeps need not survive the machine, so nothing waits for the disk. One database is lent to one test
after the other, and emptied between: that is quicker than making one.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from time import sleep
from typing import Any

import psycopg
from sqlalchemy import delete

from ekoes.storage.schema import Base
from ekoes.storage.store import Store
from tests.services.programs import find

_INIT = ("--no-sync", "--auth=trust", "--username=ekoes", "--locale=C", "--encoding=UTF8")
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
    "dynamic_shared_memory_type": "mmap",
    "max_connections": "60",
}
_TRIES = 100
_MADE = "made"
"""The database that is lent."""


@cache
def postgres() -> Postgres:
    """Return the server of these tests, which ends with them."""
    server = Postgres()
    atexit.register(server.remove)
    return server


class Postgres:
    """A server. settings: such as ``port``; what they are called is PostgreSQL's."""

    def __init__(self, **settings: str) -> None:
        self._bin = Path(find("postgresql")).parent
        self._settings, self._numbers = _SETTINGS | settings, count(1)
        # A socket's path has to be short.
        self.folder = Path(tempfile.mkdtemp(prefix="ekoes-pg-", dir="/tmp"))
        self._run_as: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = _user()
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._run_as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self._do("initdb", *_INIT, "-D", str(self.folder / "data"))
        self._process: subprocess.Popen[bytes] | None = None
        self._is_made = False
        self.start()

    def start(self) -> None:
        """Start it; it answers when this returns."""
        words = [word for key, value in self._settings.items() for word in ("-c", f"{key}={value}")]
        program, data = str(self._bin / "postgres"), str(self.folder / "data")
        command = [program, "-D", data, "-k", str(self.folder), *words]
        tries_left = _TRIES
        self._process = self._begin(command)
        while not self._answers():
            if self._process.poll() is not None:  # of one that was killed something may be there a while yet
                tries_left -= 1
                assert tries_left, (self.folder / "log").read_text()
                self._process = self._begin(command)

    def _begin(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **self._run_as
            )

    @property
    def pid(self) -> int:
        """The process whose children do all the work. Only while it runs."""
        assert self._process is not None
        return self._process.pid

    def stop(self, with_signal: signal.Signals = signal.SIGINT) -> None:
        """End it: its clients are disconnected. SIGQUIT: as if it had crashed."""
        if self._process is not None:
            self._process.send_signal(with_signal)
            self._process.wait(timeout=60)
            self._process = None

    def remove(self) -> None:
        """End it, and leave nothing."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self.folder / ".s.PGSQL.5432"

    def url(self, database: str) -> str:
        """Return the address of a database for the store."""
        return f"postgresql://ekoes@/{database}?host={self.folder}"

    def empty(self) -> str:
        """Make a database with nothing in it. Returns its address."""
        name = f"empty{next(self._numbers)}"
        self.command(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)

    @contextmanager
    def database(self) -> Iterator[str]:
        """Lend a database with the schema and nothing in it, always the same. Yields: its address."""
        self._make()
        yield self.url(_MADE)
        self.command(_emptying(), _MADE)

    def command(self, text: str, database: str = "postgres") -> None:
        """Do something beside all transactions."""
        line = f"host={self.folder} user=ekoes dbname={database}"
        with psycopg.connect(line, autocommit=True) as connection:
            connection.execute(text.encode())

    def _make(self) -> None:
        if not self._is_made:
            self._is_made = True
            self.command(f"CREATE DATABASE {_MADE} TEMPLATE template0")
            Store(self.url(_MADE)).close()

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError):
            self.command("SELECT 1")
            return True
        sleep(0.02)  # it is starting; nothing tells when it has
        return False

    def _do(self, program: str, *words: str) -> None:
        subprocess.run(
            [self._bin / program, *words], check=True, cwd="/", stdout=subprocess.DEVNULL, **self._run_as
        )


def _emptying() -> str:
    """Return what takes all rows out of a database but the one that names its schema."""
    tables = [table for table in reversed(Base.metadata.sorted_tables) if table.name != "schema"]
    numbered = [table.name for table in tables if table.autoincrement_column is not None]
    return ";".join(
        [
            *(str(delete(table)) for table in tables),
            *(f"ALTER SEQUENCE {name}_number_seq RESTART" for name in numbered),
        ]
    )


def _user() -> pwd.struct_passwd:
    """Return whom root lets it run as: PostgreSQL refuses to be root's."""
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")
