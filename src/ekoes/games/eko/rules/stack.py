"""Putting discs on spaces and taking them away, with the sets of the record kept true."""

from __future__ import annotations

from typing import Any

from ekoes.games.eko.rules.record import CAPTIVE_POINTS, MOST_PLAYERS, NO_SPACE, NOBODY, Whereabouts
from ekoes.games.kernels.bits import bit, has, read, union, without, write
from ekoes.kernel import helper

__all__ = [
    "capture_emperor",
    "drop_discs",
    "free_emperor",
    "lift_stack",
    "owner_of",
    "put_stack",
    "send_home",
]


@helper
def owner_of(state: Any, space: int) -> int:
    """Return the player whose stack stands on a space, or NOBODY."""
    for player in range(MOST_PLAYERS):
        if has(read(state.own, player), space):
            return player
    return NOBODY


@helper
def put_stack(state: Any, player: int, space: int, height: int) -> None:
    """Stand a stack on an empty space; its Emperor is seen to by the caller."""
    here = bit(space)
    write(state.own, player, union(read(state.own, player), here))
    write(state.tall, height, union(read(state.tall, height), here))
    state.height[space] = height


@helper
def lift_stack(state: Any, player: int, space: int) -> int:
    """Take a stack off its space. Returns its height."""
    here = bit(space)
    height = int(state.height[space])
    write(state.own, player, without(read(state.own, player), here))
    write(state.tall, height, without(read(state.tall, height), here))
    state.height[space] = 0
    return height


@helper
def send_home(state: Any, player: int) -> None:
    """Put a player's Emperor into the reserve."""
    state.emperor[player] = NO_SPACE
    state.whereabouts[player] = Whereabouts.RESERVE


@helper
def capture_emperor(state: Any, captor: int, player: int) -> None:
    """Let a player hold another one's Emperor. Rule: E5.6."""
    state.emperor[player] = NO_SPACE
    state.whereabouts[player] = Whereabouts.CAPTIVE
    state.captor[player] = captor
    state.points[captor] += CAPTIVE_POINTS


@helper
def free_emperor(state: Any, player: int) -> None:
    """Put a captive Emperor into its owner's reserve. Rule: E5.7."""
    state.points[int(state.captor[player])] -= CAPTIVE_POINTS
    state.captor[player] = NOBODY
    send_home(state, player)


@helper
def drop_discs(state: Any, player: int, space: int, count: int, emperor: int) -> None:
    """Take discs off a stack into the reserve, the Emperor among them or not."""
    height = lift_stack(state, player, space)
    if height > count:
        put_stack(state, player, space, height - count)
    if emperor:
        send_home(state, player)
    state.reserve[player] += count - emperor
