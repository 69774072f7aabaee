"""The goals of EKKO's lessons, and hints for players who play against bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from ekoes.errors import PositionError, TableError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Done, Goal, GoalReader, did
from ekoes.games.api.reading import read_flag, read_whole
from ekoes.games.ekko.bots.levels import decide
from ekoes.games.ekko.bots.player import asked_for_mirror
from ekoes.games.ekko.live.state import Entry, LiveState
from ekoes.games.ekko.live.views import EFFECT, LEAVING, TURN, WINDOW, asked
from ekoes.games.ekko.position.action import Action, Draw, Effect, Mirror, Pass, Play, action_to_json
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.position.refusal import valid_cards
from ekoes.games.ekko.rules.record import CARDS, FITTING, is_multiple, mirror_of
from ekoes.games.kernels.bits import members

VERDICTS: Final = ("play", "mirror", "claim", "draw", "misplay", "late", "pass")
"""The verdicts on a player's intents that lessons can use as goals."""


def _top(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Goal: a card is on top."""
    card = read_whole(value, key, 1, CARDS, "K1.1")
    return lambda now, _seat, _done: now.top == card


def _hand(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Goal: the learner has at most some cards in hand."""
    most = read_whole(value, key, 0, CARDS, "K1.1")
    return lambda now, seat, _done: len(now.hands[seat]) <= most


def _over(_position: EkkoPosition, value: object, key: str) -> Goal:
    """Goal: the round is over."""
    if not read_flag(value, key):
        raise PositionError("must be true", key=key)

    def is_reached(now: EkkoPosition, _seat: int, _done: Sequence[Done]) -> bool:
        return not now.is_in_round

    return is_reached


class EkkoTeaching:
    """The lessons of EKKO."""

    goals: Mapping[str, GoalReader] = MappingProxyType(
        {"top": _top, "hand": _hand, "round_over": _over, "did": did(VERDICTS)}
    )

    @property
    def folder(self) -> Traversable:
        """The folder of the lessons."""
        return files("ekoes.games.ekko") / "lessons"

    def done(self, entry: Entry) -> Done:
        """Return an entry of a table's log for goals."""
        return Done(entry.seat, entry.action, entry.verdict.value)

    def named(self, position: EkkoPosition, text: str) -> str:  # noqa: ARG002
        """Raise an error: cards are called by their numbers."""
        raise PositionError(f"there is no place called {text!r:.20}", key="words")

    def check_mark(self, position: EkkoPosition, mark: object) -> None:  # noqa: ARG002
        """Check that a card's number was given. Raises PositionError."""
        read_whole(mark, "marks", 1, CARDS, "K1.1")


TEACHING = EkkoTeaching()


_ADVISER = "strong"
"""The level of the hints: it counts visible cards and remembers no more than people do."""


class EkkoAdvice:
    """Hints for beginners."""

    def advise(self, live: LiveState, seat: int) -> Json:
        """Return the valid cards, one good decision (None: wait) and the reasons for it.

        Raises: TableError if the seat has nothing to decide.
        """
        asks = {ask.asks for ask in asked(live, seat)}
        if not asks:
            raise TableError("you are not asked now", code="table/not-now")
        position = live.position
        view = position.view(seat)
        valid = valid_cards(position, seat) if TURN in asks else []
        fits = [card for card in valid if card != position.mirror]  # it is played as a mirror (K3.4)
        held = asked_for_mirror(view, seat)
        action = _best(view, held, seat, asks)
        return {
            "top": view["zone"][-1],
            "fits": fits,
            "mirror": None if held is None else position.mirror,
            "action": None if action is None else _action_json(action, asks),
            "reasons": list(_reasons(view, fits, action)),
        }


ADVICE = EkkoAdvice()


def _best(view: Json, held: Json | None, seat: int, asks: set[str]) -> Action | None:
    """Return a good decision, None to wait. held: the view as if asked for the mirror the seat holds."""
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
    """Return the JSON of a decision; for a claimed mirror only its effect."""
    value = action_to_json(action)
    if EFFECT not in asks:
        return value
    return {key: value[key] for key in ("effect", "aside") if key in value} | {"type": "effect"}


def _reasons(view: Json, fits: list[int], action: Action | None) -> Iterator[Json]:
    """Yield the reasons for a decision, as codes that the page knows, most important first."""
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
    """Return the reasons for a card. Rule: K2.1, K2.3, K3.2, K5.4."""
    rest = set(view["hand"]) - {card}
    again = is_multiple(card) and rest & _fit_on(card)
    known = {
        "last": not rest and not is_multiple(card),
        "only": len(fits) == 1,
        "again": bool(again),
        "dear": is_multiple(card),
        "own-mirror": mirror_of(card) in rest,
    }
    reasons: list[Json] = [{"reason": reason} for reason, holds in known.items() if holds]
    unseen = set(range(1, CARDS + 1)) - {*view["zone"], *view["hand"], *view["aside"]}
    left = {other: len(unseen & _fit_on(other)) for other in fits if not is_multiple(other)}
    if card in left and rest and not known["only"] and left[card] == min(left.values()):
        reasons.append({"reason": "narrow", "n": left[card]} if left[card] else {"reason": "closed"})
    outermost = max(fits, key=_distance)
    if _distance(outermost) > _distance(card):
        reasons.append({"reason": "keeps", "card": outermost})
    return reasons


def _distance(card: int) -> float:
    """Return the distance of a card from the middle: few cards are valid on high odd and low even ones."""
    return abs(card - (CARDS + 1) / 2)


def _fit_on(card: int) -> set[int]:
    """Return all cards that are valid on a card. Rule: K2.1."""
    return set(members(FITTING[card].tolist()))
