"""docs/guide/playing.md and playing-ekko.md tell of everything that the page offers."""

from __future__ import annotations

import json
import re

import pytest

from ekoes.bots import bots as names_of
from ekoes.games.eko.position.tiles import VARIANTS
from tests.docs.pages import ROOT, read, rows

GUIDES = {name: read(f"docs/guide/{name}.md") for name in ("playing", "playing-ekko")}
GUIDE, EKKO_GUIDE = GUIDES.values()
SOURCES = ROOT / "web" / "src"
GENERAL, TABLE_WORDS, EKO_WORDS, EKKO_WORDS = (
    json.loads((SOURCES / "i18n" / folder / "en.json").read_text("utf-8"))
    for folder in (".", "table", "eko", "ekko")
)
WORDS = GENERAL | TABLE_WORDS | EKO_WORDS


def texts(words: dict[str, str], pattern: str) -> set[str]:
    found = {text for key, text in words.items() if re.fullmatch(pattern, key)}
    assert found
    return found


def keys(component: str) -> set[str]:
    """Return the keys that a component lists beside the one of all games, in English."""
    source = (SOURCES / component).read_text("utf-8")
    listed = re.findall(r"^ +\[(.+), t\('[\w.-]+'\)\],$", source, re.MULTILINE)
    assert len(listed) > 5
    found = {re.sub(r"\$?\{?t\('([\w.-]+)'\)\}?", lambda said: WORDS[said[1]], key) for key in listed}
    return {key.strip("'`") for key in found} | {"C"}


def test_every_key_is_in_the_guide() -> None:
    told = {name.lower() for row in rows(GUIDE) for name in (row, row.split(",")[0])}
    assert {key for key in keys("eko/Legend.svelte") if key.lower() not in told} == set()


def test_every_key_of_ekko_is_in_its_guide() -> None:
    assert keys("ekko/Help.svelte") <= rows(EKKO_GUIDE).keys()


def test_every_variant_has_its_rule() -> None:
    names = texts(WORDS, r"variant\.\w+")
    assert len(names) == len(VARIANTS)
    rules = (ROOT / "docs" / "rules" / "eko.en.md").read_text("utf-8")
    assert names <= set(re.findall(r"^### E10\.\d+ (.+)$", rules, re.MULTILINE))


def test_every_option_of_ekko_is_in_its_guide() -> None:
    labels = texts(EKKO_WORDS, r"option\.(?!title)[\w-]+")
    assert labels <= rows(EKKO_GUIDE).keys()


def test_every_bot_of_ekko_is_in_its_guide() -> None:
    assert set(names_of("ekko")) <= rows(EKKO_GUIDE).keys()


@pytest.mark.parametrize(
    ("guide", "words", "pattern"),
    [(GUIDE, WORDS, r"settings\.[\w-]+"), (EKKO_GUIDE, EKKO_WORDS, r"ekko\.settings\.[\w-]+")],
    ids=GUIDES,
)
def test_every_setting_is_in_the_guide(guide: str, words: dict[str, str], pattern: str) -> None:
    bold = " ".join(re.findall(r"\*\*(.+?)\*\*", guide))
    assert {label for label in texts(words, pattern) if label.split(" ")[0] not in bold} == set()
