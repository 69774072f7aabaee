"""Commands whose extra is not installed name it; the others need none."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.kit.core import core_python

NEEDED = {
    "play --no-browser": "server",
    "site page": "server",
    "backup file": "server",
    "restore file": "server",
    "migrate": "server",
    "copy --to url": "server",
    "dump folder": "data",
    "admin reports": "server",
    "admin key": "server",
    "bridge engine --token token": "client",
    "arena run plan.toml": "arena",
    "arena show folder": "arena",
    "arena compare old new": "arena",
    "arena sample plan.toml --out folder": "arena",
    "eko train --out folder": "arena",
}
PROGRAM = f"""
from ekoes.cli.main import main

assert main(["--help"]) == main(["play", "--help"]) == 0
assert main(["ekko", "new", "--players", "3", "--seed", "7"]) == 0
assert [main(command.split()) for command in {list(NEEDED)}] == [2] * {len(NEEDED)}
"""


def test_a_command_without_its_extra_says_what_installs_it(tmp_path: Path) -> None:
    python, environment = core_python(tmp_path)
    done = subprocess.run(
        [*python, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = [line.partition(" is missing: ")[2] for line in done.stderr.splitlines()]
    assert said == [f"pip install 'ekoes[{extra}]'" for extra in NEEDED.values()]
