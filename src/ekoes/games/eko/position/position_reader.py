"""Reads positions from the interchange form and checks every key for type, value and consistency.

An impossible position is refused with the key and the rule.
"""

from __future__ import annotations

import json
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
from ekoes.games.api.values import rows
from ekoes.games.eko.position.action import BUILDINGS, Building, Space
from ekoes.games.eko.position.layout import Layout, known_layout
from ekoes.games.eko.position.position import FLAGS, LAST_TURN, PHASES, SETUP_PHASES, VERSION, EkoPosition
from ekoes.games.eko.position.setup import blank_states, stand_stack
from ekoes.games.eko.position.tiles import TileSet
from ekoes.games.eko.rules.board import HIGHEST_LEVEL, Terrain
from ekoes.games.eko.rules.entry_points import complete
from ekoes.games.eko.rules.record import (
    CAPTIVE_POINTS,
    FEWEST_PLAYERS,
    LEVELS,
    MOST_PLAYERS,
    NOBODY,
    ORDINARY_DISCS,
    SUPPLY,
    TALLEST,
    Area,
    Phase,
    Whereabouts,
)
from ekoes.games.kernels.bits import add_member, members

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
    """Reads one position from JSON into a record."""

    def __init__(self, content: Json, layout: Layout) -> None:
        self.content = content
        self.layout = layout
        self.players = layout.players
        self.states = blank_states(layout.players)
        self.settled = self.states.copy()
        self.state = rows(self.states)
        self.discs = [0] * layout.players
        self.emperors: list[list[str]] = [[] for _ in range(layout.players)]

    def read(self) -> EkoPosition:
        turn = read_fields(self.content["turn"], "turn", _TURN_KEYS, _OPTIONAL_TURN_KEYS)
        self.read_phase(turn)
        self.read_stacks()
        self.read_buildings()
        self.read_reserve("reserve", Whereabouts.RESERVE, self.state.reserve)
        self.read_removed()
        self.read_captives()
        self.read_unplaced()
        self.check_discs()
        self.read_turn(turn)
        self.winners = complete(self.layout.record, self.states, self.settled)
        if self.phase != Phase.OVER and "winners" in self.content:
            raise PositionError("is only allowed in phase over", rule="E11.2", key="winners")
        if self.phase in SETUP_PHASES:
            self.check_setup()
        elif self.phase == Phase.OVER:
            self.read_winners()
        else:
            self.check_running()
        return EkoPosition(self.layout, self.states)

    def at(self, name: str) -> int:
        """Return a number of the record, once it has been read."""
        return int(self.states[name][0])

    # the board

    def space(self, text: object, key: str) -> int:
        space = Space.parse(text, key)
        if space not in self.layout.index:
            raise PositionError(f"{space} is not on the board", rule="E2.1", key=key)
        return self.layout.index[space]

    def read_stacks(self) -> None:
        for text, item in read_object(self.content["stacks"], "stacks").items():
            key = f"stacks.{shown(text)}"
            space = self.space(text, key)
            stack = read_fields(item, key, ("owner", "height", "emperor"))
            terrain = self.layout.terrain[space]
            if not terrain.is_walkable:
                raise PositionError(f"no disc may stand on a {terrain.word}", rule="E1.5", key=key)
            owner = self.seat(stack["owner"], f"{key}.owner")
            height = read_whole(stack["height"], f"{key}.height", 1, TALLEST, "E1.6")
            emperor = read_flag(stack["emperor"], f"{key}.emperor")
            stand_stack(self.state, owner, space, height, emperor=emperor)
            self.discs[owner] += height - emperor
            if emperor:
                self.emperors[owner].append(key)

    def read_buildings(self) -> None:
        capitals = set(members(self.layout.record["sets"][0, Area.CAPITALS].tolist()))
        for text, item in read_object(self.content["buildings"], "buildings").items():
            key = f"buildings.{shown(text)}"
            site = self.space(text, key)
            building = read_fields(item, key, ("owner", "kind"))
            owner = self.seat(building["owner"], f"{key}.owner")
            if building["kind"] not in BUILDINGS:
                raise PositionError(f"must be one of {', '.join(BUILDINGS)}", rule="E1.3", key=f"{key}.kind")
            level = Building(building["kind"]).level
            terrain = self.layout.terrain[site]
            if HIGHEST_LEVEL[terrain] < level:
                message = f"a {terrain.word} carries no {building['kind']}"
                raise PositionError(message, rule="E1.5", key=key)
            add_member(self.state.built[owner], level, site)
            self.state.points[owner] += level
            self.state.capitals[owner] += site in capitals
        self.check_supply()

    def check_supply(self) -> None:
        for owner, levels in enumerate(self.state.built.tolist()):
            for level in range(1, LEVELS + 1):
                if len(tuple(members(levels[level]))) > SUPPLY[level]:
                    message = f"player {owner} owns {SUPPLY[level]} of kind {BUILDINGS[level - 1]}"
                    raise PositionError(message, rule="E1.3", key="buildings")

    def seat(self, value: object, key: str) -> int:
        return read_whole(value, key, 0, self.players - 1, "E1.1")

    # off the board

    def read_reserve(self, name: str, place: Whereabouts, discs: np.ndarray[Any, Any]) -> None:
        items = read_list(self.content[name], name, self.players, rule="E1.1")
        for seat, item in enumerate(items):
            key = f"{name}[{seat}]"
            held = read_fields(item, key, ("discs", "emperor"))
            discs[seat] = read_whole(held["discs"], f"{key}.discs", 0, ORDINARY_DISCS, "E1.2")
            self.discs[seat] += int(discs[seat])
            if read_flag(held["emperor"], f"{key}.emperor"):
                self.emperors[seat].append(key)
                self.state.whereabouts[seat] = place

    def read_removed(self) -> None:
        for seat, item in enumerate(read_list(self.content["removed"], "removed", self.players, rule="E1.1")):
            removed = read_whole(item, f"removed[{seat}]", 0, ORDINARY_DISCS, "E1.2")
            self.state.removed[seat] = removed
            self.discs[seat] += removed

    def read_captives(self) -> None:
        for seat, item in enumerate(
            read_list(self.content["captives"], "captives", self.players, rule="E1.1")
        ):
            key = f"captives[{seat}]"
            held = [self.seat(captive, key) for captive in read_list(item, key)]
            if held != sorted(set(held)) or seat in held:
                message = "must name other players, ascending, each once"
                raise PositionError(message, rule="E5.6", key=key)
            for captive in held:
                self.emperors[captive].append(key)
                self.state.captor[captive] = seat
                self.state.whereabouts[captive] = Whereabouts.CAPTIVE
                self.state.points[seat] += CAPTIVE_POINTS

    def read_unplaced(self) -> None:
        if self.phase == Phase.PLACE:
            if "unplaced" not in self.content:
                raise PositionError("missing in phase place", rule="E3.4", key="unplaced")
            self.read_reserve("unplaced", Whereabouts.UNPLACED, self.state.unplaced)
        elif "unplaced" in self.content:
            raise PositionError("is only allowed in phase place", rule="E3.4", key="unplaced")

    def check_discs(self) -> None:
        for seat in range(self.players):
            if self.discs[seat] != ORDINARY_DISCS:
                message = f"player {seat} has {self.discs[seat]} ordinary discs in all, not {ORDINARY_DISCS}"
                raise PositionError(message, rule="E1.2", key="stacks")
            places = self.emperors[seat]
            if len(places) != 1:
                where = " and ".join(places) or "nowhere"
                message = f"player {seat}'s Emperor must be in one place; it is {where}"
                raise PositionError(message, rule="E1.2", key="stacks")

    # the turn

    def read_phase(self, turn: Json) -> None:
        if turn["phase"] not in PHASES:
            raise PositionError(f"must be one of {', '.join(PHASES)}", rule="E12", key="turn.phase")
        self.phase = Phase(PHASES.index(turn["phase"]))
        self.states["phase"] = self.phase

    def read_turn(self, turn: Json) -> None:
        states, phase = self.states, self.phase
        low, high = (0, 0) if phase in SETUP_PHASES else (1, LAST_TURN)
        states["number"] = read_whole(turn["number"], "turn.number", low, high, "E12.9")
        states["player"] = self.seat(turn["player"], "turn.player")
        for key in self.misplaced(turn):
            raise PositionError(f"has no place in phase {phase.name.lower()}", rule="E12", key=f"turn.{key}")
        if "first" in turn:
            states["first"] = self.seat(turn["first"], "turn.first")
        for flag in FLAGS:
            states[flag] = read_flag(turn.get(flag, False), f"turn.{flag}")
        self.read_paid(turn)
        self.read_placed(turn)
        if phase == Phase.RANSOM:
            self.read_ransom(turn)

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

    def read_paid(self, turn: Json) -> None:
        heads = [self.space(text, "turn.paid") for text in read_list(turn.get("paid", []), "turn.paid")]
        known = {zone[0] for zone in self.layout.zones}
        if heads != sorted(set(heads)) or not known.issuperset(heads):
            message = "must name zones by their first spaces, ascending, each once"
            raise PositionError(message, rule="E10.2", key="turn.paid")
        for head in heads:
            self.state.paid[0] |= self.layout.record["zone"][0, head]

    def read_placed(self, turn: Json) -> None:
        placed = [
            self.space(text, "turn.placed") for text in read_list(turn.get("placed", []), "turn.placed")
        ]
        own = set(members(self.state.own[self.at("player")].tolist()))
        if len(set(placed)) != len(placed) or not own.issuperset(placed):
            message = "must name stacks of the player in turn, each once"
            raise PositionError(message, rule="E12.6", key="turn.placed")
        self.state.placed[: len(placed)] = placed
        self.states["n_placed"] = len(placed)

    def read_ransom(self, turn: Json) -> None:
        for key in ("ransom", "resume"):
            if key not in turn:
                raise PositionError("missing in phase ransom", rule="E12.7", key=f"turn.{key}")
        if turn["resume"] not in ("after", "reinforce"):
            raise PositionError('must be "after" or "reinforce"', rule="E12.7", key="turn.resume")
        self.states["resume"] = Phase.AFTER if turn["resume"] == "after" else Phase.REINFORCE
        self.states["chooser"] = self.seat(turn["ransom"], "turn.ransom")

    # consistency

    def check_setup(self) -> None:
        state = self.state
        bare = not (state.built.any() or state.reserve.any() or state.removed.any())
        if not bare or (state.captor != NOBODY).any():
            message = "during the set-up there are no buildings, reserves, removed discs or captives"
            raise PositionError(message, rule="E3", key="turn.phase")
        for space in np.flatnonzero(state.height).tolist():
            if self.layout.terrain[space] is not Terrain.SAND or state.height[space] != 1:
                message = "the set-up puts single discs on sand"
                raise PositionError(message, rule="E3.1", key=f"stacks.{self.layout.spaces[space]}")
        if self.phase == Phase.SWAP:
            if (state.whereabouts[: self.players] != Whereabouts.BOARD).any():
                raise PositionError("all Emperors are on the board", rule="E3.3", key="reserve")
        else:
            self.check_draft()

    def check_draft(self) -> None:
        state = self.state
        left = [
            int(state.unplaced[seat]) + int(state.whereabouts[seat] == Whereabouts.UNPLACED)
            for seat in range(self.players)
        ]
        if (state.whereabouts[: self.players] == Whereabouts.RESERVE).any():
            raise PositionError("the reserve is empty during the set-up", rule="E3.4", key="reserve")
        first, player = self.at("first"), self.at("player")
        before = (player - first) % self.players
        fair = left[player]
        for place in range(self.players):
            seat = (first + place) % self.players
            if left[seat] != fair - (place < before):
                message = f"player {seat} has {left[seat]} discs to place; placing goes by turns"
                raise PositionError(message, rule="E3.4", key=f"unplaced[{seat}]")
        if fair == 0:
            raise PositionError("no disc is left to place", rule="E3.4", key="unplaced")

    def check_running(self) -> None:
        if any((self.settled[name] != self.states[name]).any() for name in ("captor", "chooser")):
            message = "a ransom is owed that is not asked for"
            if self.phase == Phase.RANSOM:
                message = f"player {self.at('chooser')} has no ransom to choose now"
            raise PositionError(message, rule="E5.7", key="captives")
        if self.phase != Phase.RANSOM and self.winners != NOBODY:
            raise PositionError("this game is already decided", rule="E11", key="turn.phase")

    def read_winners(self) -> None:
        if "winners" not in self.content:
            raise PositionError("missing in phase over", rule="E11", key="winners")
        winners = [self.seat(seat, "winners") for seat in read_list(self.content["winners"], "winners")]
        if winners != sorted(set(winners)):
            raise PositionError("must name players, ascending, each once", rule="E11", key="winners")
        right = list(members((max(self.winners, 0), 0)))
        if winners != right:
            raise PositionError(f"by this position the winners are {right}", rule="E11", key="winners")
        self.states["winners"] = max(self.winners, 0)
