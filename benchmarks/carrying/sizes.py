"""How long messages are, over whole games of chance: the page's wire, without the frames around it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.carrying.games import ALL_VARIANTS, eko_table, played
from benchmarks.carrying.report import Seen
from ekoes.games.eko.offered import members_of
from ekoes.match.kinds import kind_of
from ekoes.match.state import Table
from ekoes.server.audience import Audience
from ekoes.server.clock import WallClock
from ekoes.server.messages import encode

__all__ = ["measured"]

GAMES = {2: 100, 4: 60}
"""Players -> games; the one with the most choices known is among them (``games.LARGEST``)."""
DECISIONS = 300
LOOKED_AT = 5
"""Of so many positions one has the ways of all its stacks asked for."""
KIB = 1024


def measured() -> Iterator[Seen]:
    """Measure games of two, and of four with all variants."""
    longest, whole = 0, 0
    for players, variants, most in ((2, (), 1.5), (4, ALL_VARIANTS, 3)):
        heard = _Heard()
        for seed in range(1, GAMES[players] + 1):
            heard.play(seed, players, variants)
        what = f"update, {players} players{', all variants' if variants else ''}"
        updates = np.array(heard.updates) / KIB
        told = f"{what}, longest of {len(updates):,} in {GAMES[players]} games"
        yield Seen(told, updates.max(), "KiB", most)
        for per_cent in (50, 99):
            yield Seen(f"{what}, {per_cent} %", np.percentile(updates, per_cent), "KiB")
        longest, whole = max(longest, *heard.updates, *heard.ways), max(whole, *heard.tables)
        yield Seen(f"choices told to who must not choose, {players} players", heard.strange, "times", 0)
    yield Seen("update or ways of a stack, longest of all", longest / KIB, "KiB", 64)
    yield Seen(f"whole table after {DECISIONS} decisions, deflated, longest", whole / KIB, "KiB", 40)


class _Player:
    """Somebody at the table, who keeps the latest message."""

    def __init__(self, seat: int) -> None:
        self.session = f"p{seat}"
        self.text = ""

    def send(self, text: str) -> None:
        self.text = text


class _Heard:
    """What all players have heard. Lengths in bytes; tables: deflated, as a line does it."""

    def __init__(self) -> None:
        self.updates: list[int] = []
        self.ways: list[int] = [0]
        self.tables: list[int] = [0]
        self.strange = 0

    def play(self, seed: int, players: int, variants: tuple[str, ...]) -> None:
        """Play a game, and tell all of it."""
        table = eko_table(seed, players, variants)
        audience, viewers = Audience("table", WallClock()), [_Player(seat) for seat in range(players)]
        for viewer in viewers:
            audience.join(viewer, table, [])
        log: list[str] = []
        for number, (before, after) in enumerate(played(table, seed, DECISIONS)):
            audience.show_change(before, after)
            for seat, viewer in enumerate(viewers):
                self.updates.append(len(viewer.text.encode()))
                self.strange += '"choices"' in viewer.text and seat not in after.asked
            if number % LOOKED_AT == 0:
                self._look(after)
            log[after.log_start :] = [encode(entry) for entry in _entries(after)]
        if len(log) == DECISIONS:
            text = audience.table_text("p0", after, log[: after.log_start])
            self.tables.append(len(zlib.compress(text.encode(), wbits=-zlib.MAX_WBITS)))

    def _look(self, table: Any) -> None:
        """Ask for the ways of all stacks that have more to choose than is told at once."""
        kind = kind_of(table.game)
        for seat in table.asked:
            told = kind.own_state(table, {seat})["choices"][str(seat)]
            for space in members_of(told.get("more", "0")):
                self.ways.append(len(encode({"ways": kind.ways(table, space)})))


def _entries(table: Table) -> list[Any]:
    return kind_of(table.game).entries_json(table, table.log_start)
