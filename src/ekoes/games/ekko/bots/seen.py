"""What a seat sees of EKKO, as the record that the kernels read: what is hidden stays empty (K6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ekoes.games.contract import Json
from ekoes.games.ekko.rules.record import CARDS, MOST_PLAYERS, NOBODY, STATE, Phase
from ekoes.games.kernels.bits import words_of

__all__ = ["Seen", "seen_by"]

_PHASES = {phase.name.lower(): phase for phase in Phase}


@dataclass(frozen=True, slots=True)
class Seen:
    """A view, read.

    states: STATE[1], hands and cards put aside of other players empty, and the pile. unseen: uint8[…],
    the cards that the seat does not see, ascending. sizes, set_aside: int64[MOST_PLAYERS], by player: cards
    in hand and cards put aside. pile: the number of cards in the pile.
    """

    seat: int
    view: Json
    states: np.ndarray[Any, Any]
    unseen: np.ndarray[Any, Any]
    sizes: np.ndarray[Any, Any]
    set_aside: np.ndarray[Any, Any]
    pile: int


def seen_by(seat: int, view: Json) -> Seen:
    """Read what a seat sees. view: ``position.view(seat)`` of a round that has been dealt."""
    states = np.zeros(1, STATE)
    zone, turn = view["zone"], view["turn"]
    for row, cards in (
        ("hands", view["hand"]),
        ("aside", view["aside"]),
        ("blocked", turn.get("blocked", ())),
    ):
        states[row][0, seat] = words_of(cards)
    states["zone"][0, : len(zone)] = zone
    states["scores"][0, : view["players"]] = view["scores"]
    numbers = {
        "players": view["players"],
        "target": view["target"],
        "number": turn["round"],
        "zone_size": len(zone),
        "pile_size": view["pile"],
        "dealer": turn["dealer"],
        "player": turn["player"],
        "last": turn["last"],
        "phase": _PHASES[turn["phase"]],
        "asked": turn.get("asked", NOBODY),
        "again": turn.get("again", False),
        "leaving": turn.get("leaving", NOBODY),
    }
    for field, number in numbers.items():
        states[field][0] = number
    known = {*zone, *view["hand"], *view["aside"]}
    unseen = [card for card in range(1, CARDS + 1) if card not in known]
    return Seen(
        seat,
        view,
        states,
        np.array(unseen, np.uint8),
        _by_seat(view["sizes"]),
        _by_seat(view["set_aside"]),
        view["pile"],
    )


def _by_seat(counts: list[int]) -> np.ndarray[Any, Any]:
    row = np.zeros(MOST_PLAYERS, np.int64)
    row[: len(counts)] = counts
    return row
