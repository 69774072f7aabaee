"""A person at EKKO's table, as a test plays one: only what the page offers is ever tapped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from playwright.sync_api import Error, Locator, Page, WebSocketRoute

from tests.kit.app import DEALER, LEFT, TURNED
from tests.kit.page import NewPage, TablePage, make_table, open_form
from tests.kit.server import Server

MAIN = "main.ekko"
ASKED = (
    f'{MAIN}[data-connection="open"][aria-busy="false"]:is('
    ":has([data-sheet], [data-ending], [data-action=ready]),"
    ":has([data-action=pass]:enabled, [data-action=effect-draw]:enabled),"
    ":has([data-turn=own]),"
    ":has([data-action=take], [data-action=pass-for-all]:enabled))"
)
"""The table waits for a player at this page, or a dialog covers it."""
ON_TOP = """target => {
  const { x, y, width, height } = target.getBoundingClientRect()
  return target.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}"""
"""Whether nothing lies over an element's middle."""
OFFER = """main => {
  const cards = [...main.querySelectorAll("button[data-card].playable")]
  return {
    version: Number(main.dataset.version),
    cards: cards.map(card => Number(card.dataset.card)),
    draws: main.querySelector("[data-action=draw]:enabled") !== null,
  }
}"""
"""What may be played now, and at which version, read at once: a bot's mirror can come at any moment."""
GLANCE = 1000
"""Milliseconds after which a person has certainly seen the card that has come."""


class Offer(NamedTuple):
    """At a version of the table, the cards that the page lifts, and whether it offers to draw."""

    version: int
    cards: list[int]
    draws: bool


class EkkoPlayer(TablePage):
    """Plays one browser's seats. The page has a clock that can be put forward."""

    main = MAIN

    # What the page shows

    @property
    def stage(self) -> str | None:
        return self._told("stage")

    @property
    def round(self) -> int:
        return int(self._told("round") or 0)

    @property
    def top(self) -> int:
        """The top card (K1.4)."""
        return int(self.page.locator("[data-zone]").get_attribute("data-top") or 0)

    @property
    def hand(self) -> list[int]:
        cards = self.page.eval_on_selector_all("button[data-card]", "all => all.map(one => one.dataset.card)")
        return [int(card) for card in cards]

    @property
    def playable(self) -> list[int]:
        """The cards that the page lifts, at a table with hints."""
        return self.offer().cards

    def offer(self) -> Offer:
        """What the page offers this player in its turn."""
        return Offer(**self.page.locator(MAIN).evaluate(OFFER))

    @property
    def is_over(self) -> bool:
        return self.page.locator("[data-ending]").count() > 0

    @property
    def is_asked(self) -> bool:
        """Whether this page's people have something to do before the game is over."""
        return self.page.locator(ASKED).count() > 0 and not self.is_over

    def card(self, card: int) -> Locator:
        return self.page.locator(f'button[data-card="{card}"]')

    # What a person does

    def look(self) -> None:
        """Let the page's clock go on until a person would have seen what lies there."""
        self.page.clock.fast_forward(GLANCE)

    def play(self, card: int) -> None:
        self.look()
        self.press(self.card(card))

    def until_asked(self) -> None:
        """Wait until this page's people have something to do."""
        self.page.wait_for_selector(ASKED)

    def until_turn(self) -> None:
        """Do whatever is asked until a card can be played."""
        self.until_asked()
        while not self.page.locator("[data-turn=own]").count():
            self.decide()
            self.until_asked()

    def until_stage(self, *stages: str) -> None:
        """Wait until the table is at one of some stages."""
        self.page.wait_for_selector(", ".join(f'{MAIN}[data-stage="{stage}"]' for stage in stages))

    def decide(self) -> None:
        """Do one thing that the page asks for: from saying ready to playing a card."""
        self.until_asked()
        if self.is_over:
            return
        for action in ("take", "pass-for-all", "ready", "effect-draw", "pass", "close-sheet"):
            button = self.button(action)
            if button.count() and button.is_enabled():
                try:
                    self.press(button)
                except Error:
                    if button.count():
                        raise
                    # the time to pass was over before the button was pressed
                return
        self.take_turn()

    def take_turn(self) -> None:
        """Play a lifted card; without one, draw. If the turn has just been taken away, do nothing."""
        version, cards, draws = self.offer()
        if not cards and not draws:
            return
        try:
            if cards:
                self.play(cards[0])
            else:
                self.look()
                self.press(self.button("draw"))
        except Error:
            if self.version == version:  # else somebody's mirror card took the turn first
                raise
        self.until_after(version)

    def until_over(self) -> None:
        """Play until the result says how the game has ended."""
        while not self.is_over:
            self.decide()


class HeldConnection:
    """A browser's connection, on which the messages of the server can be held back."""

    def __init__(self, page: Page) -> None:
        self.held: list[str | bytes] | None = None
        self._route: WebSocketRoute | None = None
        page.route_web_socket(re.compile("/socket\\?"), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        self._route = route
        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(self._hear)

    def _hear(self, message: str | bytes) -> None:
        if self.held is not None:
            self.held.append(message)
        elif self._route:
            self._route.send(message)

    def hold(self) -> None:
        self.held = []

    def release(self) -> None:
        held, self.held = self.held or [], None
        for message in held:
            self._hear(message)


def set_up(page: Page, *kinds: str, **options: Any) -> None:
    """Make a table of EKKO and go there. kinds: ``here``, ``open``, ``bot beginner`` …; options: of the game.

    People who share a browser play in calm mode.
    """
    page.goto(make_table(page, "ekko", *kinds, **{"calm": kinds.count("here") > 1} | options))
    page.wait_for_selector(f"{MAIN} .seat")


def set_up_by_form(page: Page, *kinds: str, **options: str | bool) -> None:
    """Choose a game of EKKO in the form and start it. kinds: ``here``, ``open``, ``bot beginner`` …"""
    open_form(page, "ekko")
    page.locator(f'[name="players"][value="{len(kinds)}"]').check(force=True)
    for seat, kind in enumerate(kinds):
        page.locator(f'form [data-seat="{seat}"] select').select_option(kind)
    for name, value in options.items():
        field = page.locator(f'[data-option="{name}"]')
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("it => it.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
            field.press("Tab")
    page.locator('form [data-action="start"]').click()
    page.wait_for_selector(f"{MAIN} .seat")


@dataclass
class Two:
    """Two browsers at one table, both ready: who begins, and the dealer; with their connections."""

    left: EkkoPlayer
    dealer: EkkoPlayer
    connections: dict[EkkoPlayer, HeldConnection]


def sit_down(server: Server, new_page: NewPage, device: dict[str, Any] | None = None, **options: Any) -> Two:
    pages = [new_page(server.address, clock=True, visit=False, **(device or {})) for _ in range(2)]
    connections = [HeldConnection(page) for page in pages]
    set_up(pages[0], "here", "open", **options)
    pages[1].goto(pages[0].url)
    pages[1].locator('[data-field="name"]').fill("Noor")
    pages[1].locator('[data-action="sit"]').first.click()
    players = [EkkoPlayer(page) for page in pages]
    for player in players:
        player.until_stage("look")
        player.press(player.button("ready"))
    for player in players:
        player.until_stage("race", "window")
    of_player = dict(zip(players, connections, strict=True))
    players.sort(key=lambda player: player.hand != list(LEFT))
    assert [tuple(player.hand) for player in players] == [LEFT, DEALER]
    assert all(player.top == TURNED for player in players)
    return Two(players[0], players[1], of_player)
