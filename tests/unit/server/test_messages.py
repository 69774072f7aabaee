from __future__ import annotations

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from ekoes.protocol.incoming import MessageError, encode, key_of, parse_message
from ekoes.server.runtime.messages import error_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
KEYS = st.sampled_from(["type", "key", "version", "seat", "action", "hold", "name", "milliseconds"])
TYPES = st.sampled_from(["act", "undo", "sit", "pace", "why", "intent", "rematch", "tick", "fly"])
ACTIONS = st.fixed_dictionaries(
    {"type": st.sampled_from(["play", "mirror", "effect", "draw", "pass", "ready", "deal"])},
    optional={key: st.integers(-1, 99) | VALUES for key in ("card", "on", "aside", "round", "effect")},
)
INTENTS = ACTIONS.map(lambda action: {"type": "intent", "key": "k", "seat": 0, "action": action})
MESSAGES = INTENTS | st.dictionaries(KEYS | st.text(), VALUES).flatmap(
    lambda message: TYPES.map(lambda kind: {**message, "type": kind})
)


@given(VALUES | MESSAGES)
def test_any_json_is_a_message_or_a_message_error(value: object) -> None:
    answer_to(json.dumps(value))


@given(st.text())
def test_any_text_is_a_message_or_a_message_error(text: str) -> None:
    answer_to(text)


def answer_to(text: str) -> None:
    key = key_of(text)
    assert key is None or len(key) <= 64
    try:
        parse_message(text)
    except MessageError as error:
        answer = error_json(error)
        assert answer["code"].startswith("message/")
        encode(answer | {"key": key}).encode()


@given(MESSAGES)
def test_what_is_read_is_written_back_the_same(message: dict[str, object]) -> None:
    with suppress(MessageError):
        read = parse_message(json.dumps(message))
        assert parse_message(to_json(read).decode()) == read
