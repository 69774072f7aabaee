"""Writes the JSON Schema of the protocol and the page's types made from it: ``python -m tools.protocol``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ekoes.protocol.outgoing import protocol_schema

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "reference" / "protocol.schema.json"
TYPES = ROOT / "web" / "src" / "protocol" / "messages.ts"


def schema_text() -> str:
    """Return the JSON Schema of the protocol as a file holds it."""
    return json.dumps(protocol_schema(), indent=1, ensure_ascii=False) + "\n"


def write_types(target: Path) -> None:
    """Write the TypeScript types of all messages to a file. Raises SystemExit if npm fails."""
    sys.path.insert(0, str(ROOT))
    from hatch_build import npm  # noqa: PLC0415 - it runs npm with the Node of the environment

    npm("run", "protocol", "--", str(FILE), str(target), cwd=ROOT / "web")


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
    write_types(TYPES)
    print(FILE, TYPES)
