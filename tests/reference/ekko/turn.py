"""The decision sequence (K6): the deal, the turn (K2), the mirror (K3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.reference.common import Refused, copied
from tests.reference.ekko.cards import (
    CARDS,
    end_round,
    hand_size,
    is_multiple_of_11,
    left_of,
    mirror_holder,
    mirror_of,
    others_clockwise,
    playable,
    top_card,
)
from tests.reference.ekko.position import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

Position = dict[str, Any]
Action = dict[str, Any]


# --- what may be done ---------------------------------------------------------------------


def legal(position: Position) -> list[Action]:
    """Every legal action of whoever is asked, in no special order (K6)."""
    turn = position["turn"]
    if turn["phase"] == "deal":
        return [{"type": "deal"}]
    if turn["phase"] == "over":
        return []
    if turn["phase"] == "mirror":
        return [*mirror_plays(position, turn["asked"]), {"type": "pass"}]
    if "leaving" in turn:
        return [{"type": "close"}]
    return turn_plays(position)


def turn_plays(position: Position) -> list[Action]:
    """K6.2: every valid card, the mirror of the top card as a mirror only (K3.4); else to draw."""
    found: list[Action] = []
    for card in playable(position):
        if card == mirror_of(top_card(position)):
            found += mirror_plays(position, position["turn"]["player"])
        else:
            found.append({"type": "play", "card": card})
    return found or [{"type": "draw"}]


def mirror_plays(position: Position, player: int) -> list[Action]:
    """K3.2: one effect or the other; K3.4: to put a card aside there must be one left."""
    card = mirror_of(top_card(position))
    asides = [other for other in position["hands"][player] if other != card]
    discards = [{"type": "mirror", "card": card, "effect": "discard", "aside": other} for other in asides]
    return [*discards, {"type": "mirror", "card": card, "effect": "draw"}]


# --- doing it -----------------------------------------------------------------------------


def apply(position: Position, action: Action) -> Position:
    """The canonical position after a legal action. Raises Refused for any other."""
    wanted = {"type": "deal"} if action["type"] == "deal" else action
    if wanted not in legal(position):
        raise Refused("K6", f"{action} is not legal here")
    return follow(position, action)


def follow(position: Position, action: Action) -> Position:
    """The canonical position after an action that is known to be legal."""
    after = copied(position)
    steps: dict[str, Callable[[Position, Action], None]] = {
        "deal": do_deal,
        "play": do_play,
        "mirror": do_mirror,
        "pass": _do_pass,
        "draw": do_draw,
        "misplay": do_misplay,
        "close": lambda there, _: end_round(there),
    }
    steps[action["type"]](after, action)
    if after["turn"]["phase"] in ("mirror", "play") and action["type"] not in ("pass", "misplay"):
        _ask(after)
    return canonical(after)


def _ask(position: Position) -> None:
    """K6.1: the mirror's holder first; K5.1: nobody can answer the last card, so the round ends."""
    turn, holder = position["turn"], mirror_holder(position)
    if holder is not None:
        turn["phase"], turn["asked"] = "mirror", holder
    elif "leaving" in turn:
        end_round(position)


def _do_pass(position: Position, _action: Action) -> None:
    """The player in turn is asked (K6.2); or the last card was not mirrored (K5.1)."""
    turn = position["turn"]
    turn["phase"] = "play"
    del turn["asked"]
    if "leaving" in turn:
        end_round(position)


def do_deal(position: Position, action: Action) -> None:
    """K6.0 and K1.3: blocks of cards from the dealer's left on; then the first top card."""
    order = list(action["order"])
    if sorted(order) != CARDS:
        raise Refused("K6.0", "the order names each of the 98 cards once")
    dealer, count = position["turn"]["dealer"], position["players"]
    size = hand_size(count)
    for player in [*others_clockwise(position, dealer), dealer]:
        position["hands"][player], order = sorted(order[:size]), order[size:]
    position["turn"] |= {"phase": "play"}
    position["pile"] = order[1:]
    put(position, dealer, order[0])


def do_play(position: Position, action: Action) -> None:
    """K2.1; K5.1: the last card of a hand, unless it is a multiple of 11 (K2.3)."""
    player = position["turn"]["player"]
    position["hands"][player].remove(action["card"])
    put(position, player, action["card"])
    if not position["hands"][player] and not is_multiple_of_11(action["card"]):
        position["turn"]["leaving"] = player


def do_mirror(position: Position, action: Action) -> None:
    """K3.2, K3.3; K5.2: who was leaving draws, once, and before a card is put aside."""
    hands, turn = position["hands"], position["turn"]
    player = next(seat for seat, hand in enumerate(hands) if action["card"] in hand)
    hands[player].remove(action["card"])
    put(position, player, action["card"])
    leaving = [turn.pop("leaving")] if "leaving" in turn else []
    for other in others_clockwise(position, player) if action["effect"] == "draw" else leaving:
        if draw_card(position, other) is None:
            return
    if action["effect"] == "discard":
        hands[player].remove(action["aside"])
        position["aside"][player].append(action["aside"])
    if not hands[player]:
        end_round(position)


def do_draw(position: Position, _action: Action) -> None:
    """K2.2: one card, and the turn ends."""
    turn = position["turn"]
    if draw_card(position, turn["player"]) is None:
        return
    turn.pop("again", None)
    turn["player"] = left_of(position, turn["player"])
    if "blocked" in turn:
        turn["blocked"][turn["player"]] = []  # K4.1: that player's next turn begins


def do_misplay(position: Position, action: Action) -> None:
    """K4.1: the card goes back, another one is drawn and blocked; play stands where it stood."""
    player = next(seat for seat, hand in enumerate(position["hands"]) if action["card"] in hand)
    drawn = draw_card(position, player)
    if drawn is not None:
        blocked = position["turn"].setdefault("blocked", [[] for _ in position["hands"]])
        blocked[player].append(drawn)


def put(position: Position, player: int, card: int) -> None:
    """A card becomes the top card (K1.4); K2.3: who put a multiple of 11 plays again."""
    turn = position["turn"]
    position["zone"].append(card)
    turn["last"] = player
    for key in ("again", "asked", "blocked"):
        turn.pop(key, None)
    turn["phase"] = "play"
    if is_multiple_of_11(card):
        turn["player"], turn["again"] = player, True
    else:
        turn["player"] = left_of(position, player)


def draw_card(position: Position, player: int) -> int | None:
    """The next card of the pile; K5.3: without one the round ends, and there is none to return."""
    if not position["pile"]:
        end_round(position)
        return None
    card: int = position["pile"].pop(0)
    position["hands"][player].append(card)
    return card
