"""What the built packages carry: the page in the wheel, its sources in the sdist, the licence in both."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def build(target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (package,) = folder.iterdir()
    return package


def test_wheel_carries_page_tiles_and_licence(tmp_path: Path) -> None:
    names = zipfile.ZipFile(build("wheel", tmp_path)).namelist()
    assert "ekoes/server/static/index.html" in names
    assert any(name.startswith("ekoes/server/static/assets/") and name.endswith(".js") for name in names)
    assert {"ekoes/games/eko/tiles.toml", "ekoes/languages.json", "ekoes/py.typed"} <= set(names)
    assert {name.rsplit("/", 1)[1] for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_sdist_carries_sources_of_page_without_what_npm_brought(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {
        "web/package.json",
        "web/package-lock.json",
        "web/src/main.ts",
        "hatch_build.py",
        "LICENSE",
    } <= names
    assert [
        name for name in names if "node_modules" in name or name.startswith("src/ekoes/server/static")
    ] == []
