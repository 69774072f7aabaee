"""The workflows: each step calls make, and every Python that the packages name is tested."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from tests.docs.pages import ROOT, read

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CALL = re.compile(r'(?:sudo )?make ([\w-]+) PYTHON="\$\(command -v python\)"(?: #.*)?')
TARGETS = set(re.findall(r"^([\w-]+):", read("Makefile"), flags=re.MULTILINE))


@pytest.mark.parametrize("name", [path.name for path in WORKFLOWS])
def test_a_workflow_runs_nothing_but_targets_of_make(name: str) -> None:
    jobs: dict[str, dict[str, Any]] = yaml.safe_load(read(f".github/workflows/{name}"))["jobs"]
    runs = [step["run"] for job in jobs.values() for step in job.get("steps", ()) if "run" in step]
    assert runs
    assert {found[1] for run in runs if (found := CALL.fullmatch(run))} <= TARGETS
    assert [run for run in runs if not CALL.fullmatch(run)] == []


def test_every_python_of_the_packages_is_tested() -> None:
    classifiers = tomllib.loads(read("pyproject.toml"))["project"]["classifiers"]
    named = {found[1] for line in classifiers if (found := re.fullmatch(r".*:: (3\.\d+)", line))}
    jobs = yaml.safe_load(read(".github/workflows/test.yml"))["jobs"]
    for job in ("test", "rules"):
        assert named <= set(jobs[job]["strategy"]["matrix"]["python"])
