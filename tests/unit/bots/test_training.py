"""Learning at a reduced size: games are repeatable, a course goes on where it ended, and it teaches."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ekoes.arena.pool import run_here
from ekoes.errors import PositionError
from ekoes.games.eko.bots.evaluation import FEATURES, Feature, read_networks
from ekoes.games.eko.bots.training import (
    Course,
    Rows,
    SelfPlay,
    begin_course,
    draw_course,
    first_network,
    fit,
)
from ekoes.games.kernels import COMPILED

SMALL = Course(rounds=2, games=4, steps=1, seed=1, turn_limit=30 if COMPILED else 4)


def learn(course: Course, folder: Path) -> list[dict[str, Any]]:
    begin_course(course, folder)
    return list(course.run(folder, run_here, lambda _: None))


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 4])
def test_a_game_is_the_same_whoever_plays_it(players: int) -> None:
    one, other = (SelfPlay(players, 1, 2, SMALL.turn_limit, first_network()) for _ in range(2))
    with one, other:
        both, second = one((0, 1)), other((1,))
    mine = both.game == 1
    assert (both.features[mine] == second.features).all()
    assert (both.won[mine] == second.won).all()
    assert both.won.sum(axis=1) == pytest.approx(1)
    assert both.features.shape[1] == both.thought.shape[1] == players


def test_a_fit_finds_what_decides() -> None:
    chance = np.random.default_rng(1)
    features = chance.integers(0, 4, (600, 2, FEATURES)).astype(np.int8)
    features[:, 1, Feature.POINTS] = 3 - features[:, 0, Feature.POINTS]
    won = np.eye(2)[features[:, :, Feature.POINTS].argmax(axis=1)]
    found = fit(Rows(features, np.full((600, 2), 0.5), won, np.arange(600)))
    assert np.abs(found.network["inputs"][0]).sum(axis=0).argmax() == Feature.POINTS
    assert found.loss < found.thought == pytest.approx(np.log(2))
    assert found.hits > 0.9


def test_a_fit_finds_what_no_weighted_sum_says() -> None:
    chance = np.random.default_rng(1)
    features = np.zeros((4000, 2, FEATURES), np.int8)
    features[:, 0, :2] = chance.integers(0, 2, (4000, 2))
    features[:, 0, 2] = 1
    differ = features[:, 0, 0] != features[:, 0, 1]
    won = np.stack([differ, ~differ], axis=1).astype(float)
    found = fit(Rows(features, np.full((4000, 2), 0.5), won, np.arange(4000)))
    assert found.hits > 0.99
    assert not found.network["inputs"][:, :, 3:].any()  # the same in all rows


@pytest.mark.long
def test_course_reports_its_figures(tmp_path: Path) -> None:
    first, second = learn(SMALL, tmp_path)
    draw_course(tmp_path)
    networks = read_networks((tmp_path / "network.json").read_text())
    assert [first["round"], second["round"]] == [0, 1]
    assert second["figures"]["2"]["positions"] > 0
    assert set(networks) == {2, 3, 4}
    assert (tmp_path / "learning.png").stat().st_size > 1000


@pytest.mark.long
def test_a_course_goes_on_where_it_ended(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    learn(SMALL, whole)
    learn(SMALL, broken)
    (broken / "round-1.json").unlink()
    games = max(broken.glob("round-1-3-*.npz"))
    games.rename(games.with_name(f".{games.name}.part"))
    learn(SMALL, broken)
    assert (broken / "network.json").read_bytes() == (whole / "network.json").read_bytes()


def test_a_folder_of_another_course_is_refused(tmp_path: Path) -> None:
    begin_course(SMALL, tmp_path)
    begin_course(SMALL, tmp_path)
    with pytest.raises(PositionError, match="another course"):
        begin_course(replace(SMALL, seed=2), tmp_path)
    assert json.loads((tmp_path / "course.json").read_text())["seed"] == 1
