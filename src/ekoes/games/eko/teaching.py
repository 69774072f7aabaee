"""The goals of Ekö's lessons, and hints for players who play against bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from ekoes.errors import PositionError
from ekoes.games.api.chance import Chance
from ekoes.games.api.contract import Json, RefusedError
from ekoes.games.api.parts import GoalReader, did
from ekoes.games.api.reading import read_fields, read_flag, read_whole
from ekoes.games.eko.bots.one_turn import GREEDY
from ekoes.games.eko.position.action import Action, Build, Building, Move, Space, action_to_json
from ekoes.games.eko.position.position import FLAGS, EkoPosition
from ekoes.games.eko.position.refusal import refusal
from ekoes.games.eko.presenter import EFFECTS, effect_of
from ekoes.games.eko.rules.record import TALLEST, WINNING_POINTS, Phase, Whereabouts

_WHERE = ("board", "reserve")


def _stack(position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner has a stack of at least some height on a space."""
    content = read_fields(value, key, ("at", "height"))
    _space(position, content["at"], f"{key}.at")
    read_whole(content["height"], f"{key}.height", 1, TALLEST, "E1.6")


def _building(position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner has a building of a kind on a site."""
    content = read_fields(value, key, ("at", "kind"))
    _space(position, content["at"], f"{key}.at")
    kinds = [kind.value for kind in Building]
    if content["kind"] not in kinds:
        raise PositionError(f"must be one of {', '.join(kinds)}", rule="E1.3", key=f"{key}.kind")


def _captive(position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner holds the Emperor of a seat."""
    read_whole(value, key, 0, position.players - 1, "E1.1")


def _emperor(_position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner's own Emperor is on the board or in the reserve."""
    if value not in _WHERE:
        raise PositionError(f"must be one of {', '.join(_WHERE)}", key=key)


def _points(_position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner has at least some points."""
    read_whole(value, key, 1, 4 * WINNING_POINTS, "E11.1")


def _won(_position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner has won."""
    if not read_flag(value, key):
        raise PositionError("must be true", key=key)


def _did(position: EkoPosition, value: object, key: str) -> None:
    """Goal: the learner's decisions have had some effects so often."""
    did(EFFECTS)(position, value, key)


def _space(position: EkoPosition, value: object, key: str) -> Space:
    space = Space.parse(value, key)
    if space not in position.layout.index:
        raise PositionError(f"{space} is not on the board", rule="E2.1", key=key)
    return space


class EkoTeaching:
    """The lessons of Ekö, whose tasks its pages judge (web/src/eko/task.ts)."""

    goals: Mapping[str, GoalReader] = MappingProxyType(
        {
            "stack": _stack,
            "building": _building,
            "captive": _captive,
            "emperor": _emperor,
            "points": _points,
            "won": _won,
            "did": _did,
        }
    )

    @property
    def folder(self) -> Traversable:
        """The folder of the lessons."""
        return files("ekoes.games.eko") / "lessons"

    def named(self, position: EkoPosition, text: str) -> str:
        """Return the name of a space. Raises PositionError, NotationError."""
        return position.layout.names.write(_space(position, text, "words"))

    def check_mark(self, position: EkoPosition, mark: object) -> None:
        """Check that a space is on the board. Raises PositionError, NotationError."""
        _space(position, mark, "marks")


TEACHING = EkoTeaching()


_TAKES = {"attack", "kamikaze", "replace", "sandtemple"}
"""Effects on an enemy that are reasons by themselves."""

_OWN = {"regroup", "reinforce", "moon", "march", "keep"}
"""Effects on the player's own discs that are reasons by themselves."""

_QUIET = {Phase.SWAP, Phase.PLACE, Phase.OVER}
"""Phases in which an attack by another player cannot follow."""


class EkoAdvice:
    """Hints for beginners."""

    def threats(self, position: EkoPosition, place: str) -> Json:
        """Return the spaces that a stack could reach, capture or build on if its turn began now.

        Raises: RefusedError if the space has no stack; NotationError if it is not a space.
        """
        space = Space.parse(place, "place")
        stack = position.stacks().get(space)
        if stack is None:
            raise RefusedError(refusal("not-your-stack"))
        begun = () if position.phase in _QUIET else _turn_of(position, stack.owner).legal(stack.owner)
        actions = [action for action in begun if getattr(action, "source", None) == space]
        targets = {action.target for action in actions if isinstance(action, Move)} - {space}
        takes = targets & _enemies(position, stack.owner)
        sites = {action.site for action in actions if isinstance(action, Build)}
        return {
            "place": str(space),
            "seat": stack.owner,
            "moves": _names(targets - takes),
            "takes": _names(takes),
            "sites": _names(sites),
        }

    def advise(self, position: EkoPosition, seat: int) -> Json:
        """Return the decision of the bot ``greedy``, and the reasons for it, most important first."""
        action = GREEDY.choose(position, seat, Chance(position.turn_number))
        after = position.play(seat, action)
        reasons = list(_reasons(position, after, seat, action))
        return {
            "action": action_to_json(action),
            "reasons": reasons or [{"reason": "position"}],
        }


ADVICE = EkoAdvice()


def _enemies(position: EkoPosition, seat: int) -> set[Space]:
    """Return the spaces with stacks of other players."""
    return {space for space, stack in position.stacks().items() if stack.owner != seat}


def _names(spaces: Iterable[Space]) -> list[str]:
    return sorted(map(str, spaces))


def _turn_of(position: EkoPosition, seat: int) -> EkoPosition:
    """Return the position as if a player's turn began now."""
    states = position.states.copy()
    states["player"], states["phase"] = seat, Phase.ACTION
    states["paid"] = 0
    for flag in FLAGS:
        states[flag] = False
    return EkoPosition(position.layout, states)


def _reasons(before: EkoPosition, after: EkoPosition, seat: int, action: Action) -> Iterator[Json]:
    """Yield the reasons for a decision, as codes that the page knows, in the order of their worth."""
    outcome = after.outcome()
    if outcome is not None and seat in outcome.winners:
        yield {"reason": "wins"}
        return
    if before.plain.whereabouts[seat] == Whereabouts.CAPTIVE != after.plain.whereabouts[seat]:
        yield {"reason": "emperor-back"}
    if len(after.captives(seat)) > len(before.captives(seat)):
        yield {"reason": "captures"}
    was, now = exposed_stacks(before, seat), exposed_stacks(after, seat)
    is_on_board = after.plain.whereabouts[seat] == Whereabouts.BOARD
    is_saved = is_on_board and has_emperor(before, was) and not has_emperor(after, now)
    if is_saved:
        yield {"reason": "emperor-safe"}
    if before.plain.capitals[seat] == 0 and after.plain.capitals[seat] > 0:
        yield {"reason": "capital"}
    gained = after.total(seat) - before.total(seat)
    if gained > 0:
        yield {"reason": "points", "n": gained}
    effect = effect_of(before, action)
    if effect in _TAKES:
        yield {"reason": effect}
    if not is_saved and len(now) < len(was):
        yield {"reason": "safer", "n": len(was) - len(now)}
    yield from _prospects(before, after, seat)
    if effect in _OWN:
        yield {"reason": effect}


def _prospects(before: EkoPosition, after: EkoPosition, seat: int) -> Iterator[Json]:
    """Yield what the player can do after a decision, on the next turn, and could not do before."""
    prey, more_prey = (_prey(position, seat) for position in (before, after))
    if has_emperor(after, more_prey) and not has_emperor(before, prey):
        yield {"reason": "threatens-emperor"}
    sites, more_sites = (_sites(position, seat) for position in (before, after))
    if len(more_sites) > len(sites):
        yield {"reason": "sites"}
    if len(more_prey) > len(prey):
        yield {"reason": "threatens", "n": len(more_prey) - len(prey)}


def _prey(position: EkoPosition, seat: int) -> set[Space]:
    """Return the spaces of enemy stacks that a player could take if its turn began now."""
    if position.phase is Phase.OVER:
        return set()
    actions = _turn_of(position, seat).legal(seat)
    return {action.target for action in actions if isinstance(action, Move)} & _enemies(position, seat)


def _sites(position: EkoPosition, seat: int) -> set[Space]:
    """Return the sites that a player could build on if its turn began now."""
    return {action.site for action in _turn_of(position, seat).legal(seat) if isinstance(action, Build)}


def exposed_stacks(position: EkoPosition, seat: int) -> set[Space]:
    """Return the player's stacks that another player could attack next."""
    own = {space for space, stack in position.stacks().items() if stack.owner == seat}
    return own & set[Space]().union(
        *(_prey(position, other) for other in range(position.players) if other != seat)
    )


def has_emperor(position: EkoPosition, spaces: set[Space]) -> bool:
    """Return whether an Emperor is in one of the stacks on some spaces."""
    stacks = position.stacks()
    return any(stacks[space].emperor for space in spaces)
