"""docs/operations/security.md: every test that is named exists, and what has none says why."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT, read
from tests.docs.test_fairness import names_of_tests

PAGE = read("docs/operations/security.md")
FOLDERS = (ROOT, ROOT / "src" / "ekoes", ROOT / "web")
"""Below which files are named."""
ROWS = re.findall(
    r"^\| (?!requirement|what was)([a-z0-9][^|]+) \| ([^|]+) \| ([^|]*)\|$", PAGE, flags=re.MULTILINE
)


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 60
    assert named - names_of_tests() == set()


def test_every_requirement_has_a_test_or_a_reason() -> None:
    held = [row for row in ROWS if "`" in row[2]]
    assert len(held) > 45
    assert all("`" in by or len(how) > 20 for _, how, by in ROWS)


def test_every_file_and_every_command_that_is_named_is_there() -> None:
    files = set(re.findall(r"`([\w./-]+\.(?:py|txt|json|yml))`", PAGE))
    assert len(files) > 6
    assert [name for name in files if not any((folder / name).is_file() for folder in FOLDERS)] == []
    modules = set(re.findall(r"`python -m ([\w.]+)[ `]", PAGE))
    assert "tools.fuzz" in modules
    assert [name for name in modules if not _is_module(name)] == []


def _is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__main__.py").is_file()
