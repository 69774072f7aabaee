"""Hints for somebody who plays Ekö against bots: what threatens, and one good decision with its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ekoes.games.chance import Chance
from ekoes.games.contract import Json
from ekoes.games.eko.action import Action, Build, Move, Space, action_to_json
from ekoes.games.eko.bots.greedy import best_action
from ekoes.games.eko.choices import describe
from ekoes.games.eko.position import EkoPosition
from ekoes.games.eko.refusal import refusal
from ekoes.games.eko.rules.record import Phase
from ekoes.games.refused import RefusedError

__all__ = ["ADVICE", "EkoAdvice"]

_TOLD = {"attack", "kamikaze", "replace", "sandtemple", "regroup", "reinforce", "moon", "march"}
"""What a decision comes to that speaks for itself."""

_QUIET = {Phase.SWAP, Phase.PLACE, Phase.OVER}
"""Where nobody could attack next."""


class EkoAdvice:
    """What Ekö tells a beginner."""

    def threats(self, position: EkoPosition, place: str) -> Json:
        """Tell where a stack could go, what it could take and where it could build, were it its turn.

        Raises: RefusedError if no stack stands there; NotationError if that is no space.
        """
        space = Space.parse(place, "place")
        stack = position.stacks().get(space)
        if stack is None:
            raise RefusedError(refusal("not-your-stack"))
        doings = [
            action for action in _doings(position, stack.owner) if getattr(action, "source", None) == space
        ]
        targets = {action.target for action in doings if isinstance(action, Move)} - {space}
        takes = targets & _enemies(position, stack.owner)
        sites = {action.site for action in doings if isinstance(action, Build)}
        return {
            "place": str(space),
            "seat": stack.owner,
            "moves": _names(targets - takes),
            "takes": _names(takes),
            "sites": _names(sites),
        }

    def advise(self, position: EkoPosition, seat: int) -> Json:
        """Return the decision that ``greedy`` would take, and what speaks for it, the weightiest first."""
        action = best_action(position, Chance(position.turn_number))
        after = position.play(seat, action)
        reasons = list(_reasons(position, after, seat, action))
        return {
            "action": action_to_json(action),
            "reasons": reasons or [{"reason": "position"}],
        }


ADVICE = EkoAdvice()


def _doings(position: EkoPosition, seat: int) -> Sequence[Action]:
    """Return the actions of a player as if its turn began now."""
    return () if position.phase in _QUIET else _turn_of(position, seat).legal(seat)


def _enemies(position: EkoPosition, seat: int) -> set[Space]:
    """Return where stacks of other players stand."""
    return {space for space, stack in position.stacks().items() if stack.owner != seat}


def _names(spaces: Iterable[Space]) -> list[str]:
    return sorted(map(str, spaces))


def _turn_of(position: EkoPosition, seat: int) -> EkoPosition:
    """Return the position as if a player's turn began now."""
    states = position.states.copy()
    states["player"], states["phase"] = seat, Phase.ACTION
    states["paid"] = 0
    for flag in ("marched", "sandtemple_used", "moon_used"):
        states[flag] = False
    return EkoPosition(position.board, states)


def _reasons(before: EkoPosition, after: EkoPosition, seat: int, action: Action) -> Iterator[Json]:
    """Yield what a decision does for a player, in words that pages know."""
    outcome = after.outcome()
    if outcome is not None and seat in outcome.winners:
        yield {"reason": "wins"}
        return
    captured = len(after.captives(seat)) - len(before.captives(seat))
    if captured > 0:
        yield {"reason": "captures"}
    if before.record.capitals[seat] == 0 and after.record.capitals[seat] > 0:
        yield {"reason": "capital"}
    gained = after.points(seat).total - before.points(seat).total
    if gained > 0:
        yield {"reason": "points", "n": gained}
    effect = str(describe(before, action)["effect"])
    if effect in _TOLD:
        yield {"reason": effect}
    yield from _safety(before, after, seat)


def _safety(before: EkoPosition, after: EkoPosition, seat: int) -> Iterator[Json]:
    """Yield whether a decision brings stacks, or the Emperor, out of danger."""
    was, now = _exposed(before, seat), _exposed(after, seat)
    if _has_emperor(before, was) and not _has_emperor(after, now):
        yield {"reason": "emperor-safe"}
    elif len(now) < len(was):
        yield {"reason": "safer", "n": len(was) - len(now)}


def _exposed(position: EkoPosition, seat: int) -> set[Space]:
    """Return the own stacks that somebody could attack next."""
    found: set[Space] = set()
    stacks = position.stacks()
    for other in range(position.players):
        if other != seat:
            found |= {action.target for action in _doings(position, other) if isinstance(action, Move)}
    return {space for space in found if (stack := stacks.get(space)) is not None and stack.owner == seat}


def _has_emperor(position: EkoPosition, spaces: set[Space]) -> bool:
    stacks = position.stacks()
    return any(stacks[space].emperor for space in spaces)
