"""People at a table of EKKO, as a test plays them over a socket."""

from __future__ import annotations

from collections.abc import Callable

from ekoes.games.ekko.rules.record import mirror_of
from tests.kit.client import Json, Socket

LONGEST = 3000
"""Decisions of the longest game."""


def hand(socket: Socket, seat: int) -> list[int]:
    cards: list[int] = socket.state["hands"][str(seat)]["hand"]
    return cards


def valid(socket: Socket, seat: int) -> list[int]:
    """The valid cards of a seat in turn but the mirror of the top card, by K2.1 and K2.4."""
    position = socket.state["position"]
    turn, top = position["turn"], position["zone"][-1]
    free = [card for card in hand(socket, seat) if card not in socket.state["hands"][str(seat)]["blocked"]]
    if turn["last"] == seat and not turn.get("again"):
        return free
    return [card for card in free if (card > top if top % 2 else card < top)]


def act(socket: Socket, seat: int) -> bool:
    """Do what a quiet player would do now; tell whether there was anything to do."""
    state, position = socket.state, socket.state["position"]
    match state["stage"]:
        case "look" if seat not in state["ready"]:
            answer = socket.intend(seat, "ready", round=position["turn"]["round"])
        case "window" | "leaving" if seat not in state["decided"] and position["turn"].get("leaving") != seat:
            answer = socket.intend(seat, "pass", on=position["zone"][-1])
        case "effect" if state["claim"]["seat"] == seat:
            answer = socket.intend(seat, "effect", effect="draw")
        case "race" if position["turn"]["player"] == seat:
            answer = take_turn(socket, seat)
        case _:
            return False
    assert answer["type"] == "ack" or answer["code"] in {"table/not-now", "table/game-over"}, answer
    return True


def take_turn(socket: Socket, seat: int) -> Json:
    top = socket.state["position"]["zone"][-1]
    cards = valid(socket, seat)
    cards = [card for card in cards if card != mirror_of(top)] or cards
    if cards:
        return socket.intend(seat, "play", card=cards[0], on=top)
    return socket.intend(seat, "draw", on=top)


def play_on(socket: Socket, *seats: int, until: Callable[[], bool]) -> None:
    """Play for some seats until something has come about."""
    for _ in range(LONGEST):
        if until():
            return
        if not any(act(socket, seat) for seat in seats):
            socket.receive()
    raise AssertionError(socket.state)


def over(socket: Socket) -> bool:
    return socket.state["outcome"] is not None
