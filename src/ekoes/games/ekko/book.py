"""The records of EKKO: of a sequence of decisions (K6), or of a live table with its races (K7)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ekoes.errors import NotationError
from ekoes.games.contract import CHANCE
from ekoes.games.ekko import notation
from ekoes.games.ekko.action import Action, Pass, read_card
from ekoes.games.ekko.opening import OPENING_TAGS, opening_from_tags, opening_tags
from ekoes.games.ekko.position import EkkoPosition
from ekoes.games.ekko.referee import LiveReferee, SequenceReferee
from ekoes.games.ekko.remarks import LIVE_TAGS, Claim, Late, LiveTable, Ready, Remark, Resign
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

_WITH_CARD = re.compile(r"(late|claim):([0-9]{1,2}|draw)", re.ASCII)
_BARE: dict[str, Remark] = {"ready": Ready(), "resign": Resign()}


def parse_action(text: str) -> Action | Remark:
    """Read a decision or a remark. Raises NotationError."""
    if text in _BARE:
        return _BARE[text]
    match = _WITH_CARD.fullmatch(text)
    if match is None:
        return notation.parse_action(text)
    if match[1] == "late":
        return Late(None if match[2] == "draw" else read_card(int(match[2]), "late"))
    if match[2] == "draw":
        raise NotationError("a claim names a mirror", rule="K3.2")
    return Claim(read_card(int(match[2]), "claim"))


def format_action(action: Action | Remark) -> str:
    """Write a decision or a remark, the inverse of ``parse_action``."""
    match action:
        case Late(card):
            return f"late:{card or 'draw'}"
        case Claim(card):
            return f"claim:{card}"
        case Ready():
            return "ready"
        case Resign():
            return "resign"
        case _:
            return notation.format_action(action)


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
    points = " ".join(str(new - old) for new, old in zip(after.scores, before.scores, strict=True))
    return f"{before.round}. points: {points}, in all {' '.join(map(str, after.scores))}"


def table_tags(table: LiveTable) -> dict[str, str]:
    """Write the options of a live table as tags."""
    return table.tags()


def table_from_tags(tags: Mapping[str, str]) -> LiveTable | None:
    """Read the options of a live table. Raises NotationError naming the tag."""
    return LiveTable.from_tags(tags)


def referee(table: LiveTable | None, _turn_limit: int | None) -> SequenceReferee | LiveReferee:
    """Return who judges the decisions of a new game."""
    return SequenceReferee() if table is None else LiveReferee(table)
