"""The editor of boards and positions, with the record of a game that would start from its position."""

from __future__ import annotations

from ekoes.games.api.contract import Json
from ekoes.games.api.parts import Editor
from ekoes.games.api.registry import game as game_of
from ekoes.games.api.registry import part_of
from ekoes.records import GameRecord, write_record


def edited(name: str, content: Json) -> Json:
    """Judge the content of a game's editor. record: of a game from its position, None while it has none.

    Raises: EkoesError if the game has no editor, or the content can't be read.
    """
    editor: Editor = part_of(name, "editor")
    answer, position = editor.examine(content)
    start = None if position is None else GameRecord(name, position, rules=game_of(name).rules_version)
    return answer | {"record": None if start is None else write_record(start)}
