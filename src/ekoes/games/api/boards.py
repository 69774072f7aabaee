"""Protocol of boards that are chosen and judged: named layouts and reports of fairness (``Parts.boards``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol


class Named(NamedTuple):
    """A named layout. title, text: by language. report: of its fairness, without the heat map."""

    name: str
    title: dict[str, str]
    text: dict[str, str]
    players: int
    variants: list[str]
    tiles: list[Any]
    report: dict[str, Any]


class Boards(Protocol):
    """The boards of a game. Boards and tallies are the game's own; they and the functions are picklable."""

    def named_layouts(self) -> Sequence[Named]:
        """Return the named layouts, those for fewer players first."""

    def draw_layout(self, layout: Named) -> str:
        """Return a picture of a named layout as SVG."""

    def read_board(self, value: object) -> Any:  # noqa: ANN401
        """Read a board from JSON. Raises EkoesError."""

    def deals_for(self, board: Any, games: int) -> int:  # noqa: ANN401
        """Return how many deals give at least so many games."""

    def play_deals(self, board: Any, deals: Sequence[int], seed: int) -> Any:  # noqa: ANN401
        """Return a tally of the games of some deals, with an attribute ``games``: their number."""

    def report(self, board: Any, tallies: Sequence[Any], seed: int) -> dict[str, Any]:  # noqa: ANN401
        """Return the report of the fairness of a board."""
