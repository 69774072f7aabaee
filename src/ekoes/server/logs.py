"""What a server writes into its log: lines for people, or a JSON object each.

Whoever has something to tell names what happened in a few words that stay the same, and about what by keys:
``_LOG.error("table can't go on", table=table_id, error=str(error))``. What belongs to all that is done for a
request or a line (its number, the table) is bound to the work itself (``journal.py``), and is told with each
line. Names, passwords, tokens, cookies, hands, and where somebody comes from are never handed to a log, but
for the address of whoever asks for too much.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import IO, Any

import orjson
import structlog
from structlog.contextvars import merge_contextvars
from structlog.dev import ConsoleRenderer, plain_traceback
from structlog.stdlib import (
    BoundLogger,
    ExtraAdder,
    ProcessorFormatter,
    add_log_level,
    filter_by_level,
    render_to_log_kwargs,
)
from structlog.typing import Processor

__all__ = ["log_of", "write_logs"]

_TO_STANDARD: tuple[Processor, ...] = (filter_by_level, merge_contextvars, render_to_log_kwargs)
"""What happened becomes a record of Python's own log, as those of libraries are, with its keys beside it."""


def log_of(name: str) -> BoundLogger:
    """Return the log of a part of the program; unless a server runs it is Python's own."""
    log: BoundLogger = structlog.wrap_logger(logging.getLogger(name), _TO_STANDARD, BoundLogger).bind()
    return log


def write_logs(stream: IO[str], level: str, *, as_json: bool) -> None:
    """Write the log of this process into a stream from now on.

    Libraries tell warnings alone: below, they tell addresses and whole messages.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_formatter(as_json=as_json, is_colourful=stream.isatty()))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("ekoes").setLevel(level.upper())


def _formatter(*, as_json: bool, is_colourful: bool) -> ProcessorFormatter:
    """Return what makes lines of records. A traceback has no values of variables: hands may be among them."""
    told: list[Processor] = [
        add_log_level,
        structlog.stdlib.add_logger_name,
        ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    ends: list[Processor] = [ProcessorFormatter.remove_processors_meta]
    if as_json:
        ends += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_as_json)]
    else:
        ends += [ConsoleRenderer(colors=is_colourful, exception_formatter=plain_traceback)]
    return ProcessorFormatter(processors=ends, foreign_pre_chain=told)


def _as_json(entry: Mapping[str, Any], **_: object) -> str:
    return orjson.dumps(entry, default=str).decode()
