"""Every game has all its parts, and shared packages name no game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ekoes.bots import Bot, Hidden, Search, bot
from ekoes.client.bridge import Afar
from ekoes.games.api.contract import Game
from ekoes.games.api.parts import Boards, Openings, Puzzles
from ekoes.games.api.registry import game, games, load
from ekoes.games.api.table import Picturing
from ekoes.games.ekko import game as game_ekko
from ekoes.games.ekko.bots.player import BEGINNER
from ekoes.games.ekko.live.state import Entry, LiveState
from ekoes.games.ekko.position import action as ekko
from ekoes.games.ekko.position.position import EkkoPosition, Sight
from ekoes.games.ekko.presenter import EkkoPresenter
from ekoes.games.eko import game as game_eko
from ekoes.games.eko.position import action as eko
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.presenter import EkoPresenter
from ekoes.records.referee import Book, book_of
from ekoes.tables.analysis_board import SequencePart
from ekoes.tables.create import table_class
from ekoes.tables.presenter import RacePresenter, RaceState, TurnPresenter
from ekoes.tables.table import Table

# mypy holds each game, and its presenter and bots, to its types
EKO: Game[EkoPosition, eko.Action] = game_eko.EKO
EKKO: Game[EkkoPosition, ekko.Action] = game_ekko.EKKO
EKO_PRESENTER: TurnPresenter[EkoPosition, eko.Action] = EkoPresenter()
EKKO_PRESENTER: RacePresenter[EkkoPosition, LiveState, Entry] = EkkoPresenter()
EKKO_STATE: type[RaceState[EkkoPosition, Entry]] = LiveState
EKKO_BOT: Bot[Sight, ekko.Action] = BEGINNER


def asked_by(protocol: type) -> set[str]:
    """The names that a protocol asks for."""
    names = {name for name in vars(protocol) if not name.startswith("_")}
    return names | set(getattr(protocol, "__annotations__", {}))


def lacking(part: object, protocol: type) -> set[str]:
    names = asked_by(protocol)
    assert names, "a protocol that asks for nothing shows nothing"
    return {name for name in names if not hasattr(part, name)}


@pytest.mark.parametrize("name", games())
def test_game_is_complete(name: str) -> None:
    assert lacking(game(name), Game) == set()
    assert game(name).name == name
    assert issubclass(table_class(name), Table)


@pytest.mark.parametrize("name", games())
def test_parts_of_a_game_are_complete(name: str) -> None:
    parts = game(name).parts
    presenter = {"turns": TurnPresenter, "race": RacePresenter}[parts.table]
    assert lacking(load(parts.presenter), presenter) == set()
    assert lacking(book_of(name), Book) == set()
    assert (
        lacking(load(parts.notation), type("Notation", (), {"parse_action": 0, "format_action": 0})) == set()
    )
    assert parts.hidden is None or lacking(load(parts.hidden), Hidden) == set()
    assert parts.afar is None or lacking(load(parts.afar), Afar) == set()
    assert parts.picture is None or lacking(load(parts.picture), Picturing) == set()
    assert parts.analysis is None or lacking(load(parts.analysis), Search) == set()
    assert parts.boards is None or lacking(load(parts.boards), Boards) == set()
    assert parts.openings is None or lacking(load(parts.openings), Openings) == set()
    assert parts.sequence is None or lacking(load(parts.sequence), SequencePart) == set()
    assert parts.puzzles is None or lacking(load(parts.puzzles), Puzzles) == set()
    for word in ("show", "playouts", "perft", "warm"):
        part = getattr(parts, word)
        function = {"show": "show_position", "warm": "warm_steps"}.get(word, word)
        assert part is None or callable(getattr(load(part), function))


@pytest.mark.parametrize("name", games())
def test_bots_of_a_game_are_complete(name: str) -> None:
    parts = game(name).parts
    assert parts.stand_in in parts.bots
    for each in parts.bots:
        assert lacking(bot(name, each), Bot) == set()
        assert bot(name, each).name == each


SOURCES = Path(__file__).parents[2] / "src" / "ekoes"
ROOMS = ("tables", "records", "server", "storage")
FILES = [
    *sorted(path for room in ROOMS for path in (SOURCES / room).rglob("*.py")),
    SOURCES / "bots.py",
    SOURCES / "cli" / "games.py",
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
