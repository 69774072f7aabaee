"""Which rules judged a game: the tag ``Rules`` of its record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from ekoes.errors import NotationError

__all__ = ["check_rules", "rules_text"]

_VERSION = r"[^\s,]{1,20}"
_RULES = re.compile(rf"{_VERSION}(?:, {_VERSION} from [0-9]{{1,9}})*", re.ASCII)


def rules_text(versions: Sequence[str]) -> str:
    """Write which rules judged the decisions of a game: ``1``, or ``1, 2 from 57`` (the 57th decision)."""
    changes = [next(group) for _, group in groupby(enumerate(versions, start=1), key=lambda one: one[1])]
    return ", ".join(f"{version} from {number}" if number > 1 else version for number, version in changes)


def check_rules(text: str, version: str) -> None:
    """Check that rules of one version alone judged a game. Raises NotationError."""
    if _RULES.fullmatch(text) is None:
        raise NotationError(f"is written 1, or 1, 2 from 57, not {text!r:.60}")
    judged_by = {change.split(" ")[0] for change in text.split(", ")}
    if judged_by != {version}:
        message = f"judged by rules {text}; this program knows rules {version} and can't verify it"
        raise NotationError(message)
