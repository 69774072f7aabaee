"""What is known against the packages that are needed, and their lists."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.audit import Answer, needed, of_npm, of_pip, written_down

ROOT = Path(__file__).parents[2]
NOBODY = "http://127.0.0.1:1"
PIP = {
    "dependencies": [
        {"name": "good", "version": "1", "vulns": []},
        {"name": "bad", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"], "aliases": []}]},
        {"name": "unknown", "skip_reason": "not found"},
    ]
}
NPM = {
    "vulnerabilities": {"bad": {"severity": "high", "range": "<3"}},
    "metadata": {"dependencies": {"prod": 5}},
}


def test_what_is_known_against_a_package_is_a_hit() -> None:
    assert of_pip(json.dumps(PIP)) == Answer("Python", 2, ("bad 2: PYSEC-1, mended in 3",))
    assert of_npm(f"npm warn {json.dumps(NPM)} failed") == Answer("page", 5, ("bad: high, <3",))


@pytest.mark.parametrize("told", ["", "Traceback", "{", '{"message": "405 Method Not Allowed"}'])
def test_without_an_answer_nothing_was_audited(told: str) -> None:
    for answer in (of_pip(told), of_npm(told)):
        assert "NOT audited" in str(answer)
        assert answer.hits == ()


def test_without_a_network_it_says_so_and_does_not_fail() -> None:
    nowhere = {"HTTPS_PROXY": NOBODY, "HTTP_PROXY": NOBODY, "npm_config_registry": NOBODY}
    command = [sys.executable, "-m", "tools.audit"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | nowhere, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.count("NOT audited")) == (0, 2), done.stderr


def test_the_lists_name_what_a_server_and_the_page_run_with(tmp_path: Path) -> None:
    python, page = (json.loads(path.read_text("utf-8")) for path in written_down(tmp_path))
    for made in (python, page):
        assert made["bomFormat"] == "CycloneDX"
        assert all(component["version"] for component in made["components"])
    assert {f"{one['name']}=={one['version']}" for one in python["components"]} == set(needed())
    assert {"fastapi", "sqlalchemy", "starlette"} <= {line.partition("==")[0].lower() for line in needed()}
    assert "svelte" in {component["name"] for component in page["components"]}
    assert "pytest" not in {line.partition("==")[0] for line in needed()}
