"""What a game brings is all there: each part offers what the layer that uses it asks for."""

from __future__ import annotations

from importlib import import_module

import pytest

from ekoes.bots import Bot, bot
from ekoes.bots.analysis import Search
from ekoes.bots.sight import Hidden
from ekoes.client.afar import Afar
from ekoes.games.contract import Game
from ekoes.games.picturing import Picturing
from ekoes.games.registry import game, games, load
from ekoes.match.kinds import KINDS, TableKind, kind_of
from ekoes.record.book import Book, book_of


def asked_by(protocol: type) -> set[str]:
    """The names that a protocol asks for."""
    names = {name for name in vars(protocol) if not name.startswith("_")}
    return names | set(getattr(protocol, "__annotations__", {}))


def lacking(part: object, protocol: type) -> set[str]:
    names = asked_by(protocol)
    assert names, "a protocol that asks for nothing shows nothing"
    return {name for name in names if not hasattr(part, name)}


@pytest.mark.parametrize("kind", KINDS)
def test_kind_of_table_is_complete_and_offers_nothing_else(kind: str) -> None:
    module = import_module(KINDS[kind])
    assert set(module.__all__) == asked_by(TableKind)
    assert lacking(module, TableKind) == set()


@pytest.mark.parametrize("name", games())
def test_game_is_complete(name: str) -> None:
    assert lacking(game(name), Game) == set()
    assert game(name).name == name
    assert kind_of(name) is import_module(KINDS[game(name).parts.table])


@pytest.mark.parametrize("name", games())
def test_parts_of_a_game_are_complete(name: str) -> None:
    parts = game(name).parts
    presenter = import_module(f"ekoes.match.{parts.table}.presenter").Presenter
    assert lacking(load(parts.presenter), presenter) == set()
    assert lacking(book_of(name), Book) == set()
    assert (
        lacking(load(parts.notation), type("Notation", (), {"parse_action": 0, "format_action": 0})) == set()
    )
    assert parts.hidden is None or lacking(load(parts.hidden), Hidden) == set()
    assert parts.afar is None or lacking(load(parts.afar), Afar) == set()
    assert parts.picture is None or lacking(load(parts.picture), Picturing) == set()
    assert parts.analysis is None or lacking(load(parts.analysis), Search) == set()
    for word in ("show", "playouts", "perft", "warm"):
        part = getattr(parts, word)
        function = {"show": "show_position", "warm": "warm_steps"}.get(word, word)
        assert part is None or callable(getattr(load(part), function))
    for module in parts.commands.values():
        assert callable(import_module(module).command)


@pytest.mark.parametrize("name", games())
def test_bots_of_a_game_are_complete(name: str) -> None:
    parts = game(name).parts
    assert parts.stand_in in parts.bots
    for each in parts.bots:
        assert lacking(bot(name, each), Bot) == set()
        assert bot(name, each).name == each
