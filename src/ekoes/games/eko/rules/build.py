"""Constructions (E6), reinforcements from the reserve (E8) and the Temple of the Moon (E10.4)."""

from __future__ import annotations

import numpy as np

from ekoes.games.eko.rules.code import (
    ActionType,
    add_group,
    amount_of,
    emperor_of,
    make_code,
    source_of,
    target_of,
)
from ekoes.games.eko.rules.paths import empty_spaces, ignores_tempests
from ekoes.games.eko.rules.record import (
    LEVELS,
    MOON_PRICE,
    MOST_PLAYERS,
    NOBODY,
    OFFERS,
    SUPPLY,
    TALLEST,
    Area,
    Whereabouts,
    drop_discs,
    lift_stack,
    put_stack,
)
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
from ekoes.games.kernels.jit import helper


@helper
def buildings_of(state: np.record, player: int, level: int) -> Bits:
    """Return the sites with a player's buildings of a level."""
    return state.built[player, level, 0], state.built[player, level, 1]


@helper
def write_buildings(state: np.record, player: int, level: int, sites: Bits) -> None:
    """Replace the sites of a player's buildings of a level."""
    state.built[player, level, 0] = sites[0]
    state.built[player, level, 1] = sites[1]


@helper
def built_on(state: np.record, site: int) -> tuple[int, int]:
    """Return the owner and the level of the building on a site, or NOBODY and 0."""
    for player in range(MOST_PLAYERS):
        for level in range(1, LEVELS + 1):
            if has(buildings_of(state, player, level), site):
                return player, level
    return NOBODY, 0


@helper
def gather_constructions(board: np.record, state: np.record, work: np.record, count: int) -> int:
    """Append the groups of all constructions of the player in turn. Returns the number of groups.

    Rule: E6.1 (next to the stack), E6.4 (the Emperor spent or kept; spent with the whole stack).
    """
    player = int(state.player)
    emperor_space = int(state.emperor[player])
    find_offers(board, state, player, work.offers)
    wanted = EMPTY
    for index in range(OFFERS):
        wanted = union(wanted, read(work.offers, index))
    rest = read(state.own, player)
    while not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        around = both(read(board.near, space), wanted)
        if is_empty(around):
            continue
        height = int(state.height[space])
        for index in range(OFFERS):
            level = 1 + index // 2
            cost = level + index % 2
            targets = both(around, read(work.offers, index))
            if height < cost or is_empty(targets):
                continue
            if emperor_space == space:
                count = add_group(work, count, make_code(ActionType.BUILD, space, level, 1), targets)
                if height == cost:
                    continue
            count = add_group(work, count, make_code(ActionType.BUILD, space, level, 0), targets)
    return count


@helper
def find_offers(board: np.record, state: np.record, player: int, offers: np.ndarray) -> None:
    """Write the sites that a player may build on. Rule: E6.2, E6.3, E6.5.

    offers: uint64[OFFERS, 2], written: by level, where it costs the level, then where it costs one more.
    """
    own_below = read(board.sets, Area.SITES)
    for other in range(board.players):
        own_below = without(own_below, all_buildings_of(state, other))
    enemy_below = EMPTY
    for level in range(1, LEVELS + 1):
        own = buildings_of(state, player, level)
        enemy = EMPTY
        for other in range(board.players):
            if other != player:
                enemy = union(enemy, buildings_of(state, other, level))
        carries = read(board.carries, level) if size(own) < SUPPLY[level] else EMPTY
        write(offers, 2 * level - 2, both(own_below, carries))
        write(offers, 2 * level - 1, both(union(enemy, enemy_below), carries))
        own_below = own
        enemy_below = enemy


@helper
def all_buildings_of(state: np.record, player: int) -> Bits:
    """Return the sites with a building of a player."""
    sites = EMPTY
    for level in range(1, LEVELS + 1):
        sites = union(sites, buildings_of(state, player, level))
    return sites


@helper
def all_buildings(state: np.record) -> Bits:
    """Return the sites with a building."""
    sites = EMPTY
    for player in range(MOST_PLAYERS):
        sites = union(sites, all_buildings_of(state, player))
    return sites


@helper
def update_ward(board: np.record, state: np.record, player: int) -> None:
    """Update which spaces are next to a building of a player."""
    ward = EMPTY
    for level in range(1, LEVELS + 1):
        rest = buildings_of(state, player, level)
        while not is_empty(rest):
            site = lowest(rest)
            rest = drop_lowest(rest)
            ward = union(ward, read(board.near, site))
    write(state.ward, player, ward)


@helper
def construct_building(board: np.record, state: np.record, code: int) -> None:
    """Spend the discs and put up the building; a replaced one returns to its owner. Rule: E6.3-E6.5."""
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


@helper
def has_building(board: np.record, state: np.record, player: int, area: int) -> bool:
    """Whether a player has a building on one of the sites of an area (a temple)."""
    sites = read(board.sets, area)
    if is_empty(sites):
        return False
    return not is_empty(both(all_buildings_of(state, player), sites))


@helper
def holds_emperor(state: np.record, player: int) -> int:
    """Return 1 if the player's Emperor is in the own reserve, else 0."""
    return 1 if state.whereabouts[player] == Whereabouts.RESERVE else 0


@helper
def enemy_ward(state: np.record, player: int) -> Bits:
    """Return the spaces next to an enemy building."""
    spaces = EMPTY
    for other in range(MOST_PLAYERS):
        if other != player:
            spaces = union(spaces, read(state.ward, other))
    return spaces


@helper
def growing_stacks(board: np.record, state: np.record, player: int) -> Bits:
    """Return the own stacks below 4, but not those on a tempest that counts. Rule: E8.2, E8.3, E10.3."""
    stacks = without(read(state.own, player), read(state.tall, TALLEST))
    tempests = read(board.sets, Area.TEMPEST)
    if is_empty(both(stacks, tempests)) or ignores_tempests(board, state, player):
        return stacks
    return without(stacks, tempests)


@helper
def open_stacks(board: np.record, state: np.record, player: int) -> tuple[Bits, bool]:
    """Return the stacks that ordinary reinforcement may go to, and whether only by E8.5.

    Rule: E8.1-E8.5, E10.7 (after a placement only with the Temple of the Wind, on other stacks).
    """
    emperor = holds_emperor(state, player)
    if state.reserve[player] + emperor == 0:
        return EMPTY, False
    if state.n_placed and not has_building(board, state, player, Area.WIND):
        return EMPTY, False
    growing = growing_stacks(board, state, player)
    warded = enemy_ward(state, player)
    stacks = without(growing, warded)
    alone = False
    if emperor and is_empty(stacks):
        stacks = both(growing, warded)
        alone = True
    for index in range(state.n_placed):
        stacks = without(stacks, bit(int(state.placed[index])))
    return stacks, alone


@helper
def can_reinforce(board: np.record, state: np.record, player: int) -> bool:
    """Whether an ordinary placement is possible."""
    stacks, _ = open_stacks(board, state, player)
    return not is_empty(stacks)


@helper
def gather_reinforcements(board: np.record, state: np.record, work: np.record, count: int) -> int:
    """Append the groups of ordinary placements. Returns the number of groups. Rule: E12.5."""
    player = int(state.player)
    emperor = holds_emperor(state, player)
    stacks, alone = open_stacks(board, state, player)
    if is_empty(stacks):
        return count
    most = 1 if alone else min(TALLEST - 1, int(state.reserve[player]) + emperor)
    fitting = stacks
    for discs in range(1, most + 1):
        fitting = without(fitting, read(state.tall, TALLEST + 1 - discs))
        code = make_code(ActionType.REINFORCE, 0, discs, emperor)
        count = add_group(work, count, code, fitting)
    return count


@helper
def can_use_moon(board: np.record, state: np.record, player: int) -> bool:
    """Whether the Temple of the Moon can be used. Rule: E10.4."""
    discs = int(state.reserve[player]) + holds_emperor(state, player)
    return (
        state.moon_used == 0
        and state.reserve[player] >= MOON_PRICE
        and discs > MOON_PRICE
        and has_building(board, state, player, Area.MOON)
        and not is_empty(moon_spaces(board, state, player))
    )


@helper
def moon_spaces(board: np.record, state: np.record, player: int) -> Bits:
    """Return where the Temple of the Moon can place a disc."""
    stacks = without(read(state.own, player), read(state.tall, TALLEST))
    return union(empty_spaces(board, state), stacks)


@helper
def gather_moon(board: np.record, state: np.record, work: np.record, count: int) -> int:
    """Append the groups of the Temple of the Moon. Returns the number of groups. Rule: E10.4."""
    player = int(state.player)
    if not can_use_moon(board, state, player):
        return count
    spaces = moon_spaces(board, state, player)
    if state.reserve[player] > MOON_PRICE:
        count = add_group(work, count, make_code(ActionType.MOON, 0, 0, 0), spaces)
    if holds_emperor(state, player):
        count = add_group(work, count, make_code(ActionType.MOON, 0, 0, 1), spaces)
    return count


@helper
def add_discs(state: np.record, player: int, space: int, count: int, emperor: int) -> None:
    """Put discs of the reserve on a space of the player or an empty one."""
    height = count
    if has(read(state.own, player), space):
        height += lift_stack(state, player, space)
    put_stack(state, player, space, height)
    state.reserve[player] -= count - emperor
    if emperor:
        state.emperor[player] = space
        state.whereabouts[player] = Whereabouts.BOARD


@helper
def reinforce_stack(state: np.record, code: int) -> None:
    """Bring discs back on an own stack. Rule: E8, E12.5."""
    space = target_of(code)
    add_discs(state, int(state.player), space, amount_of(code), emperor_of(code))
    state.placed[int(state.n_placed)] = space
    state.n_placed += 1


@helper
def place_moon(state: np.record, code: int) -> None:
    """Remove two discs and place one anywhere. Rule: E10.4."""
    player = int(state.player)
    state.reserve[player] -= MOON_PRICE
    state.removed[player] += MOON_PRICE
    state.moon_used = 1
    add_discs(state, player, target_of(code), 1, emperor_of(code))
