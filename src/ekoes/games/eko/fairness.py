"""Judges how fair a board is: distances and symmetry, games of quick bots, and a verdict (E2, E3).

The verdict's rule and the reasons for its limits: docs/reference/fairness.md. ::

  board, n ─▶ play_deal(n) ─▶ Tally ─┐
              play_deal(m) ─▶ Tally ─┴▶ report ─▶ verdict, chances, distances, heat
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from statistics import fmean, median
from typing import Any, Literal, NamedTuple

import numpy as np

from ekoes.errors import PositionError
from ekoes.games.api.chance import Chance, wilson_interval
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import WIN, Named
from ekoes.games.eko.bots.levels import BEGINNER, SKILLED
from ekoes.games.eko.bots.one_turn import GREEDY
from ekoes.games.eko.game import EKO, TURN_LIMIT
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import EkoPosition, encode
from ekoes.games.eko.position.setup import deal
from ekoes.games.eko.rules.board import HIGHEST_LEVEL, Terrain
from ekoes.games.eko.rules.code import SPACE_MASK, TARGET_SHIFT, TYPE_MASK, ActionType
from ekoes.games.eko.rules.record import FEWEST_PLAYERS, SPACES, Phase
from ekoes.games.eko.svg import position_svg

Board = Layout | EkoPosition
"""The subject of the judgement: a board on which discs are dealt for each game, or one deal."""
Pool = Callable[[Any, Iterable[int]], Iterator[Any]]
"""A pool of workers, as of ``ekoes.arena.pool``."""
Choose = Callable[[EkoPosition, int, Chance], Action]
Verdict = Literal["fair", "unfair", "unclear"]

VERSION = 2
"""The version of the judgement, raised whenever equal arguments could give another report."""
MOST_OFF = 1 / 5
"""How far a share of the wins may be from an equal share, as a part of the equal share."""
MOST_APART = 1.25
"""How many steps further from the nearest capital than another seat a seat may start, on average."""
GAMES = 1200
"""The default number of games; they take about 30 s on two cores."""

LEVELS: dict[str, Choose] = {
    "beginner": BEGINNER.choose,
    "greedy": GREEDY.choose,
    "skilled": lambda position, seat, chance: SKILLED.think(
        position, seat, chance, iterations=SKILLED.iterations
    ),
}
"""The levels that play quickly enough, and always alike with equal chance."""
LEVEL = "greedy"
_DEALS = 200
"""Deals over which distances are averaged."""
_NEAR = (3, 6)
"""Steps within which construction spaces are counted."""
HEAT = ("occupied", "attacked", "built")


def read_board(value: object) -> Board:
    """Read a list of placed tiles, or a position before the first turn, of which a draft is a bare board.

    Raises: LayoutError, PositionError, NotationError naming the key.
    """
    if isinstance(value, list):
        return Layout(_players_for(value), value)
    position = EKO.from_json(value)
    if position.phase == Phase.PLACE:
        return position.layout
    if position.phase != Phase.SWAP:
        raise PositionError("a board is judged before the first turn", key="turn.phase")
    return position


def _players_for(tiles: list[Any]) -> int:
    """Return the number of players whose large tiles these are, as far as the names say."""
    names = {tile[0] for tile in tiles if isinstance(tile, list) and tile and isinstance(tile[0], str)}
    return 4 if names & set("KLM") else 3 if names & set("HIJ") else FEWEST_PLAYERS


@cache
def named_layouts() -> tuple[Named, ...]:
    """Return the named layouts, which ``tools/layouts.py`` makes with their reports."""
    text = files("ekoes.games.eko").joinpath("layouts.json").read_text("utf-8")
    return tuple(Named(**one) for one in json.loads(text))


def draw_layout(layout: Named) -> str:
    """Return a picture of a named layout as SVG."""
    return position_svg(Layout(layout.players, layout.tiles))


# ---------------------------------------------------------------- games


class Played(NamedTuple):
    """The result of a game. first: the seat that began."""

    first: int
    winners: tuple[int, ...]
    turns: int


@dataclass(slots=True)
class Tally:
    """The results of games.

    heat: int64[3, SPACES], for each space the turns at whose begin it was occupied, attacks and buildings on
    it.
    """

    results: list[Played] = field(default_factory=list)
    heat: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros((len(HEAT), SPACES), np.int64))

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.results)

    def add(self, other: Tally) -> None:
        """Add more games."""
        self.results += other.results
        self.heat += other.heat


def play_deal(board: Board, n: int, seed: int, level: str = LEVEL) -> Tally:
    """Play the n-th deal once with each player as the first; equal arguments give equal games."""
    tally = Tally()
    for first in range(board.players):
        chance = Chance(seed)
        chance = Chance(chance.bits() + n)
        if isinstance(board, Layout):
            _play(deal(board, first, chance), LEVELS[level], chance, tally)
        else:
            states = board.states.copy()
            states["first"] = states["player"] = first
            # The games of one deal differ by their first turns.
            _play(EkoPosition(board.layout, states), LEVELS[level], chance, tally, BEGINNER.choose)
    return tally


def _play(
    position: EkoPosition, choose: Choose, chance: Chance, tally: Tally, opening: Choose | None = None
) -> None:
    """Play a game to its end. opening: chooses until each player has had a turn."""
    (first,) = position.actors()
    turn, seen = 0, Counter[bytes]()
    while (outcome := position.outcome()) is None and position.turn_number <= TURN_LIMIT:
        if position.turn_number != turn:
            turn = position.turn_number
            tally.heat[0] += _bits(position).any(axis=0)
            digest = position.digest()
            seen[digest] += 1
            if seen[digest] == EKO.table_ends.repetitions:  # E11.6
                break
        (seat,) = position.actors()
        chosen = opening if opening is not None and turn <= position.players else choose
        code = encode(chosen(position, seat, chance), position.layout)
        target = code >> TARGET_SHIFT & SPACE_MASK
        match code & TYPE_MASK:
            case ActionType.MOVE:
                owners = _bits(position)[:, target]
                tally.heat[1, target] += owners.any() and not owners[seat]
            case ActionType.BUILD:
                tally.heat[2, target] += 1
        position = position.play_code(code)
    tally.results.append(Played(first, () if outcome is None else outcome.winners, turn))


def _bits(position: EkoPosition) -> np.ndarray[Any, Any]:
    """Return which player's stack stands where: uint8[MOST_PLAYERS, SPACES]."""
    own = np.ascontiguousarray(position.states["own"][0]).astype("<u8")
    return np.unpackbits(own.view(np.uint8), axis=-1, bitorder="little")


def examine(
    board: Board, games: int, seed: int, level: str, pool: Pool, advance: Callable[[int], None]
) -> Json:
    """Return the report of games. games: rounded up to whole deals. advance: called with games played."""
    tallies = []
    for one in pool(partial(play_deal, board, seed=seed, level=level), range(deals_for(board, games))):
        tallies.append(one)
        advance(one.games)
    return report(board, tallies, seed, level)


def deals_for(board: Board, games: int) -> int:
    """Return how many deals give at least so many games."""
    return -(-games // board.players)


# ---------------------------------------------------------------- distances and symmetry


def _steps_to(layout: Layout, targets: Sequence[int]) -> list[int]:
    """Return the steps from each space to the nearest of some spaces; -1 for those without a path."""
    steps = [-1] * len(layout.spaces)
    for target in targets:
        steps[target] = 0
    queue = list(targets)
    for space in queue:
        for near in layout.steps[space]:
            if steps[near] < 0:
                steps[near] = steps[space] + 1
                queue.append(near)
    return steps


class _Distances:
    """The distances on a board, to places next to its capitals and construction spaces."""

    def __init__(self, layout: Layout) -> None:
        sites = [space for space, terrain in enumerate(layout.terrain) if HIGHEST_LEVEL[terrain]]
        self.capitals = [space for space in sites if layout.terrain[space] is Terrain.CAPITAL]
        self._layout = layout
        self._to_site = {
            site: _steps_to(layout, [near for near in layout.neighbours[site] if layout.steps[near]])
            for site in sites
        }
        self._near = [
            [sum(0 <= to[space] <= within for to in self._to_site.values()) for within in _NEAR]
            for space in range(len(layout.spaces))
        ]

    def measures(self, discs: Sequence[Sequence[int]]) -> Iterator[tuple[str, int | None, list[float]]]:
        """Yield each measure, the capital that it is about, and its value for each seat.

        discs: the spaces of each seat's discs. All are averages over the discs.
        """
        nearest = [
            min(self._to_site[site][space] for site in self.capitals) for space in range(len(self._near))
        ]
        yield "capital", None, [fmean(nearest[space] for space in own) for own in discs]
        for site in self.capitals if len(self.capitals) > 1 else ():
            yield "capital", site, [fmean(self._to_site[site][space] for space in own) for own in discs]
        for place, within in enumerate(_NEAR):
            yield f"sites{within}", None, [fmean(self._near[space][place] for space in own) for own in discs]
        to_others = [
            _steps_to(self._layout, [space for other in discs if other is not own for space in other])
            for own in discs
        ]
        yield (
            "opponents",
            None,
            [fmean(to[space] for space in own) for own, to in zip(discs, to_others, strict=True)],
        )


def _distances(board: Board, seed: int) -> list[Json]:
    """Return the measures for each seat, of a bare board from the least to the greatest of a deal on average.

    gap: by how much the greatest exceeds the least.
    """
    layout = board if isinstance(board, Layout) else board.layout
    distances, chance = _Distances(layout), Chance(seed)
    deals = [board] if isinstance(board, EkoPosition) else [deal(board, 0, chance) for _ in range(_DEALS)]
    found: dict[tuple[str, int | None], list[list[float]]] = {}
    for dealt in deals:
        for measure, site, values in distances.measures(_discs(dealt)):
            row = values if isinstance(board, EkoPosition) else sorted(values)
            found.setdefault((measure, site), []).append(row)
    return [
        {
            "measure": measure,
            **({} if site is None else {"site": str(layout.spaces[site])}),
            "seats": [round(fmean(column), 2) for column in zip(*rows, strict=True)],
            "gap": round(fmean(max(row) - min(row) for row in rows), 2),
        }
        for (measure, site), rows in found.items()
    ]


def _discs(position: EkoPosition) -> list[list[int]]:
    return [np.flatnonzero(row).tolist() for row in _bits(position)[: position.players]]


def _maps(layout: Layout, *, by_terrain: bool) -> Iterator[list[int]]:
    """Yield each rotation and reflection that maps a board to itself, as the image of each space.

    by_terrain: terrains have to fit, not the outline alone.
    """
    images = layout.images()
    index = {place: space for space, place in enumerate(images[0])}
    for image in images:
        mapped = [index.get(place, -1) for place in image]
        if all(
            space >= 0 and (not by_terrain or layout.terrain[space] is terrain)
            for space, terrain in zip(mapped, layout.terrain, strict=True)
        ):
            yield mapped


def _classes(board: Board) -> list[list[int]]:
    """Return the seats in groups that a symmetry of the board maps to each other.

    On a bare board that is all of them, as the discs are dealt.
    """
    if isinstance(board, Layout):
        return [list(range(board.players))]
    owners = _discs(board)
    classes: list[list[int]] = []
    maps = list(_maps(board.layout, by_terrain=True))
    for seat, discs in enumerate(owners):
        images = [sorted(to[space] for space in discs) for to in maps]
        known = next((group for group in classes if owners[group[0]] in images), None)
        if known is None:
            classes.append([seat])
        else:
            known.append(seat)
    return classes


# ---------------------------------------------------------------- the report


def report(board: Board, tallies: Iterable[Tally], seed: int, level: str = LEVEL) -> Json:
    """Return the report of a board.

    ``order``: of each place in the order of turns the share of the wins with its 95 % interval; of a deal
    also ``seats``. ``distances``: measures by seat. ``symmetries``: of the twelve rotations and reflections
    those that map terrain, and outline, to themselves; ``classes``: seats that these exchange. ``heat``: for
    each space how often it was ``occupied`` as a turn began (0 to 1), attacks and buildings in a game.
    """
    tally = Tally()
    for one in tallies:
        tally.add(one)
    layout = board if isinstance(board, Layout) else board.layout
    distances, turns = _distances(board, seed), [one.turns for one in tally.results]
    order = _shares(board.players, tally, by_place=True)
    seats = [] if isinstance(board, Layout) else _shares(board.players, tally, by_place=False)
    verdict, because = judge(board.players, [*order, *seats], distances)
    return {
        "players": board.players,
        "games": tally.games,
        "seed": seed,
        "level": level,
        "version": VERSION,
        "verdict": verdict,
        "because": because,
        "order": order,
        **({"seats": seats} if seats else {}),
        "drawn": sum(not one.winners for one in tally.results),
        "turns": {"median": median(turns), "least": min(turns), "most": max(turns)},
        "distances": distances,
        "symmetries": {
            "terrain": sum(1 for _ in _maps(layout, by_terrain=True)),
            "outline": sum(1 for _ in _maps(layout, by_terrain=False)),
        },
        "classes": _classes(board),
        "heat": _heat(layout, tally.heat, (max(1, sum(turns)), tally.games, tally.games)),
    }


def judge(players: int, shares: Sequence[Json], distances: Sequence[Json]) -> tuple[Verdict, str]:
    """Return the verdict, and what it is due to: ``wins`` or ``distances``."""
    least, most = (1 - MOST_OFF) / players, (1 + MOST_OFF) / players
    if any(one["high"] < least or one["low"] > most for one in shares):
        return "unfair", "wins"
    if distances[0]["gap"] > MOST_APART:
        return "unfair", "distances"
    if all(least <= one["low"] and one["high"] <= most for one in shares):
        return "fair", "wins"
    return "unclear", "wins"


def _shares(players: int, tally: Tally, *, by_place: bool) -> list[Json]:
    """Return the shares of the wins by seat, or by place in the order of turns.

    A shared win counts as its part, a game without a winner for all alike.
    """
    wins = [0] * players
    for first, winners, _ in tally.results:
        sharing = winners or range(players)
        for seat in sharing:
            wins[(seat - first) % players if by_place else seat] += WIN // len(sharing)
    shares = []
    for parts in wins:
        low, high = wilson_interval(parts / WIN, tally.games)
        share = round(parts / WIN / tally.games, 4)
        shares.append({"share": share, "low": round(low, 4), "high": round(high, 4)})
    return shares


def _heat(layout: Layout, heat: np.ndarray[Any, Any], units: Sequence[int]) -> Json:
    return {
        word: {
            str(layout.spaces[space]): round(int(count) / unit, 3) for space, count in enumerate(row) if count
        }
        for word, row, unit in zip(HEAT, heat, units, strict=True)
    }
