"""Whether clocks have counted the time in which a server was there, and no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ekoes.match.state import Table
from ekoes.match.turns.state import TurnTable

__all__ = ["Span", "wrong_times"]

_SLACK = 10.0
"""Seconds by which players may hear late of a first decision, or of an end."""
_START = 3.0
"""Seconds for which a server may be there before it answers."""
_UNKNOWN = 6.0
"""Seconds before a kill that count for nobody (``server/uptime.py``)."""
_LINE = 1.0
"""Seconds by which a clock may wait for its player's line, in each turn."""

Span = tuple[float, float]


def wrong_times(
    tables: Mapping[str, Table], played: Mapping[str, Span], there: Sequence[Span]
) -> Iterable[str]:
    """Yield what is wrong with the clocks of tables.

    played: from the first decision to the end, by the harness's own clock. there: when each server was.
    """
    for name, table in tables.items():
        if (
            not isinstance(table, TurnTable)
            or table.times is None
            or table.clock is None
            or name not in played
        ):
            continue
        used = sum((table.clock.base or 0) - left / 1000 for left in table.times.left)
        least, most = _bounds(played[name], there, table.times.turn.number)
        if not least <= used <= most:
            yield f"the clocks of {name} have counted {used:.1f} s of {least:.1f} to {most:.1f}"


def _bounds(played: Span, there: Sequence[Span], turns: int) -> Span:
    """Return how much clocks may have counted, at least and at most."""
    parts = [(max(played[0], begun), min(played[1], ended)) for begun, ended in there]
    own = sorted(part for part in parts if part[0] < part[1])
    counted, latest = 0.0, played[0]
    for begun, ended in own:  # several may be there at the same time
        counted += max(0.0, ended - max(begun, latest))
        latest = max(latest, ended)
    return counted - len(own) * _UNKNOWN - turns * _LINE - _SLACK, counted + len(own) * _START + _SLACK
