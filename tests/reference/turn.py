"""The order of decisions (E12), the turn (E4), the set-up (E3) and the ransom (E5.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.reference.board import board_of
from tests.reference.common import Refused, copied
from tests.reference.construct import constructions, do_build
from tests.reference.ending import holder, owed, winners
from tests.reference.moves import do_move, moves
from tests.reference.position import canonical
from tests.reference.reinforce import do_moon, do_reinforce, has_temple, reinforcements

if TYPE_CHECKING:
    from collections.abc import Callable

PRICE_OF_THE_MARCH = 3
PRICE_OF_THE_SAND = 2

Position = dict[str, Any]
Action = dict[str, Any]


def legal(position: Position) -> list[Action]:
    """Every legal action of the player who is asked, in no special order."""
    options: dict[str, Callable[[Position], list[Action]]] = {
        "place": _place_options,
        "swap": _swap_options,
        "action": _action_options,
        "after": _after_options,
        "second": _acts,
        "reinforce": reinforcements,
        "ransom": _ransom_options,
        "over": lambda _: [],
    }
    return options[position["turn"]["phase"]](position)


def apply(position: Position, action: Action) -> Position:
    """The canonical position after a legal action. Raises Refused for any other."""
    given = {key: value for key, value in action.items() if value is not False and value != []}
    if given not in legal(position):
        raise Refused("E12", f"{action} is not legal here")
    return follow(position, given)


def follow(position: Position, action: Action) -> Position:
    """The canonical position after an action that is known to be legal."""
    after = copied(position)
    {
        "place": _do_place,
        "swap": _do_swap,
        "sandtemple": _do_sandtemple,
        "move": _do_act,
        "build": _do_act,
        "march": _do_march,
        "reinforce": _do_reinforcement,
        "moon": _do_reinforcement,
        "ransom": _do_ransom,
        "end": _do_end,
    }[action["type"]](after, action)
    return canonical(after)


def perft(position: Position, depth: int) -> int:
    """Decision sequences of this length; a game that ends earlier is one leaf."""
    if depth == 0 or position["turn"]["phase"] == "over":
        return 1
    if depth == 1:
        return len(legal(position))
    return sum(perft(follow(position, action), depth - 1) for action in legal(position))


# --- what may be chosen -------------------------------------------------------------------


def _place_options(position: Position) -> list[Action]:
    """E3.4."""
    board, hand = board_of(position), position["unplaced"][position["turn"]["player"]]
    found: list[Action] = []
    for space in board.spaces:
        if board.terrain[space] == "sand" and space not in position["stacks"]:
            if hand["discs"]:
                found.append({"type": "place", "space": space})
            if hand["emperor"]:
                found.append({"type": "place", "space": space, "emperor": True})
    return found


def _swap_options(position: Position) -> list[Action]:
    """E3.3."""
    own = [
        space
        for space, stack in position["stacks"].items()
        if stack["owner"] == position["turn"]["player"] and not stack["emperor"]
    ]
    return [{"type": "swap"}, *({"type": "swap", "space": space} for space in own)]


def _acts(position: Position) -> list[Action]:
    return moves(position) + constructions(position)


def _action_options(position: Position) -> list[Action]:
    """E12.2."""
    acts, sand = _acts(position), _sandtemple_options(position)
    end = [{"type": "end"}] if sand and not acts else []
    return acts + sand + end


def _sandtemple_options(position: Position) -> list[Action]:
    """E10.5."""
    turn = position["turn"]
    player = turn["player"]
    if turn.get("sandtemple_used") or not has_temple(position, player, "sandtemple"):
        return []
    if position["reserve"][player]["discs"] < PRICE_OF_THE_SAND:
        return []
    return [
        {"type": "sandtemple", "space": space}
        for space, stack in position["stacks"].items()
        if stack["owner"] != player and stack["height"] > stack["emperor"]
    ]


def _after_options(position: Position) -> list[Action]:
    """E12.3: the march, reinforcements, and `end` where nothing has to be brought back."""
    player = position["turn"]["player"]
    options = reinforcements(position)
    has_marched = position["turn"].get("marched", False)
    if has_marched or position["reserve"][player]["discs"] < PRICE_OF_THE_MARCH or not _acts(position):
        return options
    return [{"type": "march"}, *(options or [{"type": "end"}])]


def _ransom_options(position: Position) -> list[Action]:
    """E5.7."""
    captives = position["captives"][position["turn"]["ransom"]]
    return [{"type": "ransom", "captive": captive} for captive in captives]


# --- what happens -------------------------------------------------------------------------


def _do_place(position: Position, action: Action) -> None:
    player = position["turn"]["player"]
    emperor = action.get("emperor", False)
    position["stacks"][action["space"]] = {"owner": player, "height": 1, "emperor": emperor}
    hand = position["unplaced"][player]
    hand["discs"] -= not emperor
    hand["emperor"] &= not emperor
    position["turn"]["player"] = (player + 1) % position["players"]
    if not any(hand["discs"] or hand["emperor"] for hand in position["unplaced"]):
        del position["unplaced"]
        _begin_game(position)


def _do_swap(position: Position, action: Action) -> None:
    turn = position["turn"]
    player, first = turn["player"], turn.get("first", 0)
    if "space" in action:
        for stack in position["stacks"].values():
            if stack["owner"] == player:
                stack["emperor"] = False
        position["stacks"][action["space"]]["emperor"] = True
    turn["player"] = (player + 1) % position["players"]
    if turn["player"] == first:
        _begin_game(position)


def _begin_game(position: Position) -> None:
    """After the set-up the first player begins."""
    turn = position["turn"]
    turn["player"] = (turn.pop("first", 0) - 1) % position["players"]
    _next_turn(position)


def _do_sandtemple(position: Position, action: Action) -> None:
    turn = position["turn"]
    player = turn["player"]
    position["reserve"][player]["discs"] -= PRICE_OF_THE_SAND
    position["removed"][player] += PRICE_OF_THE_SAND
    stack = position["stacks"][action["space"]]
    stack["height"] -= 1
    if stack["height"] == 0:
        del position["stacks"][action["space"]]
    position["reserve"][stack["owner"]]["discs"] += 1
    turn["sandtemple_used"] = True
    _go_on(position, "action")


def _do_act(position: Position, action: Action) -> None:
    """The first action of a turn, or the second one."""
    if action["type"] == "move":
        do_move(position, action)
    else:
        do_build(position, action)
    _go_on(position, "after" if position["turn"]["phase"] == "action" else "reinforce")


def _do_march(position: Position, _: Action) -> None:
    player = position["turn"]["player"]
    position["reserve"][player]["discs"] -= PRICE_OF_THE_MARCH
    position["removed"][player] += PRICE_OF_THE_MARCH
    position["turn"]["marched"] = True
    _go_on(position, "second")


def _do_reinforcement(position: Position, action: Action) -> None:
    if action["type"] == "moon":
        do_moon(position, action)
    else:
        do_reinforce(position, action)
    _go_on(position, "reinforce")


def _do_ransom(position: Position, action: Action) -> None:
    turn = position["turn"]
    _exchange(position, turn.pop("ransom"), action["captive"])
    _go_on(position, turn.pop("resume"))


def _do_end(position: Position, _: Action) -> None:
    if position["turn"]["phase"] == "action":
        _go_on(position, "reinforce")
    else:
        _next_turn(position)


# --- between two decisions ----------------------------------------------------------------


def _go_on(position: Position, phase: str) -> None:
    """After a decision: ransoms first, then victory, then the next phase with a choice."""
    turn = position["turn"]
    while (player := owed(position)) is not None:
        if len(position["captives"][player]) > 1:
            turn.update(phase="ransom", ransom=player, resume=phase)
            return
        _exchange(position, player, position["captives"][player][0])
    won = winners(position)
    if won is not None:
        _finish(position, won)
        return
    turn["phase"] = phase
    if legal(position):
        return
    if phase in ("action", "second"):
        _go_on(position, "reinforce")
    else:
        _next_turn(position)


def _exchange(position: Position, player: int, captive: int) -> None:
    """E5.7: a captive against the player's own Emperor."""
    other = holder(position, player)
    position["captives"][player].remove(captive)
    position["captives"][other].remove(player)
    position["reserve"][player]["emperor"] = True
    if captive == other:
        position["reserve"][other]["emperor"] = True
    else:
        position["captives"][other] = sorted([*position["captives"][other], captive])


def _next_turn(position: Position) -> None:
    """E4.2: the next player who can do anything at all; if there is none, nobody wins."""
    last = dict(position["turn"])
    for step in range(1, position["players"] + 1):
        player = (last["player"] + step) % position["players"]
        for phase in ("action", "reinforce"):
            position["turn"] = {"number": last["number"] + 1, "player": player, "phase": phase}
            if legal(position):
                return
    position["turn"] = last
    _finish(position, [])


def _finish(position: Position, won: list[int]) -> None:
    turn = position["turn"]
    position["turn"] = {"number": turn["number"], "player": turn["player"], "phase": "over"}
    position["winners"] = won
