"""The programs that tests start: where they are, and how they are installed where that is allowed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path

from playwright.sync_api import sync_playwright

__all__ = ["PROGRAMS", "find", "find_browser", "find_firefox", "find_postgres", "install", "launch_arguments"]

_FOLDERS = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"
_SHELL = "chromium-headless-shell"
"""Chromium without its own windows, which take half of the work that a page makes."""
_BROWSERS = (_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
_PATIENT = ("-o", "DPkg::Lock::Timeout=300")
"""Seconds for which apt-get waits for another installation."""
_ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--renderer-process-limit=1",
]
"""A browser that talks to our server alone, in as few processes as it can."""


def find_browser() -> str | None:
    """Return the path of Chromium or Chrome: EKOES_BROWSER, an installed one, or playwright's own."""
    named = os.environ.get("EKOES_BROWSER")
    if named:
        return shutil.which(named)
    if found := next(filter(None, map(shutil.which, (*_BROWSERS, _MAC))), None):
        return found
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def launch_arguments() -> list[str]:
    """Return the browser's command line options; root can't have Chromium's sandbox."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*_ARGUMENTS, *(["--no-sandbox"] if is_root else [])]


def find_firefox() -> str | None:
    """Return the path of Firefox: EKOES_FIREFOX, or an installed one."""
    named = os.environ.get("EKOES_FIREFOX")
    commands = [named] if named else ["firefox-esr", "firefox"]
    return next(filter(None, map(shutil.which, commands)), None)


def find_postgres() -> str | None:
    """Return the path of PostgreSQL's server, the newest that is installed."""
    found = Path("/").glob("usr/lib/postgresql/*/bin/postgres")
    newest = max(found, key=lambda path: float(path.parts[-3]), default=None)
    return str(newest) if newest else shutil.which("postgres")


def _installed(name: str) -> Callable[[], str | None]:
    return lambda: shutil.which(name, path=_FOLDERS)


PROGRAMS: dict[str, tuple[Callable[[], str | None], tuple[str, ...]]] = {
    "chromium": (find_browser, (_SHELL, "chromium")),
    "firefox": (find_firefox, ("firefox-esr",)),
    "webkit": (_installed("WebKitWebDriver"), ("webkit2gtk-driver",)),
    "xvfb": (_installed("Xvfb"), ("xvfb",)),
    "postgresql": (find_postgres, ("postgresql",)),
    "redis": (_installed("redis-server"), ("redis-server",)),
    "nginx": (_installed("nginx"), ("nginx-light",)),
    "systemd": (_installed("systemd-analyze"), ("systemd",)),
    "debootstrap": (_installed("debootstrap"), ("debootstrap",)),
    "nspawn": (_installed("systemd-nspawn"), ("systemd-container",)),
}
"""Name -> how it is found, and Debian's packages of it, the best first."""


def find(name: str) -> str:
    """Return the path of a program. Raises SystemExit with what to install if it is missing."""
    find_program, packages = PROGRAMS[name]
    if path := find_program():
        return path
    sys.exit(
        f"The tests need {name}, and it is missing; apt-get (as root) could not install {packages[0]}.\n"
        "Install it, or name a browser's program in EKOES_BROWSER or EKOES_FIREFOX, and start again."
    )


def install(names: Sequence[str]) -> None:
    """Install the programs that are missing, if they may be installed. Raises SystemExit if one stays away.

    Debian's packages are asked for at once, which takes a fraction of the time of one after the other.
    """
    if shutil.which("apt-get") and os.geteuid() == 0:
        for choice in zip_longest(*(PROGRAMS[name][1] for name in names if _is_missing(name))):
            missing = [package for package in choice if package is not None]
            _run("apt-get", *_PATIENT, "update", "-q")
            _run("apt-get", *_PATIENT, "install", "-q", "-y", "--no-install-recommends", *missing)
            if not any(map(_is_missing, names)):
                break
    if "chromium" in names and find_browser() is None:
        _run(sys.executable, "-m", "playwright", "install", "chromium")


def _is_missing(name: str) -> bool:
    find_program, _ = PROGRAMS[name]
    return find_program() is None or (find_program is find_browser and not _has_shell())


def _has_shell() -> bool:
    return "EKOES_BROWSER" in os.environ or shutil.which(_SHELL) is not None


def _run(*command: str) -> None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=quiet)
