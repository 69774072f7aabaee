"""What the documents show runs as it stands there: README, the library, notebooks, engine, training."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
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
from tests.docs.pages import ROOT, fences, read, run_python, run_shell
from tests.kit.core import core_python

README = read("README.md")
RESEARCH = read("docs/guide/research.md")
ENGINE = ROOT / "docs" / "examples" / "engine.py"
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
KEPT = ("PYTHONPATH", "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR")
FEW = Limit(iterations=20, seed=3)
SMALL = "--games 64 --steps 16 --every 1024 --rounds 4 --threads 1"


def test_two_commands_are_targets_of_make() -> None:
    (block,) = fences(README, "sh")
    commands = [line.split("#")[0].split() for line in block.splitlines()]
    assert commands == [["make", "play"], ["make", "test"]]


def test_command_line_example_runs(tmp_path: Path) -> None:
    (block,) = fences(README, "console")
    commands = [line.removeprefix("$ ") for line in block.splitlines()]
    assert commands
    for command in commands:
        assert run_shell(command, tmp_path) or ">" in command, command


def test_python_example_plays_a_game_to_its_end() -> None:
    (block,) = fences(README, "python")
    assert run_python(block).startswith("Outcome(winners=")


def test_the_examples_of_the_library_run_without_an_extra(tmp_path: Path) -> None:
    examples = fences(read("docs/python.md"), "python")
    assert len(examples) > 5
    python, environment = core_python(tmp_path)
    subprocess.run([*python, "-c", "".join(examples)], env=environment, check=True, capture_output=True)


def test_the_bot_of_the_guide_plays_everywhere(tmp_path: Path) -> None:
    guide = read("docs/guide/write-a-bot.md")
    bot, *uses = fences(guide, "python")
    (entry,) = re.findall(r"(.+) = \"(.+)\"", fences(guide, "toml")[0])
    (tmp_path / "collector.py").write_text(bot)
    package = tmp_path / "collector-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: collector\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(f"[ekoes.bots]\n{entry[0].strip(chr(34))} = {entry[1]}\n")
    by_name = """
from ekoes.bots import bots, is_bot

assert bots("eko")[-1] == "collector" and not is_bot("ekko", "collector")
game = ekoes.eko.Game(seed=7)
assert game.push_bot("collector") == ekoes.eko.Game(seed=7).push_bot(COLLECTOR)
assert play_bots("eko", {"it": "collector", "any": "random"}, turn_limit=1).stats.games == 2
"""
    program = "".join([bot, *uses, by_name])
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True)
    assert len(bot.strip().splitlines()) <= 10


def code(notebook: Path) -> str:
    """Return the code of a notebook as a program."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "code")


@pytest.mark.long
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    run_python(code(notebook))


def started(command: list[str]) -> Program:
    environment = {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    environment |= {name: os.environ[name] for name in KEPT if name in os.environ}
    return Program(command, environment=environment, start=300)


@pytest.fixture(scope="module")
def programs() -> Iterator[list[Program]]:
    """The example and the engine of this house, with the memory that every program gets."""
    warm_once()  # compiling takes more
    with started([sys.executable, str(ENGINE)]) as example, started(["ekoes", "engine"]) as engine:
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


KITS = {
    "engine.js": (["node", "{source}"], None),
    "engine.c": (["{built}"], ["cc", "-Wall", "-Wextra", "-Werror", "-o", "{built}", "{source}"]),
    "engine.rs": (["{built}"], ["rustc", "-D", "warnings", "-o", "{built}", "{source}"]),
}


SAME = """
import torch
from ppo_ekko import Network, tensors

network = Network(511, logits.shape[1])
network.load_state_dict(torch.load("policy.pt"))
with torch.no_grad():
    wanted = network(*tensors(seen, infos["action_mask"]))
found = session.run(None, seen | {"action_mask": infos["action_mask"]})
assert all(torch.allclose(torch.tensor(a), b, atol=1e-4) for a, b in zip(found, wanted))
"""


@pytest.mark.long
def test_ppo_in_one_file_learns_for_a_moment_and_plays_as_onnx(tmp_path: Path) -> None:
    script = ROOT / "docs" / "examples" / "ppo_ekko.py"
    few = "--minutes 0.02 --games 32 --steps 8 --rounds 4"
    run = [sys.executable, str(script), str(tmp_path), *few.split()]
    told = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    decisions = [int(line.split(" ")[0].replace(",", "")) for line in told]
    assert decisions[0] == 0 < decisions[-1]
    assert all("won against skilled" in line for line in told)
    _, loading, _ = fences(RESEARCH, "python")
    path = os.pathsep.join([str(script.parent), os.environ.get("PYTHONPATH", "")])
    same = [sys.executable, "-c", loading + SAME]
    subprocess.run(same, cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, check=True)


@pytest.mark.long
def test_alphazero_in_one_file_learns_for_a_moment(tmp_path: Path) -> None:
    script = ROOT / "docs" / "examples" / "alphazero_eko.py"
    few = "--minutes 0.1 --games 32 --simulations 4 --turns 4 --measured 4"
    run = [sys.executable, str(script), str(tmp_path), *few.split()]
    last = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    decisions, games = (int(part.split(" ")[0].replace(",", "")) for part in last.split(", "))
    assert decisions > games > 0
    assert "won against beginner" in last
    assert (tmp_path / "network.pt").is_file()


@pytest.mark.long
@pytest.mark.parametrize("kit", KITS)
def test_starter_kits_play_whole_games(kit: str, tmp_path: Path) -> None:
    command, build = KITS[kit]
    names = {"source": str(ENGINE.with_name(kit)), "built": str(tmp_path / "engine")}
    if shutil.which((build or command)[0]) is None:
        pytest.skip(f"{(build or command)[0]} is not here")
    if build is not None:
        subprocess.run([word.format_map(names) for word in build], check=True)
    warm_once()
    with started([word.format_map(names) for word in command]) as program:
        position = game("eko").new({"players": 2}, 5)
        past, decisions = Past(position, decided := []), 0
        while (actors := position.actors()) and decisions < 40:
            action = program.choose(position, actors[0], FEW, past).action
            decided.append((actors[0], action))
            position = position.play(actors[0], action)
            decisions += 1
        assert decisions == 40 or position.outcome()


def test_the_example_is_short_and_needs_the_standard_library_alone() -> None:
    text = ENGINE.read_text("utf-8")
    lines = [line for line in text.splitlines() if line.strip()]
    assert len(lines) <= 40
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, flags=re.MULTILINE))
    assert imported <= sys.stdlib_module_names


def test_the_guide_shows_the_examples() -> None:
    guide = read("docs/guide/write-an-engine.md")
    assert all(f"(../examples/{name})" in guide for name in [ENGINE.name, *KITS])


def test_environment_of_the_guide_is_played() -> None:
    program, *_ = fences(RESEARCH, "python")
    assert run_python(program) in {"-1.0\n", "1.0\n"}


@pytest.mark.long
def test_games_of_the_guide_are_written_and_become_a_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *_, games = fences(RESEARCH, "sh")
    run_shell(games.replace("1000", "3"), tmp_path)
    *_, program = fences(RESEARCH, "python")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    run_python(f"import os\nos.chdir({str(tmp_path)!r})\n{program}")
    assert list(tmp_path.glob("ekoes/eko/skilled-v0/data"))


@pytest.mark.long
def test_training_goes_on_where_it_stopped_and_its_network_plays_in_the_arena(tmp_path: Path) -> None:
    _, train, arena, _ = fences(RESEARCH, "sh")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    lengths = []
    for _ in range(2):
        run_shell(train.strip().replace("--minutes 20", f"--minutes 0.05 {SMALL}"), tmp_path)
        with (tmp_path / "runs/ekko/curve.csv").open() as file:
            points = [(int(decisions), float(share)) for decisions, share in csv.reader(file)]
        lengths.append(len(points))
    decisions = [point[0] for point in points]
    assert decisions == sorted(decisions)
    assert decisions[-1] > decisions[lengths[0]] >= decisions[lengths[0] - 1] > 0
    assert all(0 <= share <= 1 for _, share in points)
    assert list(tmp_path.glob("runs/ekko/ppo_*/events.*"))
    assert (tmp_path / "runs/ekko/curve.png").is_file()
    plan = (ROOT / "docs/examples/arena.toml").read_text("utf-8").replace("rounds = 100", "rounds = 2")
    (tmp_path / "plan.toml").write_text(plan, "utf-8")
    report = run_shell(arena.replace("docs/examples/arena.toml", "plan.toml"), tmp_path)
    assert "trained" in report
    assert "forfeit" not in report.lower()
