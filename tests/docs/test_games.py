"""One page per game, whose facts are those of the program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ekoes.games.chance import Chance
from ekoes.games.eko.action import ACTION_TYPES
from ekoes.games.eko.random_layout import random_layout
from ekoes.games.eko.tiles import VARIANTS
from ekoes.games.registry import GAMES

FOLDER = Path(__file__).parents[2] / "docs" / "games"
EKO = (FOLDER / "eko.md").read_text("utf-8")


def test_every_game_has_its_page() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(GAMES)


def test_the_page_of_eko_names_all_decisions_and_variants() -> None:
    rows = dict(re.findall(r"^\| (\w[\w ]*) \| (.+) \|$", EKO, flags=re.MULTILINE))
    assert set(ACTION_TYPES) <= set(re.findall(r"`(\w+)`", rows["Decisions"]))
    assert set(VARIANTS) <= set(re.findall(r"`(\w+)`", rows["Options"]))


def test_the_page_of_eko_has_the_sizes_of_the_boards() -> None:
    for players in (2, 3, 4):
        spaces = len(random_layout(players, frozenset(), Chance(1)).spaces)
        assert re.search(rf"\b{spaces} with {players}\b", EKO)


def test_the_example_plays_a_game_to_its_end() -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", EKO, flags=re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Outcome(winners=")
