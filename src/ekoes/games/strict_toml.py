"""TOML as people write it to us: what can't be read is told by its place, in our words."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

from ekoes.errors import NotationError

__all__ = ["parse_toml"]

_PLACE: Final = re.compile(r"\(at line (\d+), column (\d+)\)$")


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML. Raises NotationError with the line and the column of what does not fit."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotationError("not TOML that can be used: nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        where = f"line {place[1]}, column {place[2]} does not fit" if place else "it ends too early"
        raise NotationError(f"not TOML: {where}") from error
