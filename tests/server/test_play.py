"""`ekoes play` as people start it: a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from ekoes.bots import LEVELS
from ekoes.cli.play import WaitingPage, _address, _open_browser, invitation, network_addresses
from ekoes.server.workers import warmup
from tests.kit.client import Browser
from tests.kit.examples import one_quick

EKOES = str(Path(sys.executable).with_name("ekoes"))
PATIENCE = 120.0


@contextmanager
def playing(*options: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [EKOES, "play", "--no-browser", "--port", "0", *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | environment,
    ) as process:
        try:
            assert process.stdout
            yield process, process.stdout.readline()
        finally:
            process.kill()


@pytest.mark.parametrize("is_ready", one_quick(False, [True]))
def test_ctrl_c_in_a_terminal_stops_the_bots_too_without_output(tmp_path: Path, *, is_ready: bool) -> None:
    """A terminal signals all processes of the command; a bot worker may be starting or waiting."""
    with playing("--data", str(tmp_path), "--bot-workers", "1") as (process, shown):
        if is_ready:
            address = next(word for word in shown.split() if word.startswith("http://127.0.0.1:"))
            browser = Browser(address)
            with browser.open(browser.create("random", "random")) as socket:
                while not socket.log:
                    socket.receive()
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, "")


def refusal(*options: str) -> str:
    done = subprocess.run(
        [EKOES, "play", "--no-browser", *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def test_port_that_is_taken_is_refused_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in refusal("--port", str(port))


def test_an_empty_address_does_not_mean_all_of_them() -> None:
    assert "--host" in refusal("--host", "", "--port", "0")


def test_folder_that_cannot_be_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert str(file) in refusal("--port", "0", "--data", str(file))


def test_address_of_every_interface_is_this_machine() -> None:
    with socket.create_server(("0.0.0.0", 0)) as listener:  # noqa: S104 - the case in question
        assert _address(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}/"


@pytest.mark.parametrize(("screen", "opened"), [("", []), (":0", ["http://127.0.0.1:1/"])])
def test_page_is_opened_where_there_is_a_screen(
    screen: str, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")  # elsewhere there is always a screen
    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    pages: list[str] = []

    def open_page(page: str) -> bool:
        pages.append(page)
        return True

    _open_browser("http://127.0.0.1:1/", open_page)
    assert pages == opened


def test_play_prints_its_addresses_stores_games_and_exits_quietly(tmp_path: Path) -> None:
    """A server on every interface prints, beside its own, only addresses that others can reach."""
    folder = tmp_path / "games"
    with socket.create_server(("0.0.0.0", 0)) as listener:  # noqa: S104 - the case in question
        others = [address.rpartition(":")[0] for address in network_addresses(listener)]
    with playing("--data", str(folder), "--host", "0.0.0.0") as (process, output):  # noqa: S104
        assert str(folder) in output
        own = re.search(r"http://127\.0\.0\.1:(\d+)/", output)
        assert own is not None, output
        page = httpx.get(own[0], timeout=PATIENCE)
        assert page.status_code == 200
        assert "<title>" in page.text
        assert (folder / "ekoes.sqlite").is_file()
        reached = [f"{address}:{own[1]}/" for address in others]
        answer = httpx.get(f"{own[0]}api/meta", timeout=PATIENCE).json()
        assert answer["address"] == next(iter(reached), None)
        if reached:
            assert process.stdout is not None
            assert process.stdout.readline() == f"{invitation(reached, draws=False)}\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert not any("127.0.0.1" in address for address in reached)


def test_loopback_server_prints_no_network_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert network_addresses(listener) == []
    assert invitation([], draws=True) == ""


def test_a_terminal_shows_the_address_as_a_code() -> None:
    plain, drawn = (invitation(["http://192.0.2.7:8765/"], draws=draws) for draws in (False, True))
    assert plain == "Friends in the same network open http://192.0.2.7:8765/"
    assert drawn.startswith(f"{plain}\n")
    lines = drawn.splitlines()[1:]
    assert len({len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines}) == 1
    assert "▀" in drawn or "▄" in drawn


def test_page_of_a_first_start_shows_progress_in_the_visitors_language() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = "http://{}:{}/".format(*listener.getsockname())
        with WaitingPage(listener) as page:
            page.show(1, 4)
            answer = httpx.get(address, headers={"Accept-Language": "fr-CH, de"})
            other = httpx.post(f"{address}api/tables", headers={"Accept-Language": "ja"}, json={})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert '<html lang="fr">' in answer.text
        assert '<progress value="1" max="4">' in answer.text
        assert (other.status_code, '<html lang="en">' in other.text) == (503, True)
        with socket.create_connection(listener.getsockname()) as late:
            listener.settimeout(PATIENCE)
            with listener.accept()[0] as accepted:
                assert accepted.getpeername() == late.getsockname(), "it waits for the next server"


def test_page_of_a_first_start_says_nothing_of_visitors_who_go(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, WaitingPage(listener):
        for _ in range(20):
            with socket.create_connection(listener.getsockname()) as visitor:
                visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                visitor.sendall(b"GET / HTTP/1.1\r\n")
        assert httpx.get("http://{}:{}/".format(*listener.getsockname())).status_code == 503
    assert capfd.readouterr().err == ""


def test_levels_that_are_still_being_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(warmup, "COMPILED", True)
    monkeypatch.setattr(warmup, "cache_folder", lambda: tmp_path / "kernels")
    assert warmup.preparing() == list(LEVELS)
    for name in ("bot beginner of eko", "bot beginner of ekko", "bot casual of eko", "bot casual of ekko"):
        warmup.mark(name)
    assert warmup.preparing() == ["learner", "skilled", "strong", "expert", "master"]
    warmup.mark(warmup.COMPLETE)
    assert warmup.preparing() == []


@pytest.mark.long
@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_first_start_compiles_the_rules_then_serves_and_prepares_the_bots(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    begun, cache = time.monotonic(), str(tmp_path / "cache")
    with playing("--data", str(tmp_path), "--port", str(port), EKOES_CACHE_DIR=cache) as (process, told):
        address = next(word for word in told.split() if word.startswith("http://127.0.0.1:"))
        preparing = [httpx.get(f"{address}api/meta", timeout=PATIENCE).json()["preparing"]]
        while preparing[-1]:
            assert time.monotonic() < begun + 5 * PATIENCE
            preparing.append(httpx.get(f"{address}api/meta", timeout=PATIENCE).json()["preparing"])
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert preparing[0] == list(LEVELS)
    assert "Ready: bot strong of eko" in said
