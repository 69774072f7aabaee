"""Make the golden reviews anew (`tests/golden/reviews`): the numbers, then the sentences of the page.

NAME.txt is a record and never changes; NAME.json has the log that its table showed, and the review;
NAME.LANGUAGE.txt the sentences.

    python -m tools.reviews [NAME ...]

Needs what `make page` installs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any, Final

from ekoes.records.review import Effort, reviewed_game

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "tests" / "golden" / "reviews"
EFFORT: Final = {"eko": Effort(iterations=500), "ekko": Effort(iterations=200)}
TESTS: Final = ("src/eko/review.test.ts", "src/ekko/review.test.ts")


def records(*names: str) -> list[Path]:
    """Return the records of the golden reviews, all or those of some names."""
    found = (path.with_suffix(".txt") for path in sorted(FOLDER.glob("*.json")))
    return [path for path in found if not names or path.stem in names]


def review_of(record: Path) -> dict[str, Any]:
    """Review a game."""
    game = reviewed_game(record.read_text("utf-8"))
    effort = EFFORT[game.record.game]
    return game.sum_up({n: game.examine(n, effort) for n in game.questions})


def text_of(content: dict[str, Any]) -> str:
    """Return the content of a file: each decision on a line of its own."""
    text = json.dumps(content, ensure_ascii=False)
    return text.replace("}, {", "},\n{").replace(": [{", ": [\n{") + "\n"


def main() -> None:
    """Review the games of the command line, or all, and write numbers and sentences."""
    for record in records(*sys.argv[1:]):
        path = record.with_suffix(".json")
        content = json.loads(path.read_text("utf-8")) | {"review": review_of(record)}
        path.write_text(text_of(content), "utf-8")
        print(path.relative_to(ROOT))
    subprocess.run([str(which("npx")), "vitest", "run", *TESTS, "-u"], cwd=ROOT / "web", check=True)  # noqa: S603 - our own tests


if __name__ == "__main__":
    main()
