"""Hold the engine against the reference on one position."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from ekoes.errors import EkoesError
from ekoes.games.api.registry import game
from ekoes.games.kernels import COMPILED
from tests import reference
from tests.kit.examples import IS_LONG

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random
    from types import ModuleType

    from ekoes.games.eko.position.position import EkoPosition

IS_PLAIN_RUN = COMPILED and not os.environ.get("NUMBA_BOUNDSCHECK")

_USUAL_SIZE = 0.3 if not IS_PLAIN_RUN else 1 if IS_LONG else 0.25
SIZE = float(os.environ.get("EKOES_DIFFERENTIAL", _USUAL_SIZE))
"""How much is compared: 1 in `make test-long`, a quarter of it in `make test` (a little more where the
kernels run interpreted or with their indices checked), 20 for an evening."""

ACTIONS_PLAYED = 12
"""Of each position so many actions are played, drawn so that every type is among them."""


def times(count: int) -> int:
    """So many of something, in the size of this run."""
    return max(1, round(count * SIZE))


def engine_reads(value: object) -> EkoPosition:
    """The engine's position."""
    position: EkoPosition = game("eko").from_json(value)  # type: ignore[assignment]
    return position


def text(value: object) -> str:
    """One text for equal JSON; the order of keys counts."""
    return json.dumps(value, separators=(",", ":"))


def sorted_texts(actions: Iterable[dict[str, Any]]) -> list[str]:
    """Actions in an order of their own, for comparing and for messages."""
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def are_refused_alike(value: dict[str, Any], name: str, rules: ModuleType) -> bool:
    """Whether a game and its reference both refuse a position.

    Raises AssertionError if they don't agree, or read it differently.
    """
    try:
        rules.check(value)
        expected = None
    except reference.Refused as refused:
        expected = refused
    try:
        position = game(name).from_json(value)
        found = None
    except EkoesError as error:
        found = error
    assert (expected is None) == (found is None), f"{expected} / {found}: {text(value)}"
    if expected is None:
        assert text(position.to_json()) == text(rules.canonical(value))
    return expected is not None


def compare(value: dict[str, Any], rng: Random) -> list[dict[str, Any]]:
    """Assert that the engine reads, lists and plays a position as the reference does.

    Returns the positions after the actions that were played.
    """
    position = engine_reads(value)
    assert text(position.to_json()) == text(value)
    wanted = reference.legal(value)
    compare_actors(position, value)
    listed = [action for seat in position.actors() for action in position.legal(seat)]
    parse, write = game("eko").parse_action, game("eko").action_to_json
    assert sorted_texts(map(write, listed)) == sorted_texts(wanted), text(value)
    afterwards = []
    for action in some_of(wanted, rng):
        after = reference.follow(value, action)
        played = position.play(position.actors()[0], parse(action))
        assert text(played.to_json()) == text(after), f"{text(value)} {text(action)}"
        compare_points(played, after)
        afterwards.append(after)
    return afterwards


def compare_actors(position: EkoPosition, value: dict[str, Any]) -> None:
    """Who is asked: the player in turn, who owes a ransom, or nobody at the end."""
    turn = value["turn"]
    seats = () if turn["phase"] == "over" else (turn.get("ransom", turn["player"]),)
    assert position.actors() == seats, text(value)


def compare_points(position: EkoPosition, value: dict[str, Any]) -> None:
    """The points of all players, and how the game ended."""
    totals = [position.total(seat) for seat in range(value["players"])]
    assert totals == [reference.points(value, seat) for seat in range(value["players"])], text(value)
    outcome = position.outcome()
    assert (outcome is not None) == ("winners" in value), text(value)
    if outcome is not None:
        assert list(outcome.winners) == value["winners"], text(value)


def some_of(actions: list[dict[str, Any]], rng: Random) -> list[dict[str, Any]]:
    """Some of the actions, every type and every shape of a move among them."""
    shapes: dict[str, list[dict[str, Any]]] = {}
    for action in actions:
        shape = f"{action['type']} {sorted(action)} {len(action.get('zones', []))}"
        shapes.setdefault(shape, []).append(action)
    chosen = [rng.choice(group) for group in shapes.values()]
    return chosen + rng.sample(actions, min(len(actions), max(0, ACTIONS_PLAYED - len(chosen))))
