"""The documents: where their links lead, what MkDocs makes of them, and that the program serves that."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import yaml

import ekoes
from ekoes.server.app import create_app
from ekoes.server.settings import Settings
from tests.docs.pages import ROOT
from tests.kit.loops import apart

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_links_lead_somewhere() -> None:
    assert {document: lost for document in DOCUMENTS if (lost := lost_links(document))} == {}


def lost_links(document: Path) -> set[str]:
    """Return the local links of a document that lead nowhere."""
    targets = {link.partition("#")[0] for link in LINK.findall(document.read_text("utf-8"))}
    local = {target for target in targets if target and "://" not in target}
    return {target for target in local if not (document.parent / target).exists()}


def test_program_serves_the_site_and_nothing_beside_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<p>Documents")
    (tmp_path / "secret").write_text("not for visitors")
    settings = Settings(data=tmp_path / "data", documents=site, bot_workers=0)

    async def answers() -> list[tuple[int, str]]:
        transport = httpx.ASGITransport(create_app(settings))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as web:
            paths = ("docs", "docs/index.html", "docs/none.html", "docs/..%2fsecret")
            found = [await web.get(f"/{path}", follow_redirects=True) for path in paths]
            return [(answer.status_code, answer.text) for answer in found]

    got = apart(answers())
    assert [status for status, _ in got] == [200, 200, 404, 404]
    assert {text for _, text in got[:2]} == {"<p>Documents"}


def test_citation_names_the_version() -> None:
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"] == ekoes.__version__


@pytest.mark.long
def test_site_is_built_without_warnings_and_needs_no_other_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        text = page.read_text("utf-8")
        assert "<script>" not in text, page
        assert not re.search(r'<[^<>]* src="http', text), page
    assert (tmp_path / "images" / "rules-ekko.svg").is_file()
