"""Make the page's rules (`web/src/rules/*/*.json`) from the rules for players (`docs/rules/*.*.md`).

    python tools/rules_json.py

A rule is a heading `### E5.3 Title` and the text below it, a section a heading `## E5 Title`. The result
is committed, so that the page builds without Python; `tests/docs/test_rules.py` checks that it is current.
"""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
LIST: Final = ROOT / "src" / "ekoes" / "languages.json"
LANGUAGES: Final = tuple(language["tag"] for language in json.loads(LIST.read_text(encoding="utf-8")))
SOURCE: Final = ROOT / "docs" / "rules"
TARGET: Final = ROOT / "web" / "src" / "rules"
GAMES: Final = tuple(sorted({path.name.split(".")[0] for path in SOURCE.glob("*.*.md")}))
HEADING: Final = re.compile(r"^##+ ([A-Z]\d+(?:\.\d+)?) (.+)$")


def parse_rules(text: str) -> list[dict[str, str]]:
    """The rules of one document, in its order: number, title and text, one line a paragraph or point."""
    rules: list[dict[str, str]] = []
    for line in text.splitlines():
        if heading := HEADING.match(line):
            rules.append({"id": heading[1], "title": heading[2], "text": ""})
        elif rules and line.strip():
            rules[-1]["text"] += ("\n" if rules[-1]["text"] else "") + plain(line.strip())
    return rules


def plain(line: str) -> str:
    """Return a line of the document without its marks: emphasis goes, the dash of a point turns bullet."""
    return re.sub(r"^- ", "\N{BULLET} ", line.replace("**", ""))


def rules_json(game: str, language: str) -> str:
    """What `web/src/rules/<game>/<language>.json` has to hold."""
    rules = parse_rules((SOURCE / f"{game}.{language}.md").read_text(encoding="utf-8"))
    return json.dumps(rules, ensure_ascii=False, indent=1) + "\n"


def main() -> None:
    """Write the file of each game and language."""
    for game, language in product(GAMES, LANGUAGES):
        (TARGET / game / f"{language}.json").write_text(rules_json(game, language), encoding="utf-8")


if __name__ == "__main__":
    main()
