"""The shared rooms name no game, no number of a rule, and nothing that is in one game alone."""

from __future__ import annotations

import re
from pathlib import Path

from ekoes.games.api.registry import games

SOURCES = Path(__file__).parents[2] / "src" / "ekoes"
ROOMS = ("bots", "tables", "records", "server", "storage")
FILES = [
    *sorted(path for room in ROOMS for path in (SOURCES / room).rglob("*.py")),
    *(SOURCES / "cli" / name for name in ("games.py", "contest.py")),
]
NAMES = "|".join(games())
TELLING = re.compile(
    rf"(?<![a-zA-Z.])(?:{NAMES})(?![a-zA-Z])|Ekö|\b[EK][0-9]+(?:\.[0-9]+)?\b"
    r"|\b(?:(?<!twitter:)cards?|mirrors?|discs?|emperors?)\b",
    re.IGNORECASE,
)


def test_no_file_of_a_shared_room_names_a_game() -> None:
    named = [
        (str(path.relative_to(SOURCES)), number, found[0])
        for path in FILES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (found := TELLING.search(line))
    ]
    assert named == []
