"""Points, and who has won (E11); who holds the majority around a sign (E10.3, E10.6)."""

from __future__ import annotations

from typing import Any

from tests.reference.board import board_of

WORTH = {"camp": 1, "tower": 2, "castle": 3}
POINTS_OF_A_CAPTIVE = 3
POINTS_OF_A_PYRAMID = 2
POINTS_TO_WIN = 12

Position = dict[str, Any]


def majority(position: Position, three: list[str]) -> int | None:
    """Who occupies strictly more of these spaces than any other player."""
    held = [0] * position["players"]
    for space in three:
        if space in position["stacks"]:
            held[position["stacks"][space]["owner"]] += 1
    most = max(held)
    return held.index(most) if held.count(most) == 1 else None


def points(position: Position, player: int) -> int:
    """E11.1."""
    built = [b["kind"] for b in position["buildings"].values() if b["owner"] == player]
    pyramids = board_of(position).pyramids
    return (
        sum(WORTH[kind] for kind in built)
        + POINTS_OF_A_CAPTIVE * len(position["captives"][player])
        + POINTS_OF_A_PYRAMID * [majority(position, three) for three in pyramids].count(player)
    )


def has_capital(position: Position, player: int) -> bool:
    """A building of the player stands on a capital."""
    terrain = board_of(position).terrain
    return any(
        terrain[space] == "capital" and building["owner"] == player
        for space, building in position["buildings"].items()
    )


def winners(position: Position) -> list[int] | None:
    """E11.2 - E11.4: None while the game goes on, an empty list when everybody loses."""
    players = range(position["players"])
    enough = {p for p in players if points(position, p) >= POINTS_TO_WIN}
    crowned = {p for p in enough if has_capital(position, p)}
    on_board = {stack["owner"] for stack in position["stacks"].values()}
    if len(on_board) <= 1:
        return sorted(crowned | on_board)
    return sorted(crowned) if crowned else None


def owed(position: Position) -> int | None:
    """E5.7: the first player who must exchange captives, the player to act first."""
    count = position["players"]
    for step in range(count):
        player: int = (position["turn"]["player"] + step) % count
        if position["captives"][player] and holder(position, player) is not None:
            return player
    return None


def holder(position: Position, player: int) -> int | None:
    """Who holds this player's Emperor captive."""
    for other, captives in enumerate(position["captives"]):
        if player in captives:
            return other
    return None
