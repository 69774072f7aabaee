"""The end of a round and of the game (K5)."""

from __future__ import annotations

from typing import Any

from tests.reference.ekko.cards import is_multiple_of_11

Position = dict[str, Any]


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
