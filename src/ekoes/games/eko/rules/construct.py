"""Constructions (E6): camps, towers and castles, on empty sites, own or enemy buildings."""

from __future__ import annotations

from typing import Any

from ekoes.games.eko.rules.bits import (
    EMPTY,
    Bits,
    bit,
    both,
    has,
    is_empty,
    lowest,
    read,
    size,
    union,
    without,
    write,
)
from ekoes.games.eko.rules.code import (
    Act,
    add_group,
    amount_of,
    emperor_of,
    make_code,
    source_of,
    target_of,
)
from ekoes.games.eko.rules.record import LEVELS, PLAYERS, SUPPLY, Area
from ekoes.games.eko.rules.stack import drop_discs
from ekoes.kernel import helper

__all__ = ["built_on", "construct_building", "gather_constructions", "update_ward"]


@helper
def built_on(state: Any, site: int) -> int:
    """Return 4 * owner + level of the building on a site, or 0."""
    for row in range(4 * PLAYERS):
        if row & 3 and has(read(state.built, row), site):
            return row
    return 0


@helper
def enemy_buildings(state: Any, player: int, level: int) -> Bits:
    """Return the sites with a building of this level of any other player."""
    sites = EMPTY
    for other in range(PLAYERS):
        if other != player:
            sites = union(sites, read(state.built, 4 * other + level))
    return sites


@helper
def all_buildings(state: Any) -> Bits:
    """Return the sites with a building."""
    sites = EMPTY
    for row in range(4 * PLAYERS):
        sites = union(sites, read(state.built, row))
    return sites


@helper
def gather_constructions(board: Any, state: Any, work: Any, count: int) -> int:
    """Append the groups of all constructions of the player in turn. Returns the number of groups.

    Rule: E6.2 (which kinds), E6.3 (a level's cost is the level, one more on an enemy building),
    E6.5 (supply).
    """
    player = int(state.player)
    own = read(state.own, player)
    for level in range(1, LEVELS + 1):
        if size(read(state.built, 4 * player + level)) == SUPPLY[level]:
            continue
        if level == 1:
            plain = without(read(board.sets, Area.SITES), all_buildings(state))
        else:
            plain = read(state.built, 4 * player + level - 1)
        dear = union(enemy_buildings(state, player, level), enemy_buildings(state, player, level - 1))
        carries = read(board.carries, level)
        count = gather_sites(board, state, work, count, own, level, level, both(plain, carries))
        count = gather_sites(board, state, work, count, own, level, level + 1, both(dear, carries))
    return count


@helper
def gather_sites(
    board: Any,
    state: Any,
    work: Any,
    count: int,
    own: Bits,
    level: int,
    cost: int,
    sites: Bits,
) -> int:
    """Append the constructions of one level at one cost on any of the sites.

    Rule: E6.1 (next to the stack), E6.4 (the Emperor spent or kept; spent with the whole stack).
    """
    if is_empty(sites):
        return count
    king = int(state.emperor[int(state.player)])
    rest = own
    while not is_empty(rest):
        space = lowest(rest)
        rest = without(rest, bit(space))
        height = int(state.height[space])
        targets = both(read(board.near, space), sites)
        if height < cost or is_empty(targets):
            continue
        if king == space:
            code = make_code(Act.BUILD, space, level, 1)
            count = add_group(work.groups, count, code, targets)
            if height == cost:
                continue
        count = add_group(work.groups, count, make_code(Act.BUILD, space, level, 0), targets)
    return count


@helper
def update_ward(board: Any, state: Any, player: int) -> None:
    """Note anew which spaces are next to a building of a player."""
    ward = EMPTY
    for level in range(1, LEVELS + 1):
        rest = read(state.built, 4 * player + level)
        while not is_empty(rest):
            site = lowest(rest)
            rest = without(rest, bit(site))
            ward = union(ward, read(board.near, site))
    write(state.ward, player, ward)


@helper
def construct_building(board: Any, state: Any, code: int) -> None:
    """Spend the discs and stand the building; a replaced one goes home. Rule: E6.3-E6.5."""
    player = int(state.player)
    site = target_of(code)
    level = amount_of(code)
    here = bit(site)
    on_capital = 1 if has(read(board.sets, Area.CAPITALS), site) else 0
    cost = level
    old = built_on(state, site)
    if old:
        owner = old >> 2
        write(state.built, old, without(read(state.built, old), here))
        state.points[owner] -= old & 3
        state.capitals[owner] -= on_capital
        if owner != player:
            cost += 1
            update_ward(board, state, owner)
    drop_discs(state, player, source_of(code), cost, emperor_of(code))
    row = 4 * player + level
    write(state.built, row, union(read(state.built, row), here))
    state.points[player] += level
    state.capitals[player] += on_capital
    write(state.ward, player, union(read(state.ward, player), read(board.near, site)))
