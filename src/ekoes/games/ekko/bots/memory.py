"""What draws have told: whoever drew in turn held no card that was valid then (K2.2).

Everybody sees who plays and who draws. Each card in a hand is remembered as a slot, the oldest first:
a draw in turn bars the cards that were valid from all slots of its player, and adds a slot that knows
nothing. A card that is played leaves the oldest slot that it can have come from: older slots know
more, so what is remembered of the others stays true.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ekoes.games.contract import Json
from ekoes.games.ekko.rules.cards import FITTING, is_multiple, mirror_of
from ekoes.games.ekko.rules.deal import HAND_SIZE

__all__ = ["barred_cards", "who_played"]

_FITTING = [int(low) | int(high) << 64 for low, high in FITTING]
"""By top card: the set of cards that are valid on it, bit c for card c."""
_WORD = 64

_Draws = dict[int, list[tuple[int, str]]]
"""Number of cards in the play zone -> who drew then, and why, in order."""


def who_played(view: Json) -> list[int | None]:
    """Return who put each card of the play zone; None where the view does not tell.

    Turns go round, and a draw in turn names its player. Who played a mirror is told by who drew for it,
    or else by whose turn came afterwards (K3.3): until then players are counted from seat 0.
    """
    players, zone, draws = view["players"], view["zone"], _draws(view)
    by: list[int | None] = []
    counted: list[int] = []  # cards whose players are counted from a seat that is not known yet
    seat = view["turn"]["dealer"]

    def is_turn_of(known: int) -> None:
        for index in counted:
            by[index] = ((by[index] or 0) + known - seat) % players
        counted.clear()

    for index, card in enumerate(zone):
        if index and card == mirror_of(zone[index - 1]):
            for lost in counted:
                by[lost] = None
            drawing = {each for each, why in draws[index + 1] if why == "effect"}
            counted[:] = [] if drawing else [index]
            seat = min({*range(players)} - drawing)
        elif counted:
            counted.append(index)
        by.append(seat)
        if not is_multiple(card):
            seat = (seat + 1) % players
        for each, why in draws[index + 1]:
            if why == "turn":
                is_turn_of(each)
                seat = (each + 1) % players
    is_turn_of(view["turn"]["player"])
    return by


def barred_cards(view: Json, seat: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """Return for each card in the other players' hands, seat by seat, which cards it can't be.

    view: ``position.view(seat)``. Returns: uint64[cards, 2], sets of cards.
    """
    draws = _draws(view)
    hands = [[0] * HAND_SIZE[view["players"]] for _ in range(view["players"])]
    for index, (card, player) in enumerate(zip(view["zone"], who_played(view), strict=True)):
        if index and player is not None and hands[player]:
            _take(hands[player], card)
            is_mirror = card == mirror_of(view["zone"][index - 1])
            if is_mirror and hands[player] and not any(why == "effect" for _, why in draws[index + 1]):
                del hands[player][0]  # put aside, from wherever
        _draw(hands, card, draws[index + 1])
    rows: list[tuple[int, int]] = []
    for player, slots in enumerate(hands):
        if player != seat:
            size = view["sizes"][player]
            known = slots if len(slots) == size else [0] * size  # else a card was played that is not told
            rows += [(bars & (1 << _WORD) - 1, bars >> _WORD) for bars in known]
    return np.array(rows, np.uint64).reshape(-1, 2)


def _take(slots: list[int], card: int) -> None:
    """Take a card that is played from the oldest slot that it can have come from."""
    del slots[next((index for index, bars in enumerate(slots) if not bars >> card & 1), 0)]


def _draw(hands: list[list[int]], top: int, draws: list[tuple[int, str]]) -> None:
    """Remember the draws on a top card. A card drawn for a misplay was blocked, valid or not (K4.1)."""
    blocked: dict[int, int] = defaultdict(int)
    for player, why in draws:
        slots = hands[player]
        if why == "turn":
            for index in range(len(slots) - blocked[player]):
                slots[index] |= _FITTING[top]
        if why == "misplay":
            blocked[player] += 1
        slots.append(0)


def _draws(view: Json) -> _Draws:
    draws: _Draws = defaultdict(list)
    for player, length, why in view["drew"]:
        draws[length].append((player, why))
    return draws
