"""None of pydantic's own sentences gets out: every kind of failure of our models has our words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, get_args

import pytest
from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from ekoes.errors import EkoesError
from ekoes.games.api.reading import OTHER_TEXT, TEXTS, error_details, error_text
from ekoes.games.ekko.live.judge import IntentAction
from ekoes.games.ekko.live.state import LiveForm, LiveOptions
from ekoes.games.ekko.position.position import EkkoOptions
from ekoes.games.eko.game import EKO
from ekoes.games.eko.position.setup import EkoOptions
from ekoes.games.eko.position.tiles import Tile, TileSet, default_tileset
from ekoes.protocol import MESSAGES, Message, read_message
from ekoes.tables.orders import AnyOrder, read_order
from ekoes.tables.settings import TablePlan

NOT_OURS = re.compile(
    r"Input should|should (have|match|be)|Value error|Field required|Extra inputs|Unable to|decode|Invalid"
)
"""How pydantic, FastAPI and Python's own reader of JSON begin to speak."""

SEAT = {"kind": "here", "name": "Ada", "colour": 1, "bot": None}
PLAN = {"game": "eko", "options": {"seed": 1, "turn_limit": 5}, "seats": [SEAT]}
ORDERS = [
    {"type": "act", "key": "k", "version": 1, "seat": 0, "action": {"type": "end"}, "hold": False},
    {"type": "draw", "key": "k", "version": 1, "seat": 0, "offer": True},
    {"type": "sit", "key": "k", "seat": 0, "name": "Ada"},
    {"type": "pace", "key": "k", "milliseconds": 7},
    {"type": "chat", "key": "k", "on": True},
]
SOUND: list[tuple[Any, list[Any]]] = [
    (TablePlan, [PLAN]),
    (Annotated[Message, Field(discriminator="type")], ORDERS),
    (Annotated[AnyOrder, Field(discriminator="type")], ORDERS[:4]),
    (
        Annotated[IntentAction, Field(discriminator="type")],
        [
            {"type": "mirror", "card": 73, "on": 37, "effect": "discard", "aside": 4},
            {"type": "ready", "round": 1},
        ],
    ),
    (EkoOptions, [{"players": 2, "variants": ["wind"], "setup": "draft", "layout": [], "tileset": {}}]),
    (EkkoOptions, [{"players": 2, "target": 25, "live": True}]),
    (
        LiveForm,
        [{"misplays": True, "reaction": 3, "turn_clock": 30, "calm": True, "window": 6, "hints": True}],
    ),
    (TileSet, [default_tileset().to_json()]),
    (
        Tile,
        [
            {
                "terrain": "ttt",
                "cells": [[0, 0], [1, 0], [0, 1]],
                "copies": 2,
                "dealt": [0, 1, 2],
                "sign": "pyramid",
            }
        ],
    ),
    (Annotated[int, Field(ge=0)], [3]),
    (Annotated[str, Field(pattern="^[0-9a-z]{1,32}$")], ["abc"]),
]
"""What is read, each kind with examples that are sound; the last two are parts of addresses."""

ZOO: list[Any] = [
    None, True, 0, -1, 10**9, 10**30, 2.0, 1.5, "", "x" * 300, "7", "9" * 5000, "\n", "\ud800", [],
    [1, 2, 3, 4], ["x"] * 300, {}, {"x": 1}, {"": 1}, {str(number): 1 for number in range(300)},
]  # fmt: skip


def spoilt(value: Any) -> Iterator[Any]:
    """A value with one part of it changed, left out or added, at any depth."""
    yield from ZOO
    if isinstance(value, dict):
        yield value | {"": 1}
        for key, part in value.items():
            yield {name: other for name, other in value.items() if name != key}
            yield from (value | {key: changed} for changed in spoilt(part))
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in spoilt(part))


def complaints(read: Callable[[Any], object], value: Any) -> list[ErrorDetails]:
    try:
        read(value)
    except ValidationError as error:
        return error.errors()
    return []


def failures(kind: Any, sound: list[Any]) -> Iterator[ErrorDetails]:
    """All that pydantic complains about in spoilt values, read as Python and as JSON."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    for value in sound:
        adapter.validate_python(value)
        for changed in spoilt(value):
            yield from complaints(adapter.validate_python, changed)
            yield from complaints(adapter.validate_json, json.dumps(changed))


@pytest.fixture(scope="module")
def met() -> dict[str, ErrorDetails]:
    """One failure of each kind that our models know, by its kind and sentence."""
    return {
        f"{detail['type']}: {detail['msg']}": detail
        for kind, sound in SOUND
        for detail in failures(kind, sound)
    }


def test_every_kind_of_failure_of_our_models_has_its_sentence(met: dict[str, ErrorDetails]) -> None:
    kinds = {detail["type"] for detail in met.values()}
    assert kinds - set(TEXTS) == set()
    assert set(TEXTS) - kinds == set(), "a sentence that nothing is told by"


def test_no_sentence_is_pydantics(met: dict[str, ErrorDetails]) -> None:
    said = {error_details(detail, ["key"])[2] for detail in met.values()}
    assert {text for text in said if NOT_OURS.search(text) or text == OTHER_TEXT} == set()


def test_a_kind_of_failure_that_no_model_knows_has_our_words_too() -> None:
    details: list[Any] = [
        {"type": kind, "msg": "Input should be pleasant", "ctx": {}}
        for kind in set(get_args(ErrorType)) - set(TEXTS)
    ]
    assert {error_text(detail) for detail in details} == {OTHER_TEXT}


READERS: list[tuple[str, Callable[[], object]]] = [
    ("message", lambda: read_message('{"type":"sit","key":"k","seat":9}', MESSAGES)),
    ("message", lambda: read_message('{"type":"rename","key":"k","seat":0,"name":"a\\nb"}', MESSAGES)),
    ("message", lambda: read_message("{", MESSAGES)),
    ("message", lambda: read_message('{"type":"fly"}', MESSAGES)),
    ("order", lambda: read_order('{"type":"sit"}')),
    ("options", lambda: EKO.new({"players": 2.0}, 1)),
    ("options", lambda: EKO.new({"players": 2, "variants": ["rain"]}, 1)),
    ("options", lambda: LiveOptions.read({"reaction": 0})),
    (
        "tile set",
        lambda: TileSet.from_json({"groups": {"grey": 2}, "tiles": {str(n): {} for n in range(300)}}),
    ),
    ("tile set", lambda: TileSet.from_json({"groups": {"grey": 2}, "tiles": {"A": {"cells": [[0, 0]]}}})),
]


@pytest.mark.parametrize(("channel", "read"), READERS)
def test_what_readers_raise_is_in_our_words(channel: str, read: Callable[[], object]) -> None:
    with pytest.raises(EkoesError) as error:
        read()
    assert not NOT_OURS.search(str(error.value)), channel


def test_an_empty_key_is_named() -> None:
    with pytest.raises(EkoesError, match=r"^'': unknown key"):
        EKO.from_json({"game": "eko", "version": 1, "": 1})
    with pytest.raises(EkoesError, match=r"^'': this key is unknown here"):
        EKO.new({"players": 2, "": 1}, 1)
    with pytest.raises(EkoesError, match=r"^'': this key is unknown here"):
        read_message('{"type":"sit","key":"k","seat":0,"":1}', MESSAGES)
