"""Finds what a player could do if its turn began now (a kernel)."""

from __future__ import annotations

import numpy as np

from ekoes.games.eko.rules.code import ActionType, action_type_of, codes_of, source_of, target_of
from ekoes.games.eko.rules.record import Phase
from ekoes.games.eko.rules.turn import gather
from ekoes.games.kernels.bits import EMPTY, bit, both, read, union, without, write
from ekoes.games.kernels.jit import entry

ANYWHERE = -1
"""As a source: every stack."""
PROSPECTS = 3
"""The sets that are found: spaces to go to, stacks of others to take, sites to build on."""


@entry
def find_prospects(
    boards: np.ndarray,
    roots: np.ndarray,
    works: np.ndarray,
    trials: np.ndarray,
    seat: int,
    source: int,
    found: np.ndarray,
) -> None:
    """Write where a player's stacks could go, what they could take and where they could build on its turn.

    roots: STATE[1], read; trials: STATE[1], scratch; source: the space of a stack, or ANYWHERE; found:
    uint64[PROSPECTS, WORDS], written, all empty once the game is over.
    """
    state = trials[0]
    trials[0] = roots[0]
    state.player = seat
    state.phase = Phase.ACTION
    state.marched = 0
    state.sandtemple_used = 0
    state.moon_used = 0
    write(state.paid, 0, EMPTY)
    targets = EMPTY
    sites = EMPTY
    if roots[0].phase != Phase.OVER:
        for code in codes_of(works[0], gather(boards[0], state, works[0])):
            if source not in (ANYWHERE, source_of(code)):
                continue
            if action_type_of(code) == ActionType.MOVE:
                targets = union(targets, bit(target_of(code)))
            elif action_type_of(code) == ActionType.BUILD:
                sites = union(sites, bit(target_of(code)))
    others = EMPTY
    for player in range(boards[0].players):
        if player != seat:
            others = union(others, read(state.own, player))
    own = bit(source) if source != ANYWHERE else EMPTY
    write(found, 0, without(without(targets, others), own))
    write(found, 1, both(targets, others))
    write(found, 2, sites)
