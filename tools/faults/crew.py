"""Tables for two and three, of both games by turns, and who plays at them."""

from __future__ import annotations

from typing import Any

import httpx

from ekoes.games.chance import Chance
from tools.faults.eyes import Witness
from tools.faults.house import House
from tools.faults.player import Player

__all__ = ["cookie_of", "seated"]

Json = dict[str, Any]

_CLOCK = {"base": 4 * 3600, "increment": 0}
_RACE = {"target": 8, "reaction": 1}
_KINDS: tuple[Json, ...] = (
    {"game": "eko", "options": {"players": 2, "turn_limit": 20}},
    {"game": "ekko", "options": {"players": 2, **_RACE}},
    {"game": "eko", "options": {"players": 3, "turn_limit": 15, "clock": _CLOCK}},
    {"game": "ekko", "options": {"players": 3, "calm": True, "window": 2, **_RACE}},
    {"game": "eko", "options": {"players": 2, "turn_limit": 20, "clock": _CLOCK}},
    {"game": "ekko", "options": {"players": 3, **_RACE}},
)


async def seated(house: House, tables: int, chance: Chance, witness: Witness) -> list[list[Player]]:
    """Return who plays at so many tables, each by a browser of their own."""
    return [
        await _table(house, house.process(number).url, _KINDS[number % len(_KINDS)], number, chance, witness)
        for number in range(tables)
    ]


async def _table(
    house: House, address: str, kind: Json, number: int, chance: Chance, witness: Witness
) -> list[Player]:
    """Make a table, and those who will sit down there."""
    players = kind["options"]["players"]
    seats = [{"kind": "here"}, *({"kind": "open"} for _ in range(players - 1))]
    cookies = [await cookie_of(address) for _ in range(players)]
    async with httpx.AsyncClient(base_url=address, headers={"Cookie": cookies[0]}, timeout=60) as client:
        answer = await client.post("/api/tables", json={**kind, "seats": seats})
    table = answer.raise_for_status().json()["id"]
    house.watched = house.watched or table
    return [
        Player(f"p{number}{seat}", house.address, cookie, table, chance.split(), witness, house.figures)
        for seat, cookie in enumerate(cookies)
    ]


async def cookie_of(address: str) -> str:
    """Return the cookie of a new browser."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        await client.get("/api/meta")
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)
