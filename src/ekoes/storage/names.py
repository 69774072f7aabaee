"""When two names count as one: by their letters, or by their look; which names no one may have."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from string import digits

import orjson

from ekoes.errors import AccountError
from ekoes.tables.orders import without_ignorable

_LONGEST = 160
"""NFKC can expand one character to eighteen."""
_LRM = "\N{LEFT-TO-RIGHT MARK}"
"""Stands around right-to-left characters in the library's table."""


def known_as(name: str) -> str:
    """Normalise a name so that names that differ only in case, width or ignorable characters are equal.

    That is Unicode's NFKC_Casefold.
    """
    letters = without_ignorable(unicodedata.normalize("NFKC", name).casefold())
    return unicodedata.normalize("NFKC", letters)[:_LONGEST]


def look_of(name: str) -> str:
    """Normalise a name so that names that people confuse are equal.

    That is the skeleton of UTS #39 without accents, case and double spaces. ``I`` looks like ``l`` and is
    read as ``i``, so all three are one.
    """
    look = _prototype(known_as(_prototype(name))).replace("i", "l")
    return " ".join(look.split())[:_LONGEST]


def _prototype(name: str) -> str:
    letters = without_ignorable(unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name)))
    return "".join(_prototypes().get(letter, letter) for letter in letters if not _is_mark(letter))


def _is_mark(letter: str) -> bool:
    return bool(unicodedata.combining(letter)) or unicodedata.category(letter) in {"Cf", "Me"}


def check_not_reserved(name: str) -> None:
    """Raise AccountError if a name, or a word of it, looks like that of a server or of those who run one."""
    words = [*_BETWEEN_WORDS.split(name), _BETWEEN_WORDS.sub("", name)]
    if not _reserved_looks().isdisjoint(look_of(word.rstrip(digits)) for word in words):
        raise AccountError("this name is reserved", code="account/name-reserved", key="name")


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset(map(look_of, _RESERVED.split()))


_RESERVED = """
    ekoes admin administrator moderator moderation
    administratorin moderatorin administrateur administratrice modérateur modératrice modération
    administrátor administrátorka moderátor moderátorka správce
"""
_BETWEEN_WORDS = re.compile(r"[\W_]+")


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
