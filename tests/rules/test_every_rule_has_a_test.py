"""Every rule number of the specification has a test, and every ruling one that says so."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HOW_MANY = {1: 7, 2: 8, 3: 4, 4: 3, 5: 7, 6: 5, 7: 1, 8: 5, 10: 7, 11: 6, 12: 9}
"""Chapter -> its number of rules. E9 is a table without numbers in it."""

RULES = ["E9", *(f"E{chapter}.{rule}" for chapter, last in HOW_MANY.items() for rule in range(1, last + 1))]

RULINGS = [
    *("E2.5", "E3.4", "E4.2", "E4.3", "E5.1", "E5.5", "E5.7", "E7.1", "E9", "E10.2", "E10.3", "E10.4"),
    *("E10.5", "E11.4", "E11.5", "E11.6"),
]

FOLDER = Path(__file__).parent / "eko"


def named_by_rule() -> dict[str, list[ast.FunctionDef]]:
    """Rule number -> the functions named after it, in the file of its chapter."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for path in sorted(FOLDER.glob("test_e*.py")):
        chapter = int(path.name[6:8])
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                match = re.match(r"test_e(\d+)(?:_(\d+))?_[a-z]", node.name)
                assert match is not None, f"{path.name}: {node.name} names no rule"
                assert int(match[1]) == chapter, f"{path.name}: {node.name} stands in another chapter"
                rule = f"E{match[1]}.{match[2]}" if match[2] else f"E{match[1]}"
                found.setdefault(rule, []).append(node)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test(rule: str) -> None:
    assert named_by_rule().get(rule)


@pytest.mark.parametrize("rule", RULINGS)
def test_every_ruling_has_a_test(rule: str) -> None:
    notes = [ast.get_docstring(test) or "" for test in named_by_rule()[rule]]
    assert any("Ruling" in note for note in notes)


def test_no_test_names_an_unknown_rule() -> None:
    assert set(named_by_rule()) == set(RULES)
