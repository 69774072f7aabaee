"""How the reference says no."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - it is an answer, not a fault
    """A layout, position or action that breaks a rule; `rule` is its number."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule
