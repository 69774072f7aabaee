"""The spans of an order: nesting and attributes; none unless configured."""

from __future__ import annotations

import sys

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from ekoes.errors import EkoesError, TableError
from ekoes.server.ops.telemetry import NO_TRACES, traces_of, traces_of_environment
from ekoes.server.runtime.hub import Hub
from ekoes.storage.store import Store
from ekoes.tables.orders import Sit
from ekoes.tables.settings import Seat
from tests.unit.server.hub_room import AtOnce, SwiftClock, Viewer, run
from tests.unit.server.test_hub import table_of

OPEN = (Seat("open", "", 0), Seat("open", "", 1))
ADA, BOB = "session-of-ada", "session-of-bob"
"""No number of a span or table is like them, as 'ada' may be by chance."""
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


def spans(store: Store) -> list[ReadableSpan]:
    """Let one user sit down and another be refused; return the spans, as they ended."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    async def serve() -> None:
        hub = Hub(store, SwiftClock(), thread=AtOnce(1), traces=traces_of(provider))
        table_id = await hub.create(table_of(OPEN))
        async with hub.table(table_id) as live:
            await live.join(Viewer(ADA))
            exporter.clear()
            await live.submit(Sit(key="one", seat=0, name="Ada"), ADA)
            with pytest.raises(TableError):
                await live.submit(Sit(key="two", seat=0, name="Bob"), BOB)
        await hub.stop()

    run(serve())
    return list(exporter.get_finished_spans())


def test_order_span_contains_judge_commit_and_publish(store: Store) -> None:
    found = spans(store)
    assert [span.name for span in found] == ["judge", "commit", "broadcast", "order", "judge", "order"]
    taken, refused = (span for span in found if span.name == "order")
    for span in found[:3]:
        assert span.parent is not None
        assert span.parent.span_id == taken.context.span_id
    assert taken.parent is refused.parent is None
    assert dict(taken.attributes or {}).keys() == {"ekoes.table", "ekoes.game", "ekoes.order"}
    messages = "".join(span.to_json() for span in found)
    assert not [word for word in ("Ada", ADA, "Bob", BOB, "Traceback") if word in messages]


def test_traces_are_exported_where_the_environment_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENDPOINT, raising=False)
    assert traces_of_environment() is NO_TRACES
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    traces = traces_of_environment()
    assert traces is not NO_TRACES
    traces.close()


def test_missing_trace_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(EkoesError, match=r"pip install 'ekoes\[traces\]'"):
        traces_of_environment()
