"""Protocol of an editor of boards and positions (``Parts.editor``)."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from ekoes.games.api.contract import Json


class Examined(NamedTuple):
    """What an editor is shown of its content. position: the one that it makes, None if it makes none."""

    answer: Json
    position: Any


class Editor(Protocol):
    """Judges what is being edited."""

    def examine(self, content: Json) -> Examined:
        """Judge a content, however unfinished. Raises EkoesError if it can't be read."""
