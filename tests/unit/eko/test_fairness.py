"""The fairness of boards: distances, symmetry, equal reports, the verdict, and the named layouts."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from ekoes.arena.pool import local_pool
from ekoes.errors import PositionError
from ekoes.games.api.parts import Named
from ekoes.games.eko.fairness import (
    GAMES,
    HEAT,
    VERSION,
    Board,
    examine,
    judge,
    named_layouts,
    play_deal,
    read_board,
    report,
)
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import EkoPosition
from tests.languages import TAGS
from tests.rules.eko.board import standard_layout

STANDARD = standard_layout(2)


def report_of(board: Board, games: int = 4, seed: int = 3) -> dict[str, object]:
    return examine(board, games, seed, "greedy", local_pool(1), lambda _more: None)


def test_same_seed_gives_the_same_report_and_another_one_other_games() -> None:
    assert report_of(STANDARD) == report_of(STANDARD)
    assert report_of(STANDARD) != report_of(STANDARD, seed=4)


def test_each_player_is_first_in_each_deal_and_every_game_is_counted() -> None:
    found = report(STANDARD, [play_deal(STANDARD, n, 1) for n in range(3)], 1)
    assert found["games"] == 6
    assert sum(one["share"] for one in found["order"]) == pytest.approx(1, abs=1e-3)
    assert set(found["heat"]) == set(HEAT)
    sites = {
        str(space) for space, terrain in zip(STANDARD.spaces, STANDARD.terrain, strict=True) if terrain > 2
    }
    assert set(found["heat"]["built"]) <= sites
    assert not set(found["heat"]["occupied"]) & sites


def test_a_deal_has_shares_and_distances_of_its_seats() -> None:
    position = read_board(EKO.new({"players": 2}, 7).to_json())
    assert isinstance(position, EkoPosition)
    found = report_of(position)
    assert len(found["seats"]) == 2  # type: ignore[arg-type]
    assert "seats" not in report_of(STANDARD)


def test_board_is_read_from_tiles_from_a_deal_and_from_a_draft() -> None:
    tiles = standard_layout(3).to_json()
    assert read_board(tiles) == standard_layout(3)
    draft = EKO.new({"players": 4, "setup": "draft"}, 1)
    assert read_board(draft.to_json()) == draft.layout
    running = EKO.new({"players": 2}, 1)
    while running.turn_number == 0:
        running = running.play_code(int(running.codes[-1]))
    with pytest.raises(PositionError, match=r"turn\.phase"):
        read_board(running.to_json())


def test_outline_of_the_standard_board_has_the_symmetries_of_its_shape() -> None:
    symmetries = {players: report_of(standard_layout(players), 1)["symmetries"] for players in (2, 3)}
    assert symmetries == {2: {"terrain": 1, "outline": 6}, 3: {"terrain": 1, "outline": 3}}


@pytest.mark.parametrize(
    ("low", "high", "gap", "verdict"),
    [
        (0.41, 0.59, 1.0, ("fair", "wins")),
        (0.39, 0.59, 1.0, ("unclear", "wins")),
        (0.61, 0.70, 1.0, ("unfair", "wins")),
        (0.41, 0.59, 1.3, ("unfair", "distances")),
    ],
)
def test_verdict_follows_from_intervals_and_distances(
    low: float, high: float, gap: float, verdict: tuple[str, str]
) -> None:
    assert judge(2, [{"low": low, "high": high}], [{"gap": gap}]) == verdict


def test_there_are_ten_named_layouts_for_all_numbers_of_players() -> None:
    layouts = named_layouts()
    counts = Counter(layout.players for layout in layouts)
    assert len({layout.name for layout in layouts}) == 10
    assert (counts[2], counts[3], counts[4]) == (5, 3, 2)
    assert {layout.players for layout in layouts if layout.variants} == {2, 3, 4}


@pytest.mark.parametrize("layout", named_layouts(), ids=lambda layout: layout.name)
def test_named_layout_is_playable_and_its_report_calls_it_fair(layout: Named) -> None:
    """Rule: E2.8. The verdict follows from the stored figures."""
    board = read_board(json.loads(json.dumps(layout.tiles)))
    assert isinstance(board, Layout)
    assert board.players == layout.players
    used = {tile.tile for tile in board.tiles}
    assert {board.tileset.tiles[name].variant for name in used} - {None} == set(layout.variants)
    assert set(layout.title) == set(layout.text) == set(TAGS)
    stored = layout.report
    assert (stored["games"] >= GAMES, stored["version"], stored["verdict"]) == (True, VERSION, "fair")
    assert judge(layout.players, stored["order"], stored["distances"]) == ("fair", "wins")


@pytest.mark.long
def test_report_of_a_named_layout_can_be_made_again() -> None:
    layout = named_layouts()[0]
    stored = layout.report
    found = examine(
        Layout(layout.players, layout.tiles),
        stored["games"],
        stored["seed"],
        stored["level"],
        local_pool(2),
        print,
    )
    del found["heat"]
    assert found == stored
