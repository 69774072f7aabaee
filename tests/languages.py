"""The languages of the page, and made-up ones for the tests, made of the first."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
LIST: Final = "src/ekoes/languages.json"
TAGS: Final = tuple(language["tag"] for language in json.loads((ROOT / LIST).read_text("utf-8")))
FIRST, *OTHERS = TAGS
GAMES: Final = [path.stem for path in (ROOT / "docs/games").glob("*.md")]
CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")
"""Of numbers, in any language; which of them a language has, the page's own tests check."""
MIRRORED: Final = "ar-XB"
"""The usual tag of a made-up language that runs from right to left, with the numbers of Arabic."""
OVERRIDE, END = "\N{RIGHT-TO-LEFT OVERRIDE}", "\N{POP DIRECTIONAL FORMATTING}"
STEPS: Final = re.findall(
    r"^\| `([^`]+)` \|", (ROOT / "docs/guide/add-a-language.md").read_text("utf-8"), flags=re.MULTILINE
)
"""The files that a language is made of, as the guide lists them."""


def files_of(tag: str, step: str) -> list[str]:
    """The files of one step of the guide: one, or one for each game."""
    if "LANGUAGE" not in step:
        return [step]
    paths = {ROOT / step.replace("LANGUAGE", FIRST).replace("GAME", game) for game in GAMES}
    names = sorted(path.relative_to(ROOT).as_posix() for path in paths if path.exists())
    return [re.sub(rf"(?<=[/.]){FIRST}(?=\.\w+$)", tag, name) for name in names]


def add_language(root: Path, tag: str, *, without: str = "") -> None:
    """Add a language to a copy of the tree as the guide says. without: a step that is left out."""
    for step in STEPS:
        if step != without:
            for name in files_of(tag, step):
                _add(root, tag, name)


def _add(root: Path, tag: str, name: str) -> None:
    path = root / name
    source = path.with_name(path.name.replace(tag, FIRST))
    text = source.read_text("utf-8")
    if name == LIST:
        language = {"tag": tag, "name": f"Mirrored ({tag})", "dir": "rtl"}
        text = _json([*json.loads(text), language])
    elif path.suffix == ".json" and "/i18n/" in name:
        text = _json(dict(sorted(mirrored_words(json.loads(text)).items())))
    elif tag not in name:  # a list of links
        text += "".join(f"\n[{link}]({link})" for link in _links(root, tag))
    path.write_text(text, "utf-8")


def _links(root: Path, tag: str) -> list[str]:
    return [f"rules/{path.name}" for path in sorted((root / "docs/rules").glob(f"*.{tag}.md"))]


def mirrored_words(words: dict[str, str]) -> dict[str, str]:
    """The words from right to left, with a text for every category of number."""
    stems = {key.removesuffix(".one") for key in words if key.endswith(".one")}
    every = {f"{stem}.{category}": words[f"{stem}.other"] for stem in stems for category in CATEGORIES}
    return {key: f"{OVERRIDE}{text}{END}" for key, text in (every | words).items()}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
