"""The catalogues of the page: one set of keys, one set of placeholders, every code has its words."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from ekoes import errors
from ekoes.games.ekko.position import refusal as ekko
from ekoes.games.eko.position import refusal as eko
from tests.docs.pages import sent_codes
from tests.languages import CATEGORIES, FIRST, OTHERS, TAGS

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = ROOT / "web" / "src" / "i18n"
FOLDERS = (CATALOGUES, *sorted(path for path in CATALOGUES.rglob("*") if path.is_dir()))
REFUSALS = {
    prefix: {code: text for code, (_, text) in game.REFUSALS.items()}
    for prefix, game in (("refusal.", eko), ("ekko.refusal.", ekko))
}
PLACEHOLDER = re.compile(r"\{(\w+)\}")


def read(folder: Path, language: str) -> dict[str, str]:
    """One file: what is for all pages, or a game's own words."""
    pairs = json.loads((folder / f"{language}.json").read_text("utf-8"), object_pairs_hook=list)
    assert len({key for key, _ in pairs}) == len(pairs), "a key stands there twice"
    return dict(pairs)


@cache
def catalogue(language: str) -> dict[str, str]:
    """All words of a language."""
    return {key: text for folder in FOLDERS for key, text in read(folder, language).items()}


def text_of(key: str) -> str:
    """The key of a text; of one that depends on a number its stem: languages have plurals of their own."""
    stem, _, category = key.rpartition(".")
    return stem if category in CATEGORIES and f"{stem}.one" in catalogue(FIRST) else key


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_catalogues_are_those_of_the_list_of_languages(folder: Path) -> None:
    assert {path.stem for path in folder.glob("*.json")} == set(TAGS)


@pytest.mark.parametrize("language", TAGS)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_keys_are_sorted_and_equal_in_all_languages(folder: Path, language: str) -> None:
    keys = list(read(folder, language))
    assert keys == sorted(keys)
    assert {text_of(key) for key in keys} == {text_of(key) for key in read(folder, FIRST)}


def test_a_key_stands_in_one_catalogue_alone() -> None:
    keys = [key for folder in FOLDERS for key in read(folder, FIRST)]
    assert {key for key in keys if keys.count(key) > 1} == set()


@pytest.mark.parametrize("language", TAGS)
def test_no_text_is_empty_or_padded(language: str) -> None:
    assert {key for key, text in catalogue(language).items() if not text or text != text.strip()} == set()


def test_no_line_of_french_begins_with_its_punctuation() -> None:
    texts = catalogue("fr").items()
    assert {key for key, text in texts if re.search(r" [:;!?»](?!\w)|« ", text)} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_are_those_of_english(language: str) -> None:
    english = catalogue(FIRST)
    different = {
        key
        for key, text in catalogue(language).items()
        if placeholders(text) != placeholders(english.get(key) or english[f"{text_of(key)}.other"])
    }
    assert different == set()


@pytest.mark.parametrize("language", TAGS)
@pytest.mark.parametrize("prefix", REFUSALS)
def test_every_refusal_has_its_words(prefix: str, language: str) -> None:
    codes = {key.removeprefix(prefix) for key in catalogue(language) if key.startswith(prefix)}
    assert codes == set(REFUSALS[prefix])


@pytest.mark.parametrize("language", TAGS)
def test_every_code_of_an_error_has_its_words(language: str) -> None:
    codes = sent_codes() | {getattr(errors, name).default_code for name in errors.__all__}
    assert "table/stale" in codes
    assert {f"error.{code}" for code in codes} - set(catalogue(language)) == set()


@pytest.mark.parametrize("prefix", REFUSALS)
def test_english_refusals_are_those_of_the_engine(prefix: str) -> None:
    words = catalogue(FIRST)
    texts = REFUSALS[prefix]
    assert {code: words[f"{prefix}{code}"] for code in texts} == texts


def test_translations_are_not_english_left_over() -> None:
    english = catalogue(FIRST)
    long = {key for key, text in english.items() if len(re.sub(r"\{\w+\}", "", text).split()) > 3}
    for language in OTHERS:
        words = catalogue(language)
        assert {key for key in long if words.get(key) == english[key]} == set()


def test_every_family_of_keys_is_described() -> None:
    document = (ROOT / "docs" / "reference" / "translations.md").read_text("utf-8")
    families = {key.split(".")[0] for key in catalogue(FIRST)}
    assert {family for family in families if f"`{family}." not in document} == set()
