"""The environments: steps of batches on two threads, games in PettingZoo, and environments of others.

The chess of pettingzoo and of pgx, and rlcard's UNO, come from PyPI. Figures are of processor time, medians
of some rounds, for one core.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np

from benchmarks.engine import ROUNDS, Row, measure_rows, rates, rlcard_environment
from ekoes.envs import aec
from ekoes.envs.batch import BatchEnv
from ekoes.games.eko.position.tiles import VARIANTS

UNIT = "decisions/s and core"
_GAMES, _STEPS, _THREADS = 4096, 100, 2


def measure_environments(only: str) -> str:
    """Measure all rows with a text in their name; return the table."""
    return measure_rows(ROWS, only)


def _batch(game: str, **options: Any) -> list[float]:
    """Measure steps, with observations and masks, without the choice of the integers."""
    batch = BatchEnv(game, _GAMES, threads=_THREADS, starts=16, **options)
    batch.reset(seed=1)
    found = []
    for _ in range(ROUNDS + 1):
        seconds = 0.0
        for _ in range(_STEPS):
            actions = batch.draw()
            begun = time.process_time()
            batch.step(actions)
            seconds += time.process_time() - begun
        found.append(_STEPS * _GAMES / seconds)
    batch.close()
    return found[1:]


def _agents(environment: Any, games: int) -> int:
    """Play random games of a PettingZoo environment."""
    draw, decisions = np.random.default_rng(1), 0
    for seed in range(games):
        environment.reset(seed=seed)
        for _ in environment.agent_iter():
            seen, _, terminated, truncated, _ = environment.last()
            done = terminated or truncated
            environment.step(None if done else draw.choice(np.flatnonzero(seen["action_mask"])))
            decisions += 1
    return decisions


def _ours(game: str, games: int) -> list[float]:
    return rates(lambda: _agents(aec.env(game), games), rounds=3)


def _chess() -> list[float]:
    from pettingzoo.classic import chess_v6

    return rates(lambda: _agents(chess_v6.env(), 1), rounds=3)


def _pgx(name: str, games: int) -> list[float]:
    """Measure steps of a batch with random legal actions, which pgx draws within its compiled step."""
    import jax
    import pgx
    from pgx.experimental.utils import act_randomly
    from pgx.experimental.wrappers import auto_reset

    environment = pgx.make(name)
    again = auto_reset(environment.step, environment.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def step(state: Any, key: Any) -> Any:
        act, begin = jax.random.split(key)
        actions = act_randomly(act, state.legal_action_mask)
        return jax.vmap(again)(state, actions, jax.random.split(begin, games))

    state = jax.vmap(environment.init)(jax.random.split(jax.random.PRNGKey(1), games))
    keys = jax.random.split(jax.random.PRNGKey(2), 5)

    def steps() -> int:
        nonlocal state
        for key in keys:
            state = step(state, key)
        jax.block_until_ready(state)
        return len(keys) * games

    return rates(steps, rounds=3)


ROWS = (
    Row("Ekö, 2 players: steps of a batch", UNIT, partial(_batch, "eko"), 5e5),
    Row("Ekö, 4 players: steps of a batch", UNIT, partial(_batch, "eko", players=4)),
    Row(
        "Ekö, 2 players, all variants: steps of a batch",
        UNIT,
        partial(_batch, "eko", variants=list(VARIANTS)),
    ),
    Row("EKKO, 2 players: steps of a batch", UNIT, partial(_batch, "ekko"), 2.5e6),
    Row("EKKO, 5 players: steps of a batch", UNIT, partial(_batch, "ekko", players=5)),
    Row("pgx (chess), 2 players: steps of a batch of 512 games", UNIT, partial(_pgx, "chess", 512)),
    Row("Ekö, 2 players: random games in PettingZoo", UNIT, partial(_ours, "eko", 3)),
    Row("EKKO, 2 players: random games in PettingZoo", UNIT, partial(_ours, "ekko", 5)),
    Row("pettingzoo (chess), 2 players: random games", UNIT, _chess),
    Row(
        "rlcard (UNO), 2 players: random games",
        UNIT,
        partial(rates, partial(rlcard_environment, 100), rounds=3),
    ),
)
