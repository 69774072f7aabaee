"""The command ``ekoes site``: writes the page as a folder for any static host."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ekoes.cli.console import need_extra, note, track
from ekoes.errors import EkoesError

if TYPE_CHECKING:
    from ekoes.games.api.contract import Json

_DOCUMENT = "index.html"
_FILES = "FILES = ["
"""Where the service worker lists the files of the page."""


def site(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="A folder that is empty, or not there yet.", show_default=False
        ),
    ],
) -> None:
    """Write the page as a folder for any static host: what needs no server, also without a network."""
    need_extra("server")
    from ekoes.server.settings import PAGE

    if not (PAGE / _DOCUMENT).is_file():
        raise EkoesError("the page has not been built: run `make page`")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise EkoesError(f"{folder} is not an empty folder", key="FOLDER")
    shutil.copytree(PAGE, folder, ignore=shutil.ignore_patterns("*.br"), dirs_exist_ok=True)
    answers = list(_answers())
    for path, content in answers:
        _write(folder / path, content)
    document = (folder / _DOCUMENT).read_text("utf-8").replace("<html ", "<html data-site ", 1)
    for page in _pages():
        _write(folder / page / _DOCUMENT, document)
    _write(folder / "404.html", document)
    worker = folder / "worker.js"
    listed = "".join(f'"/{path}",' for path, _ in answers)
    _write(worker, worker.read_text("utf-8").replace(_FILES, _FILES + listed, 1))
    note(f"{folder} holds the page: try it with `python -m http.server --directory {folder}`")


def _answers() -> Iterator[tuple[str, str]]:
    """Yield what a server would say as files: path and content (web/src/net/siteAnswers.ts)."""
    from ekoes.games.api.registry import game, games
    from ekoes.server.http.analysis import list_layouts
    from ekoes.server.http.puzzles import about_puzzle, solution_of
    from ekoes.server.http.studies import list_lessons, show_lesson
    from ekoes.server.http.tables import about_server
    from ekoes.server.runtime.analyses import boards_of
    from ekoes.tables.puzzles import puzzles_of

    yield "api/meta.json", _json(about_server() | {"address": None})
    for name in games():
        if lessons := list_lessons(name):
            yield f"api/lessons/{name}.json", _json(lessons)
        for lesson in lessons:
            yield f"api/lessons/{name}/{lesson['name']}.json", _json(show_lesson(name, lesson["name"]))
        if puzzles := puzzles_of(name):
            named = track(puzzles, "puzzles", len(puzzles))
            solved = [about_puzzle(name, one) | {"solution": solution_of(name, one)} for one in named]
            yield f"api/{name}/puzzles.json", _json(solved)
        if game(name).parts.boards is not None:
            boards = boards_of(name)
            yield f"api/{name}/layouts.json", _json(list_layouts(name))
            for layout in boards.named_layouts():
                yield f"api/{name}/layouts/{layout.name}/picture.svg", boards.draw_layout(layout)


def _pages() -> Iterator[str]:
    """Yield the addresses that have a document of their own; hosts that know 404.html need no other."""
    from ekoes.games.api.registry import games
    from ekoes.tables.lessons import lessons_of

    yield ""
    for name in games():
        yield name
        for page in ("new", "learn", "rules", "puzzles", "analysis", "editor", "train"):
            yield f"{name}/{page}"
        for lesson in lessons_of(name):
            yield f"{name}/learn/{lesson}"


def _json(value: Json | list[Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _write(file: Path, content: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, "utf-8")
