"""The browser that the tests play with: an installed Chromium or Chrome, else one that can be had.

`python -m tests.browser` prints its path, after trying to get one if there is none, or says what is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
MISSING = """\
The browser tests need Chromium or Chrome, and there is none here.
Neither apt-get (as root) nor playwright's own download could bring one.
Install Chromium or Chrome, or name its program in EKOES_BROWSER, and start again."""

ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
"""A browser that talks to our server alone."""


def find_browser() -> str | None:
    """Return the path of the browser to test with: EKOES_BROWSER, an installed one or playwright's own."""
    named = os.environ.get("EKOES_BROWSER")
    if named:
        return shutil.which(named)
    found = next(filter(None, map(shutil.which, (*COMMANDS, MAC))), None)
    return found or _downloaded()


def launch_arguments() -> list[str]:
    """Return the browser's command line options; root can't have Chromium's sandbox."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*ARGUMENTS, *(["--no-sandbox"] if is_root else [])]


def _downloaded() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def _get_browser() -> None:
    """Try apt-get where it may be used, then playwright's download."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        _try("apt-get", "update", "-q")
        _try("apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium")
    if find_browser() is None:
        _try(sys.executable, "-m", "playwright", "install", "chromium")


def _try(*command: str) -> None:
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def main() -> None:
    """Print the browser's path. Raises SystemExit with what is missing if there is none to be had."""
    if find_browser() is None:
        print("No Chromium or Chrome found; trying to get one …", file=sys.stderr)
        _get_browser()
    browser = find_browser()
    if browser is None:
        sys.exit(MISSING)
    print(f"browser: {browser}")


if __name__ == "__main__":
    main()
