"""The short form of ``python -m tools.fuzz``, and what it sends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from ekoes.games.api.chance import Chance
from ekoes.protocol.incoming import LobbyMessage, Message
from tools.fuzz.fuzzing import Plan, fuzzed
from tools.fuzz.messages import LOBBY, TABLE, spoiled


def kinds(union: Any) -> set[str]:
    return {kind.model_fields["type"].default for kind in get_args(union)}


@pytest.mark.long
def test_whatever_comes_nothing_fails_and_nobody_loses_a_table(tmp_path: Path) -> None:
    plan = Plan(messages=1500, tables=2, examples=2, seed=1)
    told: list[str] = []
    assert fuzzed(tmp_path, plan, told.append) == []
    assert any("1500 messages" in line for line in told)


def test_there_is_a_sample_of_each_message() -> None:
    assert {sample["type"] for sample in TABLE} == kinds(Message)
    assert {sample["type"] for sample in LOBBY} == kinds(LobbyMessage)


def test_a_message_goes_wrong_in_many_ways() -> None:
    chance = Chance(1)
    sent = {spoiled(sample, chance) for _ in range(100) for sample in TABLE}
    assert len(sent) > 2500
    assert any(isinstance(one, bytes) for one in sent)
    texts = [one for one in sent if isinstance(one, str)]
    assert any(len(text) > 64 * 1024 for text in texts)
    assert any("NaN" in text for text in texts)
    assert any("ud800" in text for text in texts)
    assert sum(is_json(text) for text in texts) > len(texts) / 2


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
