"""The pages of the environments: their examples run, and their numbers are those of the program."""

from __future__ import annotations

import re

import pytest

from ekoes.envs.kernels_ekko import INTEGERS
from ekoes.envs.match import spaces_of
from tests.docs.pages import fences, read, run_python

EKO, EKKO = read("docs/reference/environment-eko.md"), read("docs/reference/environment-ekko.md")


def test_the_examples_run() -> None:
    run_python("".join(fences(read("docs/reference/environments.md"), "python")))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_page_of_eko_has_the_sizes(players: int) -> None:
    spaces = spaces_of("eko", {"players": players})
    board, scalars = (spaces.observation[name].shape for name in ("board", "scalars"))
    assert board == (3 * players + 15, (49, 70, 91)[players - 2])
    assert scalars == (7 * players + 16,)
    words = {2: "two", 3: "three", 4: "four"}
    assert re.search(rf"{spaces.actions.n:,} for {words[players]}\b", EKO)


def test_the_page_of_ekko_has_the_sizes() -> None:
    spaces = spaces_of("ekko", {"players": 5})
    assert {name: space.shape for name, space in spaces.observation.spaces.items()} == {
        "cards": (3, 98),
        "draws": (2, 5, 98),
        "scalars": (7 * 5 + 7,),
    }
    assert f"| Integers | {INTEGERS} |" in EKKO


def test_the_page_of_eko_has_a_row_for_each_plane() -> None:
    """The planes after those of the players are p … p + 14."""
    table = EKO.split("Then, with p")[1].split("## `scalars`")[0]
    named = re.findall(r"p \+ (\d+)", table)
    assert [int(number) for number in named] == list(range(1, 15))
