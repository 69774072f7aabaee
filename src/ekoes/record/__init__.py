"""A game record: one game in one text file that people can read, checked by replay when it is read.

::

    [Game "eko"]
    [Format "1"]
    [Rules "1"]
    [Date "2026-05-01"]
    [Seat0 "Ada"]
    [Seat1 "greedy"]
    [Seed "7"]
    [Tiles "A,0,0,0 B,2,1,3 …"]
    [Discs0 "0,1 2,1E …"]

    0. seat 1: keep
    0. seat 0: swap:1,0
    1. seat 1: 0,1>2,1{4.2} 0,1+2{1.35}
    2. seat 0: 3,1^3,0=camp

    result: 0 by points (E11.2)

Tags, each a JSON string; then the decisions, a line for each seat's part of a turn, in the game's
notation, a time in seconds behind each where it is known; at the end the result. ``;`` begins a
comment. What else a game writes is in its book (``book.py``): EKKO has the deals, the points of each
round, and at live tables everything that came, with when it came and what its player saw::

    1. table: deal:12,55,…{at 0}
    1. seat 2: claim:54{at 9.912, saw 45}
    1. seat 1: late:81{at 9.938, saw 45, behind 0.026}
    1. seat 2: 54/45-12{at 11.3, saw 45}
"""

from __future__ import annotations

from ekoes.games.recording import Decision
from ekoes.record.game_record import GameRecord, Place, replay
from ekoes.record.read import read_record
from ekoes.record.rules import rules_text
from ekoes.record.write import write_record

__all__ = ["Decision", "GameRecord", "Place", "read_record", "replay", "rules_text", "write_record"]
