"""What the command line prints, against the references: exact text, one process for many requests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from tests import reference
from tests.differential.compare import sorted_texts, text, times
from tests.reference import ekko
from tests.reference.ekko import generate
from tests.reference.generate import random_game, random_tiles, random_variants, set_up, synthetic

Request = dict[str, Any]
Requests = Iterator[tuple[Request, Any]]
"""Requests with what the reference answers to them."""


def requests_of_eko(rng: Random) -> Requests:
    for _ in range(times(12)):
        players = rng.choice([2, 3, 4])
        tiles = random_tiles(rng, players, random_variants(rng))
        start = (
            synthetic(rng, players, tiles)
            if rng.random() < 1 / 2
            else set_up(rng, players, tiles, "standard")
        )
        game = list(random_game(rng, start, 25))
        yield {"cmd": "legal", "position": start}, reference.legal(start)
        yield from played(start, game)
        nodes = reference.perft(game[-1][0], 1)
        yield {"cmd": "perft", "position": game[-1][0], "depth": 1}, {"depth": 1, "nodes": nodes}


def requests_of_ekko(rng: Random) -> Requests:
    for _ in range(times(40)):
        players = rng.randint(2, 8)
        start = generate.undealt(players) if rng.random() < 1 / 3 else generate.synthetic(rng, players)
        game = list(generate.random_game(rng, start, rng.choice([1, 5, 40, 1_000])))
        yield {"cmd": "legal", "position": start}, ekko.legal(start)
        yield from played(start, game)
        yield {"cmd": "legal", "position": game[-1][0]}, ekko.legal(game[-1][0])


def played(start: Request, game: list[tuple[Request, Any]]) -> Requests:
    yield {"cmd": "apply", "position": start, "actions": [action for _, action in game[:-1]]}, game[-1][0]


@pytest.mark.parametrize("requests", [requests_of_eko, requests_of_ekko])
def test_batch_answers_as_the_reference(requests: Callable[[Random], Requests]) -> None:
    pairs = enumerate(requests(Random("batch")))
    asked = [({"id": number, **request}, wanted) for number, (request, wanted) in pairs]
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
