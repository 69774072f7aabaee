"""The registered bots of EKKO, bots without timing, and what a remote program reads from its messages."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Answer, Json
from ekoes.games.api.parts import Chooser
from ekoes.games.ekko.bots.levels import LEVELS, Spread, decide
from ekoes.games.ekko.live.machine import may_be_mirrored
from ekoes.games.ekko.live.views import EFFECT, MIRROR, TURN, WINDOW, questions
from ekoes.games.ekko.position.action import Action, Pass, action_to_json
from ekoes.games.ekko.position.position import EkkoPosition, Sight
from ekoes.games.ekko.rules.record import mirror_of

_PASSING = Spread(500, 0.4, least=200)
"""How long it takes to pass after looking at the hand."""


def asked_for_mirror(view: Json, seat: int) -> Json | None:
    """Return the view of a seat as if it were asked for the mirror (K6.1); None if it does not hold it."""
    mirror = mirror_of(view["zone"][-1])
    if mirror not in view["hand"] or mirror in view["turn"].get("blocked", ()):
        return None
    return view | {"turn": view["turn"] | {"phase": "mirror", "asked": seat}}


def as_if_held(view: Json, seat: int) -> Json:
    """Return the view of a seat as if it held the mirror of the top card in place of an arbitrary card."""
    mirror = mirror_of(view["zone"][-1])
    given = mirror if mirror in view["hand"] else view["hand"][sum(view["hand"]) % len(view["hand"])]
    hand = sorted(mirror if card == given else card for card in view["hand"])
    aside = [given if card == mirror else card for card in view["aside"]]
    turn = {key: value for key, value in view["turn"].items() if key != "blocked"}
    return view | {"hand": hand, "aside": aside, "turn": turn | {"phase": "mirror", "asked": seat}}


def intent_of(action: Action, view: Json) -> Json:
    """Return an action as an intent, with the top card that it answers. Rule: K7.2."""
    return action_to_json(action) | {"on": view["zone"][-1]}


@dataclass(frozen=True, slots=True)
class EkkoBot:
    """A bot of a level, for sequences of decisions and for live tables."""

    name: str

    def choose(self, position: EkkoPosition | Sight, seat: int, chance: Chance) -> Action:
        """Return a legal action for a seat to move, from the seat's view alone."""
        return decide(self.name, position.view(seat), seat, chance)

    def plan(self, sight: Sight, seat: int, asks: str, chance: Chance) -> Answer:
        """Return its action at a live table and the delay (K7).

        asks: ``turn``, ``mirror``, ``window`` (both are decided together), ``leaving`` (K5.1), or
        ``effect`` of a mirror that another player claimed at this seat. The delay counts from the beginning
        of the turn, or for a mirror from the arrival of the top card or of the mirror, if drawn later.
        """
        view, level = sight.view(seat), LEVELS[self.name]
        if asks in {TURN, EFFECT}:
            delay = level.pace.delay(chance) if asks == TURN else 0
            return Answer(answer(self, sight, seat, asks, chance), delay)
        delay, notices = level.eye.delay(chance), chance.below(100) >= level.misses
        pause = delay + _PASSING.delay(copy(chance))
        action = _mirror(self, view, seat, chance)
        if isinstance(action, Pass) or not notices:
            return Answer(None) if asks == MIRROR else Answer(intent_of(Pass(), view), pause)
        # In a window, a claim takes as long as a pass; elsewhere the mirror comes when it is noticed.
        return Answer(intent_of(action, view), pause if asks == WINDOW else delay)


RANDOM, BEGINNER, CASUAL, SKILLED, STRONG, MASTER = (EkkoBot(name) for name in LEVELS)


def answer(player: Chooser[Sight, Action], sight: Sight, seat: int, asks: str, chance: Chance) -> Json | None:
    """Return the intent of a bot that has only ``choose``, or None if it does nothing.

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


def _mirror(player: Chooser[Sight, Action], view: Json, seat: int, chance: Chance) -> Action:
    if not may_be_mirrored(view["zone"]):
        return Pass()
    asked = asked_for_mirror(view, seat)
    action = player.choose(Sight(seat, asked or as_if_held(view, seat)), seat, chance)
    return Pass() if asked is None else action


def greeting(state: Json, seat: int) -> Json | None:
    """Return the intent of a seat that has just been dealt its hand: it is ready (K1.3); else None."""
    if state["stage"] != "look" or seat in state["ready"]:
        return None
    return {"type": "ready", "round": state["position"]["turn"]["round"]}


def asked(state: Json, options: Json, seat: int) -> Iterator[tuple[str, str]]:
    """Yield what a seat is asked, each with a key that stays the same while the question does."""
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
