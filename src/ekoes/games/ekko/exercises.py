"""The exercises of EKKO: which card is best, and mirrors against the clock.

The decisions of "which card" are in a file of the package, which ``python -m tools.ekko_exercises`` makes. In
each of them one card is better than every other by more than twice the standard error of the difference, in
two independent samples of deals.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import numpy as np

from ekoes.atomic_files import write_atomically
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.ekko.bots.levels import seen_by
from ekoes.games.ekko.live.state import Stage
from ekoes.games.ekko.live.views import held, quiet_state
from ekoes.games.ekko.position.action import Play, decode
from ekoes.games.ekko.position.position import shuffled_cards
from ekoes.games.ekko.position.position_reader import position_from_view
from ekoes.games.ekko.rules.record import FITTING, is_multiple, mirror_of
from ekoes.games.ekko.rules.turn import HAND_SIZE
from ekoes.games.ekko.sequence import SEQUENCE, sampled_values
from ekoes.games.kernels.bits import members

FILE = "choices.jsonl.gz"
DEALS = 4000
"""Sampled deals of each sample."""
_FEWEST = 3
"""Cards to choose from."""
_LEAST = 0.25
"""Points that the best card is better by."""
_ROUNDS = 20
_MOST_BEFORE = 6
"""Cards before the one whose mirror is held."""


class EkkoExercises:
    """The exercises of EKKO."""

    @cached_property
    def _lines(self) -> list[Json]:
        data = files("ekoes.games.ekko").joinpath(FILE).read_bytes()
        return [json.loads(line) for line in gzip.decompress(data).splitlines()]

    @property
    def count(self) -> int:
        """The number of decisions to choose."""
        return len(self._lines)

    def choice(self, number: int) -> Json:
        """Return a decision: what its player sees, as the state of a table, and the value of each card."""
        line = self._lines[number - 1]
        seat, cards = line["seat"], sorted(card for card, *_ in line["values"])
        position = position_from_view(line["view"], seat)
        values = [
            {"notation": str(card), "points": points, "error": error}
            for card, points, error in line["values"]
        ]
        state = quiet_state(position.view(None), Stage.RACE, ()) | held(position, (seat,))
        state["choices"] = [SEQUENCE.described(position, seat, Play(card)) for card in cards]
        state |= {"outcome": None, "rematch": {"agreed": [], "table": None}}
        return {"number": number, "count": self.count, "seat": seat, "state": state, "values": values}

    def reflex(self, seed: int) -> list[Json]:
        """Return rounds, each a hand, cards as they are played, and in the hand the mirror of the last one.

        No earlier card has its mirror in the hand. Rule: K2.1, K3.1.
        """
        chance = Chance(seed)
        return [_round(chance) for _ in range(_ROUNDS)]


EXERCISES = EkkoExercises()


def _round(chance: Chance) -> Json:
    size = HAND_SIZE[2]
    order = shuffled_cards(chance)
    hand, rest = sorted(order[:size]), list(order[size:])
    held = [card for card in hand if not is_multiple(card) and mirror_of(card) in rest]
    if not held:
        return _round(chance)
    mirror = held[chance.below(len(held))]
    cards = [mirror_of(mirror)]
    free = [card for card in rest if card not in cards and mirror_of(card) not in hand]
    for _ in range(1 + chance.below(_MOST_BEFORE)):
        before = [card for card in free if card not in cards and cards[0] in members(FITTING[card].tolist())]
        if not before:
            break
        cards.insert(0, before[chance.below(len(before))])
    return {"hand": hand, "shown": cards, "answer": mirror}


# ---------------------------------------------------------------- the file


def values_of(view: Json, seat: int, chance: Chance) -> list[tuple[int, float, float]] | None:
    """Return the value of each card in points, with twice its standard error, the best first.

    Returns: None if no card is clearly the best, or if there is another choice than between cards.
    """
    codes, sample = sampled_values(seen_by(seat, view), DEALS, np.array([chance.bits() | 1], np.uint64))
    actions = [decode(code) for code in codes]
    cards = [action.card for action in actions if isinstance(action, Play)]
    if len(cards) < max(_FEWEST, len(codes)):
        return None
    best = int(np.argmax(sample.mean(axis=0)))
    gains = sample[:, [best]] - np.delete(sample, best, axis=1)
    errors = 2 * gains.std(axis=0, ddof=1) / np.sqrt(len(gains))
    if (gains.mean(axis=0) <= np.maximum(errors, _LEAST)).any():
        return None
    means, spread = sample.mean(axis=0), 2 * sample.std(axis=0, ddof=1) / np.sqrt(len(sample))
    found = [(card, round(float(means[i]), 2), round(float(spread[i]), 2)) for i, card in enumerate(cards)]
    return sorted(found, key=lambda one: -one[1])


def write_choices(path: Path, lines: Iterable[Json]) -> None:
    """Write a file of decisions: a line of JSON each, compressed."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    write_atomically(path, gzip.compress(text.encode(), mtime=0))
