"""What the maker of a tournament asks for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from ekoes.match.orders import Name, Strict
from ekoes.match.plan import TableOptions

__all__ = ["MOST_ENTRANTS", "Form", "TournamentPlan"]

MOST_ENTRANTS = 128
_MOST_ROUNDS = 15
_LONGEST_GRACE = 14 * 24 * 60

Form = Literal["robin", "swiss", "tables"]
"""Everybody against everybody, whoever stands alike against each other, or tables of several."""


def _said(text: str) -> str:
    """Return a name that says something. Raises ValueError."""
    if not text:
        raise ValueError("needs a name that can be seen")
    return text


class TournamentPlan(Strict):
    """A tournament as its maker asks for it.

    options: of each of its tables, ``players`` among them. rounds: how many; where everybody meets everybody
    it is their number that decides. grace: minutes after which a game is lost for who has not come to it.
    late: whether others may still join while it runs.
    """

    name: Annotated[Name, AfterValidator(_said)]
    game: Annotated[str, Field(max_length=20)]
    options: TableOptions
    form: Form
    rounds: Annotated[int, Field(ge=1, le=_MOST_ROUNDS)] = 5
    grace: Annotated[int, Field(ge=1, le=_LONGEST_GRACE)] = 10
    late: bool = True

    @property
    def players(self) -> int:
        """How many play at a table, at most."""
        players = self.options.of_game().get("players")
        return players if isinstance(players, int) else 0
