"""docs/reference/fairness.md: every promise names the tests that hold it, and there are such tests."""

from __future__ import annotations

import ast
import re

from tests.docs.pages import ROOT, read

PAGE = read("docs/reference/fairness.md")
ROWS = re.findall(r"^\| (?!promise)([A-Z][^|]+) \| ([^|]*`[^|]*) \|$", PAGE, flags=re.MULTILINE)


def names_of_tests() -> set[str]:
    """Return the names of all tests."""
    sources = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {
        node.name
        for source in sources
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_every_promise_names_its_tests() -> None:
    sections = re.findall(r"^\| promise \| held by \|$", PAGE, flags=re.MULTILINE)
    lines = re.findall(r"^\| [A-Z].*\|$", PAGE, flags=re.MULTILINE)
    assert len(sections) == 6
    assert len(ROWS) == len(lines) > 12
    for promise, held_by in ROWS:
        assert re.findall(r"`(test_\w+)`", held_by), promise


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named - names_of_tests() == set()
