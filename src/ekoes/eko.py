"""Ekö as a library: ``ekoes.eko.Game``, in the manner of python-chess."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from typing import Literal, get_args

from ekoes import library
from ekoes.errors import PositionError
from ekoes.games.api.contract import Json
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.action import Action
from ekoes.games.eko.position.position import EkoPosition

__all__ = ["Action", "EkoPosition", "Game"]

_COLUMNS = 100
"""Of a board as text, at most."""


class Game(library.Game[EkoPosition, Action]):
    """A game of Ekö. Rules: docs/rules/eko.en.md.

    Examples:
        >>> import ekoes
        >>> game = ekoes.eko.Game(players=2, seed=7)
        >>> game.push("swap:a6")
        Swap(space=Space(q=1, r=-4))
        >>> game
        <eko after 1 decisions, turn of 1>
    """

    name = EKO.name
    _actions = get_args(Action)

    def __init__(
        self,
        players: int = 2,
        *,
        variants: Iterable[str] = (),
        setup: Literal["standard", "draft"] = "standard",
        layout: Json | None = None,
        turn_limit: int | None = None,
        seed: int = 0,
    ) -> None:
        """Set a game up.

        layout: a board in the interchange form; None: a random one. turn_limit: the last turn, if any
        (E11.5).

        Raises: PositionError or LayoutError naming the option.
        """
        if isinstance(variants, str):
            raise PositionError(f"must be a list of names, such as [{variants!r}]", key="variants")
        options: Json = {"players": players, "variants": sorted(variants), "setup": setup}
        start = EKO.new(options if layout is None else options | {"layout": layout}, seed)
        super().__init__(start, seed=seed, turn_limit=turn_limit)

    def points(self, seat: int) -> int:
        """Return the points of a seat. Raises ValueError for a seat that does not exist. Rule: E11.1.

        Examples:
            >>> Game(seed=7).points(0)
            0
        """
        self._check_seat(seat)
        return self.position.total(seat)

    def __str__(self) -> str:
        """Return the board and the players as text, as ``ekoes eko show`` prints them."""
        from rich.console import Console  # noqa: PLC0415 - needs no terminal to play

        from ekoes.games.eko.show import show_position  # noqa: PLC0415

        text = StringIO()
        Console(file=text, width=_COLUMNS, color_system=None).print(show_position(self.position))
        return text.getvalue().rstrip()

    def svg(self) -> str:
        """Return a picture of the position."""
        from ekoes.games.eko.svg import position_svg  # noqa: PLC0415 - needs no picture to play

        return position_svg(self.position)

    def _repr_svg_(self) -> str:
        """Draw the position in a notebook."""
        return self.svg()
