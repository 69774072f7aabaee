"""The command ``ekoes verify``: draws the game of a record again."""

from __future__ import annotations

from ekoes.cli.console import emit, read_text
from ekoes.cli.review import RecordFile
from ekoes.records import read_record
from ekoes.tables.deal_check import check_deal


def verify(record: RecordFile) -> int:
    """Draw the first position of a game and all that was dealt again, from the parts that its record names.

    Prints the commitment that the players were shown before the game, and what each of them added. The exit
    status is 1 if anything was drawn otherwise.
    """
    game = read_record(read_text(record))
    found = check_deal(game)
    names = game.names or ("",) * len(found.parts)
    seats = zip(names, found.parts, strict=True)
    lines = [
        f"seat {seat}{f' ({name})' if name else ''}: {part or 'no part'}"
        for seat, (name, part) in enumerate(seats)
    ]
    results = [f"NOT as the parts say: {fault}" for fault in found.faults]
    fair = f"fair: the start and the deals of all rounds ({found.rounds}) follow from the parts"
    emit([f"commitment: {found.commitment}", *lines, *(results or [fair])])
    return 1 if found.faults else 0
