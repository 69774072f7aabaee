"""Positions for the rule tests, drawn tersely, and short words for what the tests ask of them.

    draw("3E@0,2 camp@0,3 +2", "1@1,2 1E@-1,1 holds0", phase="after")

draws a position: one text for each player, seat 0 first. `3E@0,2` is a stack of 3 with the Emperor,
`camp@0,3` a building, `+2E` a reserve of 2 ordinary discs and the Emperor, `holds0` a captive. All
discs not named are removed from the game, so that small pictures stay legal (E1.2).

HEXAGON, two players, tiles A to G, none turned (sand ., others as in E1.5):

                     c1,-4 .2,-4
                  .0,-3 .1,-3 m2,-3 .3,-3 .4,-3
         .-2,-2.-1,-2.0,-2 .1,-2 x2,-2 m3,-2 .4,-2
      .-3,-1r-2,-1.-1,-1x0,-1 .1,-1 .2,-1 .3,-1
         c-3,0 .-2,0 .-1,0 C0,0  .1,0  .2,0  .3,0
            r-3,1 .-2,1 .-1,1 r0,1  c1,1  .2,1  r3,1
         .-4,2 .-3,2 c-2,2 r-1,2 .0,2  .1,2  .2,2
            x-4,3 .-3,3 .-2,3 .-1,3 m0,3
                           r-2,4 .-1,4

WONDERS, the same with the tiles of all variants (t tempests, P portals, M S W temples); the western
and the southern zone touch two movement spaces or more, the pyramid stands in the north-east, the
Beacon in the south-west:

                     c1,-4 .2,-4             t5,-4 t6,-4
      P-2,-3      .0,-3 .1,-3 m2,-3 .3,-3 .4,-3 t5,-3
         .-2,-2.-1,-2.0,-2 .1,-2 x2,-2 m3,-2 .4,-2
t-4,-1.-3,-1M-2,-1.-1,-1x0,-1 .1,-1 .2,-1 .3,-1 W4,-1
   t-4,0 c-3,0 .-2,0 .-1,0 C0,0  .1,0  .2,0  .3,0  P4,0
      t-4,1 r-3,1 .-2,1 .-1,1 r0,1  c1,1  .2,1  S3,1
         .-4,2 .-3,2 c-2,2 r-1,2 .0,2  .1,2  .2,2
            x-4,3 .-3,3 .-2,3 .-1,3 m0,3  t1,3  t2,3
               t-4,4 t-3,4 r-2,4 .-1,4       t1,4
                  t-4,5

TRIANGLE (three players) and STAR (four) add the tiles H to J and K to M to HEXAGON.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from ekoes.errors import IllegalActionError
from ekoes.games.api.registry import game
from ekoes.games.eko.position.action import (
    Build,
    Building,
    End,
    March,
    Moon,
    Move,
    Place,
    Ransom,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)
from ekoes.games.eko.position.layout import Layout

if TYPE_CHECKING:
    from ekoes.games.eko.position.action import Action
    from ekoes.games.eko.position.position import EkoPosition

HEXAGON: list[list[Any]] = [
    ["A", 0, 0, 0],
    ["B", 2, 1, 0],
    ["C", 3, -2, 0],
    ["D", 1, -3, 0],
    ["E", -2, -1, 0],
    ["F", -3, 2, 0],
    ["G", -1, 3, 0],
]
TRIANGLE: list[list[Any]] = [*HEXAGON, ["H", 5, -1, 0], ["I", -1, -4, 0], ["J", -4, 5, 0]]
STAR: list[list[Any]] = [*TRIANGLE, ["K", 4, -5, 0], ["L", -5, 1, 0], ["M", 1, 4, 0]]
WONDERS: list[list[Any]] = [
    ["A", 0, 0, 0],
    ["N", 2, 1, 0],
    ["C", 3, -2, 0],
    ["D", 1, -3, 0],
    ["O", -2, -1, 0],
    ["F", -3, 2, 0],
    ["G", -1, 3, 0],
    ["T", 4, -1, 0],
    ["P", 1, 3, 0],
    ["Q", -4, 0, 2],
    ["S", 5, -4, 0],
    ["U", -4, 4, 0],
    ["R", -2, -3, 5],
    ["R", 4, 0, 3],
]
SHUFFLED: list[list[Any]] = [
    ["F", 0, 0, 3],
    ["G", 2, 1, 3],
    ["E", 3, -2, 0],
    ["D", 1, -3, 4],
    ["A", -2, -1, 3],
    ["B", -3, 2, 4],
    ["C", -1, 3, 2],
]
"""The board for two of the seed 1."""
_BOARDS = {2: HEXAGON, 3: TRIANGLE, 4: STAR}
_ORDINARY = 15

WEST, SOUTH, PYRAMID, BEACON = "-4,-1", "1,3", "5,-4", "-4,4"
"""The names of the four zones of WONDERS."""


def standard_layout(players: int) -> Layout:
    """The board of E2.4 with the tiles in the order of their names, all unturned."""
    return Layout(players, _BOARDS[players])


# --- drawing ------------------------------------------------------------------------------


def drawn(*players: str, tiles: list[list[Any]] | None = None, **turn: Any) -> dict[str, Any]:
    """The JSON of a drawn position; `turn` overrides number 7, player 0, phase `action`."""
    position: dict[str, Any] = {
        "game": "eko",
        "version": 1,
        "players": len(players),
        "tiles": tiles or _BOARDS[len(players)],
        "stacks": {},
        "buildings": {},
        "reserve": [],
        "removed": [],
        "captives": [],
        "turn": {"number": 7, "player": 0, "phase": "action"} | turn,
    }
    for seat, text in enumerate(players):
        _draw_player(position, seat, text)
    return position


def _draw_player(position: dict[str, Any], seat: int, text: str) -> None:
    removed, reserve, captives = _ORDINARY, {"discs": 0, "emperor": False}, []
    for token in text.split():
        if match := re.fullmatch(r"(\d)(E?)@(\S+)", token):
            stack = {"owner": seat, "height": int(match[1]), "emperor": bool(match[2])}
            position["stacks"][match[3]] = stack
            removed -= int(match[1]) - bool(match[2])
        elif match := re.fullmatch(r"(camp|tower|castle)@(\S+)", token):
            position["buildings"][match[2]] = {"owner": seat, "kind": match[1]}
        elif match := re.fullmatch(r"\+(\d*)(E?)", token):
            reserve = {"discs": int(match[1] or 0), "emperor": bool(match[2])}
            removed -= int(match[1] or 0)
        elif match := re.fullmatch(r"holds(\d)", token):
            captives.append(int(match[1]))
        else:
            raise ValueError(token)
    position["reserve"].append(reserve)
    position["removed"].append(removed)
    position["captives"].append(captives)


def draw(*players: str, tiles: list[list[Any]] | None = None, **turn: Any) -> EkoPosition:
    """A drawn position, as the engine reads it."""
    return read(drawn(*players, tiles=tiles, **turn))


def read(value: object) -> EkoPosition:
    """A position from its JSON."""
    position: EkoPosition = game("eko").from_json(value)  # type: ignore[assignment]
    return position


# --- actions ------------------------------------------------------------------------------


def space(text: str) -> Space:
    return Space.parse(text)


def move(start: str, end: str, *zones: str, emperor_lost: bool = False) -> Action:
    return Move(space(start), space(end), tuple(map(space, zones)), emperor_lost)


def build(start: str, site: str, kind: str, *, emperor: bool = False) -> Action:
    return Build(space(start), space(site), Building(kind), emperor)


def reinforce(where: str, count: int, *, emperor: bool = False) -> Action:
    return Reinforce(space(where), count, emperor)


def moon(where: str, *, emperor: bool = False) -> Action:
    return Moon(space(where), emperor)


def sandtemple(where: str) -> Action:
    return SandTemple(space(where))


def swap(where: str | None = None) -> Action:
    return Swap(space(where) if where else None)


def place(where: str, *, emperor: bool = False) -> Action:
    return Place(space(where), emperor)


def ransom(captive: int) -> Action:
    return Ransom(captive)


MARCH, END = March(), End()


# --- asking -------------------------------------------------------------------------------


def asked(position: EkoPosition) -> int:
    """The one seat that is asked."""
    (seat,) = position.actors()
    return seat


def options(position: EkoPosition) -> set[Action]:
    """All legal actions of whoever is asked."""
    actions = list(position.legal(asked(position)))
    assert len(set(actions)) == len(actions), "an action is listed twice"
    return set(actions)


def of_type(position: EkoPosition, kind: str) -> set[Action]:
    """The legal actions of one type."""
    return {action for action in options(position) if action.type == kind}


def play(position: EkoPosition, *actions: Action) -> EkoPosition:
    """Play actions, each by the seat that is asked."""
    for action in actions:
        position = position.play(asked(position), action)
    return position


def refused(position: EkoPosition, action: Action, rule: str, code: str) -> None:
    """Assert that an action is not legal, and that the refusal names rule and code."""
    seat = asked(position)
    assert action not in options(position)
    refusal = position.why_not(seat, action)
    assert refusal is not None
    assert (refusal.rule, refusal.code) == (rule, code), refusal
    with pytest.raises(IllegalActionError) as error:
        position.play(seat, action)
    assert error.value.rule == rule


def allowed(position: EkoPosition, action: Action) -> EkoPosition:
    """Assert that an action is legal, and return the position after it."""
    assert action in options(position)
    assert position.why_not(asked(position), action) is None
    return play(position, action)


def at(position: EkoPosition, where: str) -> str:
    """What stands on a space: `0:3E`, `1:camp`, or nothing at all."""
    state = position.to_json()
    if where in state["stacks"]:
        stack = state["stacks"][where]
        return f"{stack['owner']}:{stack['height']}{'E' * stack['emperor']}"
    if where in state["buildings"]:
        building = state["buildings"][where]
        return f"{building['owner']}:{building['kind']}"
    return ""


def reserve(position: EkoPosition, seat: int) -> str:
    """A reserve: `2`, `2E`, `0`."""
    hand = position.to_json()["reserve"][seat]
    return f"{hand['discs']}{'E' * hand['emperor']}"


def phase(position: EkoPosition) -> str:
    """Whose turn it is and what is asked: `0 action`."""
    turn = position.to_json()["turn"]
    return f"{turn['player']} {turn['phase']}"


def ended(position: EkoPosition) -> tuple[tuple[int, ...], str]:
    """The winners and the rule by which the game ended."""
    outcome = position.outcome()
    assert outcome is not None
    assert position.actors() == ()
    assert position.to_json()["winners"] == list(outcome.winners)
    return outcome.winners, outcome.rule
