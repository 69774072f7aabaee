from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from ekoes.games.changing import changed


@dataclass(frozen=True, slots=True)
class Under:
    one: int
    two: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Over(Under):
    three: str = "three"


def test_a_value_is_changed_as_dataclasses_would() -> None:
    value = Over(1, (2,))
    assert changed(value, two=(3,), three="") == replace(value, two=(3,), three="") == Over(1, (3,), three="")
    assert changed(value) == value
    assert value == Over(1, (2,))


def test_a_field_that_is_none_is_named() -> None:
    with pytest.raises(TypeError, match="a Over has no four"):
        changed(Over(1), four=4)
