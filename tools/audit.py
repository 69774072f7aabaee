"""Ask the advisory services about the packages that a server of Ekoes needs: ``python -m tools.audit``.

``--sbom FOLDER`` writes them down instead, as CycloneDX. Ends with 1 if a vulnerability of one of them is
known; a service that does not answer is reported, and is no failure.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import Requirement

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a service knows. asked: of how many packages; None: it does not answer. hits: what is wrong."""

    service: str
    asked: int | None
    hits: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return a line for people."""
        if self.asked is None:
            return f"{self.service}: NOT audited, the advisory service does not answer"
        return f"{self.service}: {self.asked} packages audited, {len(self.hits)} with known vulnerabilities"


def of_pip(output: str) -> Answer:
    """Read what pip-audit prints as JSON; where it could not ask it prints none."""
    answer = _json(output)
    known = [package for package in answer.get("dependencies", ()) if "skip_reason" not in package]
    hits = [
        f"{package['name']} {package['version']}: {hit['id']}, mended in {', '.join(hit['fix_versions'])}"
        for package in known
        for hit in package["vulns"]
    ]
    return Answer("Python", len(known) or None, tuple(hits))


def of_npm(output: str) -> Answer:
    """Read what ``npm audit`` prints as JSON."""
    answer = _json(output)
    if "metadata" not in answer:
        return Answer("page", None)
    hits = [f"{name}: {hit['severity']}, {hit['range']}" for name, hit in answer["vulnerabilities"].items()]
    return Answer("page", answer["metadata"]["dependencies"]["prod"], tuple(hits))


def _json(output: str) -> Json:
    """Return the first JSON object in a text, an empty one if there is none."""
    start = output.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(output[max(start, 0) :])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


_ROOT = Path(__file__).parents[1]


def needed() -> list[str]:
    """Return them as lines of a requirements file, in order."""
    found: dict[str, str] = {}
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    texts = project["dependencies"] + project["optional-dependencies"]["server"]
    waiting = [Requirement(text) for text in texts]
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


_PIP_AUDIT = (
    "--no-deps",
    "--disable-pip",
    "--format",
    "json",
    "--progress-spinner",
    "off",
    "--timeout",
    "10",
)
_NPM_SBOM = ("--sbom-format=cyclonedx", "--package-lock-only")  # leaving out what only builds loses others


def main() -> int:
    """Audit, or write the lists."""
    parser = argparse.ArgumentParser(prog="python -m tools.audit")
    parser.add_argument("--sbom", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    if asked.sbom is not None:
        print(*written_down(asked.sbom), sep="\n")
        return 0
    answers = audited()
    for answer in answers:
        print(answer, *answer.hits, sep="\n  ")
    return int(any(answer.hits for answer in answers))


def audited() -> list[Answer]:
    """Ask both services."""
    with TemporaryDirectory() as folder:
        lines = _lines(Path(folder))
        python = _run("-m", "pip_audit", "--requirement", str(lines), *_PIP_AUDIT).stdout
    page = _run("hatch_build.py", "audit", "--omit=dev", "--json").stderr  # where it writes what npm says
    return [of_pip(python), of_npm(page)]


def written_down(folder: Path) -> list[Path]:
    """Write both lists of packages into a folder; return where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    python, page = folder / "ekoes-python.cdx.json", folder / "ekoes-page.cdx.json"
    lines = _lines(folder)
    _run("-m", "cyclonedx_py", "requirements", str(lines), "--of", "JSON", "-o", str(python), check=True)
    lines.unlink()
    output = _run("hatch_build.py", "sbom", *_NPM_SBOM, check=True).stderr
    page.write_text(output[output.index("{") : output.rindex("}") + 1] + "\n", encoding="utf-8")
    return [python, page]


def _lines(folder: Path) -> Path:
    path = folder / "requirements.txt"
    path.write_text("\n".join(needed()) + "\n", encoding="utf-8")
    return path


def _run(*arguments: str, check: bool = False) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=check)  # noqa: S603 - our own


if __name__ == "__main__":
    sys.exit(main())
