"""The legend beside the board: whose turn it is, and for each player the points and the reserve."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from ekoes.games.eko.picture.style import COLOURS, FAINT_INK, GOLD, INK

__all__ = ["WIDTH", "PlayerLine", "height", "panel"]

WIDTH = 330
_HEADING = 92
_ROW = 142
_POINTS_TO_WIN = 12


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """What the legend says about one player.

    captives: the colours of the Emperors held. to_act: whether it is this player's turn.
    """

    name: str
    colour: int
    points: int
    reserve: int
    emperor_in_reserve: bool
    removed: int
    captives: tuple[int, ...]
    to_act: bool
    won: bool


def height(lines: int) -> int:
    """Return the height of a legend for so many players."""
    return _HEADING + lines * _ROW


def panel(heading: str, players: list[PlayerLine]) -> str:
    """Draw the legend with its upper left corner at the origin."""
    title = (
        '<text class="title" y="38">Ekö</text>'
        f'<text class="note" y="68" fill="{FAINT_INK}">{escape(heading)}</text>'
    )
    rows = (
        f'<g transform="translate(0 {_HEADING + place * _ROW})">{_row(line)}</g>'
        for place, line in enumerate(players)
    )
    return title + "".join(rows)


def _row(line: PlayerLine) -> str:
    frame = f'stroke="{COLOURS[line.colour].rim}" stroke-width="3"' if line.to_act or line.won else ""
    captives = "".join(
        f'<g transform="translate({298 - 44 * place} 38) scale(.62)"><use href="#disc{owner}"/>'
        '<use href="#crown" y="2"/></g>'
        for place, owner in enumerate(line.captives)
    )
    verdict = '<use href="#crown" transform="translate(38 20) scale(.8)"/>' if line.won else ""
    return (
        f'<rect width="{WIDTH}" height="{_ROW - 16}" rx="14" fill="#fffaf0" {frame}/>'
        f'<use href="#disc{line.colour}" transform="translate(38 34)"/>{verdict}'
        f'<text class="name" x="76" y="46">{escape(line.name)}</text>{captives}'
        f'{_pips(line)}<text class="note" x="18" y="112" fill="{INK}">{escape(_words(line))}</text>'
    )


def _pips(line: PlayerLine) -> str:
    """Draw the way to 12 points, one mark for each."""
    pips = "".join(
        f'<rect x="{18 + 18 * place}" y="68" width="14" height="14" rx="4" '
        + (
            f'fill="{GOLD}" stroke="#8a6a12"/>'
            if place < line.points
            else 'fill="#efe3c8" stroke="#cdb98d"/>'
        )
        for place in range(_POINTS_TO_WIN)
    )
    return f'{pips}<text class="name" x="{24 + 18 * _POINTS_TO_WIN}" y="83">{line.points}</text>'


def _words(line: PlayerLine) -> str:
    emperor = " + Emperor" if line.emperor_in_reserve else ""
    removed = f" · removed {line.removed}" if line.removed else ""
    return f"reserve {line.reserve}{emperor}{removed}"
