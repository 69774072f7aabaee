"""The glossary: its words, and no others, name its ideas in names, keys and texts of every layer."""

from __future__ import annotations

import json
import re
import tokenize
from functools import cache
from pathlib import Path

from tests.docs.pages import ROOT, read

ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", read("docs/glossary.md"), flags=re.MULTILINE)[1:]
NAMES = {word.strip("` ") for *_, words in ROWS for word in words.split(",")}
TEXTS = {word.strip() for *_, words in ROWS for word in words.split(",") if "`" not in word}

ALLOWED = {
    "src/ekoes/envs/kernels_eko.py": ({"way", "ways"}, "in how many ways a move can lose discs"),
    "src/ekoes/arena/pool.py": ({"way"}, "under way"),
    "src/ekoes/server/ops/tasks.py": ({"way"}, "under way"),
    "src/ekoes/server/push.py": ({"way"}, "under way"),
    "src/ekoes/arena/ratings.py": ({"away"}, "the distance from a mean"),
    "src/ekoes/server/ops/clock.py": ({"away"}, "a server that was not running"),
    "src/ekoes/server/runtime/table_actor.py": ({"away"}, "the downtime of the server"),
    "src/ekoes/server/runtime/hub.py": ({"away"}, "to put away"),
    "src/ekoes/server/realtime": ({"away", "silent"}, "sockets are turned away, or send nothing"),
    "src/ekoes/server/cluster": ({"away", "silent"}, "other processes and Redis"),
    "src/ekoes/server/app.py": ({"away"}, "Redis"),
    "web/src/net/connection.svelte.ts": ({"silent"}, "a socket without messages"),
    "web/src/ui": ({"silent"}, "sounds that are off"),
    "src/ekoes/games/ekko": ({"intent", "intents"}, "the machine: not judged yet"),
    "src/ekoes/client": ({"intent"}, "the type of the message"),
    "src/ekoes/tables": ({"intent"}, "the type of the message"),
    "web/src/ekko": ({"intent"}, "the type of the message"),
}
"""File or folder -> the words of the last column that it may use, and why."""


def parts(text: str) -> set[str]:
    """The words of which names consist, in lower case."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text)}


def python_words(path: Path) -> set[str]:
    """The words of names and of strings that are keys: without blanks."""
    with path.open("rb") as file:
        tokens = [(one.type, one.string) for one in tokenize.tokenize(file.readline)]
    names = [text for kind, text in tokens if kind == tokenize.NAME]
    keys = [text for kind, text in tokens if kind == tokenize.STRING and re.fullmatch(r"[\"'\w./-]+", text)]
    return parts(" ".join(names + keys))


def page_words(path: Path) -> set[str]:
    """The words of the code of the page, without its comments."""
    comments = r"/\*.*?\*/|<!--.*?-->|(?<![:'\"])//[^\n]*"
    return parts(re.sub(comments, "", path.read_text("utf-8"), flags=re.DOTALL))


def catalogue_words(path: Path) -> set[str]:
    """The words of keys, and of English texts those that even texts may not use."""
    catalogue = json.loads(path.read_text("utf-8"))
    texts = parts(" ".join(catalogue.values())) if path.stem == "en" else set[str]()
    return parts(" ".join(catalogue)) | texts & TEXTS


@cache
def words_of_sources() -> dict[str, set[str]]:
    """The words of the last column in each source of server and page, tests and generated files aside."""
    found = {path: python_words(path) for path in (ROOT / "src/ekoes").rglob("*.py")}
    found |= {path: catalogue_words(path) for path in (ROOT / "web/src/i18n").rglob("*.json")}
    page = (path for kind in ("*.ts", "*.svelte", "*.css") for path in (ROOT / "web/src").rglob(kind))
    found |= {
        path: page_words(path)
        for path in page
        if ".test." not in path.name and ROOT / "web/src/protocol" not in path.parents
    }
    return {path.relative_to(ROOT).as_posix(): words & NAMES for path, words in found.items()}


def test_every_idea_has_its_word_and_no_other() -> None:
    assert len(ROWS) > 10
    others: dict[str, set[str]] = {}
    for name, words in words_of_sources().items():
        allowed = [some for place, (some, _) in ALLOWED.items() if name.startswith(place)]
        if left := words.difference(*allowed):
            others[name] = left
    assert others == {}, "docs/glossary.md has another word"


def test_every_exception_is_needed() -> None:
    for place, (words, reason) in ALLOWED.items():
        used = [found for name, found in words_of_sources().items() if name.startswith(place)]
        assert reason
        assert words <= set().union(*used), place
