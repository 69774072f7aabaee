"""Constructions (E6): camps, towers and castles, on empty sites, own or enemy buildings."""

from __future__ import annotations

from typing import Any

from ekoes.games.eko.rules.code import (
    ActionType,
    add_group,
    amount_of,
    emperor_of,
    make_code,
    source_of,
    target_of,
)
from ekoes.games.eko.rules.record import LEVELS, MOST_PLAYERS, NOBODY, SUPPLY, Area
from ekoes.games.eko.rules.stack import drop_discs
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    both,
    drop_lowest,
    has,
    is_empty,
    lowest,
    read,
    size,
    union,
    without,
    write,
)
from ekoes.kernel import helper

__all__ = [
    "all_buildings",
    "buildings_of",
    "buildings_of_level",
    "construct_building",
    "gather_constructions",
    "update_ward",
]


@helper
def buildings_of(state: Any, player: int, level: int) -> Bits:
    """Return the sites with a player's buildings of a level."""
    return state.built[player, level, 0], state.built[player, level, 1]


@helper
def write_buildings(state: Any, player: int, level: int, sites: Bits) -> None:
    """Put a player's buildings of a level on these sites, and nowhere else."""
    state.built[player, level, 0] = sites[0]
    state.built[player, level, 1] = sites[1]


@helper
def built_on(state: Any, site: int) -> tuple[int, int]:
    """Return the owner and the level of the building on a site, or NOBODY and 0."""
    for player in range(MOST_PLAYERS):
        for level in range(1, LEVELS + 1):
            if has(buildings_of(state, player, level), site):
                return player, level
    return NOBODY, 0


@helper
def gather_constructions(board: Any, state: Any, work: Any, count: int) -> int:
    """Append the groups of all constructions of the player in turn. Returns the number of groups.

    Rule: E6.1 (next to the stack), E6.4 (the Emperor spent or kept; spent with the whole stack).
    """
    player = int(state.player)
    emperor_space = int(state.emperor[player])
    offers, wanted = find_offers(board, state, work)
    rest = read(state.own, player)
    while offers and not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        around = both(read(board.near, space), wanted)
        if is_empty(around):
            continue
        height = int(state.height[space])
        for index in range(offers):
            targets = both(around, read(work.sites, index))
            if height < work.cost[index] or is_empty(targets):
                continue
            if emperor_space == space:
                code = make_code(ActionType.BUILD, space, work.level[index], 1)
                count = add_group(work, count, code, targets)
                if height == work.cost[index]:
                    continue
            code = make_code(ActionType.BUILD, space, work.level[index], 0)
            count = add_group(work, count, code, targets)
    return count


@helper
def find_offers(board: Any, state: Any, work: Any) -> tuple[int, Bits]:
    """Write what the player in turn may build where, and its cost.

    A level's cost is the level, one more on an enemy building.
    Returns: the number of offers, and the sites of all of them. Rule: E6.2, E6.3, E6.5.
    """
    player = int(state.player)
    count = 0
    wanted = EMPTY
    enemy_below = EMPTY
    own_below = without(read(board.sets, Area.SITES), all_buildings(state))
    for level in range(1, LEVELS + 1):
        own = buildings_of(state, player, level)
        enemy = without(buildings_of_level(state, level), own)
        if size(own) < SUPPLY[level]:
            carries = read(board.carries, level)
            plain = both(own_below, carries)
            dear = both(union(enemy, enemy_below), carries)
            count = add_offer(work, count, level, level, plain)
            count = add_offer(work, count, level, level + 1, dear)
            wanted = union(wanted, union(plain, dear))
        own_below = own
        enemy_below = enemy
    return count, wanted


@helper
def add_offer(work: Any, count: int, level: int, cost: int, sites: Bits) -> int:
    """Append an offer unless there is no site for it. Returns the number of offers."""
    if is_empty(sites):
        return count
    work.level[count] = level
    work.cost[count] = cost
    write(work.sites, count, sites)
    return count + 1


@helper
def buildings_of_level(state: Any, level: int) -> Bits:
    """Return the sites with a building of a level, whoever owns it."""
    sites = EMPTY
    for player in range(MOST_PLAYERS):
        sites = union(sites, buildings_of(state, player, level))
    return sites


@helper
def all_buildings(state: Any) -> Bits:
    """Return the sites with a building."""
    sites = EMPTY
    for level in range(1, LEVELS + 1):
        sites = union(sites, buildings_of_level(state, level))
    return sites


@helper
def update_ward(board: Any, state: Any, player: int) -> None:
    """Note anew which spaces are next to a building of a player."""
    ward = EMPTY
    for level in range(1, LEVELS + 1):
        rest = buildings_of(state, player, level)
        while not is_empty(rest):
            site = lowest(rest)
            rest = drop_lowest(rest)
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
    owner, old = built_on(state, site)
    if owner != NOBODY:
        write_buildings(state, owner, old, without(buildings_of(state, owner, old), here))
        state.points[owner] -= old
        state.capitals[owner] -= on_capital
        if owner != player:
            cost += 1
            update_ward(board, state, owner)
    drop_discs(state, player, source_of(code), cost, emperor_of(code))
    write_buildings(state, player, level, union(buildings_of(state, player, level), here))
    state.points[player] += level
    state.capitals[player] += on_capital
    write(state.ward, player, union(read(state.ward, player), read(board.near, site)))
