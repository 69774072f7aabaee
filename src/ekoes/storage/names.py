"""When two names count as one: by their letters, or by their look."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

import orjson

_LONGEST = 160
"""NFKC can expand one character to eighteen."""
_LRM = "\N{LEFT-TO-RIGHT MARK}"
"""Stands around right-to-left characters in the library's table."""


def known_as(name: str) -> str:
    """Normalise a name so that names that differ only in case or width are equal."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())[:_LONGEST]


def look_of(name: str) -> str:
    """Normalise a name so that names that people confuse are equal.

    That is the skeleton of UTS #39 without accents, case, invisible characters and double spaces. ``I`` looks
    like ``l`` and is read as ``i``, so all three are one.
    """
    look = _prototype(known_as(_prototype(name))).replace("i", "l")
    return " ".join(look.split())[:_LONGEST]


def _prototype(name: str) -> str:
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    return "".join(_prototypes().get(letter, letter) for letter in letters if not _is_mark(letter))


def _is_mark(letter: str) -> bool:
    return (
        bool(unicodedata.combining(letter))
        or unicodedata.category(letter) in {"Cf", "Me"}
        or "VARIATION SELECTOR" in unicodedata.name(letter, "")
    )


@cache
def _prototypes() -> dict[str, str]:
    """Return the character, or the characters, for which each confusable one stands.

    The library's table holds each pair both ways; the prototype of a group is its longest sequence of
    characters, and of single ones a Latin letter.
    """
    text = files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    groups: dict[str, set[str]] = {}
    for key, pairs in orjson.loads(text).items():
        for one, two in ((key.strip(_LRM), pair["c"].strip(_LRM)) for pair in pairs):
            first, second = groups.setdefault(one, {one}), groups.setdefault(two, {two})
            if first is not second:
                first |= second
                groups.update(dict.fromkeys(second, first))
    return {
        letter: max(group, key=lambda it: (len(it), it.isascii() and it.isalpha(), it))
        for letter, group in groups.items()
        if len(letter) == 1
    }
