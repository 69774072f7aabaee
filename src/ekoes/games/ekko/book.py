"""The book that reads and writes records of EKKO: opening tags, decisions, and the races of a live game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ekoes.errors import EkoesError, NotationError
from ekoes.games.api.contract import CHANCE, Json, Position
from ekoes.games.api.reading import json_tag, whole_tag
from ekoes.games.api.table import Decision
from ekoes.games.ekko.game import EKKO
from ekoes.games.ekko.live.referee import LiveReferee, SequenceReferee
from ekoes.games.ekko.live.state import LIVE_TAGS, LiveOptions, Loser
from ekoes.games.ekko.position import action as notation
from ekoes.games.ekko.position.action import Action, Claim, Late, Mirror, Pass, Play, Remark, points_text
from ekoes.games.ekko.position.position import EkkoPosition
from ekoes.games.ekko.rules.record import DEFAULT_TARGET, Phase, mirror_of

parse_action, format_action = notation.parse_arrived, notation.format_arrived
OPENING_TAGS = ("Players", "Target", "Dealer", "Position")
_TAG_OF_KEY = {"players": "Players", "target": "Target", "turn.dealer": "Dealer"}


def opening_tags(position: Position) -> dict[str, str]:
    """Return the tags of the first position of a game; the tags of the table include whether it is live."""
    value = position.to_json()
    tags = {
        "Players": str(value["players"]),
        "Target": str(value["target"]),
        "Dealer": str(value["turn"]["dealer"]),
    }
    if _first_position(tags) == value:
        return tags
    return {"Position": json.dumps(value, separators=(",", ":"))}


def opening_from_tags(tags: Mapping[str, str]) -> EkkoPosition:
    """Read the first position of a game from its tags, the inverse of ``opening_tags``.

    Raises NotationError or PositionError naming the wrong tag or key.
    """
    position = _read(tags)
    return as_live(position) if tags.get("Live") == "yes" else position


def as_live(position: EkkoPosition) -> EkkoPosition:
    """Return the same position at a live table (K7.1)."""
    states = position.states.copy()
    states["live"] = 1
    return EkkoPosition(states)


def _read(tags: Mapping[str, str]) -> EkkoPosition:
    if "Position" in tags:
        return EKKO.from_json(json_tag(tags, "Position"))
    if "Dealer" not in tags:
        tags = {**tags, "Dealer": _drawn_dealer(tags)}
    try:
        return EKKO.from_json(_first_position(tags))
    except EkoesError as error:
        tag = _TAG_OF_KEY.get(error.key or "", error.key)
        raise NotationError(error.message, rule=error.rule, key=tag) from error


def _drawn_dealer(tags: Mapping[str, str]) -> str:
    options = {"players": whole_tag(tags, "Players")}
    try:
        return str(EKKO.new(options, whole_tag(tags, "Seed")).dealer)
    except EkoesError as error:
        raise NotationError(error.message, key="Players") from error


def _first_position(tags: Mapping[str, str]) -> Json:
    """Return the JSON of the position before the first deal."""
    players = whole_tag(tags, "Players")
    value: Json = {"game": "ekko", "version": 1, "players": players}
    value["target"] = whole_tag({"Target": str(DEFAULT_TARGET), **tags}, "Target")
    few = min(max(players, 0), 10)  # keeps lists short; the number of players is refused later
    value |= {"pile": [], "zone": [], "hands": [[] for _ in range(few)], "aside": [[] for _ in range(few)]}
    value["scores"] = [0] * few
    value["turn"] = {"round": 1, "dealer": whole_tag(tags, "Dealer"), "phase": "deal"}
    return value


EXAMPLE = "67"
TABLE_TAGS = LIVE_TAGS
table_tags, table_from_tags = LiveOptions.tags, LiveOptions.from_tags


def number(position: EkkoPosition) -> int:
    """Return the number of the round (K1.2)."""
    return position.round


def asked(position: EkkoPosition) -> tuple[int, ...]:
    """Return the seats that may act (K6); at a live table all may at any time (K7.1)."""
    if not position.live or position.phase == Phase.OVER:
        return position.actors()
    return (CHANCE, *range(position.players))


def follow(position: EkkoPosition, seat: int, action: Action | Remark) -> EkkoPosition:
    """Return the position after a decision; a remark changes nothing. Raises IllegalActionError."""
    if isinstance(action, Remark):
        return position
    if isinstance(action, Pass) and position.live:
        return position
    return position.play(seat, action)


def summary(before: EkkoPosition, after: EkkoPosition) -> str | None:
    """Return the points of a round if a decision has ended it (K5.4)."""
    if before.phase == Phase.DEAL or after.is_in_round:
        return None
    points = [new - old for new, old in zip(after.scores, before.scores, strict=True)]
    return points_text(before.round, points, after.scores)


def referee(table: LiveOptions | None, _turn_limit: int | None) -> SequenceReferee | LiveReferee:
    """Return the referee of a new game."""
    return SequenceReferee() if table is None else LiveReferee(table)


@dataclass(slots=True)
class Race:
    """The first card on a top card. n: of its decision, from 1. at: milliseconds since the table began."""

    n: int
    round: int
    on: int
    seat: int
    card: int
    at: int
    is_mirror: bool
    by_clock: bool
    late: list[Loser] = field(default_factory=list)


def races(start: EkkoPosition, decisions: Sequence[Decision]) -> list[Race]:
    """Return the races of a live game in order: all mirrors, and all cards that beat another.

    Rule: K3.5, K7.1, K7.2. A sequence has none. Raises IllegalActionError.
    """
    found: dict[tuple[int, int], Race] = {}
    position = start
    for n, decision in enumerate(decisions, 1):
        seat, action, arrival = decision.seat, decision.action, decision.arrival
        if arrival is not None and position.top is not None and isinstance(action, Play | Mirror | Claim):
            place, is_mirror = (position.round, position.top), not isinstance(action, Play)
            race = Race(n, *place, seat, action.card, arrival.at, is_mirror, arrival.is_clock)
            found.setdefault(place, race)  # a claim precedes its mirror and has the time of arrival
        if arrival is not None and isinstance(action, Late):
            loser = Loser(seat, action.card, arrival.behind or 0)
            lost = _lost(found, loser, position.round, arrival.saw or 0)
            if lost is not None:
                lost.late.append(loser)
        position = follow(position, seat, action)
    return [race for race in found.values() if race.is_mirror or race.late]


def _lost(found: Mapping[tuple[int, int], Race], loser: Loser, number: int, on: int) -> Race | None:
    """Return the race that a card lost, skipping the seat's own cards (K7.2), None if its round was over.

    After a deal it may be one of the round before.
    """
    race = found.get((number, on)) or found.get((number - 1, on))
    while race and race.seat == loser.seat and not race.by_clock and mirror_of(race.on) != loser.card:
        race = found.get((race.round, race.card))
    return race
