"""The same game at a live table (K7): mirrors at any time, misplays (K4), a reaction time (K5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.reference.common import Refused, copied
from tests.reference.ekko.cards import end_round, free_cards, mirror_holder, mirror_of, playable, top_card
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

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

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


def live_verdict(
    shown: list[Position],
    seat: int,
    card: int,
    on: int,
    *,
    clocked: Collection[int] = (),
    misplays: bool = True,
) -> str:
    """What a card comes to that names a top card: "play", "mirror", "late", "misplay", "refused".

    shown: the positions of the round so far, the latest last. clocked: the cards that the clock put (K7.5).
    Not for calm tables, nor beside a claim.
    """
    now = shown[-1]
    if card not in now["hands"][seat]:
        return "refused"
    if on not in now["zone"]:  # K7.2: nobody can have seen it
        return "misplay" if misplays and _costs(now, seat, card) else "refused"
    while on != top_card(now) and card != mirror_of(on) and _has_covered(shown, on, seat, clocked):
        on = _card_upon(now, on)  # K7.2: the own card is no excuse
    if on != top_card(now):
        if card == mirror_of(on):
            return "late"  # K3.5, K4.2
        seen = _then(shown, on)
        if "leaving" not in seen["turn"] and seat == seen["turn"]["player"] and _fits(seen, now, seat, card):
            return "late"  # K7.2
    if _costs(now, seat, card):
        answers_last_card = on == _below(now) and "leaving" in _then(shown, on)["turn"]
        return "misplay" if misplays and not answers_last_card else "refused"  # K4.1, K4.3, K7.4
    if "leaving" in now["turn"] and card != mirror_of(top_card(now)):
        return "refused"  # K7.4
    if on != top_card(now) and not misplays:
        return "refused"  # a card that fits by luck
    return "mirror" if card == mirror_of(top_card(now)) and card in free_cards(now, seat) else "play"


def _costs(position: Position, seat: int, card: int) -> bool:
    """K4.1: neither valid for its player now nor the mirror of the top card; while somebody leaves, none."""
    return "leaving" not in position["turn"] and (seat, {"type": "misplay", "card": card}) in _misplays(
        position
    )


def _fits(seen: Position, now: Position, seat: int, card: int) -> bool:
    """Whether a card that is in the hand now would have been valid on what its player saw (K2.1, K2.4)."""
    then = copied(seen)
    then["hands"][seat] = now["hands"][seat]
    return card in playable(then)


def _then(shown: list[Position], on: int) -> Position:
    return next(each for each in reversed(shown) if top_card(each) == on)


def _card_upon(now: Position, on: int) -> int:
    card: int = now["zone"][now["zone"].index(on) + 1]
    return card


def _below(now: Position) -> int | None:
    return now["zone"][-2] if len(now["zone"]) > 1 else None


def _has_covered(shown: list[Position], on: int, seat: int, clocked: Collection[int]) -> bool:
    """Whether a seat itself put the card that lies on a card (K1.4)."""
    upon = _card_upon(shown[-1], on)
    last: int = _then(shown, upon)["turn"]["last"]
    return last == seat and upon not in clocked


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
    after = copied(position)
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
