"""Bots without timing at live tables, and what a remote program reads from its table's messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.ekko.bots.player import as_if_held, asked_for_mirror, intent_of, may_be_held
from ekoes.games.ekko.live.views import EFFECT, MIRROR, TURN, questions
from ekoes.games.ekko.position.action import Action, Pass
from ekoes.games.ekko.position.position import Sight


def unhurried(player: Any, sight: Sight, seat: int, asks: str, chance: Chance) -> Json | None:  # noqa: ANN401
    """Return the intent of a bot that has only ``choose``; None: nothing.

    Without the mirror it passes where all players have to decide. It always computes a decision, as if it
    held the mirror: its computing time reveals nothing (K7.6).
    """
    if asks == EFFECT:
        return {"type": "effect", "effect": "draw"}
    view = sight.view(seat)
    if asks == TURN:
        return intent_of(player.choose(sight, seat, chance), view)
    action = _mirror(player, view, seat, chance)
    return None if asks == MIRROR and isinstance(action, Pass) else intent_of(action, view)


def _mirror(player: Any, view: Json, seat: int, chance: Chance) -> Action:  # noqa: ANN401
    if not may_be_held(view):
        return Pass()
    asked = asked_for_mirror(view, seat)
    action: Action = player.choose(Sight(seat, asked or as_if_held(view, seat)), seat, chance)
    return Pass() if asked is None else action


answer = unhurried


def greeting(state: Json, seat: int) -> Json | None:
    """Return the intent of a seat that has just been dealt its hand: it is ready (K1.3); else None."""
    if state["stage"] != "look" or seat in state["ready"]:
        return None
    return {"type": "ready", "round": state["position"]["turn"]["round"]}


def asked(state: Json, options: Json, seat: int) -> Iterator[tuple[str, str]]:
    """Yield what a seat is asked, and a key that is the same as long as the question is."""
    position, stage, claim = state["position"], state["stage"], state["claim"]
    for word in questions(
        stage,
        seat,
        player=position["turn"].get("player"),
        claimed_by=None if claim is None else claim["seat"],
        decided=state["decided"],
        leaving=position["turn"].get("leaving"),
        calm=options["calm"],
    ):
        moment = (stage, position["turn"]["round"], len(position["zone"]), position["sizes"][seat])
        yield word, "-".join(map(str, (word, *moment, len(position["drew"]))))


def sight(state: Json, seat: int) -> Sight:
    """Return the sight of a seat. Rule: K6.4."""
    position, own = state["position"], state["hands"][str(seat)]
    blocked = {"blocked": own["blocked"]} if own["blocked"] else {}
    view = position | {"hand": own["hand"], "aside": own["aside"], "turn": position["turn"] | blocked}
    return Sight(seat, view)
