"""The main games and all lessons in Firefox, whose engine is another one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ekoes.tables.lessons import Lesson, lessons_of
from tests.e2e.fox import Fox, firefox
from tests.kit.ekko_page import GLANCE
from tests.kit.server import Server

pytestmark = pytest.mark.long

MAIN = "document.querySelector('main')"
RESTS = f"{MAIN}.getAttribute('aria-busy') === 'false' && !document.querySelector('.traveller')"
ASKED = f"{MAIN}?.dataset.phase && {RESTS}"
CHOICE = """document.querySelector('[data-action="variant"]')"""
END = """document.querySelector('[data-action="end"]')"""
VARIANT = ".palette [data-action=variant]"
KINDS = {"camp": "Encampment", "tower": "Tower", "castle": "Castle"}
SKIP = """() => {
  let skipped = 0
  const now = performance.now.bind(performance)
  performance.now = () => now() + skipped
  window.skip = (milliseconds) => { skipped += milliseconds }
}"""
"""Gives a page a clock that can be put forward."""
DECISIONS = 8
PLAN = {"game": "eko", "options": {"players": 2, "seed": 1}, "seats": [{"kind": "here"}, {"kind": "here"}]}


@pytest.fixture
def fox(tmp_path: Path) -> Iterator[Fox]:
    with firefox(tmp_path / "profile") as fox:
        fox.resize(1280, 800)
        yield fox


def marks(fox: Fox, kind: str) -> list[str]:
    """Return the spaces that the board offers for something."""
    found: list[str] = fox.value(
        f"[...document.querySelectorAll('[data-mark={kind}]')].map((one) => one.dataset.space)"
    )
    return found


def decide(fox: Fox) -> None:
    """Take one decision of Ekö, the first that there is."""
    fox.wait(ASKED)
    version = fox.value(f"Number({MAIN}.dataset.version)")
    match fox.value(f"{MAIN}.dataset.phase"):
        case "swap":
            fox.click('[data-action="keep"]')
        case "place":
            fox.click(f'[data-space="{marks(fox, "place")[0]}"]')
        case "action" | "second":
            act(fox)
        case "ransom":
            fox.click('[data-action="ransom"]')
        case _ if fox.value(f"{END}?.disabled === false"):
            fox.click('[data-action="end"]')
        case _:  # discs have to come back (E8)
            fox.click("[data-mark]")
            confirm(fox)
    fox.wait(f"Number({MAIN}.dataset.version) > {version}")


def confirm(fox: Fox) -> None:
    """Bring back the chosen discs; one disc alone comes back at once."""
    if fox.value("document.querySelector('[data-action=confirm]') !== null"):
        fox.click('[data-action="confirm"]')


def act(fox: Fox) -> None:
    """Move the first stack that can."""
    for start in marks(fox, "pick"):
        fox.click(f'[data-space="{start}"]')
        fox.wait(f"""document.querySelector('[data-space="{start}"]').ariaPressed === 'true'""")
        if targets := [space for kind in ("move", "attack") for space in marks(fox, kind)]:
            version = fox.value(f"Number({MAIN}.dataset.version)")
            fox.click(f'[data-space="{targets[0]}"]')
            fox.wait(f"Number({MAIN}.dataset.version) > {version} || {CHOICE}")
            if fox.value(f"!!{CHOICE}"):
                fox.click('[data-action="variant"]')
            return
        fox.click(f'[data-space="{start}"]')
    fox.click('[data-action="end"]')


def test_a_game_of_eko_in_firefox(server: Server, fox: Fox) -> None:
    fox.goto(f"{server.address}/eko")
    fox.click('[data-door="play"]')
    fox.wait(ASKED)
    # A game of bots is another one each time: what is played on is always the same.
    asked = {"method": "POST", "headers": {"content-type": "application/json"}, "body": json.dumps(PLAN)}
    table = fox.value(f"(await (await fetch('/api/tables', {json.dumps(asked)})).json()).id")
    fox.goto(f"{server.address}/t/{table}")
    for _ in range(DECISIONS):
        decide(fox)
    assert fox.value(f"Number({MAIN}.dataset.version)") >= DECISIONS
    assert fox.value("document.querySelectorAll('.moves ol button').length") > 1
    assert fox.value("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_without_a_server_in_firefox(site: str, fox: Fox) -> None:
    fox.goto(f"{site}/eko/")
    fox.click('[data-door="play"]')
    for _ in range(4):
        decide(fox)
    fox.wait(ASKED)
    log = fox.value("document.querySelector('.moves').innerText")
    fox.goto(fox.value("location.href"))  # which its host has no file for
    fox.wait(f"{ASKED} && document.querySelectorAll('.moves ol button').length > 1")
    assert fox.value("document.querySelector('.moves').innerText").startswith(log)


def test_a_game_of_ekko_in_firefox(server: Server, fox: Fox) -> None:
    fox.goto(f"{server.address}/ekko")
    fox.click('[data-door="play"]')
    fox.click('[data-action="ready"]')
    fox.wait(f"{MAIN}?.dataset.stage === 'race'")
    fox.wait("document.querySelectorAll('button[data-card]').length > 0")
    assert fox.value("document.documentElement.scrollWidth <= innerWidth")


def click_variant(fox: Fox, text: str = "") -> None:
    """Choose in the palette, the first whose words have a text in them."""
    texts = fox.value(f"[...document.querySelectorAll('{VARIANT}')].map((one) => one.innerText)")
    place = next(place for place, told in enumerate(texts, 1) if text in told)
    fox.click(f"{VARIANT}:nth-of-type({place})")


def do_on_board(fox: Fox, action: dict[str, Any], count: int) -> None:
    """Do what a solution of Ekö says, as a person would."""
    if action["type"] in {"march", "moon", "sandtemple"}:
        fox.click(f'[data-action="{action["type"]}"]')
    for place in [action[key] for key in ("from", "to", "site", "space") if key in action]:
        for _ in range(action.get("count", 1)):
            fox.click(f'[data-space="{place}"]')
    if action["type"] == "reinforce":
        confirm(fox)
        return
    fox.wait(f"{MAIN}.dataset.done >= {count} || document.querySelector('{VARIANT}')")
    if fox.value(f"!!document.querySelector('{VARIANT}')"):
        click_variant(fox, KINDS.get(action.get("kind", ""), ""))


def do_with_cards(fox: Fox, action: dict[str, Any]) -> None:
    """Do what a solution of EKKO says, once a person has certainly seen what lies there."""
    fox.value(f"skip({GLANCE})")
    if action["type"] == "draw":
        fox.click('[data-action="draw"]')
    if action["type"] == "effect":
        fox.click(f'[data-action="effect-{action["effect"]}"]')
    for card in (action[key] for key in ("card", "aside") if key in action):
        fox.click(f'button[data-card="{card}"]')


def play(fox: Fox, lesson: Lesson) -> None:
    """Play the solution of a lesson that has been opened."""
    for count, decision in enumerate(lesson.task.solution, 1):
        fox.wait(f"{MAIN}?.dataset.done === '{count - 1}' && {RESTS}")
        if lesson.game == "eko":
            do_on_board(fox, dict(decision), count)
        else:
            do_with_cards(fox, dict(decision))
        fox.wait(f"{MAIN}.dataset.done === '{count}'")
    fox.wait(f"{MAIN}.dataset.result === 'reached'")


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_all_lessons_in_firefox(server: Server, fox: Fox, game: str) -> None:
    fox.prepare(SKIP)
    for lesson in lessons_of(game).values():
        fox.goto(f"{server.address}/{game}/learn/{lesson.name}")
        play(fox, lesson)
        assert fox.value("document.documentElement.scrollWidth <= innerWidth"), lesson.name
