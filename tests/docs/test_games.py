"""One page per game, whose facts are those of the program."""

from __future__ import annotations

import re

import pytest

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.registry import game, games
from ekoes.games.ekko.position.action import ACTION_TYPES as EKKO_ACTION_TYPES
from ekoes.games.ekko.position.position import EkkoOptions
from ekoes.games.ekko.rules.record import Why
from ekoes.games.eko.position.action import ACTION_TYPES
from ekoes.games.eko.position.setup import random_layout
from ekoes.games.eko.position.tiles import VARIANTS
from tests.docs.pages import ROOT, fences, read, run_python

FOLDER = ROOT / "docs" / "games"
EKO, EKKO = read("docs/games/eko.md"), read("docs/games/ekko.md")


def rows(page: str) -> dict[str, str]:
    """The tables of a page: the text of a row by its first cell."""
    return dict(re.findall(r"^\| ([`\w][^|]*?) \| (.+) \|$", page, flags=re.MULTILINE))


def named(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_every_game_has_its_page() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(games())


def test_the_page_of_eko_names_all_decisions_and_variants() -> None:
    assert set(ACTION_TYPES) <= named(rows(EKO)["Decisions"])
    assert set(VARIANTS) <= named(rows(EKO)["Options"])


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
    (table,) = re.findall(r"^## What a seat sees\n(.*?)^## ", EKKO, flags=re.MULTILINE | re.DOTALL)
    described = [key for row in rows(table) for key in re.findall(r"`(\w+)`", row)]
    seen: set[str] = set()
    for view in views_of_a_game():
        assert [key for key in described if key in view] == list(view)
        seen |= set(view)
    assert seen == set(described)
    turns = {key for view in views_of_a_game() for key in view["turn"]}
    assert turns <= named(rows(table)["`turn`"])


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
