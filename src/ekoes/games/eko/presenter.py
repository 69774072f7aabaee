"""Shows a game of Ekö at a table: board, players, legal actions, the effects of a decision.

Also the steps that compile the kernels which tables need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from operator import sub
from typing import Any

import numpy as np

from ekoes.errors import PositionError
from ekoes.games.api.contract import Json, Turn
from ekoes.games.api.reading import read_options
from ekoes.games.api.table import fields_about
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import (
    BUILDINGS,
    Action,
    Build,
    End,
    March,
    Moon,
    Move,
    Reinforce,
    SandTemple,
    Space,
    Swap,
    action_to_json,
    format_action,
)
from ekoes.games.eko.position.layout import Layout, standard_centres
from ekoes.games.eko.position.position import EkoPosition, decode, encode
from ekoes.games.eko.position.setup import EkoOptions
from ekoes.games.eko.position.state import STACKS, Stack, StateView
from ekoes.games.eko.position.tiles import VARIANTS
from ekoes.games.eko.rules.board import Terrain
from ekoes.games.eko.rules.code import ZONE_COUNT_SHIFT
from ekoes.games.eko.rules.entry_points import find_effect, trace_paths
from ekoes.games.eko.rules.export import Effect
from ekoes.games.eko.rules.record import (
    FEWEST_PLAYERS,
    LEVELS,
    MOST_PLAYERS,
    NO_SPACE,
    Phase,
    Whereabouts,
)
from ekoes.games.kernels.bits import EMPTY, words_of


class EkoPresenter:
    """The presenter of tables of Ekö."""

    def about(self) -> Json:
        """Describe the options of a table."""
        options = fields_about(EkoOptions, besides={"players"})
        chosen = {"variants": options["variants"]["values"], "setups": options["setup"]["values"]}
        return {"players": [FEWEST_PLAYERS, MOST_PLAYERS], **chosen, "options": options}

    def settings(self, options: Mapping[str, Any]) -> Json:
        """Check the options and return them complete. Raises PositionError naming the key."""
        try:
            value = read_options(EkoOptions, options).model_dump(mode="json", exclude_none=True)
        except ValueError as error:
            raise PositionError("nested too deeply", code="position/options", key="options") from error
        return value | {"variants": [variant for variant in VARIANTS if variant in value["variants"]]}

    def turn(self, position: EkoPosition) -> Turn:
        """Return the turn of the next decision (E4.1); number 0 in the set-up."""
        return position.plain.turn

    def identity(self, position: EkoPosition) -> bytes | None:
        """Return the digest for E11.6; None in the set-up, which has no turns."""
        return position.digest() if position.plain.number else None

    def can_hold(self, position: EkoPosition) -> bool:
        """Return whether a decision may be held: not in the placements of the draft (E3.4)."""
        return position.plain.phase != Phase.PLACE

    def least(self, position: EkoPosition, seat: int) -> Action:
        """Return the legal decision that changes least, the first of several in the order of E12.

        If possible, it changes no points and leaves an Emperor on the board; then the fewest discs count.
        """
        actions = sorted(position.legal(seat), key=partial(_discs_touched, position))
        harm = partial(_harm, position, seat)
        return next((action for action in actions if not any(harm(action))), None) or min(actions, key=harm)

    def board(self, position: EkoPosition) -> Json:
        """Describe the layout: spaces in the order of E2.6, tiles, portals, signs."""
        return board_of(position.layout)

    def merits(self, position: EkoPosition) -> tuple[int, ...]:
        """Return the players' points (E11.1); players without a disc on the board come after all others."""
        view = position.plain
        return tuple([points if discs else -1 for points, discs in zip(view.points, view.discs, strict=True)])

    def choices(self, position: EkoPosition, seat: int) -> None:
        """List nothing: the page has the rules."""

    def actions(self, position: EkoPosition, seat: int) -> Iterator[Json]:
        """Yield the legal actions of a seat in the interchange form, moves that cost discs last."""
        if (seat,) != position.plain.actors:
            return
        for code in sorted(position.codes.tolist(), key=lambda code: code >> ZONE_COUNT_SHIFT > 0):  # E10.2
            yield action_to_json(decode(code, position.layout))

    def describe(self, position: EkoPosition, action: Action, after: EkoPosition) -> Json:
        """Describe a legal action and its effects. after: the resulting position.

        Returns: ``notation``, ``effect`` (its ``Effect``), and, where they apply, ``path`` (of a move),
        ``height`` (discs afterwards on the action's space), ``lost`` (discs lost to tempests), ``cost``
        (discs spent or removed), ``met`` (the enemy stack before the action), ``razed`` (the enemy building
        that was replaced), ``freed`` (the owners of the Emperors freed in an exchange, E5.7) and ``points``
        (each seat's gain or loss, the exchange included; E11.1).
        """
        was, now, index = position.plain, after.plain, position.layout.index
        value: Json = {"notation": format_action(action, position), "effect": effect_of(position, action)}
        met = None
        if isinstance(action, Move):
            value["path"] = _path(position, action)
            met = _enemy(was, index[action.target])
        elif isinstance(action, SandTemple):
            met = _enemy(was, index[action.space])
        value |= _discs(was, action, now, index)
        if isinstance(action, Build) and value["effect"] == "replace":
            owner, level = divmod(was.buildings[index[action.site]], LEVELS + 1)
            value["razed"] = {"owner": owner, "kind": BUILDINGS[level - 1].value}
        if met is not None:
            value["met"] = {"owner": met.owner, "height": met.height, "emperor": met.emperor}
        if freed := _freed(was, met, now):
            value["freed"] = freed
        if now.points != was.points:
            value["points"] = list(map(sub, now.points, was.points))
        return value


PRESENTER = EkoPresenter()


def _harm(position: EkoPosition, seat: int, action: Action) -> tuple[bool, int, int]:
    """Return whether a seat's Emperor leaves the board, the points it wins, and all points that change."""
    was, now = position.plain, position.play(seat, action).plain
    points = list(map(sub, now.points, was.points))
    is_emperor_gone = was.emperor[seat] != NO_SPACE and now.emperor[seat] == NO_SPACE
    return is_emperor_gone, max(points[seat], 0), sum(map(abs, points))


def _discs_touched(position: EkoPosition, action: Action) -> tuple[bool, int]:
    """Return whether the own Emperor moves, and how many discs a decision moves, takes, brings or spends."""
    match action:
        case Move(source=source, target=target, zones=zones):
            index, stacks = position.layout.index, position.plain.stacks
            moved, met = (STACKS[stacks.get(index[space], 0)] for space in (source, target))
            return moved.emperor, moved.height + met.height + len(zones)
        case Build(kind=kind, emperor=emperor):
            return emperor, kind.level
        case Reinforce(count=count):
            return False, count
        case Swap(space=space):
            return space is not None, 0
        case March() | Moon() | SandTemple():
            return False, 3
        case _:
            return False, 0


@lru_cache(maxsize=64)
def board_of(layout: Layout) -> Json:
    """Describe a layout, see ``EkoPresenter.board``."""
    names = layout.coordinates
    zone_of = {space: names[zone[0]] for zone in layout.zones for space in zone}
    return {
        "spaces": [_space(layout, number, zone_of.get(number)) for number in range(len(names))],
        "tiles": layout.to_json(),
        "portals": [
            {"space": names[portal], "direction": direction, "front": names[front]}
            for portal, direction, front in layout.portals
        ],
        **{
            sign.plural: [[names[space] for space in spaces] for spaces in found]
            for sign, found in layout.signs.items()
        },
    }


def _space(layout: Layout, number: int, zone: str | None) -> Json:
    space, terrain = layout.spaces[number], layout.terrain[number]
    value: Json = {
        "space": layout.coordinates[number],
        "name": layout.names.write(space),
        "q": space.q,
        "r": space.r,
        "terrain": terrain.word,
        "tile": layout.tile_of[number],
    }
    if zone is not None:
        value["zone"] = zone
    if terrain is Terrain.CAPITAL:
        value["capital"] = True
    return value


EFFECTS = tuple(effect.name.lower() for effect in Effect)


def effect_of(position: EkoPosition, action: Action) -> str:
    """Return the effect of a legal action, the name of an ``Effect``."""
    return EFFECTS[find_effect(position.states, encode(action, position.layout))]


def _path(position: EkoPosition, move: Move) -> list[str]:
    """Return the spaces of a shortest path through exactly the zones of a move (E5.1)."""
    layout = position.layout
    index, names = layout.index, layout.coordinates
    source, target, zones = index[move.source], index[move.target], [*map(index.__getitem__, move.zones)]
    wanted = np.array([words_of(zones) if zones else EMPTY], np.uint64)
    nodes: list[list[int]] = trace_paths(layout.record, position.states, source, target, wanted).tolist()
    if nodes[-1][0] != target:
        return [names[source], names[target]]
    path = []
    node = len(nodes) - 1
    while node >= 0:
        space, node, _ = nodes[node]
        path.append(names[space])
    path.reverse()
    return path


def _discs(was: StateView, action: Action, now: StateView, index: Mapping[Space, int]) -> Json:
    """Return the number of discs on the action's space afterwards, and the discs it cost."""
    match action:
        case Move(target=space, zones=zones):
            return {"height": _height(now, index[space])} | ({"lost": len(zones)} if zones else {})
        case Build(source=space):
            left = _height(now, index[space])
            return {"height": left, "cost": _height(was, index[space]) - left}
        case Reinforce(space=space):
            return {"height": _height(now, index[space])}
        case March() | Moon() | SandTemple():
            return {"cost": now.removed[was.player] - was.removed[was.player]}
        case _:
            return {}


def _height(view: StateView, space: int) -> int:
    return STACKS[view.stacks.get(space, 0)].height


def _enemy(view: StateView, space: int) -> Stack | None:
    """Return the stack on a space if it is an enemy of the seat to move."""
    stack = STACKS[view.stacks.get(space, 0)]
    return stack if stack.height and stack.owner != view.actors[0] else None


def _freed(was: StateView, met: Stack | None, now: StateView) -> list[int]:
    """Return the seats whose captive or just captured Emperor is now in the reserve. Rule: E5.7."""
    freed = []
    for seat, where in enumerate(was.whereabouts):
        is_met = met is not None and met.emperor and met.owner == seat
        if (where == Whereabouts.CAPTIVE or is_met) and now.whereabouts[seat] == Whereabouts.RESERVE:
            freed.append(seat)
    return freed


_LAYOUT = [[name, q, r, 0] for name, (q, r) in zip("ABCDEFG", standard_centres(2), strict=True)]


def warm_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what compiles the kernels that tables need: descriptions and calls.

    No step needs another one, so that several processes can share them.
    """
    yield "random boards", lambda: EKO.new({"players": 2}, seed=1)
    yield "playing", _played
    yield "legal decisions", lambda: _first().why_not(0, _first().legal()[0])
    yield "reasons of refusals", lambda: _first().why_not(0, End())
    yield "paths of moves", lambda: _path(_first(), Move(Space(0, 0), Space(1, 0)))
    yield "effects of decisions", lambda: effect_of(_first(), Swap())


def later_steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what compiles the kernels that only some tables need: a first game does not wait for them."""
    yield "random boards with small tiles", lambda: EKO.new({"players": 2, "variants": ["wind"]}, seed=1)
    yield "reading positions", lambda: EKO.from_json(_played().to_json())
    yield "threats", lambda: _first().prospects(0)


def _first() -> EkoPosition:
    return EKO.new({"players": 2, "layout": _LAYOUT}, seed=1)


def _played() -> EkoPosition:
    """Play the set-up."""
    position = _first()
    while position.turn_number == 0:
        position = position.play_code(encode(Swap(), position.layout))  # to swap nothing is always legal
    position.points(0)
    return position
