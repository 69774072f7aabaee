"""Ekö with bots that take their time, as a package that other processes find on their path.

Set ``EKOES_PONDER`` to the seconds that a bot computes before each decision.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from threading import Barrier
from types import MappingProxyType
from typing import Any

from ekoes.games.api.chance import Chance
from ekoes.games.api.parts import RandomBot
from ekoes.games.eko.game import Eko

__all__ = ["COUNTER", "CRASHER", "FAILER", "MUSER", "PONDER", "PONDERER", "SHARER"]


class Ponderer(RandomBot):
    """Computes without pause, as Python programs do, and then draws."""

    name = "ponderer"

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:
        ends = time.monotonic() + float(os.environ["EKOES_PONDER"])
        while time.monotonic() < ends:
            sum(range(1000))
        return super().choose(position, seat, chance)


class Crasher(RandomBot):
    """Takes the process with it in which it thinks."""

    name = "crasher"

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:
        os._exit(3)


class Failer(RandomBot):
    """Has a bug."""

    name = "failer"

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:
        raise ZeroDivisionError("a bot's bug")


class Counter(RandomBot):
    """Chooses the first decision, and at a seat the second one when it is asked again, and so on."""

    name = "counter"

    def __init__(self) -> None:
        self.asked = 0

    def seated(self) -> Counter:
        return Counter()

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:
        self.asked += 1
        return position.legal(seat)[self.asked - 1]


class Muser(RandomBot):
    """Chooses the decision whose index is how often it has pondered, at most three times."""

    name = "muser"
    pondered = 0

    def seated(self) -> Muser:
        os.getloadavg = lambda: (0.0, 0.0, 0.0)  # whatever else the machine does
        return Muser()

    def ponder(self, seconds: float) -> bool:
        self.pondered = min(3, self.pondered + 1)
        return self.pondered < 3

    def choose(self, position: Any, seat: int, chance: Chance) -> Any:
        return position.legal(seat)[self.pondered]


class Sharer(RandomBot):
    """Chooses the decision of the number of threads that it may use: the first one for one."""

    name = "sharer"
    together = Barrier(1)
    """Each answer waits until so many bots think in this process."""

    def think(self, position: Any, seat: int, chance: Chance, *, threads: int, **limits: Any) -> Any:
        self.together.wait()
        return position.legal(seat)[threads - 1]


class Ponder(Eko):
    """Ekö by another name."""

    name = "ponder"
    title = "Ekö, thought over"
    parts = replace(
        Eko.parts,
        bots=MappingProxyType(
            {
                "random": "ekoes.games.api.parts:RANDOM",
                "ponderer": "ponder:PONDERER",
                "crasher": "ponder:CRASHER",
                "failer": "ponder:FAILER",
                "counter": "ponder:COUNTER",
                "muser": "ponder:MUSER",
                "sharer": "ponder:SHARER",
            }
        ),
        warm=None,
    )


PONDER = Ponder()
PONDERER, CRASHER, FAILER, COUNTER = Ponderer(), Crasher(), Failer(), Counter()
MUSER, SHARER = Muser(), Sharer()
