"""The first position of a game: options, board, discs and first player from one seed (E2.5, E3)."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ekoes.games.chance import Chance
from ekoes.games.eko.board import Board
from ekoes.games.eko.layout import Layout
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.random_layout import random_layout
from ekoes.games.eko.rules.record import (
    DISCS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    NO_SPACE,
    NOBODY,
    ORDINARY_DISCS,
    STATE,
    Phase,
    Whereabouts,
)
from ekoes.games.eko.tiles import Terrain, TileSet, Variant
from ekoes.games.kernels.bits import add_member
from ekoes.games.numbers import rows
from ekoes.games.reading import read_options

__all__ = ["EkoOptions", "blank_states", "set_up", "stand_stack"]


class EkoOptions(BaseModel):
    """How a game of Ekö is set up.

    players: 2 to 4 (E1.1). variants: any of the seven (E10). setup: standard (E3.1) or draft (E3.4).
    layout: placed tiles ``[tile, q, r, rot]``, else a random board (E2.5). tileset: the content of a
    tile file, else the project's own box (E2.8).
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    players: Annotated[int, Field(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)] = FEWEST_PLAYERS
    variants: Annotated[frozenset[Variant], Field(strict=False)] = frozenset()
    setup: Literal["standard", "draft"] = "standard"
    layout: list[Any] | None = None
    tileset: dict[str, Any] | None = None

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> EkoOptions:
        """Check options. Raises PositionError naming the key."""
        return read_options(cls, options)


def set_up(options: Mapping[str, Any], seed: int) -> EkoPosition:
    """Return the first position. Raises PositionError or LayoutError. Rule: E3.1-E3.4."""
    wanted = EkoOptions.read(options)
    chance = Chance(seed)
    layout = make_layout(wanted, chance)
    states = blank_states(layout.players)
    states["first"] = states["player"] = chance.below(layout.players)
    if wanted.setup == "draft":
        states["phase"] = Phase.PLACE
        states["unplaced"][0, : layout.players] = ORDINARY_DISCS
        states["whereabouts"][0, : layout.players] = Whereabouts.UNPLACED
    else:
        states["phase"] = Phase.SWAP
        _scatter(states, layout, chance)
    return EkoPosition(Board(layout), states)


def make_layout(options: EkoOptions, chance: Chance) -> Layout:
    """Return the board that the options ask for; a given layout is checked (E2.8)."""
    tileset = None if options.tileset is None else TileSet.from_json(options.tileset)
    if options.layout is not None:
        return Layout(options.players, options.layout, tileset)
    return random_layout(options.players, options.variants, chance, tileset)


def _scatter(states: np.ndarray[Any, Any], layout: Layout, chance: Chance) -> None:
    """Put all discs at random on the sand spaces. Rule: E3.1."""
    state = rows(states)
    sand = [space for space, terrain in enumerate(layout.terrain) if terrain is Terrain.SAND]
    chance.shuffle(sand)
    for place, space in enumerate(sand):
        player, disc = divmod(place, DISCS)
        stand_stack(state, player, space, 1, emperor=disc == 0)


def blank_states(players: int) -> np.ndarray[Any, Any]:
    """Return STATE[1] with nothing on the board, and all Emperors nowhere."""
    states = np.zeros(1, STATE)
    states["emperor"] = NO_SPACE
    states["captor"] = NOBODY
    states["chooser"] = NOBODY
    states["whereabouts"] = Whereabouts.UNPLACED
    states["whereabouts"][0, :players] = Whereabouts.RESERVE
    return states


def stand_stack(state: SimpleNamespace, player: int, space: int, height: int, *, emperor: bool) -> None:
    """Stand a stack on an empty space. state: the rows of one that is being made."""
    add_member(state.own, player, space)
    add_member(state.tall, height, space)
    state.height[space] = height
    if emperor:
        state.emperor[player] = space
        state.whereabouts[player] = Whereabouts.BOARD
