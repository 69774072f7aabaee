"""Health checks and metrics."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.kit.client import decide
from tests.kit.server import Server, free_port, refused

FULL = """CREATE TRIGGER full BEFORE UPDATE ON "schema" BEGIN SELECT RAISE(ABORT, 'full'); END"""
Labels = tuple[tuple[str, str], ...]


def measures(port: int) -> dict[tuple[str, Labels], float]:
    """Read what a server measures, as Prometheus reads it."""
    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for sample in samples}


def test_measures_count_what_happens(tmp_path: Path) -> None:
    port = free_port()
    with Server(tmp_path, "--metrics", str(port)) as server:
        browser = server.browser()
        table = browser.create("here", "here")
        game = (("game", "eko"),)
        with browser.open(table) as line:
            before = measures(port)
            for _ in range(3):
                decide(line)
            assert line.ask("sit", seat=0)["type"] == "error"
            after = measures(port)
        assert (before["ekoes_lines", ()], before["ekoes_tables", ()]) == (1, 1)
        assert after["ekoes_order_seconds_count", game] == 3
        assert 0 < after["ekoes_order_seconds_sum", game] < 60
        refusals = [value for (name, _), value in after.items() if name == "ekoes_orders_refused_total"]
        assert refusals == [1]
        stored = "ekoes_commit_changes_sum", ()
        assert after[stored] - before[stored] == 3
        assert after["ekoes_bots_asked", ()] == 0
        standing = (("game", "eko"), ("state", "playing"))
        assert after["ekoes_tables_standing", standing] == 1
        assert (after["ekoes_people", ()], after["ekoes_seekers", ()]) == (1, 0)
        assert (after["ekoes_commit_waiting", ()], after["ekoes_commit_failures_total", ()]) == (0, 0)
        made = (("method", "POST"), ("route", "/api/tables"), ("status", "2xx"))
        assert after["ekoes_request_seconds_count", made] == 1
        assert "Ada" not in str(after)


def test_thoughts_of_bots_are_measured_by_game_and_bot(tmp_path: Path) -> None:
    port = free_port()
    with Server(tmp_path, "--metrics", str(port), "--bot-workers", "1") as server:
        browser = server.browser()
        with browser.open(browser.create("random", "greedy")) as line:
            while len({entry["seat"] for entry in line.log if "seat" in entry}) < 2:
                line.receive()
            after = measures(port)
        for bot in ("random", "greedy"):
            labels = (("bot", bot), ("game", "eko"))
            assert after["ekoes_bot_seconds_count", labels] >= 1
            assert 0 < after["ekoes_bot_seconds_sum", labels] < 60


def test_port_of_measures_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        place = ("--port", "0", "--data", tmp_path)
        assert f"port {port}" in refused("play", "--no-browser", "--metrics", port, *place)


def test_server_is_ready_while_its_store_answers(own_server: Server) -> None:
    answers = [httpx.get(f"{own_server.address}/{path}") for path in ("healthz", "readyz")]
    assert [answer.status_code for answer in answers] == [200, 200]
    with own_server.broken(FULL, "DROP TRIGGER full"):
        assert httpx.get(f"{own_server.address}/healthz").status_code == 200
        gone = httpx.get(f"{own_server.address}/readyz")
        assert (gone.status_code, gone.json()["code"]) == (503, "storage/conflict")
    assert httpx.get(f"{own_server.address}/readyz").status_code == 200
