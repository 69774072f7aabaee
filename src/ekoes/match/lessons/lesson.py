"""A lesson as a value: where the game stands, what is to be done, and what is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ekoes.games.contract import Json, Position
from ekoes.games.teaching import Goal

__all__ = ["OTHER", "Answer", "Lesson", "Try", "fits"]

OTHER = "other"
"""The key of what is said of a decision that the lesson does not allow."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody else does: just before or right after so many decisions of the learner.

    action: None: the clock strikes.
    """

    seat: int
    action: Json | None
    count: int
    is_before: bool


@dataclass(frozen=True, slots=True)
class Try:
    """A try that does not lead on: the learner's action after so many decisions of the solution.

    says: the rule that refuses it, or the key of the lesson's own words.
    """

    action: Json
    after: int
    says: str

    @property
    def is_refused(self) -> bool:
        """Whether the rules refuse it; else the lesson does."""
        return not self.says.islower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One lesson. solution: the learner's decisions that reach the goal, as JSON.

    allowed: patterns of what the learner may do, of whatever the rules allow; empty: all of that.
    marks: what is lit in the picture until something has been done. words: language -> key -> text;
    ``title``, ``task`` and ``done`` are always there.
    """

    game: str
    name: str
    chapter: str
    seat: int
    options: Json
    position: Position
    goal: Goal
    solution: tuple[Json, ...]
    allowed: tuple[Json, ...]
    tries: tuple[Try, ...]
    answers: tuple[Answer, ...]
    marks: tuple[Any, ...]
    words: Mapping[str, Mapping[str, str]]

    def steer(self, action: Json) -> str | None:
        """Return the key of what is said of an action that leads elsewhere, None if it may be done."""
        if self.allowed and not any(fits(pattern, action) for pattern in self.allowed):
            return OTHER
        own = (attempt for attempt in self.tries if not attempt.is_refused and attempt.says != OTHER)
        return next((attempt.says for attempt in own if fits(attempt.action, action)), None)


def fits(pattern: Json, action: Json) -> bool:
    """Tell whether an action has all that a pattern names."""
    return all(key in action and action[key] == value for key, value in pattern.items())
