"""What has changed says all that has changed, and nothing else: any two states, one from the other."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.protocol.diff import changed, checksum, difference


def values(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none() | leaves | st.text(max_size=2),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text("ab1", max_size=2), inner, max_size=4)
        ),
        max_leaves=12,
    )


NUMBERS, TRUTHS = values(st.integers(-3, 3)), values(st.booleans())
VALUES = values(st.booleans() | st.integers(-3, 3))
PAIRS = st.tuples(NUMBERS, NUMBERS) | st.tuples(TRUTHS, TRUTHS)
"""In no place a number and a truth value take turns, as ``match/difference.py`` says."""


def text_of(value: object) -> str:
    return json.dumps(value, sort_keys=True)


@given(PAIRS)
def test_a_change_leads_from_one_value_to_the_other(pair: tuple[Any, Any]) -> None:
    before, after = pair
    was = copy.deepcopy(before)
    change = difference(before, after)
    assert text_of(changed(before, change)) == text_of(after)
    assert text_of(before) == text_of(was), "the value itself stays as it is"
    assert json.loads(json.dumps(change)) == change


@given(VALUES)
def test_what_stays_the_same_has_not_changed(value: Any) -> None:
    assert difference(value, copy.deepcopy(value)) in ({}, [value])


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ({"held": None}, {"held": 1}, {"held": [1]}),
        ({"held": 1}, {"held": None}, {"held": [None]}),
        ({"held": 1}, {}, {"held": None}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1, "z": 3}}, {"a": {"y": None, "z": [3]}}),
        ({"zone": [38, 67]}, {"zone": [38, 67, 76]}, {"zone": {"2": [76]}}),
        ({"zone": [38, 67]}, {"zone": [38]}, {"zone": [[38]]}),
    ],
)
def test_a_change_says_no_more_than_it_has_to(before: Any, after: Any, change: Any) -> None:
    assert difference(before, after) == change


def test_the_sum_of_a_state_is_the_page_s() -> None:
    """The same figures stand in web/src/shell/difference.test.ts."""
    stacks = {"0,0": {"owner": 0, "height": 2}, "1,0": {"owner": 1, "height": 1}}
    assert checksum({"stacks": stacks, "zone": [38, 67], "held": None}) == "b138499f"
    assert checksum({"name": 'Zoë "Z"\n\u0001', "on": True}) == "a04bd43b"
