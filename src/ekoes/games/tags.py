"""Reading the tags of a game record that tell how a game begins."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ekoes.errors import NotationError
from ekoes.games.strict_json import parse_json

__all__ = ["json_tag", "whole_tag"]

_WHOLE = re.compile(r"-?[0-9]{1,40}", re.ASCII)


def whole_tag(tags: Mapping[str, str], name: str) -> int:
    """Read a whole number. Raises NotationError naming the tag."""
    text = tags.get(name)
    if text is None:
        raise NotationError("missing", key=name)
    if _WHOLE.fullmatch(text) is None:
        raise NotationError(f"must be a whole number, not {text!r:.40}", key=name)
    return int(text)


def json_tag(tags: Mapping[str, str], name: str) -> object:
    """Read a JSON value. Raises NotationError naming the tag."""
    try:
        return parse_json(tags[name])
    except NotationError as error:
        raise NotationError(str(error), key=name) from error
