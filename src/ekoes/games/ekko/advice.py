"""Hints for somebody who plays EKKO against bots: what may be done with the own hand, and one good card.

All of it follows from what the seat sees: its own hand, and what lies open (K6.4).
"""

from __future__ import annotations

from collections.abc import Iterator

from ekoes.errors import TableError
from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.ekko.action import Action, Draw, Effect, Mirror, Pass, Play, action_to_json
from ekoes.games.ekko.bots.decide import decide
from ekoes.games.ekko.bots.live import asked_for_mirror
from ekoes.games.ekko.live.asks import EFFECT, LEAVING, TURN, WINDOW, asked
from ekoes.games.ekko.live.state import LiveState
from ekoes.games.ekko.refusal import is_valid
from ekoes.games.ekko.rules.cards import FITTING, is_multiple, mirror_of
from ekoes.games.ekko.rules.record import CARDS
from ekoes.games.kernels.bits import members

__all__ = ["ADVICE", "EkkoAdvice"]

_ADVISER = "strong"
"""Whose decisions are told: it counts the cards that it sees, and remembers no more than people do."""


class EkkoAdvice:
    """What EKKO tells a beginner."""

    def threats(self, live: LiveState, place: str) -> Json:  # noqa: ARG002
        """Tell nothing: what others could do, their hidden hands would tell. Raises TableError."""
        raise TableError("no such question is answered in this game", code="table/wrong-order")

    def advise(self, live: LiveState, seat: int) -> Json:
        """Return what fits on the top card, one good decision (None: to wait) and what speaks for it.

        Raises: TableError where a seat can do nothing, before the first card is turned over too (K1.3).
        """
        asks = {ask.asks for ask in asked(live, seat)}
        if not asks:
            raise TableError("you are not asked now", code="table/not-now")
        view = live.position.view(seat)
        fits = _fitting(live, seat) if TURN in asks else []
        held = asked_for_mirror(view, seat)
        action = _best(view, held, seat, asks)
        return {
            "top": view["zone"][-1],
            "fits": fits,
            "mirror": None if held is None else mirror_of(view["zone"][-1]),
            "action": None if action is None else _action_json(action, asks),
            "reasons": list(_reasons(view, fits, action)),
        }


ADVICE = EkkoAdvice()


def _fitting(live: LiveState, seat: int) -> list[int]:
    """Return the cards that a seat in turn may play; the top card's mirror is told by itself (K3.4)."""
    position = live.position
    mirror = mirror_of(position.top) if position.top is not None else 0
    return [card for card in position.hands[seat] if card != mirror and is_valid(position, seat, card)]


def _best(view: Json, held: Json | None, seat: int, asks: set[str]) -> Action | None:
    """Return a good decision, None to wait. held: the view as if asked for the mirror, if it is held."""
    chance = Chance(view["turn"]["round"] * CARDS + len(view["zone"]))
    if held is not None:
        action = decide(_ADVISER, held, seat, chance)
        if isinstance(action, Mirror):
            return action
    if EFFECT in asks:
        return Mirror(mirror_of(view["zone"][-1]), Effect.DRAW)
    if TURN in asks:
        return decide(_ADVISER, view, seat, chance)
    return Pass() if asks & {WINDOW, LEAVING} else None


def _action_json(action: Action, asks: set[str]) -> Json:
    """Write a decision; of a mirror that was claimed the effect alone is left to be chosen."""
    value = action_to_json(action)
    if EFFECT not in asks:
        return value
    return {key: value[key] for key in ("effect", "aside") if key in value} | {"type": "effect"}


def _reasons(view: Json, fits: list[int], action: Action | None) -> Iterator[Json]:
    """Yield what speaks for a decision, in words that pages know, the weightiest first."""
    match action:
        case Play(card):
            yield from _of_play(view, fits, card) or ({"reason": "counted"},)
        case Mirror(aside=int(aside)):
            yield {"reason": "two-fewer" if len(view["hand"]) > 2 else "rid"}
            if is_multiple(aside):
                yield {"reason": "dear"}
        case Mirror():
            yield {"reason": "others-draw"}
        case Draw():
            yield {"reason": "nothing-fits"}
        case _:
            yield {"reason": "mirror-kept" if mirror_of(view["zone"][-1]) in view["hand"] else "no-mirror"}


def _of_play(view: Json, fits: list[int], card: int) -> list[Json]:
    """Return what speaks for a card. Rule: K2.1, K2.3, K3.2, K5.4."""
    rest = set(view["hand"]) - {card}
    again = is_multiple(card) and rest & _fit_on(card)
    told = {
        "last": not rest and not is_multiple(card),
        "only": len(fits) == 1,
        "again": bool(again),
        "dear": is_multiple(card),
        "own-mirror": mirror_of(card) in rest,
    }
    reasons: list[Json] = [{"reason": reason} for reason, holds in told.items() if holds]
    unseen = set(range(1, CARDS + 1)) - {*view["zone"], *view["hand"], *view["aside"]}
    left = {other: len(unseen & _fit_on(other)) for other in fits if not is_multiple(other)}
    if card in left and rest and not told["only"] and left[card] == min(left.values()):
        reasons.append({"reason": "narrow", "n": left[card]} if left[card] else {"reason": "closed"})
    outermost = max(fits, key=_distance)
    if _distance(outermost) > _distance(card):
        reasons.append({"reason": "keeps", "card": outermost})
    return reasons


def _distance(card: int) -> float:
    """Return how far a card lies from the middle: on high odd, low even cards only outer ones are valid."""
    return abs(card - (CARDS + 1) / 2)


def _fit_on(card: int) -> set[int]:
    """Return all cards that are valid on a card. Rule: K2.1."""
    return set(members(FITTING[card].tolist()))
