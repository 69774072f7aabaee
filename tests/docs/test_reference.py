"""The pages of games, environments, engines and studies: what they list is what the program has."""

from __future__ import annotations

import json
import re

import pytest

from ekoes.arena.players import BUDGETS, DEFAULT_MEMORY, GRACE, LONGEST_ANSWER, PROTOCOL, ForfeitError
from ekoes.cli.engine import COMMANDS, Limits
from ekoes.envs.kernels_ekko import INTEGERS
from ekoes.envs.match import spaces_of
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.registry import game, games
from ekoes.games.ekko.position.action import ACTION_TYPES as EKKO_ACTION_TYPES
from ekoes.games.ekko.position.position import EkkoOptions
from ekoes.games.ekko.rules.record import Why
from ekoes.games.eko.position.action import ACTION_TYPES
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.tables.lessons import lesson_of, read_lessons
from ekoes.tables.studies import ChapterForm, StudyForm, TaskForm, teaching_of
from tests.docs.pages import ROOT, fences, read, rows, run_python, table
from tests.unit.arena.test_program import HOSTILE, RAW

EKO, EKKO = read("docs/games/eko.md"), read("docs/games/ekko.md")
ENGINE, STUDIES = read("docs/reference/engine.md"), read("docs/reference/studies.md")
ENVIRONMENT_EKO, ENVIRONMENT_EKKO = (
    read(f"docs/reference/environment-{name}.md") for name in ("eko", "ekko")
)
TITLES = {"eko": "Ekö", "ekko": "EKKO"}

# ---------------------------------------------------------------- games


def named(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_every_game_has_its_page() -> None:
    assert {path.stem for path in (ROOT / "docs" / "games").glob("*.md")} == set(games())


def test_the_page_of_eko_names_all_decisions_and_variants() -> None:
    assert set(ACTION_TYPES) <= named(rows(EKO)["Decisions"])
    assert ", ".join(VARIANTS) in (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")


def test_the_page_of_ekko_names_all_decisions_and_options() -> None:
    assert set(EKKO_ACTION_TYPES) == named(rows(EKKO)["Decisions"])
    assert set(EkkoOptions.model_fields) == named(rows(EKKO)["Options"])


def views_of_a_game() -> list[Json]:
    """All that seat 0, a spectator and an asked seat see in one game, which ends."""
    chance = Chance(3)
    position = game("ekko").new({"players": 4}, seed=3)
    views = [position.view(0)]
    while position.outcome() is None:
        (seat,) = position.actors()
        asked = [seat] if seat != CHANCE else []
        views += [position.view(eye) for eye in (0, None, *asked)]
        action = position.chance_action(chance) if seat == CHANCE else chance.choice(position.legal(seat))
        position = position.play(seat, action)
    return [*views, position.view(0)]


def test_the_page_of_ekko_describes_every_key_of_a_view_in_its_order() -> None:
    (section,) = re.findall(r"^## What a seat sees\n(.*?)^## ", EKKO, flags=re.MULTILINE | re.DOTALL)
    described = [key for row in rows(section) for key in re.findall(r"`(\w+)`", row)]
    seen: set[str] = set()
    for view in views_of_a_game():
        assert [key for key in described if key in view] == list(view)
        seen |= set(view)
    assert seen == set(described)
    turns = {key for view in views_of_a_game() for key in view["turn"]}
    assert turns <= named(rows(section)["`turn`"])


def test_the_page_of_ekko_has_the_reasons_of_a_draw() -> None:
    assert {why.name.lower() for why in Why} <= named(rows(EKKO)["`drew`"])


def test_the_page_of_eko_has_the_sizes_of_the_boards() -> None:
    for players in (2, 3, 4):
        spaces = len(random_layout(players, frozenset(), Chance(1)).spaces)
        assert re.search(rf"\b{spaces} with {players}\b", EKO)


@pytest.mark.parametrize("page", [EKO, EKKO], ids=["eko", "ekko"])
def test_the_example_plays_a_game_to_its_end(page: str) -> None:
    (example,) = fences(page, "python")
    assert run_python(example).startswith("Outcome(winners=")


# ---------------------------------------------------------------- environments


def test_the_examples_of_the_environments_run() -> None:
    run_python("".join(fences(read("docs/reference/environments.md"), "python")))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_environment_of_eko_has_the_sizes(players: int) -> None:
    spaces = spaces_of("eko", {"players": players})
    board, scalars = (spaces.observation[name].shape for name in ("board", "scalars"))
    assert board == (3 * players + 15, (49, 70, 91)[players - 2])
    assert scalars == (7 * players + 16,)
    words = {2: "two", 3: "three", 4: "four"}
    assert re.search(rf"{spaces.actions.n:,} for {words[players]}\b", ENVIRONMENT_EKO)


def test_the_environment_of_ekko_has_the_sizes() -> None:
    spaces = spaces_of("ekko", {"players": 5})
    assert {name: space.shape for name, space in spaces.observation.spaces.items()} == {
        "cards": (3, 98),
        "draws": (2, 5, 98),
        "scalars": (7 * 5 + 7,),
    }
    assert f"| Integers | {INTEGERS} |" in ENVIRONMENT_EKKO


def test_the_environment_of_eko_has_a_row_for_each_plane() -> None:
    """The planes after those of the players are p … p + 12, and one for each kind of sign."""
    table = ENVIRONMENT_EKO.split("Then, with p")[1].split("## `scalars`")[0]
    named = re.findall(r"p \+ (\d+)", table)
    assert [int(number) for number in named] == list(range(1, 14))


# ---------------------------------------------------------------- the engine protocol


def test_every_command_of_the_engine_has_its_row() -> None:
    commands = [re.search(r'"cmd":"(\w+)"', row) for row in table(ENGINE, "request")]
    asked = [found[1] for found in commands if found]
    assert asked.pop(1) == "ready", "of programs that announce it, which ours does not"
    assert asked == list(COMMANDS)


def test_every_key_of_a_choose_has_its_row() -> None:
    assert list(table(ENGINE, "limit")) == list(Limits.model_fields)
    described = [*table(ENGINE, "key of `choose`"), *table(ENGINE, "limit")]
    assert sorted(described) == sorted(COMMANDS["choose"].optional)
    assert "One of " + ", ".join(f"`{name}`" for name in BUDGETS[:-1]) + f" and `{BUDGETS[-1]}`" in ENGINE


def test_every_reason_of_a_forfeit_has_its_row() -> None:
    shown = {reason for _, reason, _ in (*HOSTILE.values(), *RAW.values())}
    assert set(table(ENGINE, "reason")) == shown
    assert shown <= set(re.findall(r"``(\w+)``", str(ForfeitError.__doc__)))


def test_the_numbers_of_the_engine_are_those_of_the_program() -> None:
    assert f"This is version {PROTOCOL}." in ENGINE
    assert json.loads("[" + next(iter(table(ENGINE, "request"))) + "]")[0]["cmd"] == "hello"
    assert f"| {DEFAULT_MEMORY} |" in ENGINE
    assert f"{GRACE} s more" in ENGINE
    assert f"more than {LONGEST_ANSWER // 1024} KiB" in ENGINE


# ---------------------------------------------------------------- studies


def listed(heading: str) -> dict[str, str]:
    """The second cells of a table of the form, by the first."""
    return {cell: row.partition("|")[0].strip() for cell, row in table(STUDIES, heading).items()}


def test_reference_lists_the_keys_of_a_study() -> None:
    for heading, form in (("study", StudyForm), ("chapter", ChapterForm), ("task", TaskForm)):
        fields = form.model_fields.items()
        assert listed(heading) == {key: "" if field.is_required() else "optional" for key, field in fields}


def test_reference_lists_the_goals_of_each_game() -> None:
    told = listed("goal")
    for name in games():
        teaching = teaching_of(game(name))
        goals = set() if teaching is None else set(teaching.goals)
        assert goals == {goal for goal, of in told.items() if of in {"both", TITLES[name]}}


def test_example_is_a_study() -> None:
    (text,) = fences(STUDIES, "json")
    value = json.loads(text)
    value["chapters"][0]["position"] = lesson_of("eko", "build").position.to_json()
    (lesson,) = read_lessons(game("eko"), "1-basics.json", json.dumps(value))
    assert lesson.task.solution == lesson_of("eko", "build").task.solution
