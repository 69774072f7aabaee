"""Prometheus metrics, and OpenTelemetry spans of an order, from its arrival to its broadcast."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from ekoes import __version__
from ekoes.errors import EkoesError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_COARSE = (0.01, 0.05, 0.2, 1, 5)
_NUMBERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_HERE = "127.0.0.1"


class Metrics:
    """The Prometheus metrics of one server.

    orders, by game: seconds of those that were accepted. refused: orders, by game and code. commits, changes,
    lost: seconds of the store's transactions, changes in each, and those that it refused. thoughts, by game
    and bot: seconds. requests, by method, path pattern and class of the status (``2xx``): seconds.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        self._gauge("info", "The version of the program.", "version").labels(__version__).set(1)
        self.orders = self._histogram(
            "order_seconds", "From an order's arrival until it is committed and broadcast.", _SECONDS, "game"
        )
        self.refused = self._counter("orders_refused", "Orders that were refused.", "game", "code")
        self.commits = self._histogram("commit_seconds", "Transactions with decisions.", _SECONDS)
        self.changes = self._histogram("commit_changes", "Changes in one transaction.", _NUMBERS)
        self.lost = self._counter("commit_failures", "Changes that the store refused.")
        self.thoughts = self._histogram(
            "bot_seconds", "Thinking time of a bot for one answer, without waiting.", _SECONDS, "game", "bot"
        )
        self.requests = self._histogram(
            "request_seconds",
            "From a request to the end of its answer.",
            _COARSE,
            "method",
            "route",
            "status",
        )

    def watch(self, name: str, what: str, number: Callable[[], float]) -> None:
        """Register a gauge that calls a function."""
        self._gauge(name, what).set_function(number)

    def watch_each(
        self,
        name: str,
        what: str,
        labels: Sequence[str],
        number: Callable[..., float],
        keys: Iterable[Sequence[str]],
    ) -> None:
        """Register a gauge with labels that calls a function with each of some combinations of them."""
        gauge = self._gauge(name, what, *labels)
        for key in keys:
            gauge.labels(*key).set_function(partial(number, *key))

    def serve(self, port: int) -> None:
        """Serve the metrics on localhost, in a thread. Raises EkoesError if the port is in use."""
        try:
            start_http_server(port, _HERE, self.registry)
        except OSError as error:
            message = f"can't serve metrics on port {port}: {error.strerror}; --metrics chooses another one"
            raise EkoesError(message) from error

    def _gauge(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(f"ekoes_{name}", what, labels, registry=self.registry)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"ekoes_{name}", what, labels, registry=self.registry)

    def _histogram(self, name: str, what: str, buckets: Sequence[float], *labels: str) -> Histogram:
        return Histogram(f"ekoes_{name}", what, labels, buckets=buckets, registry=self.registry)


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
