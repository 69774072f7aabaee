"""The same game at a live table (K7): mirrors at any time, misplays (K4), a reaction time (K5.1)."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.reference.ekko.cards import free_cards, mirror_holder, mirror_of, playable, top_card
from tests.reference.ekko.ending import end_round
from tests.reference.ekko.position import canonical
from tests.reference.ekko.turn import (
    do_deal,
    do_draw,
    do_mirror,
    do_misplay,
    do_play,
    mirror_plays,
    turn_plays,
)
from tests.reference.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

CHANCE = -1
"""Who deals, and who closes the reaction time: the table."""

Position = dict[str, Any]
Action = dict[str, Any]


def live_legal(position: Position) -> list[tuple[int, Action]]:
    """All that may come about now, with whom it comes from, in no special order."""
    turn = position["turn"]
    if turn["phase"] == "deal":
        return [(CHANCE, {"type": "deal"})]
    if turn["phase"] == "over":
        return []
    holder = mirror_holder(position)
    found = [] if holder is None else [(holder, action) for action in mirror_plays(position, holder)]
    if "leaving" in turn:  # K7.4: nobody draws, nobody pays for another card
        return [*found, (CHANCE, {"type": "close"})]
    plays = [(turn["player"], action) for action in turn_plays(position) if action["type"] != "mirror"]
    return found + plays + _misplays(position)


def _misplays(position: Position) -> list[tuple[int, Action]]:
    """K4.1: every card that is neither valid for its player now nor the mirror of the top card."""
    mirror = mirror_of(top_card(position))
    found = []
    for player, hand in enumerate(position["hands"]):
        right = playable(position) if player == position["turn"]["player"] else []
        right = right + [card for card in free_cards(position, player) if card == mirror]
        found += [(player, {"type": "misplay", "card": card}) for card in hand if card not in right]
    return found


def taken(position: Position) -> list[tuple[int, Action]]:
    """What a position of the decision sequence takes though it isn't legal in it (K6.3, K7).

    So what happened at a live table can be replayed: a mirror that names the top card, the mirror of
    a last card (K7.4), and in a turn a misplay.
    """
    if position["turn"]["phase"] not in ("mirror", "play"):
        return []
    holder, is_leaving = mirror_holder(position), "leaving" in position["turn"]
    plays = [] if holder is None else [(holder, action) for action in mirror_plays(position, holder)]
    found = [(seat, action | {"on": top_card(position)}) for seat, action in plays]
    if position["turn"]["phase"] == "play":
        found += plays if is_leaving else _misplays(position)
    return found


def live_apply(position: Position, action: Action) -> Position:
    """The canonical position after something that may come about. Raises Refused for anything else."""
    wanted = {"type": "deal"} if action["type"] == "deal" else dict(action)
    if "on" in wanted and wanted["on"] in position["zone"][-1:]:
        del wanted["on"]  # K7.2: the top card that it answers
    if wanted not in [possible for _, possible in live_legal(position)]:
        raise Refused("K7", f"{action} is not possible here")
    return live_follow(position, action)


def live_follow(position: Position, action: Action) -> Position:
    """The canonical position after an action that is known to be possible."""
    after = copy.deepcopy(position)
    steps: dict[str, Callable[[Position, Action], None]] = {
        "deal": do_deal,
        "play": do_play,
        "mirror": do_mirror,
        "draw": do_draw,
        "misplay": do_misplay,
        "close": lambda there, _: end_round(there),
    }
    steps[action["type"]](after, action)
    return canonical(after)
