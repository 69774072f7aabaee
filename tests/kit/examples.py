"""How many examples a run takes: `make test` takes fewer of them than `make test-long`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import settings

from ekoes.games.kernels import COMPILED

__all__ = ["IS_LONG", "one_quick", "property_settings"]

IS_LONG: Final = bool(os.environ.get("EKOES_FRESH_EXAMPLES"))
_ENOUGH, _SHARE = 10, 0.2


def property_settings(examples: int, interpreted: int | None = None) -> settings:
    """Return the settings of a property.

    examples: in `make test-long`; `make test` draws a fifth of them, but at least ten where there are as
    many. interpreted: where kernels are not compiled.
    """
    if not COMPILED and interpreted is not None:
        examples = interpreted
    elif not IS_LONG:
        examples = min(examples, max(_ENOUGH, round(examples * _SHARE)))
    return settings(max_examples=examples)


def one_quick(quick: object, others: Iterable[object]) -> list[Any]:
    """Return the parameters of a test: one for `make test`, and others for `make test-long` alone."""
    return [quick, *(_for_long(other) for other in others)]


def _for_long(other: object) -> object:
    values = other if isinstance(other, tuple) else (other,)
    return pytest.param(*values, marks=pytest.mark.long)
