"""The packages of a release: sound, complete, and playable from an environment that is never written to."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import ekoes
from tests.docs.pages import ROOT, fences, read

PATIENCE = 120.0
pytestmark = pytest.mark.long


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", folder)
    return sorted(folder.iterdir())


def test_packages_are_of_this_version_and_pass_twine(packages: list[Path]) -> None:
    version = ekoes.__version__
    assert [path.name for path in packages] == [
        f"ekoes-{version}-py3-none-any.whl",
        f"ekoes-{version}.tar.gz",
    ]
    assert "FAILED" not in run(sys.executable, "-m", "twine", "check", "--strict", *packages)


def test_changelog_has_a_date_for_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## \[{re.escape(ekoes.__version__)}\] - \d{{4}}-\d\d-\d\d$", text, re.MULTILINE)


def interpreter(version: str) -> str | Path:
    """Return a Python of a version: on the path, or one of pyenv's."""
    path = shutil.which(f"python{version}")
    found: list[str | Path] = [] if path is None else [path]
    found += Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(
        f"versions/{version}.*/bin/python"
    )
    for python in found:
        if subprocess.run([python, "-V"], capture_output=True, check=False).returncode == 0:
            return python
    pytest.fail(f"a release needs Python {version}")


def files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def installed(requirement: str, folder: Path, version: str) -> Path:
    """Return a new environment with a package and what it needs."""
    venv = folder / "venv"
    run(interpreter(version), "-m", "venv", venv)
    pip = (venv / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input")
    run(*pip, "install", "--constraint", ROOT / "constraints.txt", requirement)
    return venv


def test_core_alone_plays_the_ten_minutes(packages: list[Path], tmp_path: Path) -> None:
    venv = installed(str(packages[0]), tmp_path, "3.11")
    found = {path.name.partition("-")[0] for path in venv.glob("lib/*/site-packages/*.dist-info")}
    assert {"ekoes", "numba"} <= found
    assert found.isdisjoint({"fastapi", "gymnasium", "matplotlib", "sqlalchemy"})
    examples = "".join(fences(read("docs/python.md"), "python"))
    run(venv / "bin" / "python", "-c", examples, EKOES_CACHE_DIR=str(tmp_path / "cache"))


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_wheel_plays_from_an_empty_environment(packages: list[Path], tmp_path: Path, version: str) -> None:
    venv = installed(f"{packages[0]}[server]", tmp_path, version)
    before = files(venv)
    cache = {"EKOES_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    program = venv / "bin" / "ekoes"
    assert '"players"' in run(program, "eko", "new", "--players", "2", "--seed", "1", **cache)
    command = [str(program), "play", "--no-browser", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | cache) as server:
        try:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address
            with httpx.Client(base_url=address[0], timeout=PATIENCE) as browser:
                assert "<title>" in browser.get("/").text
                assert browser.get("api/meta").json()["version"] == ekoes.__version__
                bots = [{"kind": "bot", "bot": "random"}] * 2
                made = browser.post(
                    "api/tables", json={"game": "eko", "options": {"players": 2}, "seats": bots}
                )
                assert made.status_code == 201, made.text
        finally:
            server.send_signal(signal.SIGINT)
    assert files(venv) == before
