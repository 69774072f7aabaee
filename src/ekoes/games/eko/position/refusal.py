"""Explains why an action is illegal: the rule and one English sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from ekoes.games.api.contract import Refusal
from ekoes.games.eko.position.action import (
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
from ekoes.games.eko.position.state import judge
from ekoes.games.eko.position.tiles import connected_groups
from ekoes.games.eko.rules.board import HIGHEST_LEVEL, Terrain
from ekoes.games.eko.rules.record import (
    MARCH_PRICE,
    MOON_PRICE,
    SANDTEMPLE_PRICE,
    SUPPLY,
    TALLEST,
    Phase,
    Whereabouts,
)

if TYPE_CHECKING:
    from ekoes.games.eko.position.state import EkoState, Stack


REFUSALS: Final[dict[str, tuple[str, str]]] = {
    "not-your-turn": ("E4.1", "It is not your turn."),
    "game-over": ("E11.2", "The game is over."),
    "wrong-phase": ("E12.2", "That is not possible at this point of the turn."),
    "no-such-space": ("E2.1", "The board has no such space."),
    "not-your-stack": ("E5.1", "None of your stacks stands there."),
    "not-a-movement-space": ("E5.1", "Discs stand on movement spaces only."),
    "no-path": ("E5.1", "No free path leads there: stacks and other terrain stand in the way."),
    "same-space": ("E5.1", "A move has to end on a different space than it started on."),
    "too-high": ("E5.2", "Together the stacks would have more than 4 discs."),
    "too-weak": (
        "E5.3",
        (
            "This stack is too weak: it takes more discs, or as many with your Emperor, "
            "or one disc against four."
        ),
    ),
    "own-zones": ("E10.2", "These are not the tempest zones on a path to this space."),
    "zones-order": ("E10.2", "Each zone is named once, by its first space, in the order of the spaces."),
    "no-discs-left": ("E10.2", "The tempests would take the last disc before the stack arrives."),
    "no-disc-lost": ("E10.2", "No tempest takes a disc of this move, so the Emperor is not lost."),
    "no-emperor-in-stack": ("E6.4", "Your Emperor is not in this stack."),
    "emperor-must-be-spent": ("E6.4", "This spends the whole stack, so the Emperor goes with it."),
    "emperor-must-be-lost": ("E10.2", "The tempests take the whole stack, so the Emperor is lost with it."),
    "not-adjacent": ("E6.1", "This stack is not adjacent to that construction space."),
    "not-a-site": ("E1.5", "Nothing can be built there: it is not a construction space."),
    "terrain-too-weak": ("E6.2", "This terrain cannot carry such a building."),
    "kind-order": (
        "E6.2",
        (
            "On an empty space only an encampment, on your own building only the next higher "
            "kind, on an enemy’s the same or the next higher."
        ),
    ),
    "too-few-discs": ("E6.3", "This stack has too few discs to pay for that building."),
    "no-supply": ("E6.5", "You have no building of this kind left."),
    "march-used": ("E7.1", "Only one forced march per turn."),
    "march-reserve": ("E7.1", "A forced march takes 3 ordinary discs from your reserve."),
    "march-no-action": ("E7.1", "A forced march would leave you no action to take."),
    "reserve-too-small": ("E8.1", "Your reserve does not hold these discs."),
    "reinforce-empty-space": ("E8.2", "Reinforcements join one of your stacks, never an empty space."),
    "reinforce-too-high": ("E8.2", "The stack would be higher than 4 discs."),
    "one-stack-only": ("E8.2", "All reinforcements of a turn join a single stack."),
    "near-enemy-building": ("E8.3", "This stack stands next to an enemy building."),
    "on-tempest": ("E8.3", "A stack on a tempest cannot be reinforced."),
    "emperor-first": ("E8.4", "Your Emperor is in the reserve and has to be among the discs."),
    "emperor-alone": ("E8.5", "Next to an enemy building the Emperor comes back alone."),
    "already-reinforced": ("E12.6", "This stack has already been reinforced this turn."),
    "moon-no-building": ("E10.4", "You have no building on the Temple of the Moon."),
    "moon-used": ("E10.4", "The Temple of the Moon can be used once per turn."),
    "moon-reserve": (
        "E10.4",
        "The Temple of the Moon takes 2 ordinary discs from your reserve and places one more.",
    ),
    "moon-space": (
        "E10.4",
        "This disc goes on an empty movement space or on one of your stacks with fewer than 4 discs.",
    ),
    "sandtemple-no-building": ("E10.5", "You have no building on the Temple of the Sand."),
    "sandtemple-used": ("E10.5", "The Temple of the Sand can be used once per turn."),
    "sandtemple-reserve": ("E10.5", "The Temple of the Sand takes 2 ordinary discs from your reserve."),
    "sandtemple-target": ("E10.5", "The Temple of the Sand sends away an ordinary disc of an enemy stack."),
    "ransom-not-held": ("E5.7", "You do not hold this Emperor."),
    "ransom-first": ("E5.7", "Another player chooses first which captive to give back."),
    "swap-not-own-disc": ("E3.3", "The Emperor swaps with another of your discs."),
    "place-occupied": ("E3.4", "A disc is placed on an empty sand space."),
    "place-no-disc": ("E3.4", "You have no such disc left to place."),
    "place-emperor-last": ("E3.4", "Your last disc is the Emperor."),
    "must-act": ("E4.2", "An action is compulsory while one is possible."),
    "must-reinforce": ("E8.1", "You have to bring back at least one disc."),
    "must-bring-emperor": ("E8.4", "Your Emperor can come back, so it must."),
}
"""For each refusal code its rule, unless phase, action or outcome determine another one, and its sentence."""


_Zones = frozenset[Space]


def _is_in_order(zones: Sequence[Space]) -> bool:
    """Return whether each zone is named once, in the order of the spaces. Rule: E2.6, E10.2."""
    return list(zones) == sorted(set(zones), key=lambda space: (space.r, space.q))


class _Paths:
    """The paths of one stack of the player in turn. legal: that player's legal actions."""

    def __init__(self, position: EkoState, source: Space, legal: Iterable[Action]) -> None:
        self.layout = position.layout
        self.stacks = position.stacks()
        self.source = source
        self.ends = [
            (move.target, frozenset(move.zones))
            for move in legal
            if isinstance(move, Move) and move.source == source
        ]
        paid = (
            frozenset(range(len(self.layout.spaces)))
            if position.ignores_tempests
            else frozenset(position.plain.paid)
        )
        self.costs = {
            self.layout.spaces[space]: frozenset({self.layout.spaces[zone[0]]})
            for zone in self.layout.zones
            if zone[0] not in paid
            for space in zone
        }

    def prices(self, target: Space) -> set[_Zones]:
        """Return, for each path to the target, the zones that take a disc, whether or not the target is free.

        A stack on the target is attacked from an adjacent space where a path with discs left could have
        ended.
        """
        if target == self.source or target not in self.stacks:
            return {zones for end, zones in self.ends if end == target}
        height = self.stacks[self.source].height
        empty = [(end, zones) for end, zones in self.ends if end not in self.stacks]
        back = [(self.source, zones) for end, zones in empty if self._is_beside(end, self.source)]
        begin = (self.source, self._cost(self.source))
        return {
            zones | self._cost(target)
            for end, zones in (begin, *back, *empty)
            if len(zones) < height and self._is_beside(end, target)
        }

    def lead_to(self, target: Space) -> bool:
        """Return whether a free path leads to the target, ignoring discs lost to tempests."""
        index, steps = self.layout.index, self.layout.steps
        free = [number for space, number in index.items() if space not in self.stacks]
        around, *_ = connected_groups([index[self.source], *free], steps.__getitem__)
        return any(index[target] in steps[number] for number in around)

    def _cost(self, space: Space) -> _Zones:
        return self.costs.get(space, frozenset())

    def _is_beside(self, one: Space, other: Space) -> bool:
        index = self.layout.index
        return index[other] in self.layout.steps[index[one]]


_ASKS: dict[Phase, str] = {
    Phase.SWAP: "E12.1",
    Phase.PLACE: "E12.1",
    Phase.ACTION: "E12.2",
    Phase.AFTER: "E12.3",
    Phase.SECOND: "E12.4",
    Phase.REINFORCE: "E12.5",
    Phase.RANSOM: "E12.7",
}
"""The rule that lists the decisions of a phase."""

_ORDER = {Phase.SWAP: "E3.3", Phase.PLACE: "E3.4"}
"""The rule of the order of players in the set-up, where E4.1 does not apply yet."""

_RULE_FOR: dict[tuple[str, type[Action]], str] = {
    ("not-your-stack", Build): "E6.1",
    ("not-your-stack", Reinforce): "E8.2",
    ("no-emperor-in-stack", Move): "E10.2",
}
"""Codes whose rule depends on the action."""


def refusal(code: str, rule: str | None = None) -> Refusal:
    """Return the refusal of a code with its rule (None: the default) and its English sentence."""
    usual, text = REFUSALS[code]
    return Refusal(code, rule or usual, text)


def explain(position: EkoState, seat: int, action: Action, legal: Sequence[Action]) -> Refusal:
    """Return the first rule that an illegal action breaks. legal: the legal actions of the seat."""
    phase = position.phase
    if phase == Phase.OVER:
        return refusal("game-over", judge(position).rule)
    if (seat,) != position.actors():
        return (
            refusal("ransom-first") if phase == Phase.RANSOM else refusal("not-your-turn", _ORDER.get(phase))
        )
    check, phases = _CHECKS[type(action)]
    if phase not in phases:
        used = isinstance(action, March) and position.plain.marched
        return refusal("march-used") if used else refusal("wrong-phase", _asks(position))
    case = _Case(position, seat, legal)
    code = next(case.unknown_spaces(action), None) or next(check(case, action))
    return refusal(code, _RULE_FOR.get((code, type(action))))


def _asks(position: EkoState) -> str:
    """Return the rule that lists the decisions of the current phase."""
    has_begun = position.plain.placed or position.plain.moon_used
    return "E12.6" if position.phase == Phase.REINFORCE and has_begun else _ASKS[position.phase]


class _Case:
    """The checks for one position; each method yields the refusal codes of an action."""

    def __init__(self, position: EkoState, seat: int, legal: Sequence[Action]) -> None:
        self.position = position
        self.legal = legal
        self.seat = seat
        self.view = position.plain
        self.layout = position.layout
        self.stacks = position.stacks()
        self.buildings = position.buildings()
        self.reserve = self.view.reserve[seat]
        self.emperor = int(self.view.whereabouts[seat] == Whereabouts.RESERVE)

    def unknown_spaces(self, action: Action) -> Iterator[str]:
        for name in ("space", "source", "target", "site"):
            space = getattr(action, name, None)
            if space is not None and space not in self.layout.index:
                yield "no-such-space"

    # set-up

    def broken_by_swap(self, _action: Swap) -> Iterator[str]:
        yield "swap-not-own-disc"

    def broken_by_place(self, action: Place) -> Iterator[str]:
        if action.space in self.stacks or self.terrain(action.space) is not Terrain.SAND:
            yield "place-occupied"
        if not action.emperor and self.view.whereabouts[self.seat] == Whereabouts.UNPLACED:
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
        paths = _Paths(self.position, move.source, self.legal)
        prices = paths.prices(move.target)
        yield from self.broken_by_path(move, paths, prices)
        yield from self.broken_by_loss(move, stack)
        yield from self.broken_by_meeting(move, stack, prices)

    def broken_by_path(self, move: Move, paths: _Paths, prices: set[_Zones]) -> Iterator[str]:
        if not _is_in_order(move.zones):
            yield "zones-order"
        if not prices and move.source == move.target:
            yield "same-space"
        if not prices:
            yield "no-discs-left" if paths.lead_to(move.target) else "no-path"
        if frozenset(move.zones) not in prices and (move.zones or move.target in dict(paths.ends)):
            yield "own-zones"

    def broken_by_loss(self, move: Move, stack: Stack) -> Iterator[str]:
        if move.emperor_lost and not stack.emperor:
            yield "no-emperor-in-stack"
        if move.emperor_lost and not move.zones:
            yield "no-disc-lost"
        if stack.emperor and not move.emperor_lost and len(move.zones) == stack.height:
            yield "emperor-must-be-lost"

    def broken_by_meeting(self, move: Move, stack: Stack, prices: set[_Zones]) -> Iterator[str]:
        """Without zones a move is asked about that no zones would make legal: the cheapest path counts."""
        if stack.height == len(move.zones or min(prices, key=len)):
            yield "no-discs-left"
        met = self.stacks.get(move.target)
        yield "too-high" if met is not None and met.owner == self.seat else "too-weak"

    def broken_by_build(self, build: Build) -> Iterator[str]:
        stack = self.stacks.get(build.source)
        if stack is None or stack.owner != self.seat:
            yield "not-your-stack"
            return
        highest = HIGHEST_LEVEL[self.terrain(build.site)]
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
        if self.view.marched:
            yield "march-used"
        if self.reserve < MARCH_PRICE:
            yield "march-reserve"
        yield "march-no-action"

    def broken_by_sandtemple(self, _action: SandTemple) -> Iterator[str]:
        if not self.has_temple(Terrain.SANDTEMPLE):
            yield "sandtemple-no-building"
        if self.view.sandtemple_used:
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
        placed = self.view.placed
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
        if self.view.moon_used:
            yield "moon-used"
        ordinary = MOON_PRICE + (not action.emperor)
        if self.reserve < ordinary or action.emperor > self.emperor:
            yield "moon-reserve"
        yield "moon-space"

    def broken_by_end(self, _action: End) -> Iterator[str]:
        if self.position.phase in {Phase.ACTION, Phase.SECOND}:
            yield "must-act"
        begun = self.view.placed or self.view.moon_used
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


_ACTING = frozenset({Phase.ACTION, Phase.SECOND})
_RETURNING = frozenset({Phase.AFTER, Phase.REINFORCE})
_CHECKS: dict[type[Action], tuple[Callable[[_Case, Any], Iterator[str]], frozenset[Phase]]] = {
    Swap: (_Case.broken_by_swap, frozenset({Phase.SWAP})),
    Place: (_Case.broken_by_place, frozenset({Phase.PLACE})),
    SandTemple: (_Case.broken_by_sandtemple, frozenset({Phase.ACTION})),
    Move: (_Case.broken_by_move, _ACTING),
    Build: (_Case.broken_by_build, _ACTING),
    March: (_Case.broken_by_march, frozenset({Phase.AFTER})),
    Reinforce: (_Case.broken_by_reinforce, _RETURNING),
    Moon: (_Case.broken_by_moon, _RETURNING),
    Ransom: (_Case.broken_by_ransom, frozenset({Phase.RANSOM})),
    End: (_Case.broken_by_end, _ACTING | _RETURNING),
}
"""By type of action its checks, and the phases that ask for it."""
