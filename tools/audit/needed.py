"""The packages that a server runs with, as they are installed here: what Ekoes names, and what that needs."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

__all__ = ["needed"]

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def needed() -> list[str]:
    """Return them as lines of a requirements file, in order."""
    found: dict[str, str] = {}
    project = tomllib.loads(_PROJECT.read_text("utf-8"))["project"]
    waiting = [Requirement(text) for text in project["dependencies"]]
    while waiting:
        wanted = waiting.pop()
        key = wanted.name.lower().replace("_", "-")
        if key not in found:
            found[key], more = _read(wanted)
            waiting += more
    return sorted(filter(None, found.values()))


def _read(wanted: Requirement) -> tuple[str, list[Requirement]]:
    """Return a package as a line, and what it needs here; nothing if it is not installed."""
    try:
        package = distribution(wanted.name)
    except PackageNotFoundError:
        return "", []
    needs = [Requirement(text) for text in package.requires or ()]
    extras = [*wanted.extras, ""]
    here = [it for it in needs if it.marker is None or any(it.marker.evaluate({"extra": e}) for e in extras)]
    return f"{package.metadata['Name']}=={package.version}", here
