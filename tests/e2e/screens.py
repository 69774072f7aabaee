"""Every screen of the page, and how a test gets there: what is asked of one is asked of all of them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Page, expect

from ekoes.tables.lessons import lesson_of
from ekoes.tables.puzzles import puzzles_of
from tests.kit import client
from tests.kit import ekko_page as ekko
from tests.kit import eko_page as eko
from tests.kit.client import Browser, Json
from tests.kit.ekko_page import EkkoPlayer
from tests.kit.eko_page import MAIN, Player
from tests.kit.page import give_up, make_table, open_form, open_leaf, origin, sign_up

__all__ = ["WALKS", "Screen", "Walk", "archived", "ekko_looked_at", "eko_fairness", "eko_turn"]


@dataclass(frozen=True)
class Screen:
    """A screen: what brings a page there, and what has to be there however small the window.

    folded: it is there in a narrow window only, where what lies beside the table has leaves of its own.
    has_twin: the other game has the same one, or a story looks at it with axe-core; this one is for
    `make test-long`. No later screen of its walk is reached by way of it.
    """

    name: str
    reach: Callable[[Page], object]
    needs: tuple[str, ...] = ()
    folded: bool = False
    has_twin: bool = False


@dataclass(frozen=True)
class Walk:
    """Screens that one page shows one after another: each is reached from the one before.

    path: where the page begins, none for a page that makes a table first; has_clock: the page's time can be
    put forward.
    """

    name: str
    path: str | None
    screens: tuple[Screen, ...]
    has_clock: bool = False


FOLLOW = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }"


def shown(selector: str, at: str = "") -> Callable[[Page], object]:
    """Follow a link within the page, if one is given, and wait until something is there."""

    def reach(page: Page) -> None:
        if at:
            follow(page, at)
        page.locator(selector).first.wait_for()

    return reach


def follow(page: Page, path: str) -> None:
    """Go to another address as by a link, without loading the page anew."""
    page.evaluate(FOLLOW, path)


def close(page: Page) -> None:
    """Close the drawer."""
    page.locator(".drawer .close").click()
    page.locator(".drawer").wait_for(state="detached")


def leaf(name: str, shows: str = "[data-tab]") -> Callable[[Page], None]:
    """Open a leaf beside the table; another one may be open."""

    def reach(page: Page) -> None:
        if page.locator(".drawer").count():
            close(page)
        open_leaf(page, name)
        page.locator(shows).first.wait_for()

    return reach


def ekko_home(page: Page) -> None:
    """The front page of the other game."""
    page.locator('header [data-game="ekko"]').click()
    page.locator('header [data-game="ekko"][aria-current="page"]').wait_for()
    page.locator(DOOR).wait_for()


# People come to a table


def waiting(game: str) -> Callable[[Page], None]:
    """A table with a free seat."""

    def reach(page: Page) -> None:
        page.goto(make_table(page, game, "here", "open"))
        page.wait_for_selector("main [data-space], main[data-stage=waiting]")

    return reach


def talk(page: Page) -> None:
    """The chat, with a line of somebody else and what can be done about them."""
    close(page)
    page.locator('[data-action="chat"]').click()
    page.locator('[data-phrase="luck"]').click()
    page.locator("[data-said]").wait_for()
    page.context.clear_cookies()
    page.reload()
    page.locator('[data-action="chat"]').click()
    page.locator("[data-said] [data-person]").click()
    page.locator('[data-action="report"]').click()


def come_as_guest(page: Page) -> None:
    """Follow the link of an invitation in a browser that has no seat."""
    page.reload()
    page.locator('[data-action="sit"]').first.wait_for()


# The board


def eko_turn(page: Page, opponent: str = "here") -> Player:
    """The board with everything that can lie on it, at a turn's action."""
    return eko.started(page, "here", opponent, variants=eko.VARIANTS)


def eko_picked(page: Page) -> None:
    player = eko_turn(page)
    player.pick(player.marks("pick")[0])


def eko_explained(page: Page) -> None:
    page.keyboard.press("Escape")
    page.locator('[data-terrain="capital"]').first.click()
    page.locator('[data-hint="explained"]').wait_for()


def eko_past(page: Page) -> None:
    close(page)
    Player(page).decide()
    Player(page).until_asked()
    page.locator('[data-action="history"]').click()
    page.locator(".history input").wait_for()


def eko_log(page: Page) -> None:
    page.keyboard.press("Escape")
    open_leaf(page, "moves")
    page.locator("[data-n]").first.wait_for()


def eko_clock_chosen(page: Page) -> None:
    """The form, with a clock of one's own."""
    page.locator('[data-option="clock"]').select_option("live")
    page.locator('[data-clock="minutes"]').wait_for()


def eko_clocks(page: Page) -> None:
    """Four players with clocks, one of which runs."""
    eko.set_up(page, *["here"] * 4, clock={"base": 300, "increment": 10})
    Player(page).decide()
    page.locator("[data-running=true]").first.wait_for()


def eko_asking(page: Page) -> None:
    """What can be asked of the others, with a clock and a turn behind one."""
    page.locator('[data-action="give-up"]').click()
    page.locator('[data-action="ask-adjourn"]').scroll_into_view_if_needed()


def eko_conditional_moves(page: Page) -> None:
    """Preparing conditional moves at a table of days while somebody else is to decide."""
    table = Browser(origin(page)).create("here", "open", seed=1, clock={"days": 3, "up": "lose"})
    page.goto(f"/t/{table}")
    page.locator('[data-action="sit"]').click()
    page.locator(f'{MAIN}[data-phase], [data-action="conditional-moves"]').first.wait_for()
    if Player(page).phase:
        Player(page).decide()
    page.locator('[data-action="conditional-moves"]').click()
    page.locator("[data-conditional-moves] [data-space]").first.wait_for()


def hint(page: Page) -> None:
    page.locator('[data-action="hint"]').click()
    page.locator('[data-hint="advice"]').wait_for()


def rest(page: Page) -> None:
    """Ask for a pause, to which bots agree at once."""
    page.keyboard.press("Escape")
    page.locator('[data-action="give-up"]').click()
    page.locator('[data-action="ask-pause"]').click()
    page.locator('[data-action="go-on"]').wait_for()


def eko_ending(page: Page) -> None:
    """The result over the table."""
    eko_turn(page, "bot beginner")
    give_up(page)


def eko_over(page: Page) -> None:
    page.locator('[data-action="close-ending"]').click()


SLIPS = {
    "turns": 30,
    "decisions": [
        {"n": 9, "turn": 4, "seat": 0, "loss": 0.14, "judgement": "mistake", "kind": "exposed", "count": 2},
        {"n": 40, "turn": 20, "seat": 0, "loss": 0.3, "judgement": "blunder", "kind": "win"},
    ],
    "reactions": [],
    "totals": [],
}
REACTIONS = {
    "turns": 3,
    "decisions": [],
    "reactions": [
        {"n": n, "turn": 1, "seat": n % 2, "kind": kind, "milliseconds": 900 + 200 * n}
        for n, kind in enumerate(("mirror", "mirror", "turn", "turn"))
    ],
    "totals": [
        {"seat": seat, "decisions": 9, "missed": 2 - seat, "won": seat, "lost": 1 - seat, "loss": 3}
        for seat in (0, 1)
    ],
}


def coached(game: str, review: Json) -> Callable[[Page], object]:
    """Show the coach of a game to somebody who has played two games, which both were reviewed alike."""
    about = {"ended_at": "2026-11-30T12:00:00+00:00", "won": False, "seats": [0], "people": [0, 1]}
    games = [about | {"table": f"t{players}", "players": players, "review": review} for players in (2, 3)]

    def reach(page: Page) -> None:
        page.route(f"**/api/{game}/coach", lambda route: route.fulfill(json={"games": games}))
        shown("main h1 ~ :is(section, table)", f"/{game}/coach")(page)

    return reach


def eko_review(page: Page) -> None:
    page.locator('[data-action="ending"]').click()
    page.locator('[data-action="review"]').click()
    page.locator('[data-review="done"] [data-accuracy]').first.wait_for()


def eko_hint(page: Page) -> None:
    eko_turn(page, "bot beginner")
    hint(page)


def eko_rest(page: Page) -> None:
    eko_turn(page, "bot beginner")
    rest(page)


def eko_fairness(page: Page) -> None:
    """The form, with a named layout and the report of its fairness."""
    open_form(page, "eko")
    page.locator('label:has([data-layout="well"])').click()
    page.locator('[data-open="fairness"]').click()
    page.locator("[data-verdict]").wait_for()


# Boards for study


def eko_analysis(page: Page) -> None:
    """A new analysis board with the engine's first lines, and a variation."""
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
    page.locator('[data-field="study-title"]').fill("Camps in the opening")
    page.locator('[data-action="add-to-study"]').click()
    page.locator('main[aria-busy="false"] [data-chapter] [data-field="text"]').wait_for()


def eko_study(page: Page) -> None:
    """One's own study with its chapters."""
    page.locator('[data-action="all-chapters"]').click()
    page.locator('[data-action="add-chapter"]').click()
    page.locator('[data-action="up"]').nth(1).wait_for()


def eko_editor(page: Page) -> None:
    """A layout with a tile that lies apart, and what is wrong with it."""
    follow(page, "/eko/editor")
    page.locator("[data-take=T]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-name=T]:focus").wait_for()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.locator('[data-fault="apart"]').wait_for()


def eko_editor_position(page: Page) -> None:
    follow(page, "/eko")
    page.locator(DOOR).wait_for()
    follow(page, "/eko/editor")
    page.locator('[data-mode="position"]').click()
    page.locator('[data-action="random-discs"]').click()
    page.locator('main[data-faults="0"] [data-discs="15"]').first.wait_for()


def ekko_analysis(page: Page) -> None:
    """A new analysis board with the values of the cards, and a variation."""
    follow(page, "/ekko/analysis?new")
    page.locator('[data-action="new-board"]').click()
    page.locator('main[data-analysis="1"][aria-busy="false"] [data-choice]').first.click()
    page.locator('main[data-analysis="2"][aria-busy="false"]').wait_for()
    page.locator('[data-action="export"]').click()
    page.locator("[data-chance]").first.wait_for()


def ekko_chosen(page: Page) -> None:
    """The exercise with cards, after a choice."""
    follow(page, "/ekko/train?exercise=cards")
    page.locator("[data-choice]").first.click()
    page.locator("[data-verdict]").wait_for()


# Cards


def ekko_looked_at(page: Page) -> None:
    """A round that has been dealt; no clock decides anything while it is looked at."""
    ekko.set_up(page, "here", "bot beginner", hints=True, turn_clock=None)
    EkkoPlayer(page).until_stage("look")


def ekko_one_device(page: Page) -> None:
    """Two people who share a browser: the sheet between their hands."""
    ekko.set_up(page, "here", "here", hints=True)


def ekko_window(page: Page) -> None:
    """The window after a card in calm mode, at one device."""
    player = EkkoPlayer(page)
    while player.stage != "window":
        player.decide()
        player.until_asked()


def ekko_hint(page: Page) -> None:
    close(page)
    EkkoPlayer(page).until_turn()
    hint(page)


def ekko_effect(page: Page) -> None:
    """The two effects of a mirror (K3.2)."""
    page.clock.run_for(2000)
    page.locator('button[data-card="73"]').click()
    page.locator('[data-action="effect-draw"]').wait_for()


def eko_learned(page: Page) -> None:
    """The end of a lesson, with a stack that was captured."""
    (attack,) = lesson_of("eko", "attack").task.solution
    for place in (attack["from"], attack["to"]):
        page.locator(f'[data-space="{place}"]').click()
    page.locator("[data-done-text]").wait_for()


def ekko_learned(page: Page) -> None:
    """The end of a lesson."""
    page.locator('[data-action="effect-draw"]').click()
    page.locator("[data-done-text]").wait_for()


def ekko_round(page: Page) -> None:
    """The sheet between two rounds."""
    ekko_looked_at(page)
    player = EkkoPlayer(page)
    player.until_asked()
    while not page.locator("[data-sheet]").count():
        player.decide()
        player.until_asked()


def ekko_over(page: Page) -> None:
    page.keyboard.press("Escape")
    give_up(page)


def ekko_replay(page: Page) -> None:
    page.locator('[data-action="review"]').click()
    page.locator("[data-replay]").wait_for()
    page.locator('[data-review="done"]').wait_for()
    page.keyboard.press("Home")
    expect(page.locator("[data-replay]")).to_have_attribute("data-playing", "false")


def ekko_screen(page: Page) -> None:
    """A table of EKKO whose seats are free: on its screen."""
    page.goto(make_table(page, "ekko", "open", "open", "bot") + "/screen")
    page.locator("[data-free]").first.wait_for()


def ekko_joining(page: Page) -> None:
    """The same on a telephone that comes."""
    follow(page, page.evaluate("location.pathname").replace("/screen", "/hand"))
    page.locator('[data-action="join"]').wait_for()


def ekko_hand(page: Page) -> None:
    page.locator('[data-action="join"]').click()
    page.locator('[data-action="fill-bot"]').click()
    page.locator('[data-action="ready"]').wait_for()


# Accounts, tournaments, lobby, archive


def account_made(page: Page) -> None:
    page.locator('[data-mode="sign-up"]').click()
    page.locator('[data-field="username"]').fill(secrets.token_hex(8))
    page.locator('[data-field="new-password"]').fill("a tower by the sea")
    page.locator('button[data-action="sign-up"]').click()
    page.locator(".codes li").first.wait_for()


def account_own(page: Page) -> None:
    page.locator('[data-action="saved"]').click()
    page.locator('[data-device="this"]').wait_for()


def account_tokens(page: Page) -> None:
    """A token that was just made, and what it may do."""
    page.locator('[data-open="tokens"]').click()
    page.locator('[data-field="off"]').fill("A bot for the evening")
    page.get_by_role("checkbox", name="table:read").check()
    page.locator('button[data-action="make-token"]').click()
    page.locator("[data-token]").wait_for()


def new_tournament(page: Page) -> None:
    """The form, for somebody with an account."""
    follow(page, "/tournaments")
    page.locator('[data-open="new-tournament"]').click()


def own_tournament(page: Page) -> None:
    """A tournament that its maker has joined."""
    page.locator('[data-field="tournament-name"]').fill("A cup with a long name, in spring")
    page.locator('[data-action="make-tournament"]').click()
    page.locator('[data-action="join"]').click()
    page.locator('[data-entrant="1"]').wait_for()


def own_club(page: Page) -> None:
    """A club that its founder sees."""
    page.locator('[data-open="new-club"]').click()
    page.locator('[data-field="club-name"]').fill(f"Harbour {secrets.token_hex(4)}")
    page.locator('[data-field="club-text"]').fill("We play on Mondays.")
    page.locator('[data-action="save-club"]').click()
    page.locator('[data-field="say"]').fill("Good evening")
    page.locator('[data-action="say"]').click()
    page.locator("[data-said]").wait_for()


def lobby_seeking(page: Page) -> None:
    page.locator('[data-action="players"][data-number="4"]').click()
    page.locator('[data-action="seek"]').first.click()
    page.locator('[data-action="unseek"]').wait_for()


def lobby_own(page: Page) -> None:
    """An open table of one's own, and the way to it."""
    page.locator('[data-action="unseek"]').click()
    page.locator('[data-action="unseek"]').wait_for(state="detached")
    make_table(page, "eko", "here", "open")
    page.reload()
    page.locator('[data-list="own"] > li').first.wait_for()


def lobby_invited(page: Page) -> None:
    """An invitation by somebody, and one to them that is being written."""
    own, name, other = secrets.token_hex(8), secrets.token_hex(8), Browser(origin(page))
    sign_up(page, origin(page), own)
    client.sign_up(other, name)
    seats = [{"kind": "here"}, {"kind": "account", "account": own}]
    client.post(other, "/api/challenges", 201, game="eko", options={"players": 2}, seats=seats)
    page.goto(f"/people/{name}")
    page.locator('[data-action="invite"]').click()
    page.locator("[data-invitation]").wait_for()


def archived(address: str, name: str) -> str:
    """A public game that is over, which somebody of a name has won; return its table."""
    players = Browser(address)
    seats = [{"kind": "here", "name": name}, {"kind": "here", "name": "Bertram"}]
    options = {"players": 2, "variants": ["moon"]}
    made = client.post(players, "/api/tables", 201, game="eko", options=options, seats=seats, public=True)
    with players.open(made["id"]) as socket:
        assert socket.order("resign", seat=1)["type"] == "ack"
    return str(made["id"])


def archive(page: Page) -> None:
    archived(origin(page), "Somebody of a longer name")
    follow(page, "/archive?player=bertram&game=eko")
    page.locator("li[data-game]").first.wait_for()


def game_over(page: Page) -> None:
    page.locator('li[data-game] a[href^="/games/"]').first.click()
    page.locator("[data-seat]").first.wait_for()


DOOR: Final = '[data-door="play"]'
SAYS: Final = ".sentence"
END: Final = '[data-action="end"]'
START: Final = '[data-action="start"]'
LEARN: Final = '[data-action="learn-on"]'
THEME: Final = '[data-setting="theme"]'
PUZZLE: Final = next(iter(puzzles_of("eko")))
WALKS: Final = (
    Walk(
        "doors",
        "/eko",
        (
            Screen("eko-home", shown(DOOR), (DOOR,)),
            Screen("ekko-home", ekko_home, (DOOR,)),
            Screen("ekko-new", lambda page: open_form(page, "ekko"), (START,)),
            Screen("eko-new", lambda page: open_form(page, "eko"), (START,)),
            Screen("eko-clock", eko_clock_chosen, ('[data-clock="seconds"]', START)),
            Screen("eko-fairness", eko_fairness, ("[data-verdict]", '[data-action="judge"]')),
        ),
    ),
    Walk(
        "pages",
        "/eko/rules",
        (
            Screen("eko-rules", shown("article .pictures"), ("h1", ".pictures")),
            Screen(
                "ekko-rules", shown("article .pictures", "/ekko/rules"), ("h1", ".pictures"), has_twin=True
            ),
            Screen("leaders", shown("main:not(:has(article)) h1 ~ :is(p, table)", "/ratings"), ("h1",)),
            Screen("no-profile", shown('[role="alert"]', "/people/Nobody"), ("h1",)),
            Screen("moderation", shown("[role=alert]", "/moderation"), ("[role=alert]",)),
            Screen("eko-learn", shown("[data-lesson]", "/eko/learn"), (LEARN,)),
            Screen("ekko-learn", shown("[data-lesson]", "/ekko/learn"), (LEARN,), has_twin=True),
            Screen("eko-puzzles", shown("[data-daily]", "/eko/puzzles"), ("[data-daily]",)),
            Screen("eko-rush", shown(START, "/eko/puzzles/rush"), (START,)),
            Screen("eko-coach", coached("eko", SLIPS), ("[data-group]", "[data-slip]")),
            Screen("ekko-coach", coached("ekko", REACTIONS), ("[data-figure]", "[data-advice]")),
            Screen(
                "eko-puzzle",
                shown("main [data-space]", f"/eko/puzzles/{PUZZLE}"),
                ("[data-task]", '[data-action="solution"]', SAYS),
            ),
            Screen(
                "eko-lesson",
                shown("main[data-lesson] [data-space]", "/eko/learn/attack"),
                ("[data-task]", ".frame", SAYS),
            ),
            Screen("eko-learned", eko_learned, ("[data-done-text]", '[data-action="next"]')),
            Screen("archive", archive, ('[data-action="search"]', "li[data-game] a", '[data-field="since"]')),
            Screen(
                "game-over", game_over, ("main img", '[data-action="review"]', '[data-action="animation"]')
            ),
            Screen("no-table", shown("main a", "/t/nosuchtable"), ("main a",)),
            Screen("nothing", shown("[data-nav]", "/nothing"), ("h1",), has_twin=True),
            Screen("nothing.html", lambda page: page.goto("/nothing.html"), ("a",)),
        ),
    ),
    Walk(
        "account",
        "/account",
        (
            Screen("account", shown("form"), ('[data-mode="sign-up"]', 'button[data-action="sign-in"]')),
            Screen("account-codes", account_made, (".codes li", '[data-action="saved"]')),
            Screen("account-own", account_own, ('[data-action="sign-out"]', '[data-action="export"]')),
            Screen("account-tokens", account_tokens, ("[data-token]", '[data-action="end-token"]')),
            Screen("tournaments", shown("main h1", "/tournaments"), ("h1",)),
            Screen("tournament-new", new_tournament, ('[data-action="make-tournament"]',)),
            Screen("tournament", own_tournament, ('[data-entrant="1"]', '[data-open="more"]')),
            Screen("clubs", shown("main h1", "/clubs"), ('[data-field="search"]',)),
            Screen("club", own_club, ("[data-said]", '[data-action="copy"]')),
        ),
    ),
    Walk(
        "lobby",
        "/lobby",
        (
            Screen("lobby", shown("[data-action=daily]"), ('[data-action="seek"]', '[data-field="name"]')),
            Screen("lobby-seeking", lobby_seeking, ('[data-action="bots-now"]', '[data-action="unseek"]')),
            Screen("lobby-own", lobby_own, ('[data-list="own"] a', '[data-action="new"]')),
            Screen(
                "lobby-invited",
                lobby_invited,
                ('[data-action="accept"]', '[data-action="decline"]', '[data-action="close-invite"]'),
            ),
        ),
    ),
    Walk(
        "eko-guest",
        None,
        (
            Screen("eko-waiting", waiting("eko"), (".frame", '[data-action="copy"]'), has_twin=True),
            Screen("eko-invite", leaf("game"), ('[data-action="copy"]',), has_twin=True),
            Screen("eko-talk", talk, ('[data-field="say"]', '[data-field="reason"]'), has_twin=True),
            Screen("eko-guest", come_as_guest, ('[data-action="sit"]', ".frame"), has_twin=True),
        ),
    ),
    Walk(
        "eko-table",
        None,
        (
            Screen("eko-table", eko_picked, (SAYS, ".frame", END, '[data-action="take-back"]')),
            Screen("eko-explained", eko_explained, ('[data-hint="explained"]', SAYS, ".frame", END)),
            Screen("eko-log", eko_log, ("[data-n]",), folded=True, has_twin=True),
            Screen("eko-settings", leaf("settings"), (THEME,), has_twin=True),
            Screen("eko-rules-leaf", leaf("rules", "article"), ("article",), has_twin=True),
            Screen("eko-game-leaf", leaf("game"), has_twin=True),
            Screen("eko-legend", leaf("legend")),
            Screen("eko-past", eko_past, (".history input", '[data-history="back"]', ".frame")),
        ),
    ),
    Walk(
        "eko-clocks",
        None,
        (
            Screen("eko-clocks", eko_clocks, (SAYS, "[data-running=true]", ".frame", END)),
            Screen("eko-asking", eko_asking, ('[data-action="ask-adjourn"]',), folded=True),
            Screen(
                "eko-conditional-moves",
                eko_conditional_moves,
                ('[data-action="leave-conditional-moves"]', SAYS, ".frame", END),
            ),
        ),
    ),
    Walk(
        "eko-bot",
        None,
        (
            Screen("eko-hint", eko_hint, ('[data-hint="advice"]', SAYS, ".frame", END), has_twin=True),
            Screen("eko-rest", eko_rest, ('[data-action="go-on"]', ".frame", END), has_twin=True),
            Screen("eko-ending", eko_ending, ("[data-ending] figure", '[data-action="review"]')),
            Screen("eko-over", eko_over, (SAYS, '[data-action="ending"]', '[data-action="rematch"]')),
            Screen(
                "eko-review", eko_review, (".curve input", '[data-history="back"]', ".frame"), has_twin=True
            ),
        ),
    ),
    Walk(
        "eko-study",
        "/eko/analysis?new",
        (
            Screen(
                "eko-analysis", eko_analysis, ('[data-action="engine"]', '[data-history="next"]', ".frame")
            ),
            Screen("eko-chapter", eko_chapter, ('[data-field="text"]', '[data-history="next"]', ".frame")),
            Screen("eko-study", eko_study, ("[data-chapter]", '[data-action="read"]')),
            Screen("eko-editor", eko_editor, (".frame", '[data-action="turn"]', "[data-take]")),
            Screen(
                "eko-editor-position",
                eko_editor_position,
                (".frame", '[data-action="analyse"]', "[data-tool]"),
            ),
        ),
    ),
    Walk(
        "ekko-study",
        "/ekko/train",
        (
            Screen("ekko-train", shown("[data-exercise]"), ("[data-exercise]",)),
            Screen("ekko-reflex", shown(START, "/ekko/train?exercise=mirrors"), (START,)),
            Screen("ekko-rush", shown(START, "/ekko/train?exercise=rush"), (START,), has_twin=True),
            Screen("ekko-which", ekko_chosen, ("[data-zone]", '[data-action="next"]')),
            Screen(
                "ekko-analysis", ekko_analysis, ("[data-zone]", '[data-action="engine"]', "[data-choice]")
            ),
        ),
    ),
    Walk(
        "ekko-lesson",
        "/ekko/learn/mirror",
        (
            Screen("ekko-lesson", shown("button[data-card]"), ("[data-task]", "[data-zone]", SAYS)),
            Screen("ekko-effect", ekko_effect, ("[data-task]", '[data-action="effect-discard"]')),
            Screen("ekko-learned", ekko_learned, ("[data-done-text]", '[data-action="next"]')),
        ),
        has_clock=True,
    ),
    Walk(
        "ekko-guest",
        None,
        (
            Screen("ekko-waiting", waiting("ekko"), (".seat", SAYS)),
            Screen("ekko-invite", leaf("game"), ('[data-action="copy"]',)),
            Screen("ekko-talk", talk, ('[data-field="say"]', '[data-field="reason"]')),
            Screen("ekko-guest", come_as_guest, ('[data-action="sit"]', ".seat")),
        ),
    ),
    Walk(
        "ekko-table",
        None,
        (
            Screen("ekko-look", ekko_looked_at, (SAYS, "button[data-card]", '[data-action="ready"]')),
            Screen(
                "ekko-table",
                lambda page: EkkoPlayer(page).until_turn(),
                (SAYS, "button[data-card]", "[data-zone]", '[data-action="draw"]'),
            ),
            Screen("ekko-log", leaf("log"), ("[role=dialog] li",), folded=True),
            Screen("ekko-settings", leaf("settings"), (THEME,)),
            Screen("ekko-help", leaf("help")),
            Screen("ekko-rules-leaf", leaf("rules", "article"), ("article",)),
            Screen("ekko-game-leaf", leaf("game")),
            Screen("ekko-hint", ekko_hint, ('[data-hint="advice"]', "[data-zone]")),
            Screen("ekko-rest", rest, ('[data-action="go-on"]', "[data-zone]")),
            Screen("ekko-round", ekko_round, ("[data-sheet]", '[data-action="ready"]', "button[data-card]")),
            Screen(
                "ekko-over",
                ekko_over,
                ("[data-ending]", '[data-action="rematch"]', '[data-action="review"]'),
            ),
            Screen("ekko-replay", ekko_replay, ("[data-zone]", '[data-history="back"]', "[data-total]")),
        ),
        has_clock=True,
    ),
    Walk(
        "ekko-one-device",
        None,
        (Screen("ekko-one-device", ekko_one_device), Screen("ekko-window", ekko_window)),
        has_clock=True,
    ),
    Walk(
        "ekko-middle",
        None,
        (
            Screen("ekko-screen", ekko_screen, ('[data-part="code"]', ".says", ".seat")),
            Screen("ekko-joining", ekko_joining, ('[data-action="join"]', SAYS)),
            Screen("ekko-hand", ekko_hand, ('[data-action="ready"]', SAYS, "button[data-card]")),
        ),
        has_clock=True,
    ),
)
