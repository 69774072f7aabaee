"""An environment with the core's packages alone, as ``pip install ekoes`` makes it without an extra."""

from __future__ import annotations

import os
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]


def core_python(folder: Path) -> tuple[list[str], dict[str, str]]:
    """Return a command of Python that finds these packages alone, and its environment.

    folder: an empty one, for links to what is installed here.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting, linked = [Requirement(text) for text in project["dependencies"]], {"ekoes"}
    packages = [distribution("ekoes")]
    while waiting:
        package = distribution(waiting.pop().name)
        if package.name in linked:
            continue
        linked.add(package.name)
        packages.append(package)
        needs = [Requirement(text) for text in package.requires or ()]
        waiting += [each for each in needs if each.marker is None or each.marker.evaluate({"extra": ""})]
    for package in packages:
        tops = {file.parts[0] for file in package.files or () if file.parts[0] not in {"..", "__pycache__"}}
        for top in tops:
            (folder / top).symlink_to(str(package.locate_file(top)))
    path = os.pathsep.join([str(ROOT / "src"), str(folder)])
    return [sys.executable, "-S"], os.environ | {"PYTHONPATH": path}
