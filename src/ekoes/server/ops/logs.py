"""Structured logging, as text or as JSON lines.

An event is a short constant text with keys: ``_LOG.error("opening a table failed", table=table_id)``. Keys of
a request or a connection are bound to its context and added to each event. Names, passwords, tokens, cookies,
hidden information and addresses are never logged, but for the addresses of clients that exceed a limit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from time import monotonic
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

_TO_STANDARD: tuple[Processor, ...] = (filter_by_level, merge_contextvars, render_to_log_kwargs)
"""Turn an event into a record of the standard library's logging, as libraries write them."""
LOG: BoundLogger = structlog.wrap_logger(logging.getLogger("ekoes.server"), _TO_STANDARD, BoundLogger).bind()
"""The log of the server."""


_QUIET_FOR = 60.0
"""Seconds in which the same error is logged once."""
_ERRORS_KNOWN = 1000


class RepeatFilter(logging.Filter):
    """Drops warnings that repeat within a minute: by their ``error``, those of libraries by their text.

    While the disk is full every request and every table with a bot fails for the same reason, and uvicorn
    warns of each request that is not HTTP. The next line with it has how many were dropped, as ``repeated``.
    A change of state, such as a lost Redis, is always logged: it names its ``reason``, not an ``error``.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """Create it. now: monotonic seconds."""
        super().__init__()
        self._now = now
        self._logged: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        error = getattr(record, "error", None)
        if error is None and not record.name.startswith("ekoes"):
            error = f"{record.name}: {record.msg} {record.exc_info and record.exc_info[1]!r}"
        if error is None or record.levelno < logging.WARNING:
            return True
        now = self._now()
        at, dropped = self._logged.get(error, (-_QUIET_FOR, 0))
        if now - at < _QUIET_FOR:
            self._logged[error] = at, dropped + 1
            return False
        if dropped:
            record.repeated = dropped
        if len(self._logged) >= _ERRORS_KNOWN:
            self._logged.clear()
        self._logged[error] = now, 0
        return True


def write_logs(stream: IO[str], level: str, *, as_json: bool) -> None:
    """Send the log of this process to a stream.

    Only warnings of libraries are logged: their other events contain addresses and whole messages.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_formatter(as_json=as_json, is_colourful=stream.isatty()))
    handler.addFilter(RepeatFilter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("ekoes").setLevel(level.upper())


def _formatter(*, as_json: bool, is_colourful: bool) -> ProcessorFormatter:
    """Return the formatter. Tracebacks show no variables, which may hold hidden information."""
    shared: list[Processor] = [
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
    return ProcessorFormatter(processors=ends, foreign_pre_chain=shared)


def _as_json(entry: Mapping[str, Any], **_: object) -> str:
    return orjson.dumps(entry, default=str).decode()
