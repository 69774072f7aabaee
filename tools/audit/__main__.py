"""Ask the advisory services about the packages that Ekoes needs: ``python -m tools.audit``.

``--sbom FOLDER`` writes them down instead, as CycloneDX. Ends with 1 if anything is known against one of
them; a service that does not answer is told of, and is no failure.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.audit.hits import Answer, of_npm, of_pip
from tools.audit.needed import needed

__all__ = ["audited", "main", "written_down"]

_ROOT = Path(__file__).parents[2]
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
    """Audit, or write down, and tell what came of it."""
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
    told = _run("hatch_build.py", "sbom", *_NPM_SBOM, check=True).stderr
    page.write_text(told[told.index("{") : told.rindex("}") + 1] + "\n", encoding="utf-8")
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
