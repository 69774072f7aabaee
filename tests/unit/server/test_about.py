"""What a server says of itself comes from the models that check what it is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from ekoes.bots import bots
from ekoes.games.api.contract import Json
from ekoes.games.api.registry import games
from ekoes.games.api.table import fields_about
from ekoes.server.http.tables import about_server
from ekoes.tables.create import table_class
from ekoes.tables.orders import Pace, Rename
from ekoes.tables.plan import TableOptions

ROOT = Path(__file__).parents[3]
ABOUT = about_server()
GAMES: dict[str, Json] = {game["name"]: game for game in ABOUT["games"]}


class Inner(BaseModel):
    """A field that has fields."""

    size: Annotated[int, Field(ge=1)]


class Wish(BaseModel):
    """One field of every kind."""

    given: int
    flag: bool = True
    size: Annotated[int, Field(ge=2, le=8)] = 4
    word: Literal["small", "large"] = "small"
    extras: frozenset[Literal["a", "b"]] = frozenset()
    clock: Annotated[int, Field(ge=1)] | None = None
    inner: Inner | None = None


def test_fields_are_described_from_their_model() -> None:
    assert fields_about(Wish, besides={"flag"}) == {
        "given": {},
        "size": {"default": 4, "least": 2, "most": 8},
        "word": {"default": "small", "values": ["small", "large"]},
        "extras": {"default": [], "values": ["a", "b"], "several": True},
        "clock": {"default": None, "least": 1, "null": True},
        "inner": {"default": None, "fields": {"size": {"least": 1}}, "null": True},
    }


def test_the_page_is_tested_with_what_the_server_says() -> None:
    example = json.loads((ROOT / "tests/golden/meta.json").read_text("utf-8"))
    assert example == ABOUT


@pytest.mark.parametrize("game", games())
def test_every_game_is_told_with_its_bots_and_options(game: str) -> None:
    about = GAMES[game]
    assert about["bots"] == list(bots(game))
    assert about["stand_in"] in about["bots"]
    least, most = about["players"]
    assert 1 < least < most <= ABOUT["limits"]["seats"] == ABOUT["limits"]["colours"]
    options = {name: option["default"] for name, option in about["options"].items()}
    given = {name: value for name, value in options.items() if name not in TableOptions.model_fields}
    assert table_class(game).preview(game, {"players": most, **given}, 1)["position"]["players"] == most


@pytest.mark.parametrize("game", games())
def test_every_game_has_the_levels_in_their_order(game: str) -> None:
    about = GAMES[game]
    assert (
        about["levels"] == list(ABOUT["levels"]) == [bot for bot in about["bots"] if bot in about["levels"]]
    )


def test_the_page_says_of_a_level_what_the_server_says() -> None:
    words = json.loads((ROOT / "web/src/i18n/en.json").read_text("utf-8"))
    assert ABOUT["levels"] == {name: words[f"level.{name}.help"] for name in ABOUT["levels"]}


def test_options_of_eko_are_told_like_those_of_ekko() -> None:
    eko = GAMES["eko"]
    assert eko["options"]["variants"] == {"default": [], "values": eko["variants"], "several": True}
    assert eko["options"]["setup"] == {"default": "standard", "values": eko["setups"]}
    assert {"seed", "turn_limit", "layout", "tileset"} <= set(eko["options"])
    assert not {"seed", "turn_limit"} & set(GAMES["ekko"]["options"])


def test_limits_are_those_that_messages_are_held_to() -> None:
    limits = ABOUT["limits"]
    Rename(key="a", seat=0, name="x" * limits["name"])
    with pytest.raises(ValidationError):
        Rename(key="a", seat=0, name="x" * (limits["name"] + 1))
    pace = limits["pace"]
    assert pace["least"] <= pace["default"] <= pace["most"]
    Pace(key="a", milliseconds=pace["most"])
    with pytest.raises(ValidationError):
        Pace(key="a", milliseconds=pace["most"] + 1)


def test_languages_are_those_of_the_list() -> None:
    assert ABOUT["languages"] == json.loads((ROOT / "src/ekoes/languages.json").read_text("utf-8"))
    assert all(set(language) == {"tag", "name", "dir"} for language in ABOUT["languages"])


def test_every_key_is_described() -> None:
    page = (ROOT / "docs/reference/protocol.md").read_text("utf-8")
    _, _, section = page.partition("### Server description")
    text = section.partition("\n## ")[0]
    words = {*ABOUT, *ABOUT["limits"], *ABOUT["languages"][0]}
    words |= {key for game in GAMES.values() for key in game}
    words |= {key for game in GAMES.values() for option in game["options"].values() for key in option}
    assert {word for word in words if f'"{word}"' not in text and f"`{word}`" not in text} == set()
