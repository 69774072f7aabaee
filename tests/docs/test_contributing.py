"""The contributor's guides list the files that change, and nothing else does: held against the tree.

What names the variant, the game, the bot that is there already is what a new one has to change or to
bring. A row says *always* or when; a path may hold ``GAME``, ``BOT`` or ``LANGUAGE``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from ekoes.games.eko.position.tiles import VARIANTS
from tests.docs import springs

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
PLACES = ("GAME", "BOT", "LANGUAGE")
LOOKED_AT = ("src/", "web/src/", "docs/games/", "docs/rules/", "pyproject.toml")
NOT_LOOKED_AT = (".png", ".svg", ".ttf", ".gz", ".wasm", ".test.ts", "engine/eko/games.json")


@cache
def texts() -> dict[str, str]:
    """Return the project's text files by their paths, but for the page's unit tests."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    wanted = [name for name in names if name.startswith(LOOKED_AT) and not name.endswith(NOT_LOOKED_AT)]
    return {name: (ROOT / name).read_text("utf-8") for name in wanted if (ROOT / name).is_file()}


@cache
def naming(word: str) -> set[str]:
    """Return the files in which a word of the program stands, or that are named after it."""
    found = re.compile(rf"(?<![a-zA-Z]){word}(?![a-zA-Z])")
    return {name for name, text in texts().items() if found.search(text) or found.search(name)}


def rows(guide: str, before: str = "\f") -> dict[str, str]:
    """Return path -> when, as a guide lists them before a heading."""
    text = (ROOT / "docs" / "guide" / f"{guide}.md").read_text("utf-8")
    found = ROW.findall(text.partition(before)[0])
    listed = {path: when.strip() for path, when in found}
    assert len(listed) == len(found), "a file is listed once"
    return listed


def pattern(path: str) -> re.Pattern[str]:
    text = re.escape(path)
    for place in PLACES:
        text = text.replace(place, "[a-z_-]+")
    return re.compile(text + (".*" if path.endswith("/") else ""))


GUIDES = {
    "add-a-variant": VARIANTS,
    "add-a-game": ("eko", "ekko"),
    "add-a-bot": ("greedy",),
}


@pytest.mark.parametrize("guide", GUIDES)
def test_guide_lists_what_changes_and_nothing_else(guide: str) -> None:
    listed = {path: pattern(path) for path in rows(guide)}
    assert listed
    for word in GUIDES[guide]:
        missing = [name for name in naming(word) if not any(each.fullmatch(name) for each in listed.values())]
        assert sorted(missing) == [], f"{word} stands in files that the guide does not list"
    everywhere = set().union(*map(naming, GUIDES[guide]))
    idle = [path for path, each in listed.items() if not any(map(each.fullmatch, everywhere))]
    assert idle == [], "the guide lists what names none"


@pytest.mark.parametrize("guide", GUIDES)
def test_what_always_changes_names_each(guide: str) -> None:
    always = [path for path, when in rows(guide).items() if when == "always"]
    assert always
    for path in always:
        for word in GUIDES[guide]:
            assert any(map(pattern(path).fullmatch, naming(word))), f"{path} does not name {word}"


def test_a_new_variant_of_a_sign_takes_the_twelve_files_of_its_guide(tmp_path: Path) -> None:
    """Another variant is added to a copy of the project, and played there without being compiled."""
    for folder in ("src/ekoes", "web/src/i18n/eko", "docs/rules"):
        ignored = shutil.ignore_patterns("static", "__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    changed = springs.apply(tmp_path)
    assert len(changed) == 12
    listed = [pattern(path) for path in rows("add-a-variant", before="## What more")]
    assert all(any(each.fullmatch(name) for each in listed) for name in changed)
    env = os.environ | {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_DISABLE_JIT": "1"}
    game = ROOT / "tests" / "docs" / "springs_game.py"
    played = subprocess.run([sys.executable, game], env=env, capture_output=True, text=True, check=False)
    assert (played.returncode, played.stderr) == (0, "")
