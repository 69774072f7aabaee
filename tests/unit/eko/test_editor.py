"""The board editor: every broken check of a draft at once, and the record of a position without one."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ekoes.errors import EkoesError
from ekoes.games.eko.position.layout import Layout, standard_layout
from ekoes.games.eko.position.tiles import default_tileset
from ekoes.records import read_record
from ekoes.tables.analysis_board import edited

BASE: list[list[Any]] = standard_layout(2).to_json()
EMPTY: dict[str, Any] = {
    "stacks": {
        "1,0": {"owner": 0, "height": 3, "emperor": True},
        "0,2": {"owner": 1, "height": 2, "emperor": True},
    },
    "buildings": {},
    "reserve": [{"discs": 13, "emperor": False}, {"discs": 14, "emperor": False}],
    "removed": [0, 0],
    "captives": [[], []],
    "turn": {"number": 1, "player": 0, "phase": "action"},
}


def board(*added: list[Any], without: str = "") -> list[list[Any]]:
    return [tile for tile in BASE if tile[0] not in without] + list(added)


def faults(tiles: list[list[Any]], **draft: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = edited("eko", {"players": 2, "tiles": tiles} | draft)["faults"]
    return found


def positioned(**changes: Any) -> dict[str, Any]:
    """Judge a position on the standard board."""
    return edited("eko", {"players": 2, "tiles": BASE, "position": EMPTY | changes})


def custom(**tiles: Any) -> dict[str, Any]:
    box = copy.deepcopy(default_tileset().to_json())
    box["tiles"] |= tiles
    return box


ONE = {"cells": [[0, 0]]}
BAD: list[tuple[str, list[list[Any]], dict[str, Any], list[int]]] = [
    ("empty", [], {}, []),
    ("overlap", board(["T", 1, 0, 0]), {}, [0, 7]),
    ("apart", board(["T", 9, 9, 0]), {}, [7]),
    ("missing", board(without="G"), {}, []),
    ("out-of-play", board(["H", 5, -1, 0]), {}, [7]),
    ("replaced", board(["N", 5, -1, 0]), {}, [4]),
    ("copies", board(["T", 4, 0, 0], ["T", 4, -1, 0]), {}, [7, 8]),
    ("sand", board(["X", 4, 0, 0]), {"tileset": custom(X=ONE | {"terrain": "."})}, []),
    ("capital", BASE, {"tileset": custom(A={"terrain": "c..x..r", "group": "grey"})}, []),
    ("portal-count", board(["R", 4, 0, 3]), {}, []),
    ("portal", board(["R", 4, 0, 0], ["R", 4, -1, 4]), {}, [7]),
    ("ways", board(["P", 4, 1, 0]), {}, [7]),
    ("stand-in", board(["X", 5, -1, 0]), {"tileset": custom(X={"replaces": [["K", ".C...W."]]})}, [7]),
    (
        "size",
        board(*(["X", 4 + step, 0, 0] for step in range(79))),
        {"tileset": custom(X=ONE | {"terrain": "x", "copies": 99})},
        [],
    ),
    (
        "zones",
        board(*(["X", 6 + 2 * step, 0, 0] for step in range(25))),
        {"tileset": custom(X=ONE | {"terrain": "t", "copies": 99})},
        [],
    ),
]


@pytest.mark.parametrize(("code", "tiles", "draft", "marked"), BAD, ids=[code for code, *_ in BAD])
def test_e2_8_each_broken_check_names_its_tiles(
    code: str, tiles: list[list[Any]], draft: dict[str, Any], marked: list[int]
) -> None:
    found = {one["code"]: one for one in faults(tiles, **draft)}
    assert code in found
    assert list(found[code]["tiles"]) == marked
    assert found[code]["rule"] == ("E10.2" if code == "zones" else "E2.8")
    assert found[code]["message"]


def test_a_layout_has_all_its_broken_checks_and_the_first_one_refuses_it() -> None:
    tiles = board(["T", 9, 9, 0], ["R", 4, 0, 0], ["R", 1, 0, 0], without="BG")
    found = faults(tiles)
    assert [one["code"] for one in found] == ["overlap", "apart", "missing", "sand", "portal-count", "portal"]
    with pytest.raises(EkoesError) as refused:
        Layout(2, tiles)
    assert refused.value.message == found[0]["message"]


def test_the_box_shows_a_temple_tile_as_the_tile_it_stands_in_for() -> None:
    def terrains(*used: list[Any]) -> list[str]:
        box = edited("eko", {"players": 2, "tiles": list(used)})["box"]
        (tile,) = (tile for tile in box["tiles"] if tile["name"] == "N")
        return [terrain for _, _, terrain in tile["cells"]]

    assert terrains(["N", 0, 0, 0])[0] == "sandtemple"
    assert terrains(["N", 0, 0, 0], ["O", 9, 0, 0])[1] == "sandtemple"
    box = edited("eko", {"players": 3, "tiles": [["O", 0, 0, 0]]})["box"]
    assert {tile["name"] for tile in box["tiles"] if not tile["offered"]} == {"E", "K", "L", "M"}


@pytest.mark.parametrize(
    ("changes", "rule", "spaces"),
    [
        ({"stacks": {"0,1": {"owner": 0, "height": 3, "emperor": True}}}, "E1.5", ["0,1"]),
        ({"stacks": EMPTY["stacks"] | {"2,0": {"owner": 0, "height": 1, "emperor": False}}}, "E1.2", []),
        ({"stacks": EMPTY["stacks"] | {"2,0": {"owner": 0, "height": 5, "emperor": False}}}, "E1.6", ["2,0"]),
        ({"buildings": {"0,1": {"owner": 0, "kind": "tower"}}}, "E1.5", ["0,1"]),
        ({"turn": {"number": 0, "player": 0, "phase": "swap"}}, "E3", []),
        ({"turn": {"number": 0, "player": 0, "phase": "action"}}, "E12.9", []),
    ],
)
def test_a_position_is_refused_with_its_rule(changes: dict[str, Any], rule: str, spaces: list[str]) -> None:
    answer = positioned(**changes)
    assert [(one["code"], one["rule"], one["spaces"]) for one in answer["faults"]] == [
        ("position", rule, spaces)
    ]
    assert answer["board"]
    assert answer["record"] is None


def test_a_position_without_fault_starts_a_record() -> None:
    answer = positioned()
    assert answer["faults"] == []
    assert read_record(answer["record"]).start.to_json() == answer["position"]
    assert [player["discs"] for player in answer["players"]] == [3, 2]


def test_a_position_is_judged_on_the_board_of_the_draft() -> None:
    other = {"players": 3, "tiles": standard_layout(3).to_json(), "tileset": custom(X=ONE)}
    assert positioned(**other) == positioned()


def test_only_a_game_with_an_editor_has_one() -> None:
    with pytest.raises(EkoesError):
        edited("ekko", {})
