"""Reading the documents, and running what they show."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def read(path: str) -> str:
    """The text of a document, by its path from the root."""
    return (ROOT / path).read_text("utf-8")


_NO_CODES = {"application", "image", "review", "text"}
"""What precedes a slash in media types and in the remarks of a review."""
_INTERNAL = {
    *("bot/failed", "bot/worker-died"),  # a makeshift answers for the bot
    *("redis/address", "storage/address", "storage/key", "storage/newer", "storage/older"),
}
"""The codes that reach no client; those of the second line keep a server from starting."""


def sent_codes() -> set[str]:
    """Every code of an error that can reach a client, as the sources name it."""
    texts = (path.read_text("utf-8") for path in (ROOT / "src/ekoes").rglob("*.py"))
    found = {code for text in texts for code in re.findall(r'"([a-z]+/[a-z-]+)"', text)}
    return {code for code in found if code.partition("/")[0] not in _NO_CODES} - _INTERNAL


def fences(text: str, kind: str) -> list[str]:
    """The code blocks of a kind, a regular expression."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def rows(text: str) -> dict[str, str]:
    """The rows of all tables of a text: what follows the first cell, by the first cell."""
    return dict(re.findall(r"^\| ([^|]+?) \| (.+) \|$", text, flags=re.MULTILINE))


def table(text: str, heading: str) -> dict[str, str]:
    """The rows of the table whose first column has a heading, without the marks of code."""
    (body,) = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, flags=re.MULTILINE)
    return {cell.strip("`"): row for cell, row in rows(body).items()}


def run_shell(script: str, folder: Path, **more: str) -> str:
    """Run a script that succeeds, with our command on its path, and return its output."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return _output(["bash", "-euo", "pipefail", "-c", script], folder, {"PATH": path, **more})


def run_python(program: str) -> str:
    """Run a program that succeeds, and return its output."""
    return _output([sys.executable, "-c", program], ROOT, {})


def _output(command: list[str], folder: Path, more: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | more,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"{folder}: {command[-1]}: {done.stderr}"
    return done.stdout
