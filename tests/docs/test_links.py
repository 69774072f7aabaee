"""Links between the documents lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_links_lead_somewhere() -> None:
    assert {document: lost for document in DOCUMENTS if (lost := lost_links(document))} == {}


def lost_links(document: Path) -> set[str]:
    """Return the local links of a document that lead nowhere."""
    targets = {link.partition("#")[0] for link in LINK.findall(document.read_text("utf-8"))}
    local = {target for target in targets if target and "://" not in target}
    return {target for target in local if not (document.parent / target).exists()}
