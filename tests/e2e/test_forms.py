"""The forms that create something: each setting that can be chosen arrives."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from ekoes.games.eko.fairness import named_layouts
from tests.kit.client import new_name
from tests.kit.eko_page import VARIANTS
from tests.kit.examples import one_quick
from tests.kit.page import NewPage, open_form, sign_up
from tests.kit.server import Server

Chosen = dict[str, Any]
CONTROLS = "form.newgame :is(input, select):not([data-seat] *, [name=players])"
NAMES = """all => all.map(({ name, dataset }) => [
    dataset.clock || name || dataset.option || dataset.variant, dataset.variant || dataset.layout
])"""
PEOPLE = ("here", "open", "open", "open")
MIXED = ("here", "bot random", "open", "open")


def choose(control: Locator) -> object:
    """Choose what is not chosen, and return it."""
    match control.evaluate("control => control.type"):
        case "select-one":
            values = control.evaluate("control => [...control.options].map(({ value }) => value)")
            values.remove(control.input_value())
            value = values[-2]
            control.select_option(value)
            return int(value) if value.isdigit() else value
        case "checkbox":
            control.set_checked(not control.is_checked())
            return control.is_checked()
        case "radio":
            control.check(force=True)
            return control.evaluate("control => control.dataset.variant ?? control.dataset.layout")
        case _:
            control.fill(control.get_attribute("max") or "7")
            control.press("Tab")
            return int(control.input_value())


def controls(page: Page) -> list[list[str]]:
    """Return the setting of each control that a form shows, and what it stands for, with all folds open."""
    page.eval_on_selector_all("form.newgame details", "all => all.forEach(one => one.open = true)")
    names: list[list[str]] = page.eval_on_selector_all(CONTROLS, NAMES)
    return names


def fill_in_all(page: Page, game: str, *, rated: bool, without: tuple[str, ...]) -> Chosen:
    """Choose something in each control of a form, and return what was chosen. without: these controls."""
    kinds = PEOPLE if rated else MIXED
    open_form(page, game)
    page.locator('[data-option="rated"]').set_checked(rated)
    page.locator(f'[name="players"][value="{len(kinds)}"]').check(force=True)
    for seat, kind in enumerate(kinds):
        page.locator(f'[data-seat="{seat}"] select').select_option(kind)
        page.locator(f'[data-seat="{seat}"] input').fill(f"Player {seat}")
    page.locator('[data-seat="0"] button').click()
    chosen: Chosen = {}
    controls(page)
    page.wait_for_load_state("networkidle")
    seen: list[list[str]] = []
    while new := [one for one in controls(page) if one not in seen]:  # a choice may bring others, or end them
        seen.append(new[0])
        key, at = new[0][0], controls(page).index(new[0])
        if key not in ("rated", *without):
            chosen[key] = choose(page.locator(CONTROLS).nth(at))
    return chosen | {"rated": rated}


def stored(server: Server, page: Page) -> Any:
    """Start the game, and return its table as it is stored."""
    page.locator('[data-action="start"]').click()
    page.wait_for_url("**/t/*")
    with closing(sqlite3.connect(server.database)) as database:
        query = "SELECT state FROM states WHERE table_id = ?"
        ((state,),) = database.execute(query, [page.url.rsplit("/", 1)[1]])
    stored: dict[str, Any] = json.loads(state)
    return stored


def arrived(table: Any) -> Chosen:
    """Return what was chosen for a stored table, as ``fill_in_all`` does."""
    options, clock, agreed = table["options"], table.get("plan") or {}, table["agreements"]
    chosen: Chosen = options | {
        **dict.fromkeys(options.get("variants", ()), True),
        "layout": table.get("position", {}).get("tiles"),
        "seed": table["seed"],
        "rated": table.get("rated", False),
        "public": table["public"],
        "chat": table["chat"],
        "absence": agreed["absence"],
        "take-back": agreed.get("take_back", False),
        "clock": "live" if "base" in clock else None,
        "minutes": clock.get("base", 0) // 60,
        "seconds": clock.get("increment"),
        "up": clock.get("up"),
    }
    return chosen


@pytest.mark.parametrize(
    ("game", "rated", "without"),
    [
        *one_quick(
            ("ekko", True, ("screen",)),
            [
                ("eko", False, ("layout",)),
                ("eko", False, VARIANTS),
                ("eko", True, ()),
                ("ekko", False, ("screen",)),
                ("ekko", False, ("screen", "calm")),
            ],
        ),
    ],
)
def test_each_setting_that_a_form_offers_arrives_at_the_table(
    server: Server, new_page: NewPage, game: str, rated: bool, without: tuple[str, ...]
) -> None:
    page = new_page(f"{server.address}/ratings")
    sign_up(page, server.address, new_name())
    page.goto(f"{server.address}/{game}/new")
    chosen = fill_in_all(page, game, rated=rated, without=without)
    if "layout" in chosen:
        (chosen["layout"],) = (one.tiles for one in named_layouts() if one.name == chosen["layout"])
    table = stored(server, page)
    assert {key: arrived(table)[key] for key in chosen} == chosen
    kinds = [seat["kind"] if seat["bot"] is None else f"bot {seat['bot']}" for seat in table["seats"]]
    assert (tuple(kinds), [seat["colour"] for seat in table["seats"]]) == (
        PEOPLE if rated else MIXED,
        [1, 0, 2, 3],
    )
