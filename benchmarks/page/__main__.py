"""Measure the page in a browser: ``python -m benchmarks.page [--write]``.

What it weighs, compressed, and how soon it answers on a processor that is slowed down fourfold, at the
slowest layout there is. ``--write`` keeps the report in docs/reference. It ends with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from benchmarks.page.measure import figures
from benchmarks.page.report import line, write_report
from tests.browser import MISSING, find_browser, launch_arguments
from tests.e2e.server import Server


def main() -> int:
    """Measure, print, write the report if asked to, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the report in docs/reference")
    asked = parser.parse_args()
    with browser_and_server() as (browser, address):
        measured = []
        for figure in figures(browser, address):
            measured.append(figure)
            print(line(figure), flush=True)
        if asked.write:
            write_report(measured, browser.version)
    return 0 if all(figure.is_held for figure in measured) else 1


@contextmanager
def browser_and_server() -> Iterator[tuple[Browser, str]]:
    """Run a browser, and a server with games of its own; yield the browser and the server's address."""
    path = find_browser()
    if path is None:
        sys.exit(MISSING)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=path, args=launch_arguments())
        yield browser, server.address
        browser.close()
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
