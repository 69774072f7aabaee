"""Explains why an action is illegal: the rule and one English sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ekoes.games.api.contract import Refusal
from ekoes.games.eko.position.action import (
    Action,
    Build,
    Moon,
    Move,
    Place,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)
from ekoes.games.eko.position.state import REASON_RULES
from ekoes.games.eko.rules.code import ActionType
from ekoes.games.eko.rules.ending import Reason
from ekoes.games.eko.rules.record import NO_SPACE, NOBODY
from ekoes.games.eko.rules.refusal import Refused, find_refusal

if TYPE_CHECKING:
    from ekoes.games.eko.position.layout import Layout
    from ekoes.games.eko.position.state import EkoState


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

_VARIANTS = {
    Refused.NOT_YOUR_SWAP: ("not-your-turn", "E3.3"),
    Refused.NOT_YOUR_PLACING: ("not-your-turn", "E3.4"),
    Refused.OVER_LAST_ON_BOARD: ("game-over", REASON_RULES[Reason.LAST_ON_BOARD]),
    Refused.OVER_BOTH: ("game-over", REASON_RULES[Reason.BOTH]),
    Refused.OVER_NOBODY: ("game-over", REASON_RULES[Reason.NOBODY]),
    Refused.OVER_NO_MOVES: ("game-over", REASON_RULES[Reason.NO_MOVES]),
    Refused.SET_UP_ASKS: ("wrong-phase", "E12.1"),
    Refused.AFTER_ASKS: ("wrong-phase", "E12.3"),
    Refused.SECOND_ASKS: ("wrong-phase", "E12.4"),
    Refused.REINFORCE_ASKS: ("wrong-phase", "E12.5"),
    Refused.PLACED_ASKS: ("wrong-phase", "E12.6"),
    Refused.RANSOM_ASKS: ("wrong-phase", "E12.7"),
    Refused.BUILD_NOT_YOUR_STACK: ("not-your-stack", "E6.1"),
    Refused.REINFORCE_NOT_YOUR_STACK: ("not-your-stack", "E8.2"),
    Refused.MOVE_NO_EMPEROR: ("no-emperor-in-stack", "E10.2"),
}


def meaning(refused: Refused) -> tuple[str, str]:
    """Return the refusal code and the rule of a number of the kernel."""
    code = refused.name.lower().replace("_", "-")
    return _VARIANTS.get(refused) or (code, REFUSALS[code][0])


def refusal(code: str, rule: str | None = None) -> Refusal:
    """Return the refusal of a code with its rule (None: the default) and its English sentence."""
    usual, text = REFUSALS[code]
    return Refusal(code, rule or usual, text)


def explain(position: EkoState, seat: int, action: Action, codes: np.ndarray[Any, Any]) -> Refusal:
    """Return the first rule that an illegal action breaks. codes: the legal decisions."""
    asked = np.array(_numbers(action, position.layout), np.int64)
    record = position.layout.record
    refused = Refused(find_refusal(record, position.states, codes, len(codes), seat, asked))
    return refusal(*meaning(refused))


def _numbers(action: Action, layout: Layout) -> list[int]:
    """Return what an action says as numbers (``Asked``)."""
    index = layout.index

    def number(space: Space) -> int:
        return index.get(space, NOBODY)

    source, target, amount, emperor, zones = 0, NO_SPACE, 0, False, list[int]()
    match action:
        case Move(start, end, heads, emperor):
            source, target, zones = number(start), number(end), [index.get(head, NO_SPACE) for head in heads]
        case Build(start, site, kind, emperor):
            source, target, amount = number(start), number(site), kind.level
        case Reinforce(space, amount, emperor):
            target = number(space)
        case Place(space, emperor) | Moon(space, emperor):
            target = number(space)
        case SandTemple(space) | Swap(Space() as space):
            target = number(space)
    return [ActionType[action.type.upper()], source, target, amount, emperor, len(zones), *zones]
