"""The page on the protocol tells all that there is, and nothing that is not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from ekoes.protocol.incoming import LobbyMessage, Show, Ways, Why
from ekoes.tables import orders
from ekoes.tables.chat import Listen, Mute, Say
from ekoes.tables.orders import Order

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/reference/protocol.md").read_text(encoding="utf-8")
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for where in ("tables", "storage", "server", "protocol", "games/api", "games/ekko/live")
    for path in (ROOT / "src/ekoes").glob(f"{where}/**/*.py")
)
CODE = re.compile(r"(?:account|action|table|talk|message|storage)/[a-z-]+")


def codes(text: str, mark: str) -> set[str]:
    return {code for code in CODE.findall(text) if f"{mark}{code}{mark}" in text}


def test_every_code_is_told() -> None:
    told, used = codes(PAGE, "`"), codes(SOURCES, '"')
    assert len(used) > 15
    untold = {"storage/address", "storage/key", "storage/newer", "storage/older"}
    assert used - told == untold, "these keep a server from starting"
    assert told - used == {"action/illegal"}, "this one is the engine's"


@pytest.mark.parametrize(
    "message",
    [*get_args(Order), Why, Ways, Show, Listen, Say, Mute, *get_args(LobbyMessage)],
    ids=lambda message: message.__name__,
)
def test_every_message_is_told_with_its_keys(message: type[orders.Strict]) -> None:
    kind = message.model_fields["type"].default
    (line,) = re.findall(rf'`{{"type":"{kind}"(.*?)}}`', PAGE)[:1]
    told = set(re.findall(r'"(\w+)"', line))
    assert told == set(message.model_fields) - {"type"}
