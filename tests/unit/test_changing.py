from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from functools import cached_property

import pytest

from ekoes.games.api.values import Finding, changed


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


searched: list[int] = []


@dataclass(frozen=True, slots=True)
class Wise(Finding):
    number: int

    @cached_property
    def double(self) -> int:
        """Twice the number."""
        searched.append(self.number)
        return 2 * self.number


def test_what_is_found_out_is_kept_with_the_value_and_with_no_other() -> None:
    searched.clear()
    value = Wise(3)
    assert [value.double, value.double] == [6, 6]
    assert searched == [3]
    other = changed(value, number=4)
    assert [other.double, replace(other, number=5).double, value.double] == [8, 10, 6]
    assert searched == [3, 4, 5]


def test_a_value_is_the_same_whatever_was_found_out_about_it() -> None:
    value = Wise(3)
    assert value.double == 6
    again = pickle.loads(pickle.dumps(value))
    assert (again, hash(again)) == (value, hash(Wise(3)))
    assert again.double == 6
    assert Wise.double.__doc__ == "Twice the number."
