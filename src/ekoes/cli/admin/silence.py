"""``ekoes admin silence``: somebody may say nothing for a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from ekoes.cli.admin.kept import Data, Database, Name, Reported, Why, deed, opened, whom, written
from ekoes.cli.console import emit, write_json

__all__ = ["command"]


def command(
    name: Name = None,
    report: Reported = None,
    hours: Annotated[float, typer.Option(min=0.01, max=24 * 3650, help="How long.")] = 24,
    end: Annotated[bool, typer.Option("--end", help="They may talk again.")] = False,
    why: Why = "",
    data: Data = None,
    database: Database = "",
) -> None:
    """Silence an account, or the guest of a report, for a time. It holds from their next line on."""
    with opened(data, database) as store:
        to = whom(store, name, report)
        done = deed("unsilence" if end else "silence", to, why)
        until = None if end else done.at + timedelta(hours=hours)
        words = why if until is None else "; ".join(filter(None, [f"until {written(until)}", why]))
        store.wardens.silence(deed(done.did, to, words), until)
    emit([write_json({"name": to.name, "silenced_until": None if until is None else until.isoformat()})])
