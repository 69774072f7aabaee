"""Data for offline learning: what an environment would have shown to each seat of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest

import ekoes
from ekoes import data
from ekoes.arena.selfplay import SelfPlay
from ekoes.envs.kernels import NONE
from ekoes.envs.match import spaces_of
from ekoes.envs.offline import write_minari
from ekoes.errors import RecordError
from ekoes.games.api.contract import CHANCE

# of what Minari wants to know about a public dataset
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:minari")


def games(path: Path, number: int, **options: Any) -> Path:
    """Write games of random players into a file."""
    new = ekoes.eko.Game if "variants" in options else ekoes.ekko.Game
    players = options.pop("players")
    play = SelfPlay(new, ("random",), players, options)
    data.write(path, [play(n) for n in range(number)])
    return path


@pytest.mark.parametrize("options", [{"players": 3, "target": 5}, {"players": 2, "variants": ["labyrinth"]}])
def test_episodes_are_what_each_seat_saw_and_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    monkeypatch.setattr("ekoes.envs.offline._AT_ONCE", 2)
    path = games(tmp_path / "games.parquet", 2, **options)
    write_minari(path, "ekoes/some-v0")
    dataset = minari.load_dataset("ekoes/some-v0")
    made = dataset.recover_environment()
    assert made.observation_space == dataset.observation_space
    assert made.action_space == dataset.action_space
    episodes = iter(dataset.iterate_episodes())
    for record in data.records(path):
        spaces = spaces_of(record.game, options)
        seats = [next(episodes) for _ in range(spaces.players)]
        taken, position, chosen = [0] * spaces.players, record.start, NONE
        decisions = iter(record.decisions)
        while position.actors():
            (seat,) = position.actors()
            if seat == CHANCE:
                position = position.play(CHANCE, next(d.action for d in decisions if d.seat == CHANCE))
                continue
            episode, step = seats[seat], taken[seat]
            taken[seat] += 1
            seen = spaces.observe(position, seat, chosen)
            assert all((episode.observations[name][step] == seen[name]).all() for name in seen)
            assert (episode.infos["action_mask"][step] == spaces.mask(position, chosen)).all()
            position, chosen = spaces.play(position, int(episode.actions[step]), chosen)
        outcome = position.outcome()
        assert outcome
        for seat, episode in enumerate(seats):
            assert len(episode.actions) == taken[seat]
            assert not np.any(episode.rewards[:-1])
            assert list(episode.terminations) == [False] * (taken[seat] - 1) + [True]
            last = spaces.observe(position, seat)
            assert all((episode.observations[name][-1] == last[name]).all() for name in last)
        rewards = [episode.rewards[-1] for episode in seats]
        assert sum(rewards) == pytest.approx(0)
        assert max(rewards) == pytest.approx(max(rewards[seat] for seat in outcome.winners))


def test_games_of_other_options_and_live_ones_are_refused(tmp_path: Path) -> None:
    rows = data.read(games(tmp_path / "one", 1, players=2, target=1)).to_pylist()
    rows += data.read(games(tmp_path / "two", 1, players=3, target=1)).to_pylist()
    data.write(tmp_path / "both", rows)
    with pytest.raises(RecordError, match="game 2 has other options than the first"):
        write_minari(tmp_path / "both", "ekoes/some-v0")
    data.write(tmp_path / "none", [])
    with pytest.raises(RecordError, match="has no games"):
        write_minari(tmp_path / "none", "ekoes/some-v0")
    live = Path("tests/golden/ekko/games/live-four-players-to-12.txt").read_text("utf-8")
    data.write(tmp_path / "live", [rows[0] | {"record": live}])
    with pytest.raises(RecordError, match="game 1 is a live one"):
        write_minari(tmp_path / "live", "ekoes/some-v0")
