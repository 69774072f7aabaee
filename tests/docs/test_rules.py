"""The rules for players: every number in every language."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from ekoes.games.ekko.position.refusal import REFUSALS as EKKO_REFUSALS
from ekoes.games.eko.position.refusal import REFUSALS as EKO_REFUSALS
from tests.languages import GAMES, ROOT, TAGS

SOURCE = ROOT / "docs" / "rules"
HEADING = re.compile(r"^##+ ([A-Z]\d+(?:\.\d+)?) .+$", re.MULTILINE)
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


def rules_of(game: str, language: str) -> list[tuple[str, str]]:
    """The numbers and texts of the rules of a document."""
    _, *parts = HEADING.split(document_of(game, language))
    return list(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


def test_every_game_is_checked() -> None:
    assert set(NUMBERS) == set(GAMES)


@pytest.mark.parametrize("language", TAGS)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_number_stands_there_once_and_in_order(game: str, language: str) -> None:
    rules = rules_of(game, language)
    assert [number for number, _ in rules] == NUMBERS[game]
    empty = {number for number, text in rules if not text and ("." in number or number == "E9")}
    assert empty == set()


@pytest.mark.parametrize("language", TAGS)
@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_is_marked_in_every_language(game: str, language: str) -> None:
    (word,) = set(RULING.findall(document_of(game, language)))
    (first,) = set(RULING.findall(document_of(game, TAGS[0])))
    marked = {number: text.count(word) for number, text in rules_of(game, language)}
    assert marked == {number: text.count(first) for number, text in rules_of(game, TAGS[0])}


def test_the_rules_are_those_of_the_list_of_languages() -> None:
    written = {tuple(path.stem.split(".")) for path in SOURCE.glob("*.*.md")}
    assert written == set(product(GAMES, TAGS))


@pytest.mark.parametrize("language", TAGS)
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
