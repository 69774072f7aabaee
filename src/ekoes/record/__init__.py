"""A game record: one game in one text file that people can read, checked by replay when it is read.

Tags, each a JSON string; then the decisions, a line for each seat's part of a turn, in the game's
notation, a time in seconds behind each where it is known; at the end the result. ``;`` begins a
comment. What else a game writes is in its book (``book.py``); where the quicker hand wins that is
everything that came, with when it came and what its player saw. Examples: docs/reference/records.md.
"""

from __future__ import annotations

from ekoes.games.recording import Decision
from ekoes.record.game_record import GameRecord, Place, replay
from ekoes.record.read import read_record
from ekoes.record.rules import rules_text
from ekoes.record.write import write_record

__all__ = ["Decision", "GameRecord", "Place", "read_record", "replay", "rules_text", "write_record"]
