"""What a bot does at a live table, and when: as soon as it has noticed, like a person (K7).

Every plan follows from what the seat sees and from chance alone: a table that asks twice, with equal
chance, gets the same plan. How long a turn takes and when a bot passes is drawn without a look at any
card, so no delay tells what somebody holds (K7.6).
"""

from __future__ import annotations

from ekoes.games.chance import Chance
from ekoes.games.contract import Answer, Json
from ekoes.games.ekko.action import Action, Pass, action_to_json
from ekoes.games.ekko.bots.decide import decide
from ekoes.games.ekko.bots.levels import PLAYERS, Level, Spread
from ekoes.games.ekko.rules.cards import mirror_of

__all__ = [
    "as_if_held",
    "asked_for_mirror",
    "intent_of",
    "may_be_held",
    "plan_mirror",
    "plan_pass",
    "plan_turn",
]

_LETTING_GO = Spread(500, 0.4, least=200)
"""How long it takes to pass after a look at the hand."""


def plan_turn(name: str, view: Json, seat: int, chance: Chance) -> Answer:
    """Return what a bot does in its turn, and how long after the turn began. Rule: K2, K3.4.

    name: in ``PLAYERS``; view: ``position.view(seat)``, the seat being in turn and nobody
    leaving (K5.1).
    """
    delay = PLAYERS[name].pace.delay(chance)
    return Answer(intent_of(decide(name, view, seat, chance), view), delay)


def plan_mirror(name: str, view: Json, seat: int, chance: Chance) -> Answer | None:
    """Return when a bot plays the mirror of the top card, None if it won't. Rule: K3.2, K7.1.

    It may not hold the card, not notice it, or not want to play it. The delay counts from when the top
    card came, or the mirror itself if that was drawn later. It thinks about a mirror that it does not hold
    or does not notice as if it did: how long it thinks tells nothing (K7.6).
    """
    delay, notices = _look(PLAYERS[name], chance)
    if not may_be_held(view):
        return None
    asked = asked_for_mirror(view, seat)
    action = decide(name, asked or as_if_held(view, seat), seat, chance)
    if not notices or asked is None or isinstance(action, Pass):
        return None
    return Answer(intent_of(action, view), delay)


def plan_pass(name: str, view: Json, chance: Chance) -> Answer:
    """Return when a bot passes in a window or a reaction time. Rule: K7.4, K7.6.

    Chance equal to that given to ``plan_mirror`` makes it later than the bot's mirror would be.
    """
    delay, _ = _look(PLAYERS[name], chance)
    return Answer(intent_of(Pass(), view), delay + _LETTING_GO.delay(chance))


def asked_for_mirror(view: Json, seat: int) -> Json | None:
    """Return what a seat sees as if it were asked for the mirror (K6.1); None: it does not hold it."""
    mirror = mirror_of(view["zone"][-1])
    if mirror not in view["hand"] or mirror in view["turn"].get("blocked", ()):
        return None
    return view | {"turn": view["turn"] | {"phase": "mirror", "asked": seat}}


def may_be_held(view: Json) -> bool:
    """Tell whether, for all that everybody has seen, somebody may hold the mirror of the top card."""
    mirror = mirror_of(view["zone"][-1])
    return mirror != 0 and mirror not in view["zone"]


def as_if_held(view: Json, seat: int) -> Json:
    """Return what a seat would see if a card of its hand and the mirror of the top card had changed places.

    It is any card: so the hand looks like that of somebody who was dealt the mirror.
    """
    mirror = mirror_of(view["zone"][-1])
    given = mirror if mirror in view["hand"] else view["hand"][sum(view["hand"]) % len(view["hand"])]
    hand = sorted(mirror if card == given else card for card in view["hand"])
    aside = [given if card == mirror else card for card in view["aside"]]
    turn = {key: value for key, value in view["turn"].items() if key != "blocked"}
    return view | {"hand": hand, "aside": aside, "turn": turn | {"phase": "mirror", "asked": seat}}


def intent_of(action: Action, view: Json) -> Json:
    """Return an action as a page sends it, with the top card that it answers. Rule: K7.2."""
    return action_to_json(action) | {"on": view["zone"][-1]}


def _look(level: Level, chance: Chance) -> tuple[int, bool]:
    """Return how long a look for the mirror takes, in milliseconds, and whether the player would see it."""
    return level.eye.delay(chance), chance.below(100) >= level.misses
