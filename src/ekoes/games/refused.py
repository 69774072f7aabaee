"""The refusal of the rules, as the error of whoever asked for what is not possible."""

from __future__ import annotations

from ekoes.errors import IllegalActionError
from ekoes.games.contract import Refusal

__all__ = ["RefusedError"]


class RefusedError(IllegalActionError):
    """The rules do not allow this action now; ``refusal`` holds the rules' own words."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep the refusal."""
        super().__init__(refusal.message, rule=refusal.rule)
        self.refusal = refusal
