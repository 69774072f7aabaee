"""What the command line prints of EKKO, against the reference: exact text, one process for all."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

from tests.differential.compare import sorted_texts, text, times
from tests.reference import ekko as reference
from tests.reference.ekko.generate import random_game, synthetic, undealt

Request = dict[str, Any]


def requests(rng: Random) -> list[tuple[Request, Any]]:
    """Requests with what the reference answers to them."""
    found: list[tuple[Request, Any]] = []
    for _ in range(times(40)):
        players = rng.randint(2, 8)
        start = undealt(players) if rng.random() < 1 / 3 else synthetic(rng, players)
        game = list(random_game(rng, start, rng.choice([1, 5, 40, 1_000])))
        actions = [action for _, action in game[:-1]]
        found.append(({"cmd": "legal", "position": start}, reference.legal(start)))
        found.append(({"cmd": "apply", "position": start, "actions": actions}, game[-1][0]))
        found.append(({"cmd": "legal", "position": game[-1][0]}, reference.legal(game[-1][0])))
    return [({"id": number, **request}, answer) for number, (request, answer) in enumerate(found)]


def test_batch_answers_as_the_reference() -> None:
    asked = requests(Random("batch"))
    done = subprocess.run(
        [sys.executable, "-m", "ekoes", "batch"],
        input="".join(json.dumps(request) + "\n" for request, _ in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == len(asked)
    for line, (request, wanted) in zip(lines, asked, strict=True):
        answer = json.loads(line)
        assert answer["id"] == request["id"]
        if request["cmd"] == "legal":
            assert sorted_texts(answer["result"]) == sorted_texts(wanted)
        else:
            assert text(answer["result"]) == text(wanted)
