"""E1: players, discs, buildings, terrains, stacks, reserve."""

from __future__ import annotations

from collections import Counter

import pytest

from ekoes.errors import EkoesError
from ekoes.games.api.registry import game
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.layout import Layout, large_tiles
from ekoes.games.eko.position.tiles import default_tileset
from tests.rules.eko.board import (
    MARCH,
    WONDERS,
    allowed,
    at,
    draw,
    drawn,
    move,
    of_type,
    phase,
    read,
    refused,
    reserve,
)

SITES = {"reg": "0,1", "canyon": "1,1", "capital": "0,0", "mountain": "0,3"}
TEMPLES = {"moon": "-2,-1", "sandtemple": "3,1", "wind": "4,-1"}
OTHERS = {"sand": "0,2", "tempest": "1,3", "chasm": "0,-1", "portal": "4,0"}


def refused_rule(value: object) -> str | None:
    """The rule by which a position is refused."""
    with pytest.raises(EkoesError) as error:
        read(value)
    return error.value.rule


def test_e1_1_two_to_four_players() -> None:
    assert game("eko").players == range(2, 5)
    for players in (2, 3, 4):
        assert game("eko").new({"players": players}, 1).players == players
    for players in (1, 5):
        assert refused_rule(drawn("1E@0,2", "1E@1,2") | {"players": players}) == "E1.1"


def test_e1_2_fifteen_discs_and_an_emperor_each() -> None:
    start = game("eko").new({"players": 3}, 5).to_json()
    discs = Counter((stack["owner"], stack["emperor"]) for stack in start["stacks"].values())
    assert discs == {(seat, emperor): 1 if emperor else 15 for seat in range(3) for emperor in (False, True)}


def test_e1_2_every_disc_is_accounted_for() -> None:
    one_more = drawn("1E@0,2 2@0,-2", "1E@1,2")
    one_more["removed"][0] += 1
    assert refused_rule(one_more) == "E1.2"
    one_less = drawn("1E@0,2 2@0,-2", "1E@1,2")
    one_less["removed"][1] -= 1
    assert refused_rule(one_less) == "E1.2"


def test_e1_2_an_emperor_is_in_one_place() -> None:
    assert refused_rule(drawn("1E@0,2 1E@0,-2", "1E@1,2")) == "E1.2"
    assert refused_rule(drawn("1@0,2", "1E@1,2")) == "E1.2"
    assert refused_rule(drawn("1E@0,2", "1E@1,2 holds0")) == "E1.2"


@pytest.mark.parametrize(
    ("kind", "sites"),
    [
        ("camp", ["0,1", "1,1", "0,3", "-1,2", "3,1", "-2,2"]),
        ("tower", ["1,1", "0,3", "-2,2", "3,-2"]),
        ("castle", ["0,3", "2,-3"]),
    ],
)
def test_e1_3_five_camps_three_towers_one_castle(kind: str, sites: list[str]) -> None:
    def owned(count: int) -> dict[str, object]:
        return drawn("1E@0,2 " + " ".join(f"{kind}@{site}" for site in sites[:count]), "1E@1,2")

    most = len(sites) - 1
    assert len(read(owned(most)).buildings()) == most
    assert refused_rule(owned(most + 1)) == "E1.3"


def test_e1_4_large_tiles_by_number_of_players() -> None:
    box = default_tileset()
    wanted = {2: "ABCDEFG", 3: "ABCDEFGHIJ", 4: "ABCDEFGHIJKLM"}
    for players, names in wanted.items():
        assert "".join(large_tiles(players, box)) == names
    assert {len(box.tiles[name].cells) for name in wanted[4]} == {7}
    assert {len(box.tiles[name].cells) for name in "PQRSTU"} == {1, 3}


@pytest.mark.parametrize(
    ("terrain", "kinds"),
    [
        ("reg", "camp"),
        ("canyon", "camp tower"),
        ("capital", "camp tower"),
        ("mountain", "camp tower castle"),
        ("moon", "camp"),
        ("sandtemple", "camp"),
        ("wind", "camp"),
        ("sand", ""),
        ("tempest", ""),
        ("chasm", ""),
        ("portal", ""),
    ],
)
def test_e1_5_what_each_terrain_carries(terrain: str, kinds: str) -> None:
    where = (SITES | TEMPLES | OTHERS)[terrain]
    for kind in ("camp", "tower", "castle"):
        value = drawn(f"1E@-2,3 {kind}@{where}", "1E@1,2", tiles=WONDERS)
        if kind in kinds.split():
            assert at(read(value), where) == f"0:{kind}"
        else:
            assert refused_rule(value) == "E1.5"


def test_e1_5_discs_stand_on_sand_and_tempests_alone() -> None:
    for terrain, where in (SITES | TEMPLES | OTHERS).items():
        value = drawn(f"1E@{where}", "1E@1,2", tiles=WONDERS)
        if terrain in ("sand", "tempest"):
            assert at(read(value), where) == "0:1E"
        else:
            assert refused_rule(value) == "E1.5"


def test_e1_5_letters_and_words_of_the_terrains() -> None:
    layout = Layout(2, WONDERS)
    there = {terrain.word: terrain.letter for terrain in layout.terrain}
    assert there == {
        "sand": ".",
        "tempest": "t",
        "chasm": "x",
        "reg": "r",
        "canyon": "c",
        "capital": "C",
        "mountain": "m",
        "moon": "M",
        "sandtemple": "S",
        "wind": "W",
        "portal": "P",
    }


def test_e1_6_everybody_sees_everything() -> None:
    position = draw("2E@0,2 +3", "1@1,2 +E")
    assert position.view(None) == position.view(0) == position.view(1) == position.to_json()


def test_e1_6_no_stack_is_higher_than_4() -> None:
    five = drawn("4E@0,2", "1E@1,2")
    five["stacks"]["0,2"]["height"] = 5
    five["removed"][0] -= 1
    assert refused_rule(five) == "E1.6"
    refused(draw("3E@0,2 2@1,2", "1E@-1,-1"), move("0,2", "1,2"), "E5.2", "too-high")


def test_e1_7_the_reserve_starts_empty() -> None:
    start = EKO.new({"players": 2}, 3)
    assert [reserve(start, seat) for seat in range(2)] == ["0", "0"]


def test_e1_7_removed_discs_never_return() -> None:
    position = draw("1E@0,2 +3", "1E@-1,-1", phase="after")
    after = allowed(position, MARCH)
    assert reserve(after, 0) == "0"
    assert after.to_json()["removed"][0] == position.to_json()["removed"][0] + 3 == 15
    moved = allowed(after, move("0,2", "1,2"))
    assert phase(moved) == "1 action"
    assert not of_type(moved, "reinforce")
