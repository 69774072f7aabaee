"""The main games and a lesson of each in Firefox, whose engine is another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ekoes.match.lessons.shelf import lesson_of
from tests.e2e.fox import Fox, firefox
from tests.e2e.server import Server

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]

MAIN = "document.querySelector('main')"
RESTS = f"{MAIN}.getAttribute('aria-busy') === 'false' && !document.querySelector('.traveller')"
ASKED = f"{MAIN}?.dataset.phase && {RESTS}"
CHOICE = """document.querySelector('[data-action="variant"]')"""
DECISIONS = 8


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
        case _:
            fox.click('[data-action="end"]')
    fox.wait(f"Number({MAIN}.dataset.version) > {version}")


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
    for _ in range(DECISIONS):
        decide(fox)
    assert fox.value("document.querySelectorAll('.moves ol button').length") >= DECISIONS
    assert fox.value("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_of_ekko_in_firefox(server: Server, fox: Fox) -> None:
    fox.goto(f"{server.address}/ekko")
    fox.click('[data-door="play"]')
    fox.click('[data-action="ready"]')
    fox.wait(f"{MAIN}?.dataset.stage === 'race'")
    fox.wait("document.querySelectorAll('button[data-card]').length > 0")
    assert fox.value("document.documentElement.scrollWidth <= innerWidth")


def test_lessons_in_firefox(server: Server, fox: Fox) -> None:
    fox.goto(f"{server.address}/eko/learn/attack")
    for action in lesson_of("eko", "attack").solution:
        for place in (action["from"], action["to"]):
            fox.click(f'[data-space="{place}"]')
    fox.wait(f"{MAIN}?.dataset.result === 'reached'")
    lesson = lesson_of("ekko", "signs")
    fox.goto(f"{server.address}/ekko/learn/signs")
    for count, action in enumerate(lesson.solution, 1):
        fox.click(f'button[data-card="{action["card"]}"]')
        fox.wait(f"{MAIN}?.dataset.done === '{count}'")
    fox.wait(f"{MAIN}?.dataset.result === 'reached'")
