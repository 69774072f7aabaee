"""Which faults there are, where each of them can happen, and how one is drawn."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence

from ekoes.games.chance import Chance
from tools.faults.fault import (
    Apart,
    Away,
    Cut,
    Deaf,
    Emptied,
    Fault,
    Full,
    Jump,
    Kill,
    Locked,
    Pause,
    Restart,
    Sever,
    Stormy,
    Uncounted,
)
from tools.faults.proxy import Weather

__all__ = ["FAULTS", "drawn", "possible"]

_ANY = 6
"""A number below which any one of one, two or three servers is as likely as each other one."""
_ASLEEP = 30.0
"""Seconds after which the others have had all that a server owned for long."""
_ENDS = (signal.SIGTERM, signal.SIGKILL)
_JUMPS = (-86_400, -3600, -60, -5, 5, 60, 3600, 86_400)


def _seconds(chance: Chance, most: int) -> float:
    """Return some seconds, to the tenth."""
    return (1 + chance.below(most * 10)) / 10


def _who(chance: Chance) -> int:
    return chance.below(_ANY)


def _storm(chance: Chance, seconds: int, weather: Weather) -> Fault:
    return Stormy(_seconds(chance, seconds), weather)


FAULTS: Mapping[str, Callable[[Chance], Fault]] = {
    "kill": lambda chance: Kill(1 + chance.below(80), _who(chance), 1 + chance.below(60)),
    "cut": lambda chance: Cut(1 + chance.below(60), _who(chance), 1 + chance.below(60)),
    "restart": lambda chance: Restart(1 + chance.below(100), _who(chance)),
    "pause": lambda chance: Pause(_seconds(chance, 6), _who(chance)),
    "sleep": lambda chance: Pause(_ASLEEP, _who(chance)),
    "jump": lambda chance: Jump(chance.choice(_JUMPS), _who(chance)),
    "sever": lambda _chance: Sever(),
    "delay": lambda chance: _storm(chance, 5, Weather(delay=_seconds(chance, 1) / 4)),
    "throttle": lambda chance: _storm(
        chance, 5, Weather(rate=2000 + chance.below(20_000), piece=1 + chance.below(300))
    ),
    "halve": lambda chance: _storm(chance, 1, Weather(halves=True)),
    "silence": lambda chance: _storm(chance, 8, Weather(is_silent=True)),
    "full": lambda chance: Full(1 + _seconds(chance, 4)),
    "lock": lambda chance: Locked(_seconds(chance, 20)),
    "stop": lambda chance: Away(_seconds(chance, 20), signal.SIGINT),
    "crash": lambda chance: Away(_seconds(chance, 20), signal.SIGKILL),
    "apart": lambda chance: Apart(_seconds(chance, 20), Weather(is_cut=True), _who(chance)),
    "mute": lambda chance: Apart(_seconds(chance, 20), Weather(is_silent=True), _who(chance)),
    "empty": lambda _chance: Emptied(),
    "uncount": lambda chance: Uncounted(_seconds(chance, 20), chance.choice(_ENDS)),
    "deaf": lambda chance: Deaf(1 + chance.below(4), _who(chance)),
}
"""Each fault's name, and how one is drawn."""

_ONLY: Mapping[str, str] = {
    "full": "sqlite",
    "stop": "postgresql",
    "crash": "postgresql",
    "apart": "postgresql",
    "mute": "postgresql",
}
"""What befalls one database alone."""
_OF_REDIS = frozenset({"empty", "uncount"})


def possible(database: str, *, redis: bool = False) -> tuple[str, ...]:
    """Return the names of all faults that can happen with a database. redis: whether there is one, too."""
    befalls = (name for name in FAULTS if _ONLY.get(name, database) == database)
    return tuple(name for name in befalls if redis or name not in _OF_REDIS)


def drawn(chance: Chance, names: Sequence[str]) -> tuple[str, Fault]:
    """Draw a fault of one of some names."""
    name = chance.choice(names)
    return name, FAULTS[name](chance)
