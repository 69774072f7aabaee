"""The rules for players: every number in every language, and the page's copy is current."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from ekoes.games.ekko.position.refusal import REFUSALS as EKKO_REFUSALS
from ekoes.games.eko.position.refusal import REFUSALS as EKO_REFUSALS
from tools.rules_json import GAMES, LANGUAGES, SOURCE, TARGET, parse_rules, rules_json

# How many numbered rules each section has; E9 is one rule itself.
EKO = {1: 7, 2: 8, 3: 4, 4: 3, 5: 7, 6: 5, 7: 1, 8: 5, 9: 0, 10: 7, 11: 6, 12: 9}
EKKO = {1: 4, 2: 4, 3: 5, 4: 3, 5: 6, 6: 4, 7: 6}
RULING = re.compile(r"\*\*(.+?)\*\*")
"""What is a ruling of ours is marked by one word in bold, and nothing else is bold."""


def numbers(letter: str, sections: dict[int, int]) -> list[str]:
    """All numbers of a game's rules, in order; K6 alone counts from 0, as in the specification."""
    return [
        number
        for section, count in sections.items()
        for number in (
            f"{letter}{section}",
            *(f"{letter}{section}.{rule}" for rule in range(letter + str(section) != "K6", count + 1)),
        )
    ]


NUMBERS = {"eko": numbers("E", EKO), "ekko": numbers("K", EKKO)}


def document_of(game: str, language: str) -> str:
    return (SOURCE / f"{game}.{language}.md").read_text("utf-8")


def rules_of(game: str, language: str) -> list[dict[str, str]]:
    return parse_rules(document_of(game, language))


def test_every_game_is_checked() -> None:
    assert set(NUMBERS) == set(GAMES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_number_stands_there_once_and_in_order(game: str, language: str) -> None:
    rules = rules_of(game, language)
    assert [rule["id"] for rule in rules] == NUMBERS[game]
    empty = {rule["id"] for rule in rules if not rule["text"] and ("." in rule["id"] or rule["id"] == "E9")}
    assert empty == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_is_marked_in_every_language(game: str, language: str) -> None:
    (word,) = set(RULING.findall(document_of(game, language)))
    (first,) = set(RULING.findall(document_of(game, LANGUAGES[0])))
    marked = {rule["id"]: rule["text"].count(word) for rule in rules_of(game, language)}
    assert marked == {rule["id"]: rule["text"].count(first) for rule in rules_of(game, LANGUAGES[0])}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_page_has_the_rules_of_the_document(game: str, language: str) -> None:
    assert (TARGET / game / f"{language}.json").read_text("utf-8") == rules_json(game, language), (
        "run: python tools/rules_json.py"
    )


def test_the_rules_are_those_of_the_list_of_languages() -> None:
    written = {tuple(path.stem.split(".")) for path in SOURCE.glob("*.*.md")}
    assert written == set(product(GAMES, LANGUAGES))
    assert {(path.parent.name, path.stem) for path in TARGET.glob("*/*.json")} == written


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_documents_link_to_the_rules(game: str, language: str) -> None:
    assert f"(rules/{game}.{language}.md)" in (SOURCE.parent / "README.md").read_text("utf-8")


def test_every_refusal_cites_a_rule_that_can_be_read() -> None:
    assert {rule for rule, _ in EKO_REFUSALS.values()} <= set(NUMBERS["eko"])
    assert {rule for rule, _ in EKKO_REFUSALS.values()} <= set(NUMBERS["ekko"])


DOCUMENTS = sorted(SOURCE.parents[1].glob("*.md")) + sorted(SOURCE.parent.rglob("*.md"))


def test_a_rule_that_is_cited_exists() -> None:
    unknown = {document: unknown_rules(document) for document in DOCUMENTS}
    assert {document: rules for document, rules in unknown.items() if rules} == {}


def unknown_rules(document: Path) -> set[str]:
    """Return the numbers of rules that a document cites and that don't exist."""
    cited = set(re.findall(r"\b([EK]\d+(?:\.\d+)?)\b(?!\.\d)", document.read_text("utf-8")))
    return cited - set(NUMBERS["eko"]) - set(NUMBERS["ekko"])
