"""docs/guide/playing.md tells of everything that the page offers."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "playing.md").read_text("utf-8")
WORDS = json.loads((ROOT / "web" / "src" / "i18n" / "en.json").read_text("utf-8"))


def test_every_key_is_in_the_guide() -> None:
    keys = {text for key, text in WORDS.items() if re.fullmatch(r"key\.\w+", key)}
    rows = set(re.findall(r"^\| ([\w ]+?)(?:,.*)? \| .+ \|$", GUIDE, flags=re.MULTILINE))
    assert {key for key in keys if key.lower() not in {row.lower() for row in rows}} == set()


def test_every_variant_is_in_the_guide() -> None:
    names = {text for key, text in WORDS.items() if re.fullmatch(r"variant\.\w+", key)}
    assert len(names) == 7
    assert {name for name in names if f"| {name} |" not in GUIDE} == set()


def test_every_setting_is_in_the_guide() -> None:
    labels = {text for key, text in WORDS.items() if re.fullmatch(r"settings\.[\w-]+", key)}
    bold = " ".join(re.findall(r"\*\*(.+?)\*\*", GUIDE))
    assert {label for label in labels if label.split(" ")[0] not in bold} == set()
