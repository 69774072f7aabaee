"""A ransom with a choice is too rare to wait for: a recorded game leads to one, the page decides it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ekoes.games.registry import game
from ekoes.record import read_record
from tests.e2e.conftest import NewPage
from tests.e2e.player import Player
from tests.e2e.server import Server
from tests.e2e.test_games import set_up

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]

RECORD = Path(__file__).parent / "games/ransom.txt"
SEND_ALL = """async (orders) => {
  const address = location.href.replace('http', 'ws').replace('/t/', '/api/tables/')
  const socket = new WebSocket(address + '/socket?protocol=2')
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
}"""


def play_record(page: Page) -> None:
    """Play the decisions of the record at the page's table, over the page's own session."""
    record = read_record(RECORD.read_text("utf-8"))
    write = game("eko").action_to_json
    page.evaluate(SEND_ALL, [{"seat": it.seat, "action": write(it.action)} for it in record.decisions])


def test_the_holder_of_two_emperors_chooses_which_to_give(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    set_up(page, "here", "here", "here", "here", seed=3658)
    player = Player(page)
    play_record(page)
    page.wait_for_selector('main.table[data-phase="ransom"]')
    expect(page.locator('[data-action="ransom"]')).to_have_count(2)
    names = page.locator('[data-action="ransom"]').all_inner_texts()
    assert "Vermilion" in names[0]
    assert "Sky blue" in names[1]
    version = player.version
    player.press(player.button("ransom").nth(1))
    player.until_after(version)
    assert player.until_asked() != "ransom"
    expect(page.locator('.moves [data-notation="ransom:2"]')).to_have_count(1)
