"""Which game is which: a pure function of plan and number, so that any worker can play any game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from ekoes.arena.lineups import line_ups
from ekoes.arena.plan import Layout, Plan, Variant
from ekoes.games.chance import Chance

__all__ = ["Pairing", "Schedule"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played.

    opening: games of one opening begin with the same position and are dealt the same. seed: of the first
    position. deals: what chance decides comes from it. chance: what the players' chance comes from,
    another one for each game. seats: who sits where, as places in the list of players.
    """

    number: int
    opening: int
    seed: int
    deals: int
    chance: int
    layout: Layout
    variant: Variant
    options: Mapping[str, Any]
    seats: tuple[int, ...]


class Schedule:
    """All games of a plan, by number from 0.

    A round has every line-up on every layout with every variant. There everybody sits in every seat
    once: the games of a line-up that belong together begin alike, and all move on by a seat.
    """

    def __init__(self, plan: Plan) -> None:
        """Lay out a plan that has been checked."""
        self.plan = plan
        self.cells = tuple(product(plan.layouts, plan.variants))
        self.lineups = line_ups(plan)

    def __len__(self) -> int:
        return self.plan.rounds * self.round

    @cached_property
    def round(self) -> int:
        """The number of games in a round."""
        return len(self.cells) * len(self.lineups) * self.plan.table

    def __getitem__(self, number: int) -> Pairing:
        if not 0 <= number < len(self):
            raise IndexError(number)
        rest, turned = divmod(number, self.plan.table)
        opening, lineup = divmod(rest, len(self.lineups))
        layout, variant = self.cells[opening % len(self.cells)]
        drawn = Chance(self.plan.seed ^ Chance(opening).bits())
        order = list(self.lineups[lineup])
        seed = drawn.below(2**32) if layout.seed is None else layout.seed
        drawn.shuffle(order)
        return Pairing(
            number=number,
            opening=opening,
            seed=seed,
            deals=drawn.bits(),
            chance=Chance(self.plan.seed).bits() ^ Chance(~number).bits(),
            layout=layout,
            variant=variant,
            options=self.plan.options(layout, variant),
            seats=tuple(order[turned:] + order[:turned]),
        )
