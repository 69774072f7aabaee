"""Ekö's notation of decisions, and the book that reads and writes its records.

Also the opening tags of a record, and the results that only a table can give (E11.5, E11.6).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ekoes.errors import EkoesError, IllegalActionError, NotationError, RecordError
from ekoes.games.api.contract import Json, Outcome
from ekoes.games.api.reading import Scanner, json_tag, whole_tag
from ekoes.games.api.table import Decision
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import (
    BUILDINGS,
    NAME,
    Action,
    Build,
    Building,
    End,
    March,
    Moon,
    Move,
    Names,
    Place,
    Ransom,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import EkoPosition
from ekoes.games.eko.rules.record import MOST_PLAYERS, ORDINARY_DISCS

if TYPE_CHECKING:
    from ekoes.games.eko.position.state import EkoState


_SPACE = re.compile(rf"[+-]?[0-9]+\s*,\s*[+-]?[0-9]+|{NAME}", re.ASCII)
_WORDS = ("march", "end", "keep", "swap", "place", "sandtemple", "moon", "ransom")


def format_action(action: Action, position: EkoState) -> str:
    """Write an action as one word without blanks, the inverse of ``parse_action``.

    position: any position of the game, for the names of the spaces.
    """
    name = position.layout.names.write
    match action:
        case Move(source, target, zones, emperor_lost):
            taken = "".join(f"~{name(zone)}" for zone in zones)
            return f"{name(source)}>{name(target)}{taken}{'-E' * emperor_lost}"
        case Build(source, site, kind, emperor):
            return f"{name(source)}^{name(site)}={kind}{'-E' * emperor}"
        case Reinforce(space, count, emperor):
            return f"{name(space)}+{count}{'E' * emperor}"
        case Place(space, emperor) | Moon(space, emperor):
            return f"{action.type}:{name(space)}{'+E' * emperor}"
        case SandTemple(space):
            return f"sandtemple:{name(space)}"
        case Swap(space):
            return "keep" if space is None else f"swap:{name(space)}"
        case Ransom(captive):
            return f"ransom:{captive}"
        case March() | End():
            return action.type


def parse_action(text: str, position: EkoState) -> Action:
    """Read an action. Raises NotationError with the problem and the character where it is."""
    scanner = _Scanner(text, position.layout.names)
    action = _stack_action(scanner) if scanner.sees(_SPACE) else _word_action(scanner)
    scanner.finish()
    return action


def _stack_action(scanner: _Scanner) -> Action:
    """Read an action that begins with the space of a stack: move, construct, reinforce."""
    source = scanner.space()
    if scanner.accept(">"):
        target = scanner.space()
        zones: list[Space] = []
        while scanner.accept("~"):
            zones.append(scanner.space())
        return Move(source, target, tuple(zones), emperor_lost=scanner.emperor("-"))
    if scanner.accept("^"):
        site = scanner.space()
        scanner.expect("=", "'=' and a building kind")
        return Build(source, site, scanner.kind(), emperor=scanner.emperor("-"))
    if scanner.accept("+"):
        count = scanner.number("the number of discs")
        return Reinforce(source, count, emperor=scanner.accept("E"))
    raise scanner.failure("'>' (move), '^' (construct) or '+' (reinforce)")


def _word_action(scanner: _Scanner) -> Action:
    """Read an action that begins with a word."""
    word = scanner.word(_WORDS, f"a space, as in b4>d6, or one of {', '.join(_WORDS)}")
    match word:
        case "march":
            return March()
        case "end":
            return End()
        case "keep":
            return Swap()
    scanner.accept(":")
    match word:
        case "ransom":
            return Ransom(scanner.number("the seat of a captive"))
        case "swap":
            return Swap(scanner.space())
        case "sandtemple":
            return SandTemple(scanner.space())
        case "place":
            return Place(scanner.space(), emperor=scanner.emperor("+"))
        case _:
            return Moon(scanner.space(), emperor=scanner.emperor("+"))


class _Scanner(Scanner):
    """Scans the parts of Ekö's notation."""

    def __init__(self, text: str, names: Names) -> None:
        super().__init__(text)
        self.names = names

    def emperor(self, sign: str) -> bool:
        """Skip the Emperor's mark if it comes next. Return whether it did."""
        if not self.accept(sign):
            return False
        self.expect("E", "'E', the mark of the Emperor")
        return True

    def space(self) -> Space:
        """Read a space (E2.1)."""
        start = self.at
        text = self.take(_SPACE, "a space, such as c5")
        try:
            return self.names.read("".join(text.split()))
        except NotationError as error:
            self.at = start
            raise self.failure("a space, such as c5") from error

    def kind(self) -> Building:
        """Read a building kind (E1.3)."""
        kinds = ", ".join(BUILDINGS)
        return Building(self.word(BUILDINGS, f"a building kind: {kinds}"))


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
