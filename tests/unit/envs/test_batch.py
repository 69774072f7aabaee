"""Batches: every game is the one that its positions, played alone, would be."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from ekoes.envs.batch import BatchEnv
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import CHANCE
from ekoes.games.ekko.game import EKKO as EKKO_GAME
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.eko.game import EKO as EKO_GAME
from tests.kit.examples import one_quick
from tests.unit.games import ALL_VARIANTS

EKO: list[dict[str, Any]] = [
    {"players": 2, "variants": ["labyrinth"], "turn_limit": 12},
    {"players": 2},
    {"players": 4, "variants": list(ALL_VARIANTS)},
    {"players": 3, "setup": "draft"},
]


def check(batch: BatchEnv, steps: int) -> int:
    """Play random integers beside the positions of the games; return how many games ended."""
    ended = 0
    batch.reset(seed=3)
    for _ in range(steps):
        before = [batch.position(game) for game in range(batch.games)]
        chosen = [int(batch._core.chosen[game]) for game in range(batch.games)]
        for game, position in enumerate(before):
            (seat,) = position.actors()
            assert batch.seats[game] == seat
            assert (batch.mask[game] == batch.spaces.mask(position, chosen[game])).all()
            seen = batch.spaces.observe(position, seat, chosen[game])
            for name, array in batch.observations.items():
                assert (array[game] == seen[name]).all(), name
        actions = batch.draw()
        _, rewards, terminated, truncated = batch.step(actions)
        for game, position in enumerate(before):
            after, move = batch.spaces.play(position, int(actions[game]), chosen[game])
            over = after.outcome()
            assert terminated[game] == (over is not None)
            if over is not None or truncated[game]:
                viewer = position.actors()[0] if over is not None else after.actors()[0]
                last = batch.spaces.observe(after, viewer)
                for name, array in batch.last_observations.items():
                    assert (array[game] == last[name]).all(), name
            if over is not None:
                best = set(np.flatnonzero(rewards[game] == rewards[game].max()))
                assert best == set(over.winners or range(batch.spaces.players))
                assert rewards[game].sum() == pytest.approx(0, abs=1e-6)
            elif not truncated[game] and not is_dealt_anew(after):
                assert batch.position(game) == after
                assert int(batch._core.chosen[game]) == move
            if over is None:
                assert not rewards[game].any()
        ended += int((terminated | truncated).sum())
    return ended


def is_dealt_anew(position: Any) -> bool:
    """Whether chance decides now, as a batch does at once."""
    return isinstance(position, EkkoPosition) and position.actors() == (-1,)


@pytest.mark.parametrize("options", one_quick(EKO[0], EKO[1:]), ids=str)
def test_games_of_eko_are_those_of_the_engine(options: dict[str, Any]) -> None:
    ended = check(BatchEnv("eko", 5, starts=2, **options), 150)
    assert ended or "turn_limit" not in options


@pytest.mark.parametrize("players", one_quick(3, [2, 8]))
def test_games_of_ekko_are_those_of_the_engine(players: int) -> None:
    assert check(BatchEnv("ekko", 4, players=players, target=5), 300)


def played(steps: int, **options: Any) -> list[np.ndarray[Any, Any]]:
    batch = BatchEnv("ekko", 50, **options)
    batch.reset(seed=9)
    for _ in range(steps):
        batch.step(batch.draw())
    return [*batch.observations.values(), batch.mask.copy(), batch.seats, batch.rewards]


def test_a_game_begins_anew_on_request() -> None:
    batch = BatchEnv("ekko", 2)
    batch.reset(seed=1)
    for _ in range(12):
        batch.step(batch.draw())
    before = batch.position(1)
    batch.step(np.array([-2, -1]))
    assert batch.position(0).zone[1:] == before.zone[:0]
    assert batch.position(1) == before
    assert not batch.terminated.any()


def test_a_viewer_sees_the_end() -> None:
    batch = BatchEnv("ekko", 8, players=3, target=1)
    batch.reset(seed=2)
    batch.viewers[:] = 1
    ended = False
    while not ended:
        before, actions = [batch.position(game) for game in range(8)], batch.draw()
        batch.step(actions)
        for game in np.flatnonzero(batch.terminated):
            last, _ = batch.spaces.play(before[game], int(actions[game]))
            seen = batch.spaces.observe(last, 1)
            assert all((batch.last_observations[name][game] == seen[name]).all() for name in seen)
            ended = True


@pytest.mark.parametrize(("game", "options"), [("eko", EKO[0]), ("ekko", {"players": 3, "target": 2})])
def test_saved_games_go_on_as_they_were(game: str, options: dict[str, Any]) -> None:
    batch = BatchEnv(game, 6, starts=3, **options)
    batch.reset(seed=4)
    for _ in range(25):
        batch.step(batch.draw())
    saved = pickle.loads(pickle.dumps(batch.save()))
    seen = {name: array.copy() for name, array in batch.observations.items()}
    mask, seats, steps = batch.mask.copy(), batch.seats.copy(), []
    for _ in range(40):
        steps.append(batch.draw())
        batch.step(steps[-1])
    after = [batch.position(game) for game in range(6)]
    loaded = batch.load(saved)
    assert all((loaded[name] == array).all() for name, array in seen.items())
    assert (batch.mask == mask).all()
    assert (batch.seats == seats).all()
    assert not batch.rewards.any()
    other = BatchEnv(game, 3, starts=1, **options)  # on its own boards until then
    other.reset(seed=5)
    other.load(saved[np.array([4, 4])], np.array([0, 2]))
    for actions in steps:
        batch.step(actions)
        other.step(np.array([actions[4], -1, actions[4]]))
        if batch.truncated[4] or batch.terminated[4]:
            break
        assert other.position(0) == other.position(2) == batch.position(4)
    batch.load(saved)
    for actions in steps:
        batch.step(actions)
    assert [batch.position(game) for game in range(6)] == after


@pytest.mark.parametrize(("game", "options"), [("eko", EKO[0]), ("ekko", {"players": 3})])
def test_positions_are_loaded_and_played_on(game: str, options: dict[str, Any]) -> None:
    batch = BatchEnv(game, 3, starts=1, **options)
    batch.reset(seed=4)
    position = batch.spaces.new(123)
    while position.actors() == (CHANCE,):
        position = position.play(CHANCE, position.chance_action(Chance(3)))
    before = batch.position(1)
    batch.load([position, position], np.array([0, 2]))
    assert [batch.position(game) for game in range(3)] == [position, before, position]
    assert (batch.mask[2] == batch.spaces.mask(position)).all()
    batch.step(batch.draw())
    assert batch.position(0) != position
    batch.load([], np.array([], int))


def test_what_does_not_fit_is_not_loaded() -> None:
    batch, other = BatchEnv("ekko", 2, players=2), BatchEnv("ekko", 2, players=3)
    with pytest.raises(ValueError, match="call reset"):
        batch.save()
    batch.reset(seed=1)
    other.reset(seed=1)
    before = [batch.position(game) for game in range(2)]
    with pytest.raises(ValueError, match=r"ekko with the options {'players': 3} was saved"):
        batch.load(other.save())
    with pytest.raises(ValueError, match="other options than"):
        batch.load([before[0], other.position(0)])
    with pytest.raises(ValueError, match="a position of ekko is needed"):
        batch.load([before[0], EKO_GAME.new({}, 1)])
    with pytest.raises(ValueError, match="1 positions were given for 2 games"):
        batch.load(before[:1])
    with pytest.raises(ValueError, match="the game is over"):
        batch.load([over_position(), before[0]])
    assert [batch.position(game) for game in range(2)] == before


def over_position() -> Any:
    position, chance = EKKO_GAME.new({"target": 1}, 1), Chance(1)
    while actors := position.actors():
        if actors == (CHANCE,):
            position = position.play(CHANCE, position.chance_action(chance))
        else:
            position = position.play(actors[0], position.legal(actors[0])[0])
    return position


def test_a_reset_without_a_seed_draws_other_games() -> None:
    batch = BatchEnv("ekko", 8)
    hands = []
    for seed in (7, None, None, 7, None):
        batch.reset(seed)
        hands.append(b"".join(batch.position(game).states.tobytes() for game in range(8)))
    assert hands[:2] == hands[3:]
    assert len(set(hands)) == 3
    assert BatchEnv("ekko", 1).reset() is not None


def test_equal_seeds_give_equal_games_whatever_the_number_of_threads() -> None:
    alone, shared = played(120), played(120, threads=3)
    for one, other in zip(alone, shared, strict=True):
        assert (one == other).all()


def test_a_game_that_ends_begins_anew() -> None:
    batch = BatchEnv("ekko", 20, target=1)
    batch.reset(seed=1)
    ended = np.zeros(20, int)
    for _ in range(100):
        batch.step(batch.draw())
        ended += batch.terminated
        for game in np.flatnonzero(batch.terminated):
            assert batch.position(int(game)).round == 1
    assert ended.min() > 1


def test_dealers_and_deals_are_drawn() -> None:
    batch = BatchEnv("ekko", 400, players=4)
    batch.reset(seed=1)
    assert set(batch.seats.tolist()) == {0, 1, 2, 3}
    assert len({batch.position(game).hands for game in range(400)}) == 400


def test_arrays_are_written_in_place() -> None:
    batch = BatchEnv("ekko", 8)
    seen = batch.reset(seed=1)
    cards = seen["cards"]
    before = cards.copy()
    again, *_ = batch.step(batch.draw())
    assert again["cards"] is cards
    assert (cards != before).any()
    assert np.shares_memory(np.from_dlpack(batch.mask), batch.mask)


def test_draws_are_even() -> None:
    batch = BatchEnv("ekko", 1000)
    batch.reset(seed=1)
    batch.mask[:] = 0
    batch.mask[:, [0, 20, 77, 198]] = 1
    counts = np.bincount(batch.draw(), minlength=199)
    assert counts.sum() == counts[[0, 20, 77, 198]].sum()
    assert counts[[0, 20, 77, 198]].min() > 200


def test_what_is_not_legal_is_refused_before_anything_is_performed() -> None:
    batch = BatchEnv("ekko", 3)
    with pytest.raises(ValueError, match="call reset"):
        batch.draw()
    batch.reset(seed=1)
    before = [batch.position(game) for game in range(3)]
    actions = batch.draw()
    actions[1] = np.flatnonzero(batch.mask[1] == 0)[0]
    with pytest.raises(ValueError, match=r"^game 1: \d+ \(.+\) is not legal: K"):
        batch.step(actions)
    actions[1] = -3
    with pytest.raises(ValueError, match=r"^game 1: -3 is not one of the integers 0 … 198"):
        batch.step(actions)
    with pytest.raises(ValueError, match="3 whole numbers"):
        batch.step(actions[:2])
    assert [batch.position(game) for game in range(3)] == before
    with pytest.raises(ValueError, match="games: must be at least 1"):
        BatchEnv("ekko", 0)


@pytest.mark.parametrize("game", ["eko", "ekko"])
def test_a_game_may_wait_while_others_go_on(game: str) -> None:
    batch = BatchEnv(game, 2, players=2, **({"turn_limit": 1} if game == "eko" else {"target": 1}))
    batch.reset(seed=1)
    before, seen = batch.position(0), {name: array[0].copy() for name, array in batch.observations.items()}
    ends = 0
    while not ends:
        actions = batch.draw()
        actions[0] = -1
        after, rewards, terminated, truncated = batch.step(actions)
        ends += bool(terminated[1] or truncated[1])
        assert batch.position(0) == before
        assert all((after[name][0] == array).all() for name, array in seen.items())
        assert [rewards[0].any(), terminated[0], truncated[0]] == [False] * 3
    assert batch.step(batch.draw())[0] is after
    assert batch.position(0) != before
