"""Ekö for who has not come yet: the board, and how far each player is on the way to 12 points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ekoes.games.contract import Json
from ekoes.games.eko.picture.style import COLOURS, GOLD, INK, PAPER, number
from ekoes.games.eko.svg import definitions, scene
from ekoes.games.picturing import HEIGHT, WIDTH, Sitter, document, text

if TYPE_CHECKING:
    from ekoes.games.eko.position import EkoPosition

__all__ = ["PREVIEW"]

_BOARD = 690.0
"""How wide the board may be."""
_MARGIN = 24.0
_LEFT = _BOARD + 2 * _MARGIN
_ROW = 116
_POINTS_TO_WIN = 12


class _Preview:
    """Draws positions of Ekö, where nothing is hidden."""

    def preview(self, position: EkoPosition, shown: Json, sitters: Sequence[Sitter]) -> str:  # noqa: ARG002
        """Draw a position."""
        extent, art = scene(position, [sitter.colour for sitter in sitters])
        top = (HEIGHT - _ROW * len(sitters)) / 2 + 34
        rows = "".join(
            f'<g transform="translate({_LEFT:g} {top + _ROW * seat:g})">'
            f"{_row(sitter, position.points(seat).total)}</g>"
            for seat, sitter in enumerate(sitters)
        )
        title = text("Ekö", (_LEFT, top - 34), 60, INK)
        return document(PAPER, definitions(), f"{_fitted(extent, art)}{title}{rows}")


PREVIEW = _Preview()


def _fitted(extent: tuple[float, float, float, float], art: str) -> str:
    """Draw a board as large as there is room, in the middle of it."""
    left, top, width, height = extent
    scale = min(_BOARD / width, (HEIGHT - 2 * _MARGIN) / height)
    x = _MARGIN + (_BOARD - width * scale) / 2 - left * scale
    y = (HEIGHT - height * scale) / 2 - top * scale
    return f'<g transform="translate({number(x)} {number(y)}) scale({scale:.4f})">{art}</g>'


def _row(sitter: Sitter, points: int) -> str:
    """Draw a player: disc, name, points; the crown is the winner's."""
    colour, wide = COLOURS[sitter.colour % len(COLOURS)], WIDTH - _LEFT - _MARGIN
    rim = f'stroke="{GOLD}" stroke-width="5"' if sitter.won else f'stroke="{colour.rim}" stroke-width="1.5"'
    pips = "".join(
        f'<rect x="{22 + 27 * place}" y="62" width="21" height="21" rx="6" stroke="#8a6a12" '
        f'fill="{GOLD if place < points else "#efe3c8"}"/>'
        for place in range(_POINTS_TO_WIN)
    )
    crown = '<use href="#crown" transform="translate(42 16) scale(.9)"/>' if sitter.won else ""
    return (
        f'<rect width="{wide:g}" height="{_ROW - 18}" rx="16" fill="#fffaf0" {rim}/>'
        f'<use href="#disc{sitter.colour % len(COLOURS)}" transform="translate(42 32)"/>{crown}'
        f"{text(sitter.name, (82, 44), 30, INK, wide - 100)}{pips}"
        f"{text(str(points), (358, 84), 30, INK)}"
    )
