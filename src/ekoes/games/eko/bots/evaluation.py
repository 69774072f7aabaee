"""The learned evaluation: each player's chance to win (kernels).

Computes the features of a position and applies the network of the package.
"""

from __future__ import annotations

import json
from enum import IntEnum
from functools import cache
from importlib.resources import files
from operator import index
from typing import Any

import numpy as np

from ekoes.errors import PositionError
from ekoes.games.api.contract import Json
from ekoes.games.eko.rules.build import buildings_of, find_offers
from ekoes.games.eko.rules.ending import captives_of, points_of
from ekoes.games.eko.rules.paths import empty_spaces, find_regions
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    FEWEST_PLAYERS,
    LEVELS,
    MARCH_PRICE,
    MOST_PLAYERS,
    NO_SPACE,
    OFFERS,
    SPACES,
    TALLEST,
    WINNING_POINTS,
    Area,
    Phase,
    Whereabouts,
)
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
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


class Feature(IntEnum):
    """The features, one column each; *could* means: by one action, if it were that player's turn."""

    NEXT = 0  # 1 for the next player
    POINTS = 1
    POINTS_PAST_5 = 2
    POINTS_PAST_8 = 3
    CAPITAL = 4  # 1 with a building on a capital
    CAPITAL_POINTS = 5  # points past 5 with a building on a capital
    CAPITAL_POINTS_PAST_8 = 6
    CAMPS = 7
    TOWERS = 8
    CASTLES = 9
    CAPTIVES = 10
    RESERVE = 11
    RESERVE_PAST_3 = 12
    RESERVE_PAST_8 = 13
    REMOVED = 14
    UNPLACED = 15
    HEIGHT_1 = 16  # stacks of that height, and so on
    HEIGHT_2 = 17
    HEIGHT_3 = 18
    HEIGHT_4 = 19
    FEW_STACKS = 20  # how many stacks are missing to five
    LAST_STACK = 21
    EMPEROR_RESERVE = 22
    EMPEROR_CAPTIVE = 23
    EMPEROR_2 = 24  # the height of the Emperor's stack
    EMPEROR_3 = 25
    EMPEROR_4 = 26
    REINFORCING = 27  # 1 for the player whose reinforcement comes next
    COMING = 28  # discs that it can bring, three at most
    GROWING = 29  # stacks that can be reinforced
    ROOM = 30  # for discs on them
    SHUT = 31  # 1 if the reserve has nowhere to go
    BUILDERS = 32  # stacks that could construct
    GAIN = 33  # most points that a construction could bring
    GAIN_PAST_1 = 34
    GAIN_CAPITAL = 35  # 1 if a player without one could build on a capital
    NEAR_BUILDERS = 36  # stacks that could walk to where they can construct
    NEAR_CAPITAL = 37  # 1 if one could walk to where it can build on a capital
    RAIDED = 38  # most points that others could replace
    RAIDED_CAPITAL = 39  # 1 if the only building on a capital is one of them
    PREY = 40  # stacks of others that could be taken
    PREY_EMPEROR = 41
    EXPOSED = 42  # own stacks that others could take
    EXPOSED_DISCS = 43
    EXPOSED_WORST = 44
    EXPOSED_EMPEROR = 45
    EXPOSED_LAST = 46  # 1 if the last stack is
    STILL = 47  # stacks that can't walk
    WINS = 48  # 1 if it could win
    MARCH = 49  # 1 if the reserve pays for a forced march
    MARCHING = 50  # 1 for the player who may still march in this turn
    SECOND_ACTION = 51  # 1 for the player whose second action comes next
    SECOND_GAIN = 52  # most points that another construction could bring
    WALK_GAIN = 53  # most points that a construction after a walk could bring
    BUILDABLE = 54  # sites where it could construct
    RAIDED_POINTS = 55  # of all buildings that others could replace
    TERRITORY = 56  # empty spaces that its stacks could walk to
    EMPEROR_ROOM = 57  # empty spaces that the Emperor's stack could walk to


FEATURES = len(Feature)
COLUMNS = 64
"""Columns of a row of features, the last of them 0: the CPU multiplies whole blocks of them."""

# Rows of the scratch ``sets``, most of them by height:
BEATEN = 0  # stacks that one of that height without the Emperor takes
AFFORD = BEATEN + TALLEST + 1  # sites that a stack of that height can pay for
NEARBY = AFFORD + TALLEST + 1  # spaces next to a stack at least that high
FAR = NEARBY + TALLEST + 1  # spaces next to where such a stack can walk
PLAIN = FAR + TALLEST + 1  # every second row, by level from 1: sites where it costs the level
DEAR = PLAIN + 1  # every second row: sites of others, where it costs one more
COAST = PLAIN + OFFERS  # by region: all that is next to it
SETS = COAST + SPACES


@helper
def next_player(board: np.record, state: np.record) -> int:
    """Return whose action phase comes next."""
    player = int(state.player)
    if state.phase in (Phase.AFTER, Phase.REINFORCE, Phase.RANSOM):
        return (player + 1) % int(board.players)
    return player


@helper
def describe(board: np.record, state: np.record, work: np.record, sets: np.ndarray, rows: np.ndarray) -> None:
    """Write the features of each player. rows: int16[MOST_PLAYERS, COLUMNS], written.

    work: WORK; sets: uint64[SETS, 2]; both scratch.
    """
    begin_rows(board, state, work, sets, rows)
    rows[next_player(board, state), Feature.NEXT] = 1
    for player in range(board.players):
        describe_holdings(board, state, rows[player], player)
        describe_reserve(board, state, rows[player], player)
        describe_reach(board, state, work, sets, rows, player)
        count_few(rows[player])


@helper
def begin_rows(
    board: np.record, state: np.record, work: np.record, sets: np.ndarray, rows: np.ndarray
) -> None:
    """Write the sets that are the same for all players, and clear the features."""
    find_coasts(board, empty_spaces(board, state), work, sets)
    write(sets, BEATEN + 1, read(state.tall, TALLEST))
    beaten = EMPTY
    for height in range(2, TALLEST + 1):
        beaten = union(beaten, read(state.tall, height - 1))
        write(sets, BEATEN + height, beaten)
    for player in range(board.players):
        for column in range(FEATURES):
            rows[player, column] = 0


@helper
def find_coasts(board: np.record, free: Bits, work: np.record, sets: np.ndarray) -> None:
    """Split the empty spaces into regions, tempests included, and write the spaces next to each."""
    find_regions(board, free, EMPTY, work)
    index = 0
    rest = free
    while not is_empty(rest):
        cells = read(work.cells, index)
        rest = without(rest, cells)
        coast = EMPTY
        while not is_empty(cells):
            coast = union(coast, read(board.near, lowest(cells)))
            cells = drop_lowest(cells)
        write(sets, COAST + index, coast)
        index += 1


@helper
def describe_holdings(board: np.record, state: np.record, row: np.ndarray, player: int) -> None:
    """Write the features of points, buildings, captives and the Emperor."""
    points = points_of(board, state, player)
    row[Feature.POINTS] = points
    row[Feature.POINTS_PAST_5] = max(points - 5, 0)
    row[Feature.POINTS_PAST_8] = max(points - 8, 0)
    if state.capitals[player] > 0:
        row[Feature.CAPITAL] = 1
        row[Feature.CAPITAL_POINTS] = max(points - 5, 0)
        row[Feature.CAPITAL_POINTS_PAST_8] = max(points - 8, 0)
    row[Feature.CAMPS] = size(buildings_of(state, player, 1))
    row[Feature.TOWERS] = size(buildings_of(state, player, 2))
    row[Feature.CASTLES] = size(buildings_of(state, player, 3))
    row[Feature.CAPTIVES] = size(captives_of(state, player))
    if state.whereabouts[player] == Whereabouts.RESERVE:
        row[Feature.EMPEROR_RESERVE] = 1
    elif state.whereabouts[player] == Whereabouts.CAPTIVE:
        row[Feature.EMPEROR_CAPTIVE] = 1
    space = int(state.emperor[player])
    if space != NO_SPACE and state.height[space] > 1:
        row[Feature.EMPEROR_2 + state.height[space] - 2] = 1


@helper
def describe_reserve(board: np.record, state: np.record, row: np.ndarray, player: int) -> None:
    """Write the features of a player's reserve and of where it could enter (E8.2, E8.3)."""
    reserve = int(state.reserve[player])
    row[Feature.RESERVE] = reserve
    row[Feature.RESERVE_PAST_3] = max(reserve - 3, 0)
    row[Feature.RESERVE_PAST_8] = max(reserve - 8, 0)
    row[Feature.REMOVED] = state.removed[player]
    row[Feature.UNPLACED] = state.unplaced[player]
    growing = without(read(state.own, player), read(state.tall, TALLEST))
    growing = without(growing, read(board.sets, Area.TEMPEST))
    for other in range(board.players):
        if other != player:
            growing = without(growing, read(state.ward, other))
    room = 0
    for height in range(1, TALLEST):
        room += (TALLEST - height) * size(both(growing, read(state.tall, height)))
    row[Feature.GROWING] = size(growing)
    row[Feature.ROOM] = room
    if reserve > 0 and room == 0:
        row[Feature.SHUT] = 1
    if reserve - row[Feature.EMPEROR_RESERVE] >= MARCH_PRICE:
        row[Feature.MARCH] = 1
    if player != state.player:
        return
    if state.phase in (Phase.AFTER, Phase.REINFORCE, Phase.RANSOM):
        row[Feature.REINFORCING] = 1
        row[Feature.COMING] = min(reserve, 3, room)
    if state.phase == Phase.AFTER and state.marched == 0:
        row[Feature.MARCHING] = row[Feature.MARCH]
    elif state.phase == Phase.SECOND:
        row[Feature.SECOND_ACTION] = 1


@helper
def describe_reach(
    board: np.record, state: np.record, work: np.record, sets: np.ndarray, rows: np.ndarray, player: int
) -> None:
    """Write what a player could do by one action, and what the others would lose by it.

    Tempests count as free. sets: the rows that depend on a player are written.
    """
    row = rows[player]
    find_prices(board, state, sets, player)
    prey = describe_stacks(board, state, work, sets, row, player)
    describe_building(board, state, sets, rows, player)
    for victim in range(board.players):
        if victim != player:
            describe_victim(state, rows, player, victim, both(prey, read(state.own, victim)))
    points = row[Feature.POINTS]
    best = max(row[Feature.GAIN], CAPTIVE_POINTS * row[Feature.PREY_EMPEROR])
    if row[Feature.CAPITAL] > 0:
        won = points + best >= WINNING_POINTS
    else:
        won = row[Feature.GAIN_CAPITAL] > 0 and points + row[Feature.GAIN_CAPITAL] >= WINNING_POINTS
    if won:
        row[Feature.WINS] = 1


@helper
def find_prices(board: np.record, state: np.record, sets: np.ndarray, player: int) -> None:
    """Write the sites a player can build on, wherever its stacks are, and those it can pay at each height."""
    find_offers(board, state, player, sets[PLAIN:])
    afford = EMPTY
    for height in range(1, TALLEST + 1):
        if height <= LEVELS:
            afford = union(afford, read(sets, PLAIN + 2 * height - 2))
        if height > 1:
            afford = union(afford, read(sets, DEAR + 2 * height - 4))
        write(sets, AFFORD + height, afford)


@helper
def roam_coasts(
    board: np.record, work: np.record, sets: np.ndarray, start: int, free: Bits
) -> tuple[Bits, Bits, Bits]:
    """Return what ``paths.roam`` does, and the spaces next to all that can be reached."""
    cells = EMPTY
    coast = EMPTY
    rim = read(board.step, start)
    frontier = both(rim, free)
    while not is_empty(frontier):
        region = work.region[lowest(frontier)]
        cells = union(cells, read(work.cells, region))
        rim = union(rim, read(work.rim, region))
        coast = union(coast, read(sets, COAST + region))
        frontier = without(both(rim, free), cells)
    return cells, rim, coast


@helper
def describe_stacks(
    board: np.record, state: np.record, work: np.record, sets: np.ndarray, row: np.ndarray, player: int
) -> Bits:
    """Write the features of a player's stacks and their reach. Returns the stacks that they could take."""
    free = empty_spaces(board, state)
    capitals = read(board.sets, Area.CAPITALS)
    emperor_space = int(state.emperor[player])
    for height in range(1, TALLEST + 1):
        write(sets, NEARBY + height, EMPTY)
        write(sets, FAR + height, EMPTY)
    prey = EMPTY
    territory = EMPTY
    rest = read(state.own, player)
    while not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        height = int(state.height[space])
        row[Feature.HEIGHT_1 + height - 1] += 1
        near = read(board.near, space)
        write(sets, NEARBY + height, union(read(sets, NEARBY + height), near))
        beaten = read(sets, BEATEN + height)
        if space == emperor_space:
            beaten = union(beaten, read(state.tall, height))
        cells, rim, coast = roam_coasts(board, work, sets, space, free)
        prey = union(prey, both(rim, beaten))
        write(sets, FAR + height, union(read(sets, FAR + height), coast))
        territory = union(territory, cells)
        if is_empty(cells):
            row[Feature.STILL] += 1
        elif space == emperor_space:
            row[Feature.EMPEROR_ROOM] = size(cells)
        afford = read(sets, AFFORD + height)
        if not is_empty(both(near, afford)):
            row[Feature.BUILDERS] += 1
        elif not is_empty(both(coast, afford)):
            row[Feature.NEAR_BUILDERS] += 1
        if not is_empty(both(both(coast, afford), capitals)):
            row[Feature.NEAR_CAPITAL] = 1
    for height in range(TALLEST - 1, 0, -1):
        write(sets, NEARBY + height, union(read(sets, NEARBY + height), read(sets, NEARBY + height + 1)))
        write(sets, FAR + height, union(read(sets, FAR + height), read(sets, FAR + height + 1)))
    row[Feature.TERRITORY] = size(territory)
    return prey


@helper
def describe_building(
    board: np.record, state: np.record, sets: np.ndarray, rows: np.ndarray, player: int
) -> None:
    """Write what a player could gain by one construction, and what others would lose by it."""
    row = rows[player]
    capitals = read(board.sets, Area.CAPITALS)
    gain = 0
    second_gain = 0
    walk_gain = 0
    on_capital = 0
    sites = EMPTY
    for level in range(1, LEVELS + 1):
        plain = both(read(sets, PLAIN + 2 * level - 2), read(sets, NEARBY + level))
        dear = both(read(sets, DEAR + 2 * level - 2), read(sets, NEARBY + level + 1))
        sites = union(sites, union(plain, dear))
        gain, second_gain = best_two(gain, second_gain, 1, size(plain))
        gain, second_gain = best_two(gain, second_gain, level, size(dear))
        if not is_empty(both(read(sets, PLAIN + 2 * level - 2), read(sets, FAR + level))):
            walk_gain = max(walk_gain, 1)
        if not is_empty(both(read(sets, DEAR + 2 * level - 2), read(sets, FAR + level + 1))):
            walk_gain = level
        if not is_empty(both(plain, capitals)):
            on_capital = max(on_capital, 1)
        if is_empty(dear):
            continue
        if not is_empty(both(dear, capitals)):
            on_capital = level
        for victim in range(board.players):
            if victim != player:
                describe_raid(state, rows[victim], victim, dear, capitals)
    row[Feature.GAIN] = gain
    row[Feature.GAIN_PAST_1] = max(gain - 1, 0)
    row[Feature.SECOND_GAIN] = second_gain
    row[Feature.WALK_GAIN] = walk_gain
    row[Feature.BUILDABLE] = size(sites)
    if row[Feature.CAPITAL] == 0:
        row[Feature.GAIN_CAPITAL] = on_capital


@helper
def best_two(best: int, second: int, value: int, count: int) -> tuple[int, int]:
    """Return the two highest of two values and ``count`` times ``value``, highest first."""
    if count > 0 and value > best:
        return value, value if count > 1 else best
    if count > 0 and value > second:
        return best, value
    return best, second


@helper
def describe_raid(state: np.record, row: np.ndarray, victim: int, dear: Bits, capitals: Bits) -> None:
    """Write what a player would lose at most if others built on some sites."""
    for level in range(1, LEVELS + 1):
        lost = both(dear, buildings_of(state, victim, level))
        if is_empty(lost):
            continue
        row[Feature.RAIDED] = max(row[Feature.RAIDED], level)
        row[Feature.RAIDED_POINTS] += level * size(lost)
        if state.capitals[victim] == 1 and not is_empty(both(lost, capitals)):
            row[Feature.RAIDED_CAPITAL] = 1


@helper
def describe_victim(state: np.record, rows: np.ndarray, player: int, victim: int, exposed: Bits) -> None:
    """Write which of a player's stacks another one could take."""
    if is_empty(exposed):
        return
    row = rows[victim]
    discs = 0
    worst = 0
    for height in range(1, TALLEST + 1):
        count = size(both(exposed, read(state.tall, height)))
        discs += height * count
        if count:
            worst = height
    row[Feature.EXPOSED] += size(exposed)
    row[Feature.EXPOSED_DISCS] += discs
    row[Feature.EXPOSED_WORST] = max(row[Feature.EXPOSED_WORST], worst)
    rows[player, Feature.PREY] += size(exposed)
    if has(exposed, int(state.emperor[victim])):
        row[Feature.EXPOSED_EMPEROR] = 1
        rows[player, Feature.PREY_EMPEROR] = 1
    if size(read(state.own, victim)) == 1:
        row[Feature.EXPOSED_LAST] = 1


@helper
def count_few(row: np.ndarray) -> None:
    """Write how few stacks a player has."""
    stacks = row[Feature.HEIGHT_1] + row[Feature.HEIGHT_2] + row[Feature.HEIGHT_3] + row[Feature.HEIGHT_4]
    row[Feature.FEW_STACKS] = max(5 - stacks, 0)
    row[Feature.LAST_STACK] = 1 if stacks == 1 else 0


_MOST = 20.0
_SQUARINGS = 10

FIRST_UNITS = 32
"""Units of the first layer of the network."""
SECOND_UNITS = 32
"""Units of the second layer."""
UNIT = 1024
"""The network has whole numbers, of which so many stand for 1: every machine computes the same sums."""
COARSE_BITS = 4
"""Bits of UNIT that the second layer does not see, so that its sums have room in 32 bits."""
MOST_WEIGHT = (1 << 13) - 1
"""Neither the second layer's weights nor what it sees of a unit are larger."""

NETWORK = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("inputs", np.int16, (2 * FIRST_UNITS, COLUMNS)),
                ("bias", np.int32, (FIRST_UNITS,)),
                ("second", np.int16, (SECOND_UNITS, COLUMNS)),
                ("second_bias", np.int32, (SECOND_UNITS,)),
                ("output", np.int32, (SECOND_UNITS,)),
            ],
            align=True,
        ),
    )
)
"""The network for a number of players: two hidden layers, and a player's strength.

inputs: the weights of the player's own features in each unit of the first layer, then those of the average of
the other players' features. second: the weights of the first layer in each unit of the second one.
"""


@helper
def evaluate(
    board: np.record,
    state: np.record,
    work: np.record,
    sets: np.ndarray,
    rows: np.ndarray,
    sums: np.ndarray,
    network: np.record,
    chances: np.ndarray,
) -> bool:
    """Write each player's chance to win. Returns whether the game is over, and so the chances are certain.

    The network gives each player's strength; the chances are their softmax. sums: int32[MOST_PLAYERS + 1,
    2 * FIRST_UNITS], scratch; network: a record of NETWORK; chances: float64[MOST_PLAYERS].
    """
    for player in range(MOST_PLAYERS):
        chances[player] = 0.0
    if state.phase == Phase.OVER:
        share(int(state.winners), chances)
        return True
    describe(board, state, work, sets, rows)
    players = int(board.players)
    for player in range(players):
        add_inputs(network, rows, sums, player)
    for unit in range(FIRST_UNITS):
        added = 0
        for player in range(players):
            added += sums[player, FIRST_UNITS + unit]
        sums[MOST_PLAYERS, unit] = added
    strongest = -np.inf
    for player in range(players):
        chances[player] = strength_of(network, rows, sums, player, players)
        strongest = max(strongest, chances[player])
    whole = 0.0
    for player in range(players):
        chances[player] = power(chances[player] - strongest)
        whole += chances[player]
    for player in range(players):
        chances[player] /= whole
    return False


@helper
def add_inputs(network: np.record, rows: np.ndarray, sums: np.ndarray, player: int) -> None:
    """Write what a player's features add to each unit. Sums of 64 bits would take three times as long."""
    for unit in range(2 * FIRST_UNITS):
        total: Any = 0
        for column in range(COLUMNS):
            total += np.int32(network.inputs[unit, column]) * np.int32(rows[player, column])
        sums[player, unit] = total


@helper
def strength_of(network: np.record, rows: np.ndarray, sums: np.ndarray, player: int, players: int) -> float:
    """Return a player's strength, from what all players add to the first layer.

    Overwrites the player's rows, as the CPU is quickest at sums of products of 16 bits.
    """
    others = players - 1
    for unit in range(FIRST_UNITS):
        added = others * (network.bias[unit] + sums[player, unit])
        value = np.int32(added + sums[MOST_PLAYERS, unit] - sums[player, FIRST_UNITS + unit])
        rows[player, unit] = min(max(value, np.int32(0)) >> np.int32(COARSE_BITS), np.int32(MOST_WEIGHT))
    for unit in range(SECOND_UNITS):
        total: Any = 0
        for column in range(COLUMNS):
            total += np.int32(network.second[unit, column]) * np.int32(rows[player, column])
        sums[player, unit] = total
    strength: Any = 0
    for unit in range(SECOND_UNITS):
        value = np.int32(sums[player, unit] + others * network.second_bias[unit])
        strength += np.int64(network.output[unit]) * np.int64(max(value, np.int32(0)))
    return float(strength / (others * UNIT * UNIT * (UNIT >> COARSE_BITS)))


@helper
def share(winners: int, chances: np.ndarray) -> None:
    """Write 1 for the winner, equal shares for several. winners: bit set of seats."""
    count = 0
    for player in range(MOST_PLAYERS):
        count += (winners >> player) & 1
    for player in range(MOST_PLAYERS):
        chances[player] = 1.0 / count if (winners >> player) & 1 else 0.0


@helper
def power(exponent: float) -> float:
    """Return an approximation of exp made of products alone, so that every machine gives the same bits."""
    value = 1.0 + max(-_MOST, min(_MOST, exponent)) / (1 << _SQUARINGS)
    for _ in range(_SQUARINGS):
        value *= value
    return value


_FILE = "network.json"


@cache
def network_for(players: int) -> np.ndarray[Any, Any]:
    """Return the network for a number of players, NETWORK[1]."""
    return read_networks(files(__package__).joinpath(_FILE).read_text("utf-8"))[players]


def read_networks(text: str) -> dict[int, np.ndarray[Any, Any]]:
    """Read networks: number of players -> NETWORK[1]. Raises PositionError naming the key."""
    value = json.loads(text)
    return {players: _network(value, players) for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)}


def _network(value: Json, players: int) -> np.ndarray[Any, Any]:
    """Return the network for a number of players."""
    network = np.zeros(1, NETWORK)
    for part, weights in _parts(network[0]).items():
        try:
            row = [index(it) for it in value["networks"][str(players)][part]]
            weights[:] = np.array(row, weights.dtype).reshape(weights.shape)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            key = f"networks.{players}.{part}"
            raise PositionError("a weight is missing or no whole number in range", key=key) from error
    return network


def write_networks(networks: dict[int, np.ndarray[Any, Any]], made: dict[str, Any]) -> str:
    """Write networks as JSON. made: how they were trained."""
    written = {
        str(players): {part: weights.ravel().tolist() for part, weights in _parts(network[0]).items()}
        for players, network in networks.items()
    }
    return json.dumps({"made": made, "networks": written}) + "\n"


def _parts(network: np.record) -> dict[str, np.ndarray[Any, Any]]:
    """Return views of a network's parts; the weights of a feature have its name."""
    inputs = {feature.name.lower(): network["inputs"][:, feature] for feature in Feature}
    layers = {part: network[part] for part in ("bias", "second_bias", "output")}
    return inputs | layers | {"second": network["second"][:, :FIRST_UNITS]}
