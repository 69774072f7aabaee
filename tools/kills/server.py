"""A server that ends as a power cut would, in the midst of what it writes.

``python -m tools.kills.server FOLDER PORT STATEMENTS``: after so many statements that change the
database it kills itself, before the next one and so before the commit; 0: never.
"""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from pathlib import Path
from typing import Any

import uvicorn
from sqlalchemy import Engine, event

from ekoes.server.app import create_app
from ekoes.server.settings import Settings
from ekoes.server.wire import uvicorn_config

__all__ = ["cut"]

_WRITES = ("INSERT", "UPDATE", "DELETE", "WITH")


def cut(engine: Engine, statements: int) -> None:
    """Kill this process once it has changed a database so many times, in whatever transaction that is."""
    done = count(1)

    def counts(_connection: Any, _cursor: Any, statement: str, *_: object) -> None:  # noqa: ANN401
        if statement.startswith(_WRITES) and next(done) > statements:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(engine, "before_cursor_execute", counts)


def main(folder: str, port: str, statements: str) -> None:
    """Serve until somebody ends it, or it does so itself."""
    app = create_app(Settings(data=Path(folder), bot_workers=0))
    if int(statements):
        cut(app.state.hub._store._engine, int(statements))  # noqa: SLF001
    config = uvicorn_config(app, "critical")
    config.port = int(port)
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
