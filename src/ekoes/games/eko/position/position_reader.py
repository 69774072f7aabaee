"""Reads positions from the interchange form and checks every key for type, value and consistency.

An impossible position is refused with the key and the rule.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from ekoes.errors import PositionError
from ekoes.games.api.contract import Json
from ekoes.games.api.reading import (
    check_keys,
    read_fields,
    read_flag,
    read_list,
    read_object,
    read_whole,
    shown,
)
from ekoes.games.eko.position.action import BUILDINGS, Building, Space
from ekoes.games.eko.position.layout import Layout, known_layout
from ekoes.games.eko.position.position import FLAGS, PHASES, SETUP_PHASES, VERSION, EkoPosition
from ekoes.games.eko.position.tiles import TileSet
from ekoes.games.eko.rules.reading import (
    LAST_TURN,
    WRONG_RULES,
    Built,
    Held,
    Stood,
    Turn,
    Wrong,
    read_position,
)
from ekoes.games.eko.rules.record import (
    FEWEST_PLAYERS,
    LEVELS,
    MOST_PLAYERS,
    NOBODY,
    ORDINARY_DISCS,
    STATE,
    SUPPLY,
    TALLEST,
    Phase,
)
from ekoes.games.kernels.bits import members

_REQUIRED = (
    "game",
    "version",
    "players",
    "tiles",
    "stacks",
    "buildings",
    "reserve",
    "removed",
    "captives",
    "turn",
)
_OPTIONAL = frozenset({"tileset", "unplaced", "winners"})
_TURN_KEYS = ("number", "player", "phase")
_OPTIONAL_TURN_KEYS = ("first", "paid", "placed", "ransom", "resume", *FLAGS)


def position_from_json(value: object) -> EkoPosition:
    """Read a position. Raises PositionError, LayoutError or NotationError naming rule and key."""
    content = read_object(value, "position")
    check_keys(content, "eko", VERSION, _REQUIRED, _OPTIONAL)
    players = read_whole(content["players"], "players", FEWEST_PLAYERS, MOST_PLAYERS, "E1.1")
    tileset = TileSet.from_json(content["tileset"]) if "tileset" in content else None
    return _Reader(content, Layout(players, read_list(content["tiles"], "tiles"), tileset)).read()


def position_from_state(value: Json) -> EkoPosition:
    """Read the JSON that ``position_to_json`` returns; layouts come from a cache."""
    box = json.dumps(value["tileset"], sort_keys=True) if "tileset" in value else None
    return _Reader(value, known_layout(value["players"], tuple(map(tuple, value["tiles"])), box)).read()


class _Reader:
    """Reads one position from JSON into numbers; the kernel judges them."""

    def __init__(self, content: Json, layout: Layout) -> None:
        self.content = content
        self.layout = layout
        self.players = layout.players
        self.held = [[0] * len(Held) for _ in range(layout.players)]
        self.turn = [0] * len(Turn)
        self.turn[Turn.CHOOSER] = NOBODY

    def read(self) -> EkoPosition:
        turn = read_fields(self.content["turn"], "turn", _TURN_KEYS, _OPTIONAL_TURN_KEYS)
        self.read_phase(turn)
        stacks, buildings = self.read_stacks(), self.read_buildings()
        self.read_reserve("reserve", Held.RESERVE, Held.KING_RESERVE)
        self.read_removed()
        self.read_captives()
        self.read_unplaced()
        self.read_turn(turn)
        paid, placed = (self.read_spaces(turn, name) for name in ("paid", "placed"))
        self.read_winners()
        states, place = np.zeros(1, STATE), np.zeros(1, np.int64)
        held, numbers = np.array(self.held), np.array(self.turn)
        wrong = read_position(
            *(self.layout.record, stacks, buildings, held, numbers, paid, placed),
            *(states, states.copy(), place),
        )
        if wrong != Wrong.NOTHING:
            self.held = held.tolist()
            raise self.refusal(Wrong(wrong), int(place[0]), stacks, buildings)
        return EkoPosition(self.layout, states)

    # the board

    def space(self, text: object, key: str) -> int:
        space = Space.parse(text, key)
        if space not in self.layout.index:
            raise PositionError(f"{space} is not on the board", rule="E2.1", key=key)
        return self.layout.index[space]

    def read_stacks(self) -> np.ndarray[Any, Any]:
        found = []
        for text, item in read_object(self.content["stacks"], "stacks").items():
            key = f"stacks.{shown(text)}"
            space = self.space(text, key)
            stack = read_fields(item, key, ("owner", "height", "emperor"))
            owner = self.seat(stack["owner"], f"{key}.owner")
            height = read_whole(stack["height"], f"{key}.height", 1, TALLEST, "E1.6")
            found.append([space, owner, height, read_flag(stack["emperor"], f"{key}.emperor")])
        return np.array(found, np.int64).reshape(-1, len(Stood))

    def read_buildings(self) -> np.ndarray[Any, Any]:
        found = []
        for text, item in read_object(self.content["buildings"], "buildings").items():
            key = f"buildings.{shown(text)}"
            site = self.space(text, key)
            building = read_fields(item, key, ("owner", "kind"))
            owner = self.seat(building["owner"], f"{key}.owner")
            if building["kind"] not in BUILDINGS:
                raise PositionError(f"must be one of {', '.join(BUILDINGS)}", rule="E1.3", key=f"{key}.kind")
            found.append([site, owner, Building(building["kind"]).level])
        return np.array(found, np.int64).reshape(-1, len(Built))

    def seat(self, value: object, key: str) -> int:
        return read_whole(value, key, 0, self.players - 1, "E1.1")

    # off the board

    def read_reserve(self, name: str, discs: Held, king: Held) -> None:
        items = read_list(self.content[name], name, self.players, rule="E1.1")
        for seat, item in enumerate(items):
            key = f"{name}[{seat}]"
            held = read_fields(item, key, ("discs", "emperor"))
            self.held[seat][discs] = read_whole(held["discs"], f"{key}.discs", 0, ORDINARY_DISCS, "E1.2")
            self.held[seat][king] = read_flag(held["emperor"], f"{key}.emperor")

    def read_removed(self) -> None:
        for seat, item in enumerate(read_list(self.content["removed"], "removed", self.players, rule="E1.1")):
            self.held[seat][Held.REMOVED] = read_whole(item, f"removed[{seat}]", 0, ORDINARY_DISCS, "E1.2")

    def read_captives(self) -> None:
        for seat, item in enumerate(
            read_list(self.content["captives"], "captives", self.players, rule="E1.1")
        ):
            key = f"captives[{seat}]"
            held = [self.seat(captive, key) for captive in read_list(item, key)]
            if held != sorted(set(held)):
                raise PositionError(_OTHERS, rule="E5.6", key=key)
            self.held[seat][Held.CAPTIVES] = sum(1 << captive for captive in held)

    def read_unplaced(self) -> None:
        if self.phase == Phase.PLACE:
            if "unplaced" not in self.content:
                raise PositionError("missing in phase place", rule="E3.4", key="unplaced")
            self.read_reserve("unplaced", Held.UNPLACED, Held.KING_UNPLACED)
        elif "unplaced" in self.content:
            raise PositionError("is only allowed in phase place", rule="E3.4", key="unplaced")

    # the turn

    def read_phase(self, turn: Json) -> None:
        if turn["phase"] not in PHASES:
            raise PositionError(f"must be one of {', '.join(PHASES)}", rule="E12", key="turn.phase")
        self.phase = Phase(PHASES.index(turn["phase"]))
        self.turn[Turn.PHASE] = self.phase

    def read_turn(self, turn: Json) -> None:
        low, high = (0, 0) if self.phase in SETUP_PHASES else (1, LAST_TURN)
        self.turn[Turn.NUMBER] = read_whole(turn["number"], "turn.number", low, high, "E12.9")
        self.turn[Turn.PLAYER] = self.seat(turn["player"], "turn.player")
        for key in self.misplaced(turn):
            raise PositionError(
                f"has no place in phase {self.phase.name.lower()}", rule="E12", key=f"turn.{key}"
            )
        if "first" in turn:
            self.turn[Turn.FIRST] = self.seat(turn["first"], "turn.first")
        for flag in FLAGS:
            self.turn[Turn[flag.upper()]] = read_flag(turn.get(flag, False), f"turn.{flag}")
        if self.phase == Phase.RANSOM:
            self.read_ransom(turn)

    def read_spaces(self, turn: Json, name: str) -> np.ndarray[Any, Any]:
        key = f"turn.{name}"
        return np.array([self.space(text, key) for text in read_list(turn.get(name, []), key)], np.int64)

    def misplaced(self, turn: Json) -> list[str]:
        allowed = set(_TURN_KEYS)
        if self.phase in SETUP_PHASES:
            allowed |= {"first"}
        elif self.phase != Phase.OVER:
            allowed |= {"paid", *FLAGS}
        if self.phase == Phase.REINFORCE:
            allowed |= {"placed"}
        if self.phase == Phase.RANSOM:
            allowed |= {"ransom", "resume"}
        return [key for key in turn if key not in allowed]

    def read_ransom(self, turn: Json) -> None:
        for key in ("ransom", "resume"):
            if key not in turn:
                raise PositionError("missing in phase ransom", rule="E12.7", key=f"turn.{key}")
        if turn["resume"] not in ("after", "reinforce"):
            raise PositionError('must be "after" or "reinforce"', rule="E12.7", key="turn.resume")
        self.turn[Turn.RESUME] = Phase.AFTER if turn["resume"] == "after" else Phase.REINFORCE
        self.turn[Turn.CHOOSER] = self.seat(turn["ransom"], "turn.ransom")

    def read_winners(self) -> None:
        if self.phase != Phase.OVER:
            if "winners" in self.content:
                raise PositionError("is only allowed in phase over", rule="E11.2", key="winners")
            return
        if "winners" not in self.content:
            raise PositionError("missing in phase over", rule="E11", key="winners")
        winners = [self.seat(seat, "winners") for seat in read_list(self.content["winners"], "winners")]
        if winners != sorted(set(winners)):
            raise PositionError("must name players, ascending, each once", rule="E11", key="winners")
        self.turn[Turn.WINNERS] = sum(1 << seat for seat in winners)

    def refusal(
        self, wrong: Wrong, place: int, stacks: np.ndarray[Any, Any], buildings: np.ndarray[Any, Any]
    ) -> PositionError:
        """Return what is wrong in words. place: the number of a stack, building or seat."""
        spaces, terrain = self.layout.spaces, self.layout.terrain
        message, key = _MESSAGES[wrong]
        match wrong:
            case Wrong.STACK_TERRAIN | Wrong.SET_UP_STACK:
                space = int(stacks[place, Stood.SPACE])
                key, message = f"stacks.{spaces[space]}", message.format(terrain[space].word)
            case Wrong.BUILDING_TERRAIN:
                site, _, level = buildings[place].tolist()
                key = f"buildings.{spaces[site]}"
                message = message.format(terrain[site].word, BUILDINGS[level - 1])
            case Wrong.SUPPLY:
                owner, level = divmod(place, LEVELS + 1)
                message = message.format(owner, SUPPLY[level], BUILDINGS[level - 1])
            case Wrong.CAPTIVES:
                key = f"captives[{place}]"
            case Wrong.DISCS:
                message = message.format(place, self.held[place][Held.ALL])
            case Wrong.EMPEROR:
                where = " and ".join(self.emperors(place, stacks)) or "nowhere"
                message = message.format(place, where)
            case Wrong.DRAFT_TURNS:
                left = self.held[place][Held.UNPLACED] + self.held[place][Held.KING_UNPLACED]
                key, message = f"unplaced[{place}]", message.format(place, left)
            case Wrong.RANSOM if self.phase == Phase.RANSOM:
                message = f"player {self.turn[Turn.CHOOSER]} has no ransom to choose now"
            case Wrong.WINNERS:
                message = message.format(list(members((place, 0))))
        return PositionError(message, rule=WRONG_RULES[wrong], key=key)

    def emperors(self, seat: int, stacks: np.ndarray[Any, Any]) -> Iterator[str]:
        """Yield the keys where the Emperor of a seat is."""
        for space, owner, _, emperor in stacks.tolist():
            if owner == seat and emperor:
                yield f"stacks.{self.layout.spaces[space]}"
        if self.held[seat][Held.KING_RESERVE]:
            yield f"reserve[{seat}]"
        for captor in range(self.players):
            if self.held[captor][Held.CAPTIVES] >> seat & 1:
                yield f"captives[{captor}]"
        if self.held[seat][Held.KING_UNPLACED]:
            yield f"unplaced[{seat}]"


_OTHERS = "must name other players, ascending, each once"
_MESSAGES = {
    Wrong.STACK_TERRAIN: ("no disc may stand on a {}", "stacks"),
    Wrong.BUILDING_TERRAIN: ("a {} carries no {}", "buildings"),
    Wrong.SUPPLY: ("player {} owns {} of kind {}", "buildings"),
    Wrong.CAPTIVES: (_OTHERS, "captives"),
    Wrong.DISCS: (f"player {{}} has {{}} ordinary discs in all, not {ORDINARY_DISCS}", "stacks"),
    Wrong.EMPEROR: ("player {}'s Emperor must be in one place; it is {}", "stacks"),
    Wrong.PAID: ("must name zones by their first spaces, ascending, each once", "turn.paid"),
    Wrong.PLACED: ("must name stacks of the player in turn, each once", "turn.placed"),
    Wrong.SET_UP: (
        "during the set-up there are no buildings, reserves, removed discs or captives",
        "turn.phase",
    ),
    Wrong.SET_UP_STACK: ("the set-up puts single discs on sand", "stacks"),
    Wrong.SWAP: ("all Emperors are on the board", "reserve"),
    Wrong.DRAFT_RESERVE: ("the reserve is empty during the set-up", "reserve"),
    Wrong.DRAFT_TURNS: ("player {} has {} discs to place; placing goes by turns", "unplaced"),
    Wrong.DRAFT_OVER: ("no disc is left to place", "unplaced"),
    Wrong.RANSOM: ("a ransom is owed that is not asked for", "captives"),
    Wrong.DECIDED: ("this game is already decided", "turn.phase"),
    Wrong.WINNERS: ("by this position the winners are {}", "winners"),
}
"""The message and the key of each refusal; a value out of range is refused as it is read."""
