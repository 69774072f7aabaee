"""One server, asked by all its routes and sockets, and attacked; and what was wrong with it in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ekoes.games.api.chance import Chance
from ekoes.server.settings import Settings
from tests.kit.client import sign_up
from tests.kit.server import Server
from tools.faults.audit import faults
from tools.fuzz.attacks import Target, exceeded
from tools.fuzz.frames import flooded
from tools.fuzz.routes import asked
from tools.fuzz.sockets import Attack, attacked


@dataclass(frozen=True)
class Plan:
    """How much is sent. examples: requests of each route, as it is described and otherwise."""

    messages: int
    tables: int
    examples: int
    seed: int


def fuzzed(folder: Path, plan: Plan, report: Callable[[str], object]) -> list[str]:
    """Start a server in a folder, send it all that, end it, and return what was wrong."""
    server = Server(folder).start()
    try:
        found = by_routes(server, plan)
        report(f"routes: {len(found)} faults")
        found += by_frames(server, report)
        found += exceeded(Target(server.address, server.data, server.log), report)
        attack = by_sockets(server, plan)
        report(f"sockets: {attack.sent} messages, {attack.closed} closed, {len(attack.faults)} faults")
    finally:
        server.stop()
    acknowledged = [player.acknowledgements for player in attack.players]
    report(f"{sum(map(len, acknowledged))} orders acknowledged to the players meanwhile")
    return (
        found
        + attack.faults
        + faults(Settings(data=server.data).database_url, acknowledged)
        + logged(server.log.read_text("utf-8"))
    )


def by_routes(server: Server, plan: Plan) -> list[str]:
    """Call all routes, for an account that has a table."""
    browser = server.browser()
    sign_up(browser, "Ada of the fuzz")
    table = browser.create("here", "here")
    return list(asked(server.address, browser.http.cookies, table, plan.examples, plan.seed))


def by_sockets(server: Server, plan: Plan) -> Attack:
    """Send messages, in a loop and a thread of their own."""
    attack = attacked(server.address, plan.messages, plan.tables, Chance(plan.seed))
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, attack).result()


def by_frames(server: Server, report: Callable[[str], object]) -> list[str]:
    """Send floods of empty frames, in a loop and a thread of their own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, flooded(server.address, report)).result()


def logged(log: str) -> list[str]:
    """Return what a server's log ought not to have in it."""
    return [f"the log has a traceback: {log[-2000:]}"] if "Traceback" in log else []
