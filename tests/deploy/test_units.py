"""The units for systemd: it takes them, gives the program little, and holds its port while it restarts."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.kit.server import EKOES
from tests.services.programs import find

UNITS = Path(__file__).parents[2] / "deploy" / "systemd"
HELD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.argv[2], sys.argv[2:])
"""
"""What systemd does to hand over a port."""
MOST_EXPOSED = 2.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The units in a folder of their own; the program is one that is here."""
    for unit in UNITS.iterdir():
        text = unit.read_text("utf-8").replace("/opt/ekoes/venv/bin/ekoes", EKOES)
        (tmp_path / unit.name.replace("@.", "@1.")).write_text(text, "utf-8")
    return tmp_path


def analyse(*arguments: str) -> str:
    """Ask systemd-analyze; return what it says, whichever way. Raises AssertionError where it objects."""
    done = subprocess.run([find("systemd"), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_systemd_takes_the_units(folder: Path) -> None:
    units = sorted(str(unit) for unit in folder.iterdir())
    assert analyse("verify", "--man=no", *units) == ""


def test_program_may_do_little(folder: Path) -> None:
    shown = analyse("security", "--offline=true", "--no-pager", str(folder / "ekoes.service"))
    exposed = re.search(r"exposure level for ekoes\.service: ([\d.]+)", shown)
    assert exposed is not None, shown
    assert float(exposed[1]) <= MOST_EXPOSED


def start(listener: socket.socket, data: Path) -> subprocess.Popen[str]:
    """Start `ekoes play` with a port that is held."""
    number = listener.fileno()
    play = [EKOES, "play", "--no-browser", "--bot-workers", "0", "--data", str(data)]
    return subprocess.Popen(
        [sys.executable, "-c", HELD, str(number), *play], pass_fds=[number], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.long
def test_request_during_a_restart_waits_and_is_served(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        first = start(listener, tmp_path)
        assert first.stdout
        assert f":{port}/" in first.stdout.readline()
        assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=60)
        with socket.create_connection(("127.0.0.1", port)) as patient:
            patient.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
            second = start(listener, tmp_path)
            patient.settimeout(60)
            assert patient.recv(1024).startswith(b"HTTP/1.1 200")
        second.send_signal(signal.SIGTERM)
        second.communicate(timeout=60)


def test_settings_of_the_units_are_those_of_the_program() -> None:
    from tests.docs.test_operations import settings

    used = set(re.findall(r"\bEKOES_[A-Z_]+", "".join(unit.read_text("utf-8") for unit in UNITS.iterdir())))
    assert used - settings() - {"EKOES_CACHE_DIR"} == set()
