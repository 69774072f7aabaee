"""The pages on fairness and security: every promise has its tests, or says why it has none."""

from __future__ import annotations

import ast
import re

import pytest

from tests.docs.pages import ROOT, read

FAIRNESS, SECURITY = read("docs/reference/fairness.md"), read("docs/operations/security.md")
PROMISES = re.findall(r"^\| (?!promise)([A-Z][^|]+) \| ([^|]*`[^|]*) \|$", FAIRNESS, flags=re.MULTILINE)
REQUIREMENTS = re.findall(
    r"^\| (?!requirement|what was)([a-z0-9][^|]+) \| ([^|]+) \| ([^|]*)\|$", SECURITY, flags=re.MULTILINE
)
FOLDERS = (ROOT, ROOT / "src" / "ekoes", ROOT / "web")
"""Below which files are named."""


def names_of_tests() -> set[str]:
    sources = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {
        node.name
        for source in sources
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


@pytest.mark.parametrize(
    ("page", "more_than"), [(FAIRNESS, 40), (SECURITY, 60)], ids=["fairness", "security"]
)
def test_every_test_that_is_named_exists(page: str, more_than: int) -> None:
    named = set(re.findall(r"`(test_\w+)`", page))
    assert len(named) > more_than
    assert named - names_of_tests() == set()


def test_every_promise_names_its_tests() -> None:
    sections = re.findall(r"^\| promise \| held by \|$", FAIRNESS, flags=re.MULTILINE)
    lines = re.findall(r"^\| [A-Z].*\|$", FAIRNESS, flags=re.MULTILINE)
    assert len(sections) == 7
    assert len(PROMISES) == len(lines) > 12
    for promise, held_by in PROMISES:
        assert re.findall(r"`(test_\w+)`", held_by), promise


def test_every_requirement_has_a_test_or_a_reason() -> None:
    held = [row for row in REQUIREMENTS if "`" in row[2]]
    assert len(held) > 45
    assert all("`" in by or len(how) > 20 for _, how, by in REQUIREMENTS)


def test_every_file_and_every_command_that_is_named_is_there() -> None:
    files = set(re.findall(r"`([\w./-]+\.(?:py|txt|json|yml))`", SECURITY))
    assert len(files) > 6
    assert [name for name in files if not any((folder / name).is_file() for folder in FOLDERS)] == []
    modules = set(re.findall(r"`python -m ([\w.]+)[ `]", SECURITY))
    assert "tools.fuzz" in modules
    assert [name for name in modules if not _is_module(name)] == []


def _is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__main__.py").is_file()
