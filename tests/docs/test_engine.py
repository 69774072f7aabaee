"""docs/reference/engine.md describes the engine protocol as it is implemented."""

from __future__ import annotations

import json
import re

from ekoes.arena.players import BUDGETS, DEFAULT_MEMORY, GRACE, LONGEST_ANSWER, PROTOCOL, ForfeitError
from ekoes.cli.engine import COMMANDS, Limits
from tests.docs.pages import read
from tests.unit.arena.test_program import HOSTILE, RAW

PAGE = read("docs/reference/engine.md")


def column(heading: str) -> list[str]:
    """The first cells of the table with this heading, in their order."""
    ((body,),) = [re.findall(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", PAGE, flags=re.MULTILINE)]
    return [line.split(" | ")[0].removeprefix("| ").strip("`") for line in body.splitlines()]


def test_every_command_has_its_row() -> None:
    commands = [re.search(r'"cmd":"(\w+)"', row) for row in column("request")]
    assert [found[1] for found in commands if found] == list(COMMANDS)


def test_every_key_of_a_choose_has_its_row() -> None:
    assert column("limit") == list(Limits.model_fields)
    described = [*column("key of `choose`"), *column("limit")]
    assert sorted(described) == sorted(COMMANDS["choose"].optional)
    assert "One of " + ", ".join(f"`{name}`" for name in BUDGETS[:-1]) + f" and `{BUDGETS[-1]}`" in PAGE


def test_every_reason_has_its_row() -> None:
    shown = {reason for _, reason, _ in (*HOSTILE.values(), *RAW.values())}
    assert set(column("reason")) == shown
    assert shown <= set(re.findall(r"``(\w+)``", str(ForfeitError.__doc__)))


def test_the_numbers_are_those_of_the_program() -> None:
    assert f"This is version {PROTOCOL}." in PAGE
    assert json.loads("[" + column("request")[0] + "]")[0]["cmd"] == "hello"
    assert f"| {DEFAULT_MEMORY} |" in PAGE
    assert f"{GRACE} s more" in PAGE
    assert f"more than {LONGEST_ANSWER // 1024} KiB" in PAGE
