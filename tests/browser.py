"""The browser that the tests play with: an installed Chromium or Chrome, else one that can be had.

Firefox stands beside it, for the main ways. `python -m tests.browser` prints their paths, after trying to
get what is missing, or says what can't be had.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.services.packages import get

SHELL = "chromium-headless-shell"
"""Chromium without its own windows, which take half of the work that a page makes."""
COMMANDS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
MISSING = """\
The browser tests need Chromium or Chrome, and there is none here.
Neither apt-get (as root) nor playwright's own download could bring one.
Install Chromium or Chrome, or name its program in EKOES_BROWSER, and start again."""

MISSING_FIREFOX = """\
The tests in Firefox need it, and there is none here; apt-get (as root) could not bring Debian's.
Install Firefox, or name its program in EKOES_FIREFOX, and start again."""

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


def find_firefox() -> str | None:
    """Return the path of Firefox: EKOES_FIREFOX, or an installed one."""
    named = os.environ.get("EKOES_FIREFOX")
    commands = [named] if named else ["firefox-esr", "firefox"]
    return next(filter(None, map(shutil.which, commands)), None)


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
    for name in (SHELL, "chromium"):
        get(name)
        if find_browser() is not None:
            return
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def main() -> None:
    """Print the browsers' paths. Raises SystemExit with what is missing if one is not to be had."""
    if "EKOES_BROWSER" not in os.environ and shutil.which(SHELL) is None:
        print(f"No {SHELL} found; trying to get it …", file=sys.stderr)
        _get_browser()
    browser = find_browser()
    if browser is None:
        sys.exit(MISSING)
    print(f"browser: {browser}")
    if find_firefox() is None:
        print("No Firefox found; trying to get one …", file=sys.stderr)
        get("firefox-esr")
    firefox = find_firefox()
    if firefox is None:
        sys.exit(MISSING_FIREFOX)
    print(f"Firefox: {firefox}")


if __name__ == "__main__":
    main()
