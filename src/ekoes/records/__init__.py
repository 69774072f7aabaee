"""Game records: one game in one readable text file, checked by replay when it is read.

The file has tags, each with a JSON string; then the decisions in the game's notation, one line for each
seat's part of a turn, with times in seconds if known; at the end the result. ``;`` begins a comment. The rest
is up to the game (``Book`` in ``referee.py``): real-time games write every intent, with its time and what the
player saw. Lines after a ``;`` may hold variations, comments and signs (``tree.py``). Examples:
docs/reference/records.md.
"""

from __future__ import annotations

from ekoes.games.api.table import Decision
from ekoes.records.referee import GameRecord, Place, replay, rules_text
from ekoes.records.text import read_record, read_records, write_record
from ekoes.records.tree import GameTree, Node, read_tree, write_tree

__all__ = [
    "Decision",
    "GameRecord",
    "GameTree",
    "Node",
    "Place",
    "read_record",
    "read_records",
    "read_tree",
    "replay",
    "rules_text",
    "write_record",
    "write_tree",
]
