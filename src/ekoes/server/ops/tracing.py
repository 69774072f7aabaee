"""OpenTelemetry spans of an order, from its arrival to its broadcast."""

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


_RECEIVERS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
NO_SPAN = nullcontext()
"""The context of a span while tracing is off."""


class Span(Protocol):
    """Starts a span, a context manager."""

    def __call__(
        self, name: str, began: datetime | None = None, /, **about: str | int
    ) -> AbstractContextManager[object]:
        """Start a span. began: its start; None: now. about: its attributes."""


@dataclass(frozen=True, slots=True)
class Traces:
    """An exporter of spans. span: starts one; None: tracing is off. close: sends the rest and stops."""

    span: Span | None
    close: Callable[[], None]


NO_TRACES = Traces(None, lambda: None)


def traces_of_environment() -> Traces:
    """Return the exporter that the environment configures, if any. Raises EkoesError."""
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
    """Return an exporter for a provider."""
    tracer = provider.get_tracer("ekoes", __version__)

    def span(
        name: str, began: datetime | None = None, /, **about: str | int
    ) -> AbstractContextManager[object]:
        start = None if began is None else int(began.timestamp() * 1_000_000) * 1000
        return tracer.start_as_current_span(
            name,
            attributes={f"ekoes.{key}": value for key, value in about.items()},
            start_time=start,
            record_exception=False,  # its text may contain names
            set_status_on_exception=False,
        )

    return Traces(span, provider.shutdown)
