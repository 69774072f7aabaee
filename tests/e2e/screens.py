"""Every screen of the page, and how a test gets there: what is asked of one is asked of all of them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from ekoes.tables.puzzles import puzzles_of
from tests.kit import ekko_page as ekko
from tests.kit import eko_page as eko
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.eko_page import MAIN, Player
from tests.kit.page import give_up, open_form, open_leaf, origin, sign_up

__all__ = ["SCREENS", "Screen"]


@dataclass(frozen=True)
class Screen:
    """A screen: where it is, what brings a page there, and what has to be there however small the window.

    folded: it is there in a narrow window only, where what lies beside the table has leaves of its own.
    has_twin: the other game has the same one, which is reached sooner, or a story looks at it with axe-core;
    this one is for `make test-long`.
    """

    name: str
    path: str
    reach: Callable[[Page], object]
    needs: tuple[str, ...] = ()
    folded: bool = False
    has_twin: bool = False

    @property
    def has_clock(self) -> bool:
        """Whether the page's time is put forward: cards are played one after another."""
        return self.path.startswith("/ekko")


def shown(selector: str) -> Callable[[Page], object]:
    """Wait until something is there."""
    return lambda page: page.locator(selector).first.wait_for()


def invite(page: Page) -> None:
    page.locator('[data-door="invite"]').click()
    page.wait_for_selector("main [data-space], main[data-stage=waiting]")


def invite_and_show(page: Page) -> None:
    """The leaf with the link for others."""
    invite(page)
    open_leaf(page, "game")


def come_as_guest(page: Page) -> None:
    """Follow the link of an invitation in a browser that has no seat."""
    invite(page)
    page.context.clear_cookies()
    page.reload()
    page.locator('[data-action="sit"]').first.wait_for()


def eko_turn(page: Page, opponent: str = "here") -> Player:
    """The board with everything that can lie on it, at a turn's action."""
    eko.set_up(page, "here", opponent, variants=eko.VARIANTS)
    player = Player(page)
    while player.until_asked() != "action":
        player.decide()
    return player


def eko_clock_chosen(page: Page) -> None:
    """The form, with a clock of one's own."""
    open_form(page, "eko")
    page.locator('[data-option="clock"]').select_option("live")
    page.locator('[data-clock="minutes"]').wait_for()


def eko_clocks(page: Page) -> None:
    """Four players with clocks, one of which runs."""
    eko_clock_chosen(page)
    eko.set_up(page, *["here"] * 4)
    Player(page).decide()
    page.locator("[data-running=true]").first.wait_for()


def eko_ahead(page: Page) -> None:
    """Thinking ahead at a table of days while somebody else is to decide."""
    browser = page.context.browser
    assert browser is not None
    other = browser.new_context()
    options = {"players": 2, "seed": 1, "clock": {"days": 3, "up": "lose"}}
    plan = {"game": "eko", "options": options, "seats": [{"kind": "here"}, {"kind": "open"}]}
    table = other.request.post(f"{origin(page)}/api/tables", data=plan).json()["id"]
    other.close()
    page.goto(f"{origin(page)}/t/{table}")
    page.locator('[data-action="sit"]').click()
    page.locator(f'{MAIN}[data-phase], [data-action="ahead"]').first.wait_for()
    if Player(page).phase:
        Player(page).decide()
    page.locator('[data-action="ahead"]').click()
    page.locator("[data-ahead] [data-space]").first.wait_for()


def eko_picked(page: Page) -> None:
    player = eko_turn(page)
    player.pick(player.marks("pick")[0])


def eko_hint(page: Page) -> None:
    eko_turn(page, "bot beginner")
    page.locator('[data-action="hint"]').click()
    page.locator('[data-hint="advice"]').wait_for()


def eko_explained(page: Page) -> None:
    eko_turn(page)
    page.locator('[data-terrain="capital"]').first.click()
    page.locator('[data-hint="explained"]').wait_for()


def eko_leaf(leaf: str, shows: str = "[data-tab]") -> Callable[[Page], None]:
    def reach(page: Page) -> None:
        eko_turn(page)
        open_leaf(page, leaf)
        page.locator(shows).first.wait_for()

    return reach


def eko_past(page: Page) -> None:
    eko_turn(page).decide()
    Player(page).until_asked()
    page.locator('[data-action="history"]').click()
    page.locator(".history input").wait_for()


def eko_log(page: Page) -> None:
    eko_turn(page)
    open_leaf(page, "moves")
    page.locator("[data-n]").first.wait_for()


def rest(page: Page) -> None:
    """Ask for a pause, to which bots agree at once."""
    open_leaf(page, "game")
    page.locator('[data-action="ask-pause"]').click()
    page.locator(".drawer .close").click()
    page.locator('[data-action="go-on"]').wait_for()


def eko_rest(page: Page) -> None:
    eko_turn(page, "bot beginner")
    rest(page)


def eko_asking(page: Page) -> None:
    """What can be asked of the others, with a clock and a turn behind one."""
    eko_clocks(page)
    open_leaf(page, "game")
    page.locator('[data-action="ask-adjourn"]').scroll_into_view_if_needed()


def eko_over(page: Page) -> None:
    eko_ending(page)
    page.locator('[data-action="close-ending"]').click()


def eko_ending(page: Page) -> None:
    """The result over the table."""
    eko_turn(page, "bot beginner")
    give_up(page)


def eko_review(page: Page) -> None:
    eko_ending(page)
    page.locator('[data-action="review"]').click()
    page.locator('[data-review="done"] [data-accuracy]').first.wait_for()


def eko_analysis(page: Page) -> None:
    """A new analysis board with the engine's first lines, and a variation."""
    page.goto(f"{page.url}/analysis")
    page.locator('[data-action="new-board"]').click()
    page.locator("[data-line]").first.click()
    page.locator("[data-depth]").first.wait_for(state="attached")
    page.locator('[data-sign="!?"]').click()
    page.locator('[data-field="comment"]').fill("The camp is worth a point.")
    page.locator('[data-action="export"]').click()
    page.locator('[data-action="openings"]').click()
    page.locator("[data-opening]").first.wait_for()
    page.locator("[data-line]").first.wait_for()


def eko_chapter(page: Page) -> None:
    """The board of a chapter of one's own study."""
    page.goto(f"{page.url}/analysis")
    page.locator('[data-action="new-board"]').click()
    page.locator('main[aria-busy="false"]').wait_for()
    page.locator('[data-action="export"]').click()
    page.locator('[data-field="study-title"]').fill("Camps in the opening")
    page.locator('[data-action="add-to-study"]').click()
    page.locator('main[aria-busy="false"] [data-chapter] [data-field="text"]').wait_for()


def eko_study(page: Page) -> None:
    """One's own study with its chapters."""
    eko_chapter(page)
    page.locator('[data-action="all-chapters"]').click()
    page.locator('[data-action="add-chapter"]').click()
    page.locator('[data-action="up"]').nth(1).wait_for()


def eko_fairness(page: Page) -> None:
    """The form, with a named layout and the report of its fairness."""
    open_form(page, "eko")
    page.locator('label:has([data-layout="well"])').click()
    page.locator('[data-open="fairness"]').click()
    page.locator("[data-verdict]").wait_for()


def ekko_analysis(page: Page) -> None:
    """A new analysis board with the values of the cards, and a variation."""
    page.goto(f"{page.url}/analysis")
    page.locator('[data-action="new-board"]').click()
    page.locator('main[data-analysis="1"][aria-busy="false"] [data-choice]').first.click()
    page.locator('main[data-analysis="2"][aria-busy="false"]').wait_for()
    page.locator('[data-action="export"]').click()
    page.locator("[data-chance]").first.wait_for()


def ekko_chosen(page: Page) -> None:
    """The exercise with cards, after a choice."""
    page.locator("[data-choice]").first.click()
    page.locator("[data-verdict]").wait_for()


def eko_editor(page: Page) -> None:
    """A layout with a tile that lies apart, and what is wrong with it."""
    page.goto(f"{page.url}/editor")
    page.locator("[data-take=T]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-name=T]:focus").wait_for()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.locator('[data-fault="apart"]').wait_for()


def eko_editor_position(page: Page) -> None:
    page.goto(f"{page.url}/editor")
    page.locator('[data-mode="position"]').click()
    page.locator('[data-action="random-discs"]').click()
    page.locator('main[data-faults="0"] [data-discs="15"]').first.wait_for()


def ekko_looked_at(page: Page) -> EkkoPlayer:
    """A round that has been dealt; no clock decides anything while it is looked at."""
    ekko.set_up(page, "here", "bot beginner", hints=True, turn_clock=None)
    player = EkkoPlayer(page)
    player.until_stage("look")
    return player


def ekko_turn(page: Page) -> EkkoPlayer:
    player = ekko_looked_at(page)
    while not player.button("draw").count() or player.button("draw").is_disabled():
        player.decide()
        player.until_asked()
    return player


def ekko_one_device(page: Page) -> EkkoPlayer:
    """Two people who share a browser: the sheet between their hands."""
    ekko.set_up(page, "here", "here", hints=True)
    return EkkoPlayer(page)


def ekko_window(page: Page) -> None:
    """The window after a card in calm mode, at one device."""
    player = ekko_one_device(page)
    while player.stage != "window":
        player.decide()
        player.until_asked()


def ekko_rest(page: Page) -> None:
    ekko_turn(page)
    rest(page)


def ekko_hint(page: Page) -> None:
    ekko_turn(page)
    page.locator('[data-action="hint"]').click()
    page.locator('[data-hint="advice"]').wait_for()


def ekko_effect(page: Page) -> None:
    """The two effects of a mirror (K3.2)."""
    page.locator("button[data-card]").first.wait_for()
    page.clock.run_for(2000)
    page.locator('button[data-card="73"]').click()
    page.locator('[data-action="effect-draw"]').wait_for()


def ekko_leaf(leaf: str, shows: str = "[data-tab]") -> Callable[[Page], None]:
    def reach(page: Page) -> None:
        ekko_turn(page)
        open_leaf(page, leaf)
        page.locator(shows).first.wait_for()

    return reach


def ekko_round(page: Page) -> None:
    """The sheet between two rounds."""
    player = ekko_turn(page)
    while not page.locator("[data-sheet]").count():
        player.decide()
        player.until_asked()


def ekko_over(page: Page) -> None:
    ekko_turn(page)
    give_up(page)


def ekko_replay(page: Page) -> None:
    ekko_over(page)
    page.locator('[data-action="review"]').click()
    page.locator("[data-replay]").wait_for()
    page.locator('[data-review="done"]').wait_for()
    page.keyboard.press("Home")
    expect(page.locator("[data-replay]")).to_have_attribute("data-playing", "false")


def talk(page: Page) -> None:
    """The chat, with a line of somebody else and what can be done about them."""
    invite(page)
    page.locator('[data-action="chat"]').click()
    page.locator('[data-phrase="luck"]').click()
    page.locator("[data-said]").wait_for()
    page.context.clear_cookies()
    page.reload()
    page.locator('[data-action="chat"]').click()
    page.locator("[data-said] [data-person]").click()
    page.locator('[data-action="report"]').click()


def account_made(page: Page) -> None:
    page.locator('[data-way="sign-up"]').click()
    page.locator('[data-field="username"]').fill(secrets.token_hex(8))
    page.locator('[data-field="new-password"]').fill("a tower by the sea")
    page.locator('button[data-action="sign-up"]').click()
    page.locator(".codes li").first.wait_for()


def account_own(page: Page) -> None:
    account_made(page)
    page.locator('[data-action="saved"]').click()
    page.locator('[data-device="this"]').wait_for()


def account_tokens(page: Page) -> None:
    """A token that was just made, and what it may do."""
    account_own(page)
    page.locator('[data-open="tokens"]').click()
    page.locator('[data-field="off"]').fill("A bot for the evening")
    page.get_by_role("checkbox", name="table:read").check()
    page.locator('button[data-action="make-token"]').click()
    page.locator("[data-token]").wait_for()


def new_tournament(page: Page) -> None:
    """The form, for somebody with an account."""
    sign_up(page, origin(page), f"Host {secrets.token_hex(4)}")
    page.reload()
    page.locator('[data-open="new-tournament"]').click()


def own_tournament(page: Page) -> None:
    """A tournament that its maker has joined."""
    new_tournament(page)
    page.locator('[data-field="tournament-name"]').fill("A cup with a long name, in spring")
    page.locator('[data-action="make-tournament"]').click()
    page.locator('[data-action="join"]').click()
    page.locator('[data-entrant="1"]').wait_for()


def lobby_seeking(page: Page) -> None:
    page.locator('[data-action="players"][data-number="4"]').click()
    page.locator('[data-action="seek"]').first.click()
    page.locator('[data-action="unseek"]').wait_for()


def lobby_invited(page: Page) -> None:
    """An invitation by somebody, and one to them that is being written."""
    names = {"own": secrets.token_hex(8), "other": secrets.token_hex(8)}
    browser = page.context.browser
    assert browser is not None
    other = browser.new_context()
    sign_up(page, origin(page), names["own"])
    sign_up(other.new_page(), origin(page), names["other"])
    seats = [{"kind": "here"}, {"kind": "account", "account": names["own"]}]
    plan = {"game": "eko", "options": {"players": 2}, "seats": seats}
    assert other.request.post(f"{origin(page)}/api/challenges", data=plan).ok
    other.close()
    page.goto(f"{origin(page)}/people/{names['other']}")
    page.locator('[data-action="invite"]').click()
    page.locator("[data-invitation]").wait_for()


def lobby_own(page: Page) -> None:
    """An open table of one's own, and the way to it."""
    page.locator('[data-action="new"]').first.click()
    page.locator('[data-seat="1"] select').select_option("open")
    page.locator('[data-option="public"]').check()
    page.locator('[data-action="start"]').click()
    page.wait_for_selector(f"{MAIN} [data-space]")
    page.go_back()
    page.go_back()
    page.locator('[data-list="own"] > li').first.wait_for()


RESIGN = """table => new Promise((done, fail) => {
  const line = new WebSocket(`ws://${location.host}/api/tables/${table}/socket?protocol=2`)
  line.onmessage = ({ data }) => {
    const told = JSON.parse(data)
    const gone = { type: 'resign', key: 'gone', version: told.version, seat: 1 }
    if (told.type === 'table') line.send(JSON.stringify(gone))
    if (told.type === 'ack') done(line.close())
    if (told.type === 'error') fail(told.code)
  }
})"""


def archived(page: Page, name: str) -> str:
    """A public game that is over, which somebody of a name has won; return its table."""
    seats = [{"kind": "here", "name": name}, {"kind": "here", "name": "Bertram"}]
    plan = {"game": "eko", "options": {"players": 2, "variants": ["moon"]}, "seats": seats, "public": True}
    page.wait_for_load_state("networkidle")  # a late answer to the page could replace the table's cookie
    table: str = page.request.post(f"{origin(page)}/api/tables", data=plan).json()["id"]
    page.evaluate(RESIGN, table)
    return table


def archive(page: Page) -> None:
    archived(page, "Somebody of a longer name")
    page.goto(f"{origin(page)}/archive?player=bertram&game=eko")
    page.locator("li[data-game]").first.wait_for()


def game_over(page: Page) -> None:
    page.goto(f"{origin(page)}/games/{archived(page, 'Somebody of a longer name')}")
    page.locator("[data-seat]").first.wait_for()


def ekko_in_the_middle(view: str) -> Callable[[Page], None]:
    """A table of EKKO whose seats are free: on its screen, or on a telephone that comes."""

    def reach(page: Page) -> None:
        seats = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot"}]
        plan = {"game": "ekko", "options": {"players": 3}, "seats": seats}
        table = page.request.post(f"{origin(page)}/api/tables", data=plan).json()["id"]
        page.goto(f"{origin(page)}/t/{table}/{view}")
        page.locator('[data-free], [data-action="join"]').first.wait_for()

    return reach


def ekko_hand(page: Page) -> None:
    ekko_in_the_middle("hand")(page)
    page.locator('[data-action="join"]').click()
    page.locator('[data-action="fill-bot"]').click()
    page.locator('[data-action="ready"]').wait_for()


DOOR = '[data-door="play"]'
SAYS, END = ".sentence", '[data-action="end"]'
SCREENS = (
    Screen("eko-home", "/eko", shown(DOOR), (DOOR,)),
    Screen("ekko-home", "/ekko", shown(DOOR), (DOOR,)),
    Screen("eko-new", "/eko", lambda page: open_form(page, "eko"), ('[data-action="start"]',)),
    Screen("ekko-new", "/ekko", lambda page: open_form(page, "ekko"), ('[data-action="start"]',)),
    Screen("nothing", "/nothing", shown("[data-ways]"), ("h1",), has_twin=True),
    Screen("eko-rules", "/eko/rules", shown("article"), ("h1",)),
    Screen("ekko-rules", "/ekko/rules", shown("article"), ("h1",), has_twin=True),
    Screen("leaders", "/ratings", shown("main p"), ("h1",)),
    Screen("no-profile", "/people/Nobody", shown('[role="alert"]'), ("h1",)),
    Screen("eko-learn", "/eko/learn", shown("[data-lesson]"), ('[data-action="learn-on"]',)),
    Screen("ekko-learn", "/ekko/learn", shown("[data-lesson]"), ('[data-action="learn-on"]',), has_twin=True),
    Screen("eko-puzzles", "/eko/puzzles", shown("[data-daily]"), ("[data-daily]",)),
    Screen(
        "eko-puzzle",
        f"/eko/puzzles/{next(iter(puzzles_of('eko')))}",
        shown("main [data-space]"),
        ("[data-task]", '[data-action="solution"]', SAYS),
    ),
    Screen("eko-lesson", "/eko/learn/attack", shown("main [data-space]"), ("[data-task]", ".frame", SAYS)),
    Screen(
        "ekko-lesson", "/ekko/learn/mirror", shown("button[data-card]"), ("[data-task]", "[data-zone]", SAYS)
    ),
    Screen(
        "ekko-effect", "/ekko/learn/mirror", ekko_effect, ("[data-task]", '[data-action="effect-discard"]')
    ),
    Screen("eko-waiting", "/eko", invite, (".frame", END), has_twin=True),
    Screen("ekko-waiting", "/ekko", invite, (".seat", SAYS)),
    Screen("eko-invite", "/eko", invite_and_show, ('[data-action="copy"]',), has_twin=True),
    Screen("ekko-invite", "/ekko", invite_and_show, ('[data-action="copy"]',)),
    Screen("eko-guest", "/eko", come_as_guest, ('[data-action="sit"]', ".frame"), has_twin=True),
    Screen("ekko-guest", "/ekko", come_as_guest, ('[data-action="sit"]', ".seat")),
    Screen("eko-table", "/eko", eko_picked, (SAYS, ".frame", END, '[data-action="undo"]')),
    Screen("eko-hint", "/eko", eko_hint, ('[data-hint="advice"]', SAYS, ".frame", END), has_twin=True),
    Screen("eko-explained", "/eko", eko_explained, ('[data-hint="explained"]', SAYS, ".frame", END)),
    Screen("eko-settings", "/eko", eko_leaf("settings"), ('[data-setting="theme"]',), has_twin=True),
    Screen("eko-legend", "/eko", eko_leaf("legend")),
    Screen("eko-rules-leaf", "/eko", eko_leaf("rules", "article"), ("article",), has_twin=True),
    Screen("eko-game-leaf", "/eko", eko_leaf("game"), has_twin=True),
    Screen("eko-log", "/eko", eko_log, ("[data-n]",), folded=True, has_twin=True),
    Screen("eko-past", "/eko", eko_past, (".history input", '[data-history="back"]', ".frame")),
    Screen("eko-clock", "/eko", eko_clock_chosen, ('[data-clock="seconds"]', '[data-action="start"]')),
    Screen("eko-clocks", "/eko", eko_clocks, (SAYS, "[data-running=true]", ".frame", END)),
    Screen("eko-rest", "/eko", eko_rest, ('[data-action="go-on"]', ".frame", END), has_twin=True),
    Screen(
        "eko-asking", "/eko", eko_asking, ('[data-action="ask-take_back"]', '[data-action="ask-adjourn"]')
    ),
    Screen("eko-ahead", "/eko", eko_ahead, ('[data-action="leave-ahead"]', SAYS, ".frame", END)),
    Screen("eko-over", "/eko", eko_over, (SAYS, '[data-action="ending"]', '[data-action="rematch"]')),
    Screen("eko-ending", "/eko", eko_ending, ("[data-ending] figure", '[data-action="review"]')),
    Screen(
        "eko-review", "/eko", eko_review, (".curve input", '[data-history="back"]', ".frame"), has_twin=True
    ),
    Screen(
        "eko-analysis", "/eko", eko_analysis, ('[data-action="engine"]', '[data-history="next"]', ".frame")
    ),
    Screen("eko-chapter", "/eko", eko_chapter, ('[data-field="text"]', '[data-history="next"]', ".frame")),
    Screen("eko-study", "/eko", eko_study, ("[data-chapter]", '[data-action="read"]')),
    Screen("eko-fairness", "/eko", eko_fairness, ("[data-verdict]", '[data-action="judge"]')),
    Screen("eko-editor", "/eko", eko_editor, (".frame", '[data-action="turn"]', "[data-take]")),
    Screen(
        "eko-editor-position",
        "/eko",
        eko_editor_position,
        (".frame", '[data-action="analyse"]', "[data-tool]"),
    ),
    Screen(
        "ekko-analysis", "/ekko", ekko_analysis, ("[data-zone]", '[data-action="engine"]', "[data-choice]")
    ),
    Screen("ekko-train", "/ekko/train", shown("[data-exercise]"), ("[data-exercise]",)),
    Screen(
        "ekko-reflex",
        "/ekko/train?exercise=mirrors",
        shown('[data-action="start"]'),
        ('[data-action="start"]',),
    ),
    Screen("ekko-which", "/ekko/train?exercise=cards", ekko_chosen, ("[data-zone]", '[data-action="next"]')),
    Screen("ekko-look", "/ekko", ekko_looked_at, (SAYS, "button[data-card]", '[data-action="ready"]')),
    Screen(
        "ekko-table", "/ekko", ekko_turn, (SAYS, "button[data-card]", "[data-zone]", '[data-action="draw"]')
    ),
    Screen("ekko-rest", "/ekko", ekko_rest, ('[data-action="go-on"]', "[data-zone]")),
    Screen("ekko-hint", "/ekko", ekko_hint, ('[data-hint="advice"]', "[data-zone]")),
    Screen("ekko-settings", "/ekko", ekko_leaf("settings"), ('[data-setting="theme"]',)),
    Screen("ekko-help", "/ekko", ekko_leaf("help")),
    Screen("ekko-rules-leaf", "/ekko", ekko_leaf("rules", "article"), ("article",)),
    Screen("ekko-game-leaf", "/ekko", ekko_leaf("game")),
    Screen("ekko-one-device", "/ekko", ekko_one_device),
    Screen("ekko-window", "/ekko", ekko_window),
    Screen("ekko-log", "/ekko", ekko_leaf("log"), ("[role=dialog] li",), folded=True),
    Screen("ekko-round", "/ekko", ekko_round, ("[data-sheet]", '[data-action="ready"]', "button[data-card]")),
    Screen(
        "ekko-over",
        "/ekko",
        ekko_over,
        ("[data-ending]", '[data-action="rematch"]', '[data-action="review"]'),
    ),
    Screen("ekko-replay", "/ekko", ekko_replay, ("[data-zone]", '[data-history="back"]', "[data-total]")),
    Screen("eko-talk", "/eko", talk, ('[data-field="say"]', '[data-field="reason"]'), has_twin=True),
    Screen("ekko-talk", "/ekko", talk, ('[data-field="say"]', '[data-field="reason"]')),
    Screen(
        "archive", "/archive", archive, ('[data-action="search"]', "li[data-game] a", '[data-field="since"]')
    ),
    Screen(
        "game-over",
        "/archive",
        game_over,
        ("main img", '[data-action="review"]', '[data-action="animation"]'),
    ),
    Screen("ekko-screen", "/ekko", ekko_in_the_middle("screen"), ('[data-part="code"]', ".says", ".seat")),
    Screen("ekko-joining", "/ekko", ekko_in_the_middle("hand"), ('[data-action="join"]', SAYS)),
    Screen("ekko-hand", "/ekko", ekko_hand, ('[data-action="ready"]', SAYS, "button[data-card]")),
    Screen("moderation", "/moderation", shown("[role=alert]"), ("[role=alert]",)),
    Screen("account", "/account", shown("form"), ('[data-way="sign-up"]', 'button[data-action="sign-in"]')),
    Screen("account-codes", "/account", account_made, (".codes li", '[data-action="saved"]')),
    Screen("account-tokens", "/account", account_tokens, ("[data-token]", '[data-action="end-token"]')),
    Screen("account-own", "/account", account_own, ('[data-action="sign-out"]', '[data-action="export"]')),
    Screen("tournaments", "/tournaments", shown("main h1"), ("h1",)),
    Screen("tournament-new", "/tournaments", new_tournament, ('[data-action="make-tournament"]',)),
    Screen("tournament", "/tournaments", own_tournament, ('[data-entrant="1"]', '[data-open="more"]')),
    Screen("lobby", "/lobby", shown("[data-action=daily]"), ('[data-action="seek"]', '[data-field="name"]')),
    Screen(
        "lobby-invited",
        "/lobby",
        lobby_invited,
        ('[data-action="accept"]', '[data-action="decline"]', '[data-action="close-invite"]'),
    ),
    Screen("lobby-own", "/lobby", lobby_own, ('[data-list="own"] a', '[data-action="new"]')),
    Screen("lobby-seeking", "/lobby", lobby_seeking, ('[data-action="bots-now"]', '[data-action="unseek"]')),
    Screen("no-table", "/t/nosuchtable", shown("main a"), ("main a",)),
    Screen("nothing", "/nothing.html", shown("a"), ("a",)),
)
