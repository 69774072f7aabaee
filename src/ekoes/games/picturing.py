"""Pictures of a game for who has not come yet: of one size, without words but names and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from ekoes.games.contract import Json

__all__ = ["FONT", "HEIGHT", "WIDTH", "Picturing", "Sitter", "document", "text"]

WIDTH, HEIGHT = 1200, 630
"""As those who show links ask for it."""
FONT = "DejaVu Sans"
"""The one font there is for pictures; it comes with the program."""
_ADVANCE = 0.67
"""How wide a sign is, in parts of its size: most are narrower."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at a table, as a picture tells them."""

    name: str
    colour: int
    won: bool


class Picturing(Protocol):
    """What a game brings for its pictures."""

    def preview(self, position: Any, shown: Json, sitters: Sequence[Sitter]) -> str:  # noqa: ANN401
        """Draw a position as an SVG document.

        shown: what whoever looks on is shown of it; nothing else may be seen in the picture.
        """


def document(ground: str, definitions: str, content: str) -> str:
    """Return a picture of the one size. ground: its colour."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="{FONT}" font-weight="700">'
        f"<defs>{definitions}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{ground}"/>{content}</svg>'
    )


def text(words: str, at: tuple[float, float], size: float, fill: str, room: float | None = None) -> str:
    """Write somebody's words in one line, cut where there is no room. at: where its foot begins."""
    most = len(words) if room is None else max(1, int(room / (size * _ADVANCE)))
    shown = words if len(words) <= most else f"{words[: most - 1]}…"
    plain = "".join(sign for sign in shown if sign.isprintable())
    return f'<text x="{at[0]:g}" y="{at[1]:g}" font-size="{size:g}" fill="{fill}">{escape(plain)}</text>'
