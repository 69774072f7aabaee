"""The book of Ekö's records: opening tags, and the results that only a table can give (E11.5, E11.6)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ekoes.errors import EkoesError, IllegalActionError, NotationError, RecordError
from ekoes.games.api.contract import Json, Outcome
from ekoes.games.api.reading import json_tag, whole_tag
from ekoes.games.api.table import Decision
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position import action as notation
from ekoes.games.eko.position.action import Action, Names, Space
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.rules.record import MOST_PLAYERS, ORDINARY_DISCS

parse_action, format_action = notation.parse_action, notation.format_action
OPENING_TAGS = (
    "Players",
    "Variants",
    "Setup",
    "Tiles",
    "First",
    *(f"Discs{seat}" for seat in range(MOST_PLAYERS)),
    "Position",
)
_TILE = re.compile(r"([^\s,]+),(-?[0-9]{1,4}),(-?[0-9]{1,4}),([0-5])", re.ASCII)


def opening_tags(position: EkoPosition) -> dict[str, str]:
    """Return the tags of the first position of a game."""
    value = position.to_json()
    if "tileset" not in value and value["turn"]["number"] == 0:
        tags = _set_up_tags(value, position.layout.names)
        if _set_up(tags) == value:
            return tags
    return {"Position": json.dumps(value, separators=(",", ":"))}


def opening_from_tags(tags: Mapping[str, str]) -> EkoPosition:
    """Read the first position of a game from its tags, the inverse of ``opening_tags``.

    Raises NotationError, LayoutError or PositionError naming the wrong tag or key.
    """
    if "Position" in tags:
        return EKO.from_json(json_tag(tags, "Position"))
    if "Tiles" in tags:
        try:
            return EKO.from_json(_set_up(tags))
        except EkoesError as error:
            if error.key in OPENING_TAGS:
                raise
            raise NotationError(str(error), key=_tag_of(error.key or "")) from error
    return EKO.new(
        {
            "players": _whole(tags, "Players"),
            "variants": tags.get("Variants", "").split(),
            "setup": tags.get("Setup", "standard"),
        },
        _whole(tags, "Seed"),
    )


def _set_up_tags(value: Json, names: Names) -> dict[str, str]:
    """Return the tags of a position in the set-up, from its JSON."""
    tags = {"Players": str(value["players"])}
    tags["Setup"] = "draft" if value["turn"]["phase"] == "place" else "standard"
    tags["Tiles"] = " ".join(",".join(map(str, tile)) for tile in value["tiles"])
    for seat in range(value["players"]):
        discs = [
            names.write(Space.parse(space)) + "E" * stack["emperor"]
            for space, stack in value["stacks"].items()
            if stack["owner"] == seat
        ]
        if discs:
            tags[f"Discs{seat}"] = " ".join(discs)
    tags["First"] = str(value["turn"].get("first", 0))
    return tags


def _set_up(tags: Mapping[str, str]) -> Json:
    """Return the JSON of the set-up position that the tags describe."""
    players = _whole(tags, "Players")
    first = _whole(tags, "First") if "First" in tags else 0
    is_draft = tags.get("Setup", "standard") == "draft"
    tiles = _tiles(tags["Tiles"])
    names = Layout(players, tiles).names
    stacks: Json = {}
    for seat in range(players):
        for word in tags.get(f"Discs{seat}", "").split():
            space = str(names.read(word.removesuffix("E"), f"Discs{seat}"))
            if space in stacks:
                raise NotationError(f"two discs stand on {word.removesuffix('E')}", key=f"Discs{seat}")
            stacks[space] = {"owner": seat, "height": 1, "emperor": word.endswith("E")}
    value: Json = {"game": "eko", "version": 1, "players": players, "tiles": tiles}
    value |= {"stacks": stacks, "buildings": {}}
    value["reserve"] = [{"discs": 0, "emperor": False} for _ in range(players)]
    value |= {"removed": [0] * players, "captives": [[] for _ in range(players)]}
    if is_draft:
        value["unplaced"] = [{"discs": ORDINARY_DISCS, "emperor": True} for _ in range(players)]
    value["turn"] = {"number": 0, "player": first, "phase": "place" if is_draft else "swap"}
    if first:
        value["turn"]["first"] = first
    return value


def _tag_of(key: str) -> str:
    """Return the tag that corresponds to a key of the JSON."""
    tags = {"players": "Players", "stacks": "Discs0", "turn": "First"}
    return next((tag for start, tag in tags.items() if key.startswith(start)), "Tiles")


def _tiles(text: str) -> list[list[Any]]:
    tiles = []
    for word in text.split():
        match = _TILE.fullmatch(word)
        if match is None:
            raise NotationError(
                f"a placed tile is written A,2,1,3, not {word!r:.40}", rule="E2.2", key="Tiles"
            )
        tiles.append([match[1], int(match[2]), int(match[3]), int(match[4])])
    return tiles


def _whole(tags: Mapping[str, str], name: str) -> int:
    number = whole_tag(tags, name)
    if name != "Seed" and not 0 <= number <= 4:
        raise NotationError(f"must be from 0 to 4, not {number}", key=name)
    return number


EXAMPLE = "b4>d6"

TABLE_TAGS = ()


def table_tags(_table: None) -> dict[str, str]:
    """Return no tags: Ekö is played in turns."""
    return {}


def table_from_tags(_tags: Mapping[str, str]) -> None:
    """Return None: Ekö has no races."""


def number(position: EkoPosition) -> int:
    """Return the number of the turn (E12.9)."""
    return position.turn_number


def asked(position: EkoPosition) -> tuple[int, ...]:
    """Return the seats to move (E12)."""
    return position.actors()


def follow(position: EkoPosition, seat: int, action: Action) -> EkoPosition:
    """Return the position after an action. Raises IllegalActionError."""
    return position.play(seat, action)


def summary(_before: EkoPosition, _after: EkoPosition) -> None:
    """Return None: a board game has no score sheet."""


def referee(_table: None, turn_limit: int | None) -> _Referee:
    """Return the referee of a new game."""
    return _Referee(turn_limit)


class _Referee:
    """Counts how often each position has begun a turn.

    ends: the reasons for which the table may end the game at the beginning of the latest turn.
    """

    def __init__(self, turn_limit: int | None) -> None:
        self.turn_limit = turn_limit
        self.seen: Counter[bytes] = Counter()
        self.ends: frozenset[str] = frozenset()
        self.is_first = True

    def play(self, position: EkoPosition, decision: Decision) -> EkoPosition:
        """Play a decision. Raises EkoesError, also if the table had already ended the game."""
        if self.is_first and _begins_turn(position):
            self._begin(position)
        self.is_first = False
        for reason in sorted(self.ends):
            raise IllegalActionError(f"{_ENDED[reason]}: the game was over", rule=_RULES[reason])
        after = position.play(decision.seat, decision.action)
        if after.turn_number != number(position):
            self._begin(after)
        return after

    def _begin(self, position: EkoPosition) -> None:
        identity = position.identity()
        self.seen[identity] += 1
        is_reached = {
            "repetition": self.seen[identity] >= EKO.table_ends.repetitions,
            "turn-limit": self.turn_limit is not None and number(position) > self.turn_limit,
        }
        self.ends = frozenset(reason for reason, is_so in is_reached.items() if is_so)

    def check_result(self, said: Outcome, _position: EkoPosition) -> None:
        """Check a draw by agreement, a repetition or a turn limit. Raises RecordError."""
        if said.reason not in {"resignation", "time"} and said.winners:
            raise RecordError(f"no player wins by {said.reason}")
        if said.reason in _NOT_ENDED and said.reason not in self.ends:
            raise RecordError(_NOT_ENDED[said.reason])


_RULES = EKO.table_ends.rules()
_ENDED = {
    "repetition": "the same position began a turn for the third time",
    "turn-limit": "the turn limit (tag TurnLimit) was reached",
}
_NOT_ENDED = {
    "repetition": "the last position has not begun a turn three times",
    "turn-limit": "the turn limit (tag TurnLimit) has not been reached",
}


def _begins_turn(position: EkoPosition) -> bool:
    """Return whether the position is at the start of a turn. Rule: E4.1, E4.2, E11.6."""
    turn = position.to_state()["turn"]
    return turn["phase"] in {"action", "reinforce"} and set(turn) == {"number", "player", "phase"}
