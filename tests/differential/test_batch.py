"""What the command line prints, against the reference: exact text, one process for many requests."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random
from typing import Any

from tests import reference
from tests.differential.compare import sorted_texts, text, times
from tests.reference.generate import random_game, random_tiles, random_variants, set_up, synthetic

Request = dict[str, Any]


def requests(rng: Random) -> list[tuple[Request, Any]]:
    """Requests with what the reference answers to them."""
    found: list[tuple[Request, Any]] = []
    for _ in range(times(12)):
        players = rng.choice([2, 3, 4])
        tiles = random_tiles(rng, players, random_variants(rng))
        start = (
            synthetic(rng, players, tiles)
            if rng.random() < 1 / 2
            else set_up(rng, players, tiles, "standard")
        )
        game = list(random_game(rng, start, 25))
        actions = [action for _, action in game[:-1]]
        found.append(({"cmd": "legal", "position": start}, reference.legal(start)))
        found.append(({"cmd": "apply", "position": start, "actions": actions}, game[-1][0]))
        nodes = reference.perft(game[-1][0], 1)
        found.append(({"cmd": "perft", "position": game[-1][0], "depth": 1}, {"depth": 1, "nodes": nodes}))
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
