"""docs/operations: every setting is described, and commands run as they stand there."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer

from ekoes.cli.main import GENERAL, GROUPS, _app
from ekoes.games.eko.game import EKO
from tests.docs.pages import ROOT, read, run_shell
from tests.kit.client import post, sign_up
from tests.kit.server import Server

FOLDER = ROOT / "docs" / "operations"
DOCUMENTS = sorted(FOLDER.glob("*.md"))
FENCE = re.compile(r"^```sh( root)?\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(--[a-z-]+)` \| `([A-Z_]+)` \| .+ \| (.+) \|$", flags=re.MULTILINE)
STUDY = "0123456789ab"
"""The study that the documents write of."""
UNITS = {unit.name for unit in (ROOT / "deploy" / "systemd").iterdir()} | {"nginx"}


def settings() -> set[str]:
    """The environment variables that stand in for options."""
    return {name for _, name, _ in ROW.findall(read("docs/operations/running.md"))}


def fences(document: Path, *, by_root: bool) -> list[str]:
    """The commands of a document: those that are run here, or those that need a machine of their own."""
    return [text for root, text in FENCE.findall(document.read_text("utf-8")) if bool(root) == by_root]


def test_every_setting_is_described_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {}
    group: Any = typer.main.get_command(_app(["play"]))
    play = group.commands["play"]
    context = play.make_context("play", [], **play.context_settings)
    for parameter in play.params:
        usual, variable = parameter.default, f"EKOES_{parameter.name.upper()}"
        monkeypatch.setenv(variable, "given")
        assert parameter.resolve_envvar_value(context) == "given"
        is_told = isinstance(usual, (str, int)) and usual not in {"", False}
        there[parameter.opts[0]] = variable, f"`{usual}`" if is_told else None
    told = {option: (name, usual) for option, name, usual in ROW.findall(read("docs/operations/running.md"))}
    assert told.keys() == there.keys()
    for option, (name, usual) in there.items():
        assert told[option][0] == name
        assert (told[option][1] == usual) if usual else not told[option][1].startswith("`"), option


@pytest.mark.long
def test_commands_run(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """With an account that behaves badly, and a study of it."""
    scripts = {document.name: fences(document, by_root=False) for document in DOCUMENTS}
    assert sum(map(len, scripts.values())) > 5
    with Server(tmp_path_factory.mktemp("operated"), "--bot-workers", "0") as server:
        browser = server.browser()
        sign_up(browser, "Bo")
        words = {"en": {"title": "Buy"}}
        chapter = {"words": words, "position": EKO.new({}, 1).to_json()}
        study = post(browser, "/api/studies", 201, game="eko", words=words, chapter=chapter)["id"]
        for name, blocks in scripts.items():
            folder = tmp_path / name
            folder.mkdir()
            for script in blocks:
                run_shell(script.replace(STUDY, study), folder, EKOES_DATA=str(server.data))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_for_a_machine_of_their_own_name_what_there_is(document: Path) -> None:
    for script in fences(document, by_root=True):
        subprocess.run(["bash", "-n", "-c", script], check=True)
        for line in script.replace("\\\n", "").splitlines():
            words = [word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)]
            _check(Path(words[0]).name, words[1:])


def _check(program: str, arguments: list[str]) -> None:
    """See that the program's commands, units and files that a line names exist."""
    if program == "ekoes":
        assert arguments[0] in {*GENERAL, "admin"} | set(GROUPS["admin"][1])
    if program in {"systemctl", "journalctl"}:
        units = {word if "." in word or word == "nginx" else f"{word}.service" for word in _named(arguments)}
        assert units <= UNITS, arguments
    for word in arguments:
        if word.startswith("deploy/"):
            assert list(ROOT.glob(word.rstrip("/"))), word


def _named(arguments: list[str]) -> set[str]:
    """The units that somebody asks systemctl or journalctl for."""
    named = {word for word in arguments if word.startswith("ekoes") or word == "nginx"}
    return {re.sub(r"@\d", "@", word) for word in named}
