"""Whoever answers what bots are asked."""

from __future__ import annotations

from typing import Protocol

from ekoes.games.contract import Answer
from ekoes.match.question import Question

__all__ = ["Thinkers"]


class Thinkers(Protocol):
    """Answers questions, here or elsewhere; the server's loop never waits for them."""

    def start(self) -> None:
        """Get ready."""

    async def ask(self, question: Question, table_id: str, *, is_urgent: bool) -> Answer:
        """Return what a bot wants to do. Never fails: where the bot does, a makeshift answers.

        table_id: who asks; no table waits for all that another one asks. is_urgent: whether somebody
        waits for it; what nobody does comes after all that somebody does.
        """

    async def stop(self) -> None:
        """End, within a second, whoever is thinking."""
