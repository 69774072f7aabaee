"""The rules for players: every number in every language, and the page's copy is current."""

from __future__ import annotations

import pytest

from ekoes.games.eko.refusal_texts import RULE
from tools.rules_json import LANGUAGES, SOURCE, TARGET, parse_rules, rules_json

# How many numbered rules each section has; E9 is one rule itself.
RULES_OF_SECTION = {1: 7, 2: 8, 3: 4, 4: 3, 5: 7, 6: 5, 7: 1, 8: 5, 9: 0, 10: 7, 11: 6, 12: 9}
NUMBERS = [
    number
    for section, count in RULES_OF_SECTION.items()
    for number in (f"E{section}", *(f"E{section}.{rule}" for rule in range(1, count + 1)))
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_number_stands_there_once_and_in_order(language: str) -> None:
    rules = parse_rules((SOURCE / f"eko.{language}.md").read_text("utf-8"))
    assert [rule["id"] for rule in rules] == NUMBERS
    empty = {rule["id"] for rule in rules if not rule["text"] and ("." in rule["id"] or rule["id"] == "E9")}
    assert empty == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_marked_in_every_language(language: str) -> None:
    word = {"en": "Ruling", "fr": "Arbitrage", "de": "Auslegung", "cs": "Výklad"}

    def marked(lang: str) -> set[str]:
        rules = parse_rules((SOURCE / f"eko.{lang}.md").read_text("utf-8"))
        return {rule["id"] for rule in rules if word[lang] in rule["text"]}

    assert marked(language) == marked("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_the_rules_of_the_document(language: str) -> None:
    assert (TARGET / f"{language}.json").read_text("utf-8") == rules_json(language), (
        "run: python tools/rules_json.py"
    )


def test_every_refusal_cites_a_rule_that_can_be_read() -> None:
    assert set(RULE.values()) <= set(NUMBERS)
