"""Cards, which of them can be played (K1.1, K2, K3.1), and how a round and the game end (K5)."""

from __future__ import annotations

from typing import Any

CARDS = list(range(1, 99))
"""K1.1: the numbers on the cards."""

Position = dict[str, Any]


def is_multiple_of_11(card: int) -> bool:
    """K2.3."""
    return card in (11, 22, 33, 44, 55, 66, 77, 88)


def mirror_of(card: int) -> int | None:
    """K3.1: the digits reversed, 1 to 9 written 01 to 09; multiples of 11 have none."""
    digits = f"{card:02}"
    return None if is_multiple_of_11(card) else int(digits[::-1])


def follows(card: int, top: int) -> bool:
    """K2.1: higher on an odd card, lower on an even one."""
    return card > top if top % 2 else card < top


def hand_size(players: int) -> int:
    """K1.2."""
    return {2: 6, 3: 6, 4: 5, 5: 5, 6: 4, 7: 4, 8: 4}[players]


def left_of(position: Position, player: int) -> int:
    """K1.1: the next one clockwise."""
    count: int = position["players"]
    return (player + 1) % count


def others_clockwise(position: Position, player: int) -> list[int]:
    """All the others, beginning with the player left of this one."""
    count: int = position["players"]
    return [(player + step) % count for step in range(1, count)]


def top_card(position: Position) -> int:
    """K1.4."""
    top: int = position["zone"][-1]
    return top


def free_cards(position: Position, player: int) -> list[int]:
    """K4.1: the hand without the blocked cards."""
    blocked = position["turn"].get("blocked", [[]] * position["players"])
    return [card for card in position["hands"][player] if card not in blocked[player]]


def nobody_followed(position: Position) -> bool:
    """K2.4: the turn has come round to the last player. (In a chain of K2.3 it has not yet ended.)"""
    turn = position["turn"]
    return bool(turn["player"] == turn["last"] and not turn.get("again"))


def playable(position: Position) -> list[int]:
    """The valid cards of the player in turn, the mirror of the top card among them if it is valid."""
    cards = free_cards(position, position["turn"]["player"])
    if nobody_followed(position):
        return cards
    return [card for card in cards if follows(card, top_card(position))]


def mirror_holder(position: Position) -> int | None:
    """Who can play the mirror of the top card (K3.2)."""
    wanted = mirror_of(top_card(position))
    for player in range(position["players"]):
        if wanted in free_cards(position, player):
            return player
    return None


# --- the end (K5) -------------------------------------------------------------------------


def points(hand: list[int]) -> int:
    """K5.4."""
    return sum(2 if is_multiple_of_11(card) else 1 for card in hand)


def winners(position: Position) -> list[int] | None:
    """K5.6: None while nobody has reached the target."""
    scores = position["scores"]
    if max(scores) < position["target"]:
        return None
    return [player for player, score in enumerate(scores) if score == min(scores)]


def end_round(position: Position) -> None:
    """Count, and go on with the next deal (K5.5) or end the game (K5.6)."""
    for player, hand in enumerate(position["hands"]):
        position["scores"][player] += points(hand)
    turn, won = position["turn"], winners(position)
    if won is not None:
        stays = ("round", "dealer", "player", "last")
        position["turn"] = {key: turn[key] for key in stays} | {"phase": "over"}
        position["winners"] = won
        return
    for key in ("hands", "aside"):
        position[key] = [[] for _ in range(position["players"])]
    position["pile"], position["zone"] = [], []
    position["turn"] = {"round": turn["round"] + 1, "dealer": turn["last"], "phase": "deal"}
