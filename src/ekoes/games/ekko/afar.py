"""EKKO's table as a program plays it from afar: what its seat is asked and sees, as the table tells it."""

from __future__ import annotations

from collections.abc import Iterator

from ekoes.games.contract import Json
from ekoes.games.ekko.bots.unhurried import unhurried
from ekoes.games.ekko.live.asks import EFFECT, LEAVING, MIRROR, TURN, WINDOW
from ekoes.games.ekko.sight import Sight

__all__ = ["answer", "asked", "greeting", "sight"]

answer = unhurried


def greeting(state: Json, seat: int) -> Json | None:
    """Return what a seat does without being asked: it is ready as soon as it sees its hand (K1.3)."""
    if state["stage"] != "look" or seat in state["ready"]:
        return None
    return {"type": "ready", "round": state["position"]["turn"]["round"]}


def asked(state: Json, options: Json, seat: int) -> Iterator[tuple[str, str]]:
    """Yield what a seat is asked, and a key that stays the same as long as the same is asked."""
    position, stage = state["position"], state["stage"]
    for word in _asked(state, options, seat):
        moment = (stage, position["turn"]["round"], len(position["zone"]), position["sizes"][seat])
        yield word, "-".join(map(str, (word, *moment, len(position["drew"]))))


def _asked(state: Json, options: Json, seat: int) -> Iterator[str]:
    turn, claim = state["position"]["turn"], state["claim"]
    match state["stage"]:
        case "effect" if claim is not None and claim["seat"] == seat:
            yield EFFECT
        case "race":
            if turn["player"] == seat:
                yield TURN
            if not options["calm"]:
                yield MIRROR
        case "window" | "leaving" if seat not in state["decided"] and seat != turn.get("leaving"):
            yield WINDOW if options["calm"] else LEAVING


def sight(state: Json, seat: int) -> Sight:
    """Return what a seat sees. Rule: K6.4."""
    position, own = state["position"], state["hands"][str(seat)]
    blocked = {"blocked": own["blocked"]} if own["blocked"] else {}
    view = position | {"hand": own["hand"], "aside": own["aside"], "turn": position["turn"] | blocked}
    return Sight(seat, view)
