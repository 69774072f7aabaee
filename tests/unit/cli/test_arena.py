"""What a run leaves: tables, records, a page, a picture, samples."""

from __future__ import annotations

import csv
import json
import re
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest

from ekoes.games.api.registry import game
from ekoes.records import read_record
from tests.unit.cli.conftest import Ekoes

PLAN = """
game = "ekko"
seats = 3
rounds = 2
seed = 3
variants = [{ name = "short", options = { target = 5 } }]
[[players]]
name = "<one>"
bot = "random"
[[players]]
name = "two [/]"
bot = "beginner"
[[players]]
name = "three"
bot = "random"
"""
GAMES = 6


@pytest.fixture
def run(tmp_path: Path, ekoes: Ekoes) -> Path:
    """The folder of a run."""
    (tmp_path / "short.toml").write_text(PLAN)
    done = ekoes("arena", "run", tmp_path / "short.toml", "--workers", 1)
    assert (done.status, done.out.splitlines()[1].split(" ")[0]) == (0, str(GAMES)), done.err
    assert "players thought for" in done.err
    return tmp_path / "short"


def test_everything_is_there_and_says_the_same(run: Path, ekoes: Ekoes) -> None:
    rows = pq.read_table(run / "games.parquet").to_pylist()
    with (run / "games.csv").open(encoding="utf-8", newline="") as file:
        assert [row["player"] for row in csv.DictReader(file)] == [row["player"] for row in rows]
    assert len(rows) == 3 * GAMES
    assert sum(row["score"] for row in rows) == pytest.approx(GAMES)
    decisions = pq.read_table(run / "decisions.parquet")
    assert decisions.num_rows == sum(row["decisions"] for row in rows)
    with ZipFile(run / "records.zip") as archive:
        names = archive.namelist()
        records = [read_record(archive.read(name).decode()) for name in names]
    assert len(records) == GAMES
    for number, record in enumerate(records):
        mine = [row for row in rows if row["game"] == number]
        assert record.names == tuple(row["player"] for row in mine)
        assert record.outcome is not None
        assert list(record.outcome.winners) == [row["seat"] for row in mine if row["won"]]
    assert (run / "report.png").read_bytes().startswith(b"\x89PNG")
    assert not list(run.glob(".*")), "nothing half-made stays"
    shown = ekoes("arena", "show", run)
    assert (shown.status, "6 games" in shown.out, "<one>" in shown.out) == (0, True, True)


class Reader(HTMLParser):
    """Notes tags that stay open and whatever asks for something elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.foreign: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "li"}:
            self.open.append(tag)
        self.foreign += [f"{tag} {name}" for name, _ in attrs if name in {"src", "href"}]
        self.foreign += [tag] * (tag in {"script", "link", "iframe"})

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_needs_nothing_else_and_quotes_names(run: Path) -> None:
    text = (run / "report.html").read_text("utf-8")
    page = Reader()
    page.feed(text)
    assert (page.open, page.foreign) == ([], [])
    assert "url(" not in text
    for words in ("EKKO, the card game", "<one>", "seat 2", "lowest-total (K5.6)", "95 %"):
        assert words in page.words


def test_the_page_fits_a_phone(run: Path) -> None:
    # the browser tests leave a loop running in this thread
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(width_on_a_phone, run / "report.html").result() == 390


def width_on_a_phone(page_file: Path) -> int:
    from playwright.sync_api import sync_playwright

    from tests.services.programs import find_browser, launch_arguments

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=launch_arguments())
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.goto(page_file.as_uri())
        width: int = page.evaluate("document.documentElement.scrollWidth")
        browser.close()
        return width


def test_two_runs_are_compared(run: Path, tmp_path: Path, ekoes: Ekoes) -> None:
    done = ekoes("arena", "compare", run, run)
    assert done.status == 0
    assert len(re.findall(r"(one|two|three)\W.*\+0 .*may be chance", done.out)) == 3
    none = ekoes("arena", "compare", run, tmp_path)
    assert (none.status, none.out) == (2, "")
    assert "games.log" in none.err


def test_a_run_that_is_there_is_not_overwritten(run: Path, ekoes: Ekoes) -> None:
    again = ekoes("arena", "run", f"{run}.toml", "--workers", 1)
    assert (again.status, again.out) == (2, "")
    assert "--resume goes on with it" in again.err
    assert ekoes("arena", "run", f"{run}.toml", "--workers", 1, "--resume").status == 0


def test_a_bad_plan_is_refused_with_file_and_line(tmp_path: Path, ekoes: Ekoes) -> None:
    (tmp_path / "bad.toml").write_text(PLAN.replace('bot = "beginner"', 'bot = "nobody"'))
    done = ekoes("arena", "run", tmp_path / "bad.toml")
    assert (done.status, done.out) == (2, "")
    assert "bad.toml: line 12: 'players.2.bot': no bot is called 'nobody'" in done.err
    assert (
        ekoes("arena", "run", "-", stdin=PLAN).err
        == "ekoes: 'out': name the folder, or call the plan NAME.toml\n"
    )


@pytest.mark.long
def test_samples_are_positions_with_decisions_and_outcomes(tmp_path: Path, ekoes: Ekoes) -> None:
    (tmp_path / "short.toml").write_text(PLAN.replace("rounds = 2", "rounds = 24"))
    out = tmp_path / "samples"
    command = ("arena", "sample", tmp_path / "short.toml", "--out", out)
    done = ekoes(*command, "--workers", 2)
    assert done.status == 0, done.err
    (said,) = done.lines
    manifest = json.loads((out / "manifest.json").read_text())
    assert (said["games"], said["shards"]) == (manifest["games"], len(manifest["shards"])) == (72, 2)
    rows = [row for shard in manifest["shards"] for row in pq.read_table(out / shard["name"]).to_pylist()]
    assert len(rows) == manifest["positions"]
    for row in rows[:: len(rows) // 20]:
        position = game("ekko").from_json(json.loads(row["position"]))
        action = game("ekko").parse_action(json.loads(row["action"]))
        assert position.why_not(row["seat"], action) is None
        seen = json.loads(row["view"])
        assert seen | {"drew": []} == position.view(row["seat"]), "who drew when is not in the position"
        assert sum(row["scores"]) == pytest.approx(1)
    second = out / manifest["shards"][1]["name"]
    before = second.read_bytes()
    second.with_suffix(".parquet.json").unlink()
    assert ekoes(*command, "--workers", 1).status == 2
    assert ekoes(*command, "--workers", 1, "--resume").out == done.out
    assert second.read_bytes() == before, "the same games make the same file"
