"""Games as transitions for offline learning: from a file of games (``ekoes.data``) to a dataset of Minari."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ekoes import data
from ekoes.envs.kernels import NONE
from ekoes.envs.match import spaces_of
from ekoes.envs.spaces import Spaces, rewards_of
from ekoes.errors import RecordError, from_extra
from ekoes.games.api.contract import CHANCE, Json
from ekoes.records import GameRecord, read_record, replay

with from_extra("minari"):
    import gymnasium
    import minari
    from minari.data_collector import EpisodeBuffer

_AT_ONCE = 200
"""Episodes in memory."""


def write_minari(path: Path | str, name: str, **about: Any) -> minari.MinariDataset:  # noqa: ANN401 - Minari's
    """Write the games of a file as a local dataset; an episode is what one seat saw and decided in one game.

    Observations, integers and rewards are those of the environments; ``action_mask`` is among the infos. A
    move that can lose discs in several ways is two steps. All games need the same options. name: Minari's
    ``dataset_id``. about: what else ``minari.create_dataset_from_buffers`` takes, such as ``author``.

    Raises: RecordError if a game can't be read, has other options, or is a live one of EKKO.
    """
    rows = data.read(path).select(["game", "options", "record"]).to_pylist()
    if not rows:
        raise RecordError(f"{path} has no games")
    game, options = rows[0]["game"], _options(rows[0], read_record(rows[0]["record"]))
    spec = deepcopy(gymnasium.spec(f"ekoes/{game.title()}-v0"))
    spec.kwargs |= options
    episodes = _all_episodes(spaces_of(game, options), options, rows)
    dataset = minari.create_dataset_from_buffers(
        name, list(islice(episodes, _AT_ONCE)), **{"env": spec, "data_format": "arrow"} | about
    )
    while some := list(islice(episodes, _AT_ONCE)):
        dataset.update_dataset_from_buffer(some)
    return dataset


def _options(row: dict[str, Any], record: GameRecord) -> Json:
    limit = {} if record.turn_limit is None else {"turn_limit": record.turn_limit}
    return {**json.loads(row["options"]), **limit}


def _all_episodes(spaces: Spaces, options: Json, rows: list[dict[str, Any]]) -> Iterator[EpisodeBuffer]:
    for number, row in enumerate(rows, 1):
        record = read_record(row["record"])
        if record.table is not None:
            raise RecordError(f"game {number} is a live one, and no sequence of decisions", rule="K6")
        if (row["game"], _options(row, record)) != (spaces.game.name, options):
            raise RecordError(f"game {number} has other options than the first: {row['options']}")
        yield from _episodes(spaces, record)


def _episodes(spaces: Spaces, record: GameRecord) -> Iterator[EpisodeBuffer]:
    """Yield the episodes of all seats that decided something."""
    seen = defaultdict[int, list[dict[str, Any]]](list)
    masks, actions = defaultdict[int, list[Any]](list), defaultdict[int, list[int]](list)
    *before, last = replay(record)
    for position, decision in zip(before, record.decisions, strict=True):
        seat, chosen = decision.seat, NONE
        for integer in () if seat == CHANCE else spaces.integers(position, decision.action):
            seen[seat].append(spaces.observe(position, seat, chosen))
            masks[seat].append(spaces.mask(position, chosen))
            actions[seat].append(integer)
            chosen = integer
    rewards = rewards_of(spaces, record.outcome.winners if record.outcome else ())
    for seat in sorted(actions):
        end, is_last = spaces.observe(last, seat), np.arange(len(actions[seat])) == len(actions[seat]) - 1
        is_cut_off = is_last & spaces.is_cut_off(last)
        yield EpisodeBuffer(
            seed=record.seed,
            observations={key: np.stack([*(one[key] for one in seen[seat]), end[key]]) for key in end},
            actions=np.array(actions[seat], np.int64),
            rewards=np.where(is_last & ~is_cut_off, rewards[seat], 0.0),
            terminations=is_last & ~is_cut_off,
            truncations=is_cut_off,
            infos={"action_mask": np.stack([*masks[seat], np.zeros_like(masks[seat][0])])},
        )
