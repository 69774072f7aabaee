"""Positions that are too rare to wait for: a recorded game leads to one."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from ekoes.games.api.registry import game
from ekoes.records import read_record

__all__ = ["play_record"]

FOLDER = Path(__file__).parent / "games"
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
  return version
}"""
SHOWN = "version => Number(document.querySelector('main').dataset.version) >= version"


def play_record(page: Page, name: str) -> None:
    """Play a record's decisions at the page's table, over the page's own session, until it shows them all."""
    record = read_record((FOLDER / f"{name}.txt").read_text("utf-8"))
    write = game("eko").action_to_json
    orders = [{"seat": it.seat, "action": write(it.action)} for it in record.decisions]
    page.wait_for_function(SHOWN, arg=page.evaluate(SEND_ALL, orders))
