"""Integers name each legal decision once, and arrays hold what the positions say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from ekoes.envs.kernels_eko import STATIC_PLANES
from ekoes.envs.match import Match, spaces_of
from ekoes.envs.spaces import rewards_of
from ekoes.envs.spaces_ekko import EkkoSpaces
from ekoes.envs.spaces_eko import EkoSpaces, grid
from ekoes.errors import EkoesError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.position.tiles import default_tileset
from ekoes.games.eko.rules.record import Phase
from tests.kit.examples import one_quick
from tests.unit.ekko_games import random_ekko
from tests.unit.games import ALL_VARIANTS, random_game

OPTIONS: dict[str, dict[str, Any]] = {
    "2": {"players": 2},
    "4, all variants": {"players": 4, "variants": list(ALL_VARIANTS)},
    "3, draft": {"players": 3, "setup": "draft"},
    "2, all variants": {"players": 2, "variants": list(ALL_VARIANTS)},
}


def eko_positions(options: dict[str, Any], seed: int = 1, most: int = 250) -> Iterator[EkoPosition]:
    return (position for position, _, _ in random_game(seed, most, **options))


def ekko_positions(players: int, seed: int = 1) -> Iterator[EkkoPosition]:
    found = random_ekko(seed, players=players)
    return (position for position, seat, _ in found if seat != CHANCE)


def check_integers(spaces: EkoSpaces | EkkoSpaces, position: Any) -> int:
    """Each legal action has integers of its own, and they its; return the most that one has."""
    actions = list(position.legal(position.actors()[0]))
    integers = [spaces.integers(position, action) for action in actions]
    assert len(set(integers)) == len(actions)
    assert [spaces.action(position, found) for found in integers] == actions
    firsts = {first for first, *_ in integers}
    assert set(np.flatnonzero(spaces.mask(position))) == firsts
    for first in firsts:
        seconds = {found[1] for found in integers if found[0] == first and len(found) > 1}
        if seconds:
            assert set(np.flatnonzero(spaces.mask(position, first))) == seconds
    return max(map(len, integers))


@pytest.mark.parametrize("options", one_quick("4, all variants", ["2", "3, draft", "2, all variants"]))
def test_integers_of_eko_name_each_decision_once(options: str) -> None:
    spaces = EkoSpaces(OPTIONS[options])
    every = 1 if options != "4, all variants" else 12  # a few hundred decisions at each position
    for position in islice(eko_positions(OPTIONS[options]), 0, None, every):
        check_integers(spaces, position)


def test_integers_of_ekko_name_each_decision_once() -> None:
    spaces = EkkoSpaces({"players": 3})
    assert {check_integers(spaces, position) for position in ekko_positions(3)} == {1}


def test_e10_2_a_move_that_can_lose_discs_in_several_ways_takes_two_integers() -> None:
    options = {"players": 2, "variants": ["labyrinth"]}
    spaces = EkoSpaces(options)
    found = {check_integers(spaces, position) for position in eko_positions(options, most=80)}
    assert found == {1, 2}


def test_e10_2_what_the_move_loses_has_to_be_decided_at_once() -> None:
    match = Match(spaces_of("eko", {"players": 2, "variants": ["labyrinth"]}), 1)
    draw = np.random.default_rng(1)
    while match.chosen < 0:
        match.play(int(draw.choice(np.flatnonzero(match.mask(match.seat or 0)))))
    with pytest.raises(ValueError, match=rf"^0 is not legal: what the move {match.chosen} \(.+>.+\) loses"):
        match.play(0)
    position = match.position
    match.play(int(np.flatnonzero(match.mask(match.seat or 0))[0]))
    assert match.chosen < 0
    assert match.position != position


def test_the_same_planes_serve_all_boards() -> None:
    for options in OPTIONS.values():
        spaces = EkoSpaces(options)
        for seed in (5, 6):
            first = spaces.new(seed)
            seen = spaces.observe(first, first.actors()[0])
            assert spaces.observation.contains(seen)
            assert len(spaces.mask(first)) == spaces.actions.n


def test_planes_hold_the_board_as_the_seat_sees_it() -> None:
    spaces = EkoSpaces(OPTIONS["4, all variants"])
    *_, position = eko_positions(OPTIONS["4, all variants"], most=200)
    buildings = position.buildings()
    assert buildings
    for seat in range(4):
        seen = spaces.observe(position, seat)
        board, scalars = seen["board"], seen["scalars"]
        for place, space in enumerate(position.layout.spaces):
            stack, (owner, built) = position.stack(space), buildings.get(space, (None, 0))
            for step in range(4):
                player = (seat + step) % 4
                height, emperor, level = board[3 * step : 3 * step + 3, place]
                mine = stack is not None and stack.owner == player
                assert height == (stack.height if stack is not None and mine else 0)
                assert emperor == (stack is not None and mine and stack.emperor)
                assert level == (built if owner == player else 0)
        for step in range(4):
            player = (seat + step) % 4
            row = scalars[7 * step : 7 * step + 7].tolist()
            numbers = position.plain
            assert row[:4] == [
                numbers.points[player],
                numbers.reserve[player],
                numbers.removed[player],
                numbers.unplaced[player],
            ]
        assert scalars[28 : 28 + len(Phase)].tolist().index(1) == position.phase
        assert scalars[28 + 9] == (position.player - seat) % 4


def test_planes_that_never_change_hold_the_terrain() -> None:
    spaces = EkoSpaces(OPTIONS["2, all variants"])
    layout = spaces.new(3).layout
    planes = spaces.observe(spaces.new(3), 0)["board"][-STATIC_PLANES:]
    words = ("sand", "tempest", None, "capital", "moon", "sandtemple", "wind")
    for plane, word in zip(planes[2:9], words, strict=True):
        if word is not None:
            assert plane.tolist() == [terrain.word == word for terrain in layout.terrain]
    levels = {"reg": 1, "canyon": 2, "capital": 2, "mountain": 3, "moon": 1, "sandtemple": 1, "wind": 1}
    assert planes[4].tolist() == [levels.get(terrain.word, 0) for terrain in layout.terrain]
    assert set(np.flatnonzero(planes[9])) == set(layout.portal_link or ())
    middle = np.array(layout.spaces) - planes[:2].T
    assert (middle == middle[0]).all()


def test_a_grid_has_rows_of_r_and_columns_of_q() -> None:
    spaces = EkoSpaces(OPTIONS["2"])
    position = spaces.new(1)
    board = spaces.observe(position, 0)["board"]
    shown = grid(board)
    assert shown.shape == (len(board), 9, 9)
    for place, (q, r) in enumerate(position.layout.spaces):
        assert (shown[:, r + 4, q + 4] == board[:, place]).all()
    assert np.count_nonzero(shown) == np.count_nonzero(board)


def test_k6_4_arrays_hold_what_a_view_holds() -> None:
    spaces = EkkoSpaces({"players": 3})
    for position in islice(ekko_positions(3), 0, None, 3):
        for seat in range(3):
            seen, view = spaces.observe(position, seat), position.view(seat)
            assert spaces.observation.contains(seen)
            cards = seen["cards"]
            assert [card + 1 for card in np.flatnonzero(cards[0])] == view["hand"]
            assert [card + 1 for card in np.flatnonzero(cards[1])] == view["aside"]
            order = sorted(np.flatnonzero(cards[2]), key=lambda card: cards[2, card])
            assert [card + 1 for card in order] == view["zone"]
            draws = np.zeros((2, 3, 98), int)
            for drawer, zone, why in view["drew"]:
                draws[int(why != "turn"), (drawer - seat) % 3, zone - 1] += 1
            assert (seen["draws"] == draws).all()
            rows = seen["scalars"][:21].reshape(3, 7)
            around = [(seat + step) % 3 for step in range(3)]
            assert rows[:, 0].tolist() == [view["sizes"][other] for other in around]
            assert rows[:, 2].tolist() == [view["scores"][other] for other in around]
            asked = view["turn"].get("asked") == seat
            assert seen["scalars"][21:].tolist() == [
                view["pile"],
                len(view["zone"]),
                view["zone"][-1],
                25,
                view["turn"]["round"],
                view["turn"].get("again", False),
                asked,
            ]


@pytest.mark.parametrize(
    ("game", "integer", "message"),
    [
        ("eko", 4760, "is not one of the integers 0 … 4759"),
        ("eko", -1, "is not one of the integers"),
        ("eko", 0, "0 (end) is not legal"),
        ("eko", 7 + 14 * 49, "means no decision here"),
        ("eko", 7 + 48 * 49 + 1, " is not legal: E"),
        ("ekko", 99, "99 (pass) is not legal: K"),
        ("ekko", 199, "is not one of the integers 0 … 198"),
    ],
)
def test_an_integer_that_is_not_legal_is_refused_by_name(game: str, integer: int, message: str) -> None:
    match = Match(spaces_of(game, {"players": 2}), 2)
    before = match.position
    with pytest.raises(ValueError, match=f"^{integer}") as refused:
        match.play(integer)
    assert message in str(refused.value)
    assert match.position is before


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_nothing_is_legal_once_a_game_is_over(game: str) -> None:
    spaces, chance = spaces_of(game, {"players": 2} | ({"target": 1} if game == "ekko" else {})), Chance(1)
    position = spaces.new(1)
    while position.actors():
        if position.actors() == (CHANCE,):
            position = position.play(CHANCE, position.chance_action(chance))
        else:
            position = position.play_code(int(position.codes[chance.below(len(position.codes))]))
    with pytest.raises(ValueError, match="the game is over"):
        spaces.play(position, 0)


def test_e10_2_a_tile_can_have_several_tempest_zones() -> None:
    box = default_tileset().to_json()
    box["tiles"] |= {"P": {"terrain": "tt", "cells": [[0, 0], [2, 0]], "copies": 3, "variant": "labyrinth"}}
    spaces = EkoSpaces({"players": 2, "variants": ["labyrinth"], "tileset": box})
    boards = [spaces.new(seed).layout for seed in range(10)]
    assert max(len(board.zones) for board in boards) > len({"L", "P"})
    assert all(len(board.zones) <= spaces.zones for board in boards)


@pytest.mark.parametrize(
    ("game", "options", "key"),
    [
        ("go", {}, "game"),
        ("eko", {"players": 5}, "players"),
        ("eko", {"turn_limit": 0}, "turn_limit"),
        ("ekko", {"live": True}, "live"),
        ("ekko", {"turn_limit": 10}, "turn_limit"),
    ],
)
def test_bad_options_are_refused_by_key(game: str, options: dict[str, Any], key: str) -> None:
    with pytest.raises(EkoesError) as refused:
        spaces_of(game, options)
    assert refused.value.key == key


def test_winners_share_a_point_and_rewards_add_up_to_nothing() -> None:
    spaces = EkkoSpaces({"players": 3})
    assert rewards_of(spaces, [1]).tolist() == [-0.5, 1, -0.5]
    assert rewards_of(spaces, [0, 2]).tolist() == [0.25, -0.5, 0.25]
    assert rewards_of(spaces, []).tolist() == [0, 0, 0]
