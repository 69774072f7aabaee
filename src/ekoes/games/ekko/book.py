"""The records of EKKO: of a sequence of decisions (K6), or of a live table with its races (K7)."""

from __future__ import annotations

from collections.abc import Mapping

from ekoes.games.contract import CHANCE
from ekoes.games.ekko.action import Action, Pass
from ekoes.games.ekko.live.options import LIVE_TAGS, LiveOptions
from ekoes.games.ekko.live.referee import LiveReferee
from ekoes.games.ekko.opening import OPENING_TAGS, opening_from_tags, opening_tags
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.referee import SequenceReferee
from ekoes.games.ekko.remarks import Remark, points_text
from ekoes.games.ekko.remarks import format_arrived as format_action
from ekoes.games.ekko.remarks import parse_arrived as parse_action
from ekoes.games.ekko.rules.record import Phase

__all__ = [
    "EXAMPLE",
    "OPENING_TAGS",
    "TABLE_TAGS",
    "asked",
    "follow",
    "format_action",
    "number",
    "opening_from_tags",
    "opening_tags",
    "parse_action",
    "referee",
    "summary",
    "table_from_tags",
    "table_tags",
]

EXAMPLE = "67"
TABLE_TAGS = LIVE_TAGS


def number(position: EkkoPosition) -> int:
    """Return the number of the round (K1.2)."""
    return position.round


def asked(position: EkkoPosition) -> tuple[int, ...]:
    """Return who is asked (K6); at a live table everybody may do something at any time (K7.1)."""
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
    """Return the points of a round where a decision has ended it (K5.4)."""
    if before.phase == Phase.DEAL or after.phase not in {Phase.DEAL, Phase.OVER}:
        return None
    points = [new - old for new, old in zip(after.scores, before.scores, strict=True)]
    return points_text(before.round, points, after.scores)


def table_tags(table: LiveOptions) -> dict[str, str]:
    """Write the options of a live table as tags."""
    return table.tags()


def table_from_tags(tags: Mapping[str, str]) -> LiveOptions | None:
    """Read the options of a live table. Raises NotationError naming the tag."""
    return LiveOptions.from_tags(tags)


def referee(table: LiveOptions | None, _turn_limit: int | None) -> SequenceReferee | LiveReferee:
    """Return who judges the decisions of a new game."""
    return SequenceReferee() if table is None else LiveReferee(table)
