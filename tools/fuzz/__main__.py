"""Fuzz and attack a server, and check that nothing fails, no table is lost and no attack succeeds.

``python -m tools.fuzz [--messages 100000] [--tables 24] [--examples 50] [--seed 1]``
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from ekoes.games.api.chance import Chance
from ekoes.server.settings import Settings
from tests.kit.client import sign_up
from tests.kit.loops import apart
from tests.kit.server import Server
from tools.faults.audit import faults
from tools.fuzz.attacks import Target, exceeded
from tools.fuzz.routes import asked
from tools.fuzz.sockets import attacked, flooded


def main() -> int:
    """Fuzz, print the progress, and return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz")
    for name, default in (("messages", 100_000), ("tables", 24), ("examples", 50), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    with TemporaryDirectory() as folder:
        found = fuzzed(Path(folder), partial(print, flush=True), **vars(parser.parse_args()))
    print(*found, f"{len(found)} faults", sep="\n")
    return int(bool(found))


def fuzzed(
    folder: Path, report: Callable[[str], object], *, messages: int, tables: int, examples: int, seed: int
) -> list[str]:
    """Start a server in a folder, send it all that, end it, and return what was wrong.

    examples: requests of each route, as it is described and otherwise.
    """
    server = Server(folder).start()
    try:
        browser = server.browser()
        sign_up(browser, "Ada of the fuzz")
        table = browser.create("here", "here")
        found = list(asked(server.address, browser.http.cookies, table, examples, seed))
        report(f"routes: {len(found)} faults")
        found += apart(flooded(server.address, report))
        found += exceeded(Target(server.address, server.data, server.log), report)
        attack = apart(attacked(server.address, messages, tables, Chance(seed)))
        report(f"sockets: {attack.sent} messages, {attack.closed} closed, {len(attack.faults)} faults")
    finally:
        server.stop()
    acknowledged = [player.acknowledgements for player in attack.players]
    report(f"{sum(map(len, acknowledged))} orders acknowledged to the players meanwhile")
    found += attack.faults + faults(Settings(data=server.data).database_url, acknowledged)
    log = server.log.read_text("utf-8")
    return found + ([f"the log has a traceback: {log[-2000:]}"] if "Traceback" in log else [])


if __name__ == "__main__":
    sys.exit(main())
