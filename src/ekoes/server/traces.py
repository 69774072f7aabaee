"""The way of an order as OpenTelemetry tells it: from its arrival through judge and commit until it is told.

Off unless the environment names somebody to tell, by OpenTelemetry's own variables. A span names a table, a
game and the kind of an order; never who gave it, nor what it decides.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from ekoes import __version__
from ekoes.errors import EkoesError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

__all__ = ["NO_TRACES", "Span", "Traces", "traces_of", "traces_of_environment"]

_RECEIVERS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_NOTHING = nullcontext()


class Span(Protocol):
    """Begins a span, which lasts as long as its block."""

    def __call__(
        self, name: str, began: datetime | None = None, /, **about: str | int
    ) -> AbstractContextManager[object]:
        """Begin a span. began: when; None: now. about: its attributes."""


@dataclass(frozen=True, slots=True)
class Traces:
    """Where spans go. close: sends what has not been sent, and no more."""

    span: Span
    close: Callable[[], None]


def _no_span(
    _name: str, _began: datetime | None = None, /, **_about: str | int
) -> AbstractContextManager[object]:
    return _NOTHING


NO_TRACES = Traces(_no_span, lambda: None)
"""Tells nobody, and costs nothing."""


def traces_of_environment() -> Traces:
    """Return traces that go to whom the environment names, if it does. Raises EkoesError."""
    if not any(map(os.environ.get, _RECEIVERS)):
        return NO_TRACES
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as error:
        raise EkoesError("traces need a part of their own: pip install 'ekoes[traces]'") from error
    resource = Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "ekoes")})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return traces_of(provider)


def traces_of(provider: TracerProvider) -> Traces:
    """Return traces that a provider sends on."""
    tracer = provider.get_tracer("ekoes", __version__)

    def span(
        name: str, began: datetime | None = None, /, **about: str | int
    ) -> AbstractContextManager[object]:
        start = None if began is None else int(began.timestamp() * 1_000_000) * 1000
        return tracer.start_as_current_span(
            name,
            attributes={f"ekoes.{key}": value for key, value in about.items()},
            start_time=start,
            record_exception=False,  # what it says may name somebody
            set_status_on_exception=False,
        )

    return Traces(span, provider.shutdown)
