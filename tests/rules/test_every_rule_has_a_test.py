"""Every rule number of both specifications has a test, and every ruling one that says so."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

EKO = {1: 7, 2: 8, 3: 4, 4: 3, 5: 7, 6: 5, 7: 1, 8: 5, 10: 7, 11: 6, 12: 9}
"""Chapter -> its number of rules. E9 is a table without numbers in it."""

EKKO = {1: 4, 2: 4, 3: 5, 4: 3, 5: 6, 6: 4, 7: 6}
"""Likewise; K6 has a K6.0 too."""


def numbered(letter: str, chapters: dict[int, int]) -> list[str]:
    return [f"{letter}{chapter}.{rule}" for chapter, last in chapters.items() for rule in range(1, last + 1)]


RULES = ["E9", *numbered("E", EKO), "K6.0", *numbered("K", EKKO)]

RULINGS = [
    *("E2.5", "E3.4", "E4.2", "E4.3", "E5.1", "E5.5", "E5.7", "E7.1", "E9", "E10.2", "E10.3", "E10.4"),
    *("E10.5", "E11.4", "E11.5", "E11.6"),
    *("K1.1", "K1.3", "K1.4", "K2.2", "K3.2", "K3.4", "K4.1", "K5.1", "K5.2", "K5.6", "K6.3", "K7.2"),
]

FOLDER = Path(__file__).parent


@cache
def named_by_rule() -> dict[str, list[ast.FunctionDef]]:
    """Rule number -> the functions named after it, in the file of its chapter."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for path in sorted(FOLDER.glob("*/test_[ek]*_*.py")):
        file = re.match(r"test_([ek])0?(\d+)_", path.name)
        assert file is not None, path.name
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                match = re.match(rf"test_{file[1]}(\d+)(?:_(\d+))?_[a-z]", node.name)
                assert match is not None, f"{path.name}: {node.name} names no rule"
                assert match[1] == file[2], f"{path.name}: {node.name} stands in another chapter"
                letter = file[1].upper()
                rule = f"{letter}{match[1]}.{match[2]}" if match[2] else f"{letter}{match[1]}"
                found.setdefault(rule, []).append(node)
    return found


def test_every_rule_has_a_test_and_no_test_names_an_unknown_rule() -> None:
    assert set(named_by_rule()) == set(RULES)


def test_every_ruling_has_a_test() -> None:
    tests = named_by_rule()
    with_ruling = {
        rule for rule in tests if any("Ruling" in (ast.get_docstring(test) or "") for test in tests[rule])
    }
    assert set(RULINGS) - with_ruling == set()
