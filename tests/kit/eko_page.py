"""A person at the page, as a test plays one: only what the page offers is ever clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.kit.client import play
from tests.kit.page import PHONE, NewPage, TablePage, client_of, make_table, open_form
from tests.kit.server import ControlledServer

MAIN = "main.at-table"
DAY = 86_400
"""Seconds."""
LIKED = ("attack", "build", "kamikaze", "regroup", "move", "perish")
"""What this player prefers to do with a stack, best first."""


VARIANTS = ("portals", "labyrinth", "beacon", "moon", "sandtemple", "pyramids", "wind")


def set_up(page: Page, *kinds: str, seed: int | None = 1, **options: Any) -> None:
    """Make a table of Ekö and go there. kinds: ``here``, ``open``, ``bot greedy`` …; options: of the game."""
    page.goto(make_table(page, "eko", *kinds, seed=seed, **options))
    page.wait_for_selector(f"{MAIN} [data-space]")


def started(page: Page, *kinds: str, **options: Any) -> Player:
    """Make a table at which all Emperors stay where they are, and go there: the first action is asked."""
    table = make_table(page, "eko", *kinds, **{"seed": 1} | options)
    server, _, name = table.partition("/t/")
    with client_of(page, server).open(name) as socket:
        socket.order("pace", milliseconds=0)
        while not socket.choices or socket.state["position"]["turn"]["phase"] == "swap":
            if socket.choices:
                play(socket, "keep")
            else:
                socket.until(socket.version + 1)
    page.goto(table)
    page.wait_for_selector('[data-mark="pick"]')  # a board that is just opened is drawn over several frames
    player = Player(page)
    player.until_asked()
    return player


def set_up_by_form(page: Page, *kinds: str, variants: tuple[str, ...] = ()) -> None:
    """Choose a game in the form and start it."""
    open_form(page, "eko")
    page.locator(f'[name="players"][value="{len(kinds)}"]').check(force=True)
    for seat, kind in enumerate(kinds):
        page.locator(f'[data-seat="{seat}"] select').select_option(kind)
    for variant in variants:
        page.locator(f'[data-variant="{variant}"]').check()
    if (seed := page.get_by_label("Seed")).count():  # not while there is no server
        seed.fill("1")
        seed.press("Tab")
    page.locator('[data-action="start"]').click()
    page.wait_for_selector(f"{MAIN} [data-space]")


def two(timed: ControlledServer, new_page: NewPage, **clock: int | str) -> tuple[Page, Page]:
    """Begin a game of two browsers, the second a telephone; the first player has decided."""
    at_once = {"preferences": {"autoEnd": True}}
    first = new_page(timed.address, visit=False, **at_once)
    set_up(first, "here", "open", clock=clock)
    second = new_page(first.url, **at_once, **PHONE)
    second.locator('[data-action="sit"]').click()
    for page in (first, second):
        expect(page.locator('[data-action="sit"]')).to_have_count(0)
    next_of(first, second).decide()
    return first, second


def awaited(first: Page, second: Page) -> tuple[Page, Page]:
    """The page that is to decide, and the other one."""
    first.wait_for_selector(f"{MAIN} [data-running=true]")
    late = next_of(first, second).page
    return (first, second) if late is first else (second, first)


def next_of(*pages: Page) -> Player:
    """Return the player who is to decide, as soon as all these browsers show the same."""
    while True:
        players = [Player(page) for page in pages]
        asked = [player for player in players if player.phase is not None]
        if asked and len({player.version for player in players}) == 1:
            return asked[0]
        pages[0].wait_for_timeout(50)


class Player(TablePage):
    """Plays one browser's seats."""

    main = MAIN

    # What the page shows

    @property
    def phase(self) -> str | None:
        """What is asked of this browser: a phase, ``held``, ``over``, or None while others decide."""
        return self._told("phase")

    def marks(self, kind: str = "") -> list[str]:
        """Spaces that the board offers, of one kind or all."""
        selector = f'[data-mark="{kind}"]' if kind else "[data-mark]"
        return list(self.page.eval_on_selector_all(selector, "all => all.map(one => one.dataset.space)"))

    def space(self, name: str) -> Locator:
        return self.page.locator(f'[data-space="{name}"]')

    def name(self, space: str) -> str:
        """What people call a space, as those hear it who listen to the board."""
        return (self.space(space).get_attribute("aria-label") or "").partition(",")[0]

    # What a person does

    def tap(self, space: str) -> None:
        self.press(self.space(space))

    def until_asked(self) -> str:
        """Wait until this browser is to decide, or the game is over, and nothing moves. Returns the phase."""
        self.page.wait_for_selector(f'{MAIN}[data-phase][aria-busy="false"]:not(:has(.traveller))')
        return self.phase or ""

    def decide(self) -> None:
        """Take one decision, whatever is asked, and wait until it is shown."""
        phase, version = self.until_asked(), self.version
        match phase:
            case "swap":
                self.press(self.button("keep"))
            case "place":
                self.tap(self.marks("place")[0])
            case "action" | "second":
                self.act()
            case "after" | "reinforce":
                self.reinforce()
            case "ransom":
                self.press(self.button("ransom").first)
            case "held":
                self.press(self.button("end"))
            case _:
                return
        self.until_after(version)

    def pick_for(self, *kinds: str) -> str:
        """Pick a stack that has a target of one of these kinds. Returns the target."""
        for start in self.marks("pick"):
            self.pick(start)
            for kind in kinds:
                if targets := self.marks(kind):
                    return targets[0]
        raise AssertionError(f"no stack can {kinds}")

    def temple(self, name: str) -> bool:
        """Use a temple, if it is offered. Returns whether it was."""
        if not self.marks(name):
            if not self.button(name).count():
                return False
            self.press(self.button(name))
        self.tap(self.marks(name)[0])
        self.first_variant()
        return True

    def act(self) -> None:
        """Do the best liked thing that one of three stacks can do, or any if these can do nothing."""
        if self.temple("sandtemple"):
            return
        best: tuple[int, str, str] | None = None
        for tried, start in enumerate(self.marks("pick")):
            if best and tried >= 3:
                break
            self.pick(start)
            for liking, kind in enumerate(LIKED):
                targets = self.marks(kind)
                if targets and (best is None or liking < best[0]):
                    best = (liking, start, targets[self.version % len(targets)])
            if best and best[0] == 0:
                break
        if best is None:
            self.press(self.button("end"))
            return
        self.pick(best[1])
        self.tap(best[2])
        self.first_variant()

    def pick(self, start: str) -> None:
        """Pick a stack. What was in hand is let go first: a tap on another own stack may mean to regroup."""
        held = self.page.locator('[data-space][aria-pressed="true"]')
        if held.count() and held.get_attribute("data-space") == start:
            return
        if held.count() and self.touch:
            self.page.locator(".board svg").first.tap(position={"x": 2, "y": 2})
        else:
            self.page.keyboard.press("Escape")
        self.tap(start)
        self.page.wait_for_selector(f'[data-space="{start}"][aria-pressed="true"]')

    def first_variant(self) -> None:
        """Where a palette has opened, take its first button."""
        variant = self.button("variant").first
        if variant.count():
            self.press(variant)

    def reinforce(self) -> None:
        """Bring back all that one stack takes; without one, end the turn. Now and then march instead."""
        march = self.button("march")
        if march.count() and self.version % 2:
            self.press(march)
            return
        if self.temple("moon"):
            return
        spaces: Sequence[str] = self.marks("reinforce")
        if not spaces:
            self.press(self.button("end"))
            return
        self.tap(spaces[0])
        more = self.page.locator(".palette .counter button", has_text="+")
        if not more.count():  # one disc alone comes back at once
            return
        while more.is_enabled():
            self.press(more)
        self.press(self.button("end"))


def play_until(player: Player, *phases: str) -> None:
    """Decide until one of some phases is asked."""
    while player.until_asked() not in phases:
        player.decide()
