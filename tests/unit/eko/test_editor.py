"""The board editor: every broken check of a draft at once, and the record of a position without one."""

from __future__ import annotations

from typing import Any

import pytest

from ekoes.errors import EkoesError
from ekoes.games.eko.position.layout import Layout
from ekoes.records import read_record
from ekoes.tables.analysis_board import edited
from tests.rules.eko.board import drawn, standard_layout
from tests.unit.eko.test_layout import BASE, ONE, base, box

EMPTY: dict[str, Any] = drawn("3E@1,0 +13", "2E@0,2 +14", number=1)


def faults(tiles: list[list[Any]], **draft: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = edited("eko", {"players": 2, "tiles": tiles} | draft)["faults"]
    return found


def positioned(**changes: Any) -> dict[str, Any]:
    """Judge a position on the standard board."""
    return edited("eko", {"players": 2, "tiles": BASE, "position": EMPTY | changes})


def test_a_layout_without_tiles_is_empty() -> None:
    assert [one["code"] for one in faults([])] == ["empty"]


def test_a_layout_has_all_its_broken_checks_and_the_first_one_refuses_it() -> None:
    tiles = base(["T", 9, 9, 0], ["R", 4, 0, 0], ["R", 1, 0, 0], without="BG")
    found = faults(tiles)
    assert [one["code"] for one in found] == ["overlap", "apart", "missing", "sand", "portal-count", "portal"]
    assert (found[1]["tiles"], found[1]["spaces"], found[1]["rule"]) == ((6,), ["4,0"], "E2.8")
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
    other = {
        "players": 3,
        "tiles": standard_layout(3).to_json(),
        "tileset": box(X=ONE | {"terrain": "."}).to_json(),
    }
    assert positioned(**other) == positioned()


def test_only_a_game_with_an_editor_has_one() -> None:
    with pytest.raises(EkoesError):
        edited("ekko", {})
