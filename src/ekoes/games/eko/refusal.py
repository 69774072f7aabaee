"""Why an action is not possible, told by rule number in words (``why_not``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ekoes.games.contract import Refusal
from ekoes.games.eko.action import (
    Action,
    Build,
    End,
    March,
    Moon,
    Move,
    Place,
    Ransom,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)
from ekoes.games.eko.board import HIGHEST_LEVEL
from ekoes.games.eko.outcome import judge
from ekoes.games.eko.refusal_texts import RULE, TEXT
from ekoes.games.eko.rules.record import (
    MARCH_PRICE,
    MOON_PRICE,
    SANDTEMPLE_PRICE,
    SUPPLY,
    TALLEST,
    Phase,
    Whereabouts,
)
from ekoes.games.eko.tiles import Terrain
from ekoes.games.eko.ways import Ways, is_in_order

if TYPE_CHECKING:
    from ekoes.games.eko.state import EkoState, Stack

__all__ = ["explain", "refusal"]

_ASKED: dict[type[Action], frozenset[Phase]] = {
    Swap: frozenset({Phase.SWAP}),
    Place: frozenset({Phase.PLACE}),
    SandTemple: frozenset({Phase.ACTION}),
    Move: frozenset({Phase.ACTION, Phase.SECOND}),
    Build: frozenset({Phase.ACTION, Phase.SECOND}),
    March: frozenset({Phase.AFTER}),
    Reinforce: frozenset({Phase.AFTER, Phase.REINFORCE}),
    Moon: frozenset({Phase.AFTER, Phase.REINFORCE}),
    Ransom: frozenset({Phase.RANSOM}),
    End: frozenset({Phase.ACTION, Phase.AFTER, Phase.REINFORCE, Phase.SECOND}),
}

_ASKS: dict[Phase, str] = {
    Phase.SWAP: "E12.1",
    Phase.PLACE: "E12.1",
    Phase.ACTION: "E12.2",
    Phase.AFTER: "E12.3",
    Phase.SECOND: "E12.4",
    Phase.REINFORCE: "E12.5",
    Phase.RANSOM: "E12.7",
}
"""The rule that says what a phase asks for."""

_ORDER = {Phase.SWAP: "E3.3", Phase.PLACE: "E3.4"}
"""The rule that says who decides in the set-up, where E4.1 does not hold yet."""

_RULE_FOR: dict[tuple[str, type[Action]], str] = {
    ("not-your-stack", Build): "E6.1",
    ("not-your-stack", Reinforce): "E8.2",
    ("no-emperor-in-stack", Move): "E10.2",
}
"""What is broken by another rule where another action breaks it."""


def refusal(code: str, rule: str | None = None) -> Refusal:
    """Return the refusal of a code with its rule (None: the usual one) and its English sentence."""
    return Refusal(code, rule or RULE[code], TEXT[code])


def explain(position: EkoState, seat: int, action: Action, legal: Sequence[Action]) -> Refusal:
    """Return the first rule that an illegal action breaks. legal: what the seat may do."""
    phase = position.phase
    if phase == Phase.OVER:
        return refusal("game-over", judge(position).rule)
    if (seat,) != position.actors():
        return (
            refusal("ransom-first") if phase == Phase.RANSOM else refusal("not-your-turn", _ORDER.get(phase))
        )
    if phase not in _ASKED[type(action)]:
        used = isinstance(action, March) and position.record.marched
        return refusal("march-used") if used else refusal("wrong-phase", _asks(position))
    code = next(_Case(position, seat, legal).broken(action))
    return refusal(code, _RULE_FOR.get((code, type(action))))


def _asks(position: EkoState) -> str:
    """Return the rule that says what is asked for now."""
    has_begun = position.record.n_placed or position.record.moon_used
    return "E12.6" if position.phase == Phase.REINFORCE and has_begun else _ASKS[position.phase]


class _Case:
    """One position before the judge; each method yields the codes of what an action breaks."""

    def __init__(self, position: EkoState, seat: int, legal: Sequence[Action]) -> None:
        self.position = position
        self.legal = legal
        self.seat = seat
        self.record = position.record
        self.layout = position.layout
        self.stacks = position.stacks()
        self.buildings = position.buildings()
        self.reserve = int(self.record.reserve[seat])
        self.emperor = int(position.emperor_in_reserve(seat))

    def broken(self, action: Action) -> Iterator[str]:
        for name in ("space", "source", "target", "site"):
            space = getattr(action, name, None)
            if space is not None and space not in self.layout.index:
                yield "no-such-space"
        yield from _BROKEN_BY[type(action)](self, action)

    # set-up

    def broken_by_swap(self, _action: Swap) -> Iterator[str]:
        yield "swap-not-own-disc"

    def broken_by_place(self, action: Place) -> Iterator[str]:
        if action.space in self.stacks or self.terrain(action.space) is not Terrain.SAND:
            yield "place-occupied"
        if not action.emperor and self.record.whereabouts[self.seat] == Whereabouts.UNPLACED:
            yield "place-emperor-last"
        yield "place-no-disc"

    # actions

    def broken_by_move(self, move: Move) -> Iterator[str]:
        stack = self.stacks.get(move.source)
        if stack is None or stack.owner != self.seat:
            yield "not-your-stack"
            return
        if not self.terrain(move.target).is_walkable:
            yield "not-a-movement-space"
        yield from self.broken_by_way(move)
        yield from self.broken_by_loss(move, stack)
        yield from self.broken_by_meeting(move, stack)

    def broken_by_way(self, move: Move) -> Iterator[str]:
        if not is_in_order(move.zones):
            yield "zones-order"
        ways = Ways(self.position, move.source, self.legal)
        prices = ways.prices(move.target)
        if not prices and move.source == move.target:
            yield "same-space"
        if not prices:
            yield "no-discs-left" if ways.lead_to(move.target) else "no-path"
        if frozenset(move.zones) not in prices:
            yield "own-zones"

    def broken_by_loss(self, move: Move, stack: Stack) -> Iterator[str]:
        if move.emperor_lost and not stack.emperor:
            yield "no-emperor-in-stack"
        if move.emperor_lost and not move.zones:
            yield "no-disc-lost"
        if stack.emperor and not move.emperor_lost and len(move.zones) == stack.height:
            yield "emperor-must-be-lost"

    def broken_by_meeting(self, move: Move, stack: Stack) -> Iterator[str]:
        if stack.height == len(move.zones):
            yield "no-discs-left"
        met = self.stacks.get(move.target)
        yield "too-high" if met is not None and met.owner == self.seat else "too-weak"

    def broken_by_build(self, build: Build) -> Iterator[str]:
        stack = self.stacks.get(build.source)
        if stack is None or stack.owner != self.seat:
            yield "not-your-stack"
            return
        highest = HIGHEST_LEVEL.get(self.terrain(build.site), 0)
        if highest == 0:
            yield "not-a-site"
        if not self.is_next_to(build.source, build.site):
            yield "not-adjacent"
        if highest < build.kind.level:
            yield "terrain-too-weak"
        owner, level = self.buildings.get(build.site, (self.seat, 0))
        steps = {level + 1} if owner == self.seat else {level, level + 1}
        if build.kind.level not in steps:
            yield "kind-order"
        built = [item for item in self.buildings.values() if item == (self.seat, build.kind.level)]
        if len(built) == SUPPLY[build.kind.level]:
            yield "no-supply"
        cost = build.kind.level + (owner != self.seat)
        if stack.height < cost:
            yield "too-few-discs"
        yield "no-emperor-in-stack" if build.emperor else "emperor-must-be-spent"

    def broken_by_march(self, _action: March) -> Iterator[str]:
        if self.record.marched:
            yield "march-used"
        if self.reserve < MARCH_PRICE:
            yield "march-reserve"
        yield "march-no-action"

    def broken_by_sandtemple(self, _action: SandTemple) -> Iterator[str]:
        if not self.has_temple(Terrain.SANDTEMPLE):
            yield "sandtemple-no-building"
        if self.record.sandtemple_used:
            yield "sandtemple-used"
        if self.reserve < SANDTEMPLE_PRICE:
            yield "sandtemple-reserve"
        yield "sandtemple-target"

    def broken_by_ransom(self, _action: Ransom) -> Iterator[str]:
        yield "ransom-not-held"

    # reinforcement

    def broken_by_reinforce(self, action: Reinforce) -> Iterator[str]:
        stack = self.stacks.get(action.space)
        if stack is None:
            yield "reinforce-empty-space"
            return
        if stack.owner != self.seat:
            yield "not-your-stack"
        placed = self.record.placed[: self.record.n_placed].tolist()
        if placed and not self.has_temple(Terrain.WIND):
            yield "one-stack-only"
        if self.layout.index[action.space] in placed:
            yield "already-reinforced"
        if stack.height + action.count > TALLEST:
            yield "reinforce-too-high"
        if self.terrain(action.space) is Terrain.TEMPEST and not self.position.ignores_tempests:
            yield "on-tempest"
        ordinary = [way for way in self.legal if isinstance(way, Reinforce)]
        if self.is_near_enemy_building(action.space):
            alone = any(self.is_near_enemy_building(way.space) for way in ordinary)
            yield "emperor-alone" if alone else "near-enemy-building"
        if action.emperor > self.emperor or action.count - action.emperor > self.reserve:
            yield "reserve-too-small"
        if action.count < 1:
            yield "must-reinforce"
        yield "emperor-first"

    def broken_by_moon(self, action: Moon) -> Iterator[str]:
        if not self.has_temple(Terrain.MOON):
            yield "moon-no-building"
        if self.record.moon_used:
            yield "moon-used"
        ordinary = MOON_PRICE + (not action.emperor)
        if self.reserve < ordinary or action.emperor > self.emperor:
            yield "moon-reserve"
        yield "moon-space"

    def broken_by_end(self, _action: End) -> Iterator[str]:
        if self.position.phase in {Phase.ACTION, Phase.SECOND}:
            yield "must-act"
        begun = self.record.n_placed or self.record.moon_used
        yield "must-bring-emperor" if begun and self.emperor else "must-reinforce"

    # what is where

    def terrain(self, space: Space) -> Terrain:
        return self.layout.terrain[self.layout.index[space]]

    def is_next_to(self, one: Space, other: Space) -> bool:
        return self.layout.index[other] in self.layout.neighbours[self.layout.index[one]]

    def is_near_enemy_building(self, space: Space) -> bool:
        return any(
            owner != self.seat and self.is_next_to(space, site) for site, (owner, _) in self.buildings.items()
        )

    def has_temple(self, terrain: Terrain) -> bool:
        return any(
            owner == self.seat and self.terrain(site) is terrain
            for site, (owner, _) in self.buildings.items()
        )


_BROKEN_BY: dict[type[Action], Callable[[_Case, Any], Iterator[str]]] = {
    Swap: _Case.broken_by_swap,
    Place: _Case.broken_by_place,
    SandTemple: _Case.broken_by_sandtemple,
    Move: _Case.broken_by_move,
    Build: _Case.broken_by_build,
    March: _Case.broken_by_march,
    Reinforce: _Case.broken_by_reinforce,
    Moon: _Case.broken_by_moon,
    Ransom: _Case.broken_by_ransom,
    End: _Case.broken_by_end,
}
