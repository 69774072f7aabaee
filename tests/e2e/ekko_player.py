"""A person at EKKO's table, as a test plays one: only what the page offers is ever tapped."""

from __future__ import annotations

from playwright.sync_api import Error, Locator, Page

MAIN = "main.ekko"
ASKED = (
    f'{MAIN}[data-connection="open"][aria-busy="false"]:is('
    ":has([data-sheet], [data-action=ready], [data-action=pass]:enabled, [data-action=effect-draw]:enabled),"
    ":has([data-action=draw]:enabled),"
    ":has([data-action=take], [data-action=pass-for-all]:enabled))"
)
"""The table waits for somebody at this page, or a sheet lies over it."""
GLANCE = 1000
"""Milliseconds after which a person has certainly seen the card that has come."""


class EkkoPlayer:
    """Plays one browser's seats. The page has a clock that can be put forward. touch: fingers."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page = page
        self.touch = touch

    # What the page shows

    def _told(self, name: str) -> str | None:
        return self.page.locator(MAIN).get_attribute(f"data-{name}")

    @property
    def stage(self) -> str | None:
        return self._told("stage")

    @property
    def version(self) -> int:
        return int(self._told("version") or 0)

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
        lifted = "button[data-card].playable"
        cards = self.page.eval_on_selector_all(lifted, "all => all.map(one => one.dataset.card)")
        return [int(card) for card in cards]

    @property
    def is_over(self) -> bool:
        return self.page.locator('[data-sheet="over"]').count() > 0

    @property
    def is_asked(self) -> bool:
        """Whether this page's people have something to do before the game is over."""
        return self.page.locator(ASKED).count() > 0 and not self.is_over

    def button(self, action: str) -> Locator:
        return self.page.locator(f'[data-action="{action}"]')

    def card(self, card: int) -> Locator:
        return self.page.locator(f'button[data-card="{card}"]')

    # What a person does

    def press(self, target: Locator) -> None:
        if self.touch:
            target.tap()
        else:
            target.click()

    def look(self) -> None:
        """Let the page's clock go on until a person would have seen what lies there."""
        self.page.clock.fast_forward(GLANCE)

    def play(self, card: int) -> None:
        self.look()
        self.press(self.card(card))

    def until_asked(self) -> None:
        """Wait until this page's people have something to do."""
        self.page.wait_for_selector(ASKED)

    def until_after(self, version: int) -> None:
        """Wait until the table is past a version."""
        self.page.wait_for_function(
            "version => Number(document.querySelector('main').dataset.version) > version", arg=version
        )

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
                self.press(button)
                return
        self.take_turn()

    def take_turn(self) -> None:
        """Play a lifted card; without one, draw."""
        cards, version = self.playable, self.version
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
        """Play until the last sheet says how the game has ended."""
        while not self.is_over:
            self.decide()
