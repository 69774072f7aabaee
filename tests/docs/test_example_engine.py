"""docs/examples/engine.py plays whole games of both kinds against `ekoes engine`, and fits on a page."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ekoes.arena.players import Limit, Past, Program
from ekoes.cli.bots import warm_once
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Position
from ekoes.games.api.registry import game

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "engine.py"
GUIDE = (DOCS / "guide" / "write-an-engine.md").read_text("utf-8")
KEPT = ("PYTHONPATH", "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR")
FEW = Limit(iterations=20, seed=3)


def started(command: list[str]) -> Program:
    environment = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    environment |= {name: os.environ[name] for name in KEPT if name in os.environ}
    return Program(command, environment=environment, start=300)


@pytest.fixture(scope="module")
def programs() -> Iterator[list[Program]]:
    """The example and the engine of this house, with the memory that every program gets."""
    warm_once()  # compiling takes more
    with started([sys.executable, str(EXAMPLE)]) as example, started(["ekoes", "engine"]) as engine:
        assert (example.hello["name"], engine.hello["name"]) == ("Any action", "Ekoes")
        yield [example, engine]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "options"), [("eko", {"players": 2}), ("ekko", {"players": 3, "target": 3})]
)
def test_the_example_plays_whole_games_against_the_engine(
    programs: list[Program], name: str, options: dict[str, Any]
) -> None:
    chance = Chance(1)
    position: Position = game(name).new(options, 4)
    past = Past(position, decisions := [])
    asked = set()
    while position.outcome() is None:
        (seat,) = position.actors()
        if seat == CHANCE:
            action = position.chance_action(chance)
        else:
            action = programs[seat % 2].choose(position, seat, FEW, past).action
            asked.add(seat)
        decisions.append((seat, action))
        position = position.play(seat, action)
    assert asked == set(range(options["players"]))


def test_the_example_is_short_and_needs_the_standard_library_alone() -> None:
    text = EXAMPLE.read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip()]
    assert len(lines) <= 40
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, flags=re.MULTILINE))
    assert imported <= sys.stdlib_module_names


def test_the_guide_shows_the_example() -> None:
    assert "(../examples/engine.py)" in GUIDE
