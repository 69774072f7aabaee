"""docs/guide/add-a-language.md: its files make a language that all tests accept, and no fewer do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.languages import LIST, MIRRORED, ROOT, STEPS, add_language

HELD_BY = ("tests/docs/test_catalogues.py", "tests/docs/test_rules.py")
"""What asks for the files of a language."""
LACKING = {f"qa{letter}": step for letter, step in zip("abcdefghij", STEPS[1:], strict=False)}
"""Languages of nobody, each without the files of one step."""


def copy_of_the_tree(folder: Path) -> Path:
    """A copy of what the tests of the documents look at."""
    for name in ("docs", "src", "tests", "tools", "web/src"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("static", "__pycache__"))
    for page in ROOT.glob("*.*"):
        if page.is_file():
            shutil.copy(page, folder)
    return folder


def failures(tree: Path, *arguments: str) -> set[str]:
    """What fails of the tests of a tree."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", *HELD_BY, *arguments],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert " passed" in done.stdout, done.stdout + done.stderr
    return set(re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, flags=re.MULTILINE))


def test_the_files_of_the_guide_are_enough_and_each_is_asked_for(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path)
    add_language(tree, MIRRORED)
    for tag, step in LACKING.items():
        add_language(tree, tag, without=step)
    failed = failures(tree)
    assert {tag for tag in LACKING if any(tag in name for name in failed)} == set(LACKING)
    assert [name for name in failed if MIRRORED in name] == []


def test_a_language_that_is_not_in_the_list_is_found_out(tmp_path: Path) -> None:
    tree = copy_of_the_tree(tmp_path)
    add_language(tree, MIRRORED, without=LIST)
    found = {name.partition("::")[2].partition("[")[0] for name in failures(tree)}
    assert found == {
        "test_the_catalogues_are_those_of_the_list_of_languages",
        "test_the_rules_are_those_of_the_list_of_languages",
    }


def test_the_guide_begins_with_the_list() -> None:
    assert STEPS[0] == LIST
    assert len(LACKING) == len(STEPS) - 1
