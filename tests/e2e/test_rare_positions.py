"""Positions that are too rare to wait for: a recorded game leads to one, and the page decides it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from ekoes.games.api.registry import game
from ekoes.records import read_record
from tests.e2e.manners import violations
from tests.kit.eko_page import Player, set_up
from tests.kit.page import PHONE, NewPage
from tests.kit.server import Server

FOLDER = Path(__file__).parent / "games"
SEND_ALL = """async (orders) => {
  const address = location.href.replace('http', 'ws').replace('/t/', '/api/tables/')
  const socket = new WebSocket(address + '/socket?protocol=3')
  const next = (type) => new Promise((resolve, reject) => {
    socket.addEventListener('message', function listen(event) {
      const message = JSON.parse(event.data)
      if (message.type === 'error') reject(new Error(event.data))
      if (message.type !== type) return
      socket.removeEventListener('message', listen)
      resolve(message)
    })
  })
  let { version } = await next('table')
  for (const order of orders) {
    const done = next('ack')
    socket.send(JSON.stringify({ ...order, type: 'act', key: crypto.randomUUID(), version, hold: false }))
    version = (await done).version
  }
  socket.close()
  return version
}"""
SHOWN = "version => Number(document.querySelector('main').dataset.version) >= version"


def play_record(page: Page, name: str) -> None:
    """Play a record's decisions at the page's table, over the page's own session, until it shows them all."""
    record = read_record((FOLDER / f"{name}.txt").read_text("utf-8"))
    write = game("eko").action_to_json
    orders = [{"seat": it.seat, "action": write(it.action)} for it in record.decisions]
    page.wait_for_function(SHOWN, arg=page.evaluate(SEND_ALL, orders))


@pytest.mark.long
def test_the_holder_of_two_emperors_chooses_which_to_give(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    set_up(page, "here", "here", "here", "here", seed=3658)
    player = Player(page)
    play_record(page, "ransom")
    page.wait_for_selector('main.at-table[data-phase="ransom"]')
    expect(page.locator('[data-action="ransom"]')).to_have_count(2)
    names = page.locator('[data-action="ransom"]').all_inner_texts()
    assert "Vermilion" in names[0]
    assert "Sky blue" in names[1]
    version = player.version
    player.press(player.button("ransom").nth(1))
    player.until_after(version)
    assert player.until_asked() != "ransom"
    expect(page.locator('.moves [data-notation="ransom:2"]')).to_have_count(1)


START, TARGET, HILL = "-2,3", "0,-1", "0,0"
"""An Emperor's stack has six ways to this attack: through one tempest or another, or through two."""


def aim(page: Page, player: Player) -> Locator:
    """Open the palette of the attack. Returns its variants."""
    set_up(page, "here", "here", variants=["labyrinth"], seed=35)
    play_record(page, "labyrinth")
    assert player.until_asked() == "action"
    player.pick(START)
    player.tap(TARGET)
    return page.locator('.palette [data-action="variant"]')


def prices(page: Page) -> list[int]:
    """The discs that each variant costs, as its words say."""
    words = page.locator(".palette").inner_text()
    return [int(discs) for discs in re.findall(r"tempests? takes? (\d+)", words)]


def numbers(found: Locator) -> list[str]:
    return sorted({text.strip() for text in found.all_text_contents()})


@pytest.mark.long
@pytest.mark.parametrize("device", [PHONE, {}], ids=["390", "1280"])
def test_ways_are_drawn_and_the_cheapest_come_first(
    server: Server, new_page: NewPage, device: dict[str, object]
) -> None:
    page = new_page(server.address, visit=False, **device)
    player, sent = Player(page, touch=bool(device)), list[str]()
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda text: sent.append(json.loads(text)["type"]))
    )
    variants = aim(page, player)
    expect(variants).to_have_count(4)
    assert prices(page) == [1, 1, 1, 1]
    drawn = page.locator(".frame .number text")
    assert numbers(drawn) == numbers(page.locator(".palette .path")) == ["1", "2"]
    assert len(set(variants.all_inner_texts())) == 4  # nothing is offered twice in the same words
    assert violations(page) == []
    variants.nth(0).focus()
    expect(page.locator(".frame .faint .number text")).to_have_text(["2"])
    variants.nth(0).press("Escape")
    player.tap(HILL)
    expect(page.locator(".notice .rule")).to_have_attribute("title", "E6.1")
    assert {*sent} <= {"act", "beat"}, "the page knows what is possible, and why something is not"


@pytest.mark.long
def test_dearer_ways_are_behind_more(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, visit=False)
    player = Player(page)
    variants = aim(page, player)
    more = page.locator('.palette [data-action="more"]')
    expect(more).to_have_text("2 more expensive routes")
    more.click()
    expect(variants).to_have_count(6)
    assert prices(page) == [1, 1, 1, 1, 2, 2]
    expect(more).to_have_count(0)
    version = player.version
    variants.nth(5).click()
    player.until_after(version)
    way = rf"^{player.name(START)}>{player.name(TARGET)}(~[a-z]+\d+){{2}}"
    expect(page.locator(".moves [data-n]").last).to_have_attribute("data-notation", re.compile(way))
