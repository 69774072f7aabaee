"""Writes docs/reference/protocol.schema.json anew: ``python -m tools.protocol``."""

from __future__ import annotations

import json
from pathlib import Path

from ekoes.server.told import protocol_schema

__all__ = ["FILE", "schema_text"]

FILE = Path(__file__).parents[1] / "docs" / "reference" / "protocol.schema.json"


def schema_text() -> str:
    """Return the JSON Schema of the protocol as it is kept."""
    return json.dumps(protocol_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
    print(FILE)
