"""Hooks of MkDocs (``mkdocs.yml``): what the documents need to become a site that the program can serve.

The program's security policy allows no script and no style inside a document, so they get files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import ekoes
from ekoes.games.api.contract import CHANCE, Json
from ekoes.games.api.table import Sitter
from ekoes.games.ekko.picture import PREVIEW

ROOT = Path(__file__).parents[1]
_LINK = re.compile(r"\[([^\]]+)\]\(((?:\.\./)*)([\w.-][^):\s]*)\)")
_FENCE = re.compile(r"^(\s*)```(\w+)( .*)?$", re.MULTILINE)
_LEXERS = {"record": "text", "variations": "text", "mermaid": "text"}
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALIGNED = re.compile(r'style="text-align: (\w+);"')
_RULES = re.compile(r"rules/(eko|ekko)\.\w+\.md")
_scripts: dict[str, str] = {}


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:  # noqa: ANN401 - of MkDocs
    """Adapt the fences, show links to sources as paths, and put a picture above the rules."""
    folder = (ROOT / "docs" / page.file.src_uri).parent

    def linked(found: re.Match[str]) -> str:
        text, up, rest = found.groups()
        target = (folder / f"{up}{rest.partition('#')[0]}").resolve()
        if target.is_relative_to(ROOT / "docs") and target.suffix not in {".py", ".ipynb"}:
            return found[0]
        if not target.exists():
            raise ValueError(f"{page.file.src_uri} links to {target}, which is not there")
        name = str(target.relative_to(ROOT))
        return f"`{name}`" if text.strip("`") == name else f"{text} (`{name}`)"

    def fenced(found: re.Match[str]) -> str:
        language = found[2]
        return f"{found[1]}```{_LEXERS.get(language, language)}"

    markdown = _FENCE.sub(fenced, markdown)
    if rules := _RULES.fullmatch(page.file.src_uri):
        title, _newline, text = markdown.partition("\n")
        markdown = f"{title}\n\n![A game in its middle](../images/rules-{rules[1]}.svg)\n{text}"
    return _LINK.sub(linked, markdown)


def on_files(files: Any, *, config: Any, **_: Any) -> Any:  # noqa: ANN401
    """Draw the pictures of the rules."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - only MkDocs calls this

    for name, picture in _pictures().items():
        files.append(File.generated(config, f"images/{name}", content=picture))
    return files


def _pictures() -> dict[str, str]:
    """Return the pictures of the rules by file name: a game of each in its middle."""
    eko = ekoes.eko.Game(players=3, variants=["portals", "moon"], seed=4)
    for _ in range(62):
        eko.push_bot("greedy")
    ekko = ekoes.ekko.Game(players=4, seed=4)
    while len(ekko.decisions) < 12:
        if ekko.turn == CHANCE:
            ekko.push_chance()
        else:
            ekko.push_bot("casual")
    shown: Json = {"position": ekko.view(None), "rounds": []}
    sitters = [Sitter(name, seat, won=False) for seat, name in enumerate(("Ada", "Bo", "Cy", "Di"))]
    return {"rules-eko.svg": eko.svg(), "rules-ekko.svg": PREVIEW.preview(ekko.position, shown, sitters)}


def on_post_page(output: str, *, page: Any, **_: Any) -> str:  # noqa: ANN401
    """Move scripts into files, and alignment into attributes."""
    base = "../" * page.file.dest_uri.count("/")

    def moved(found: re.Match[str]) -> str:
        name = f"assets/{blake2b(found[1].encode(), digest_size=8).hexdigest()}.js"
        _scripts[name] = found[1]
        return f'<script src="{base}{name}"></script>'

    return _ALIGNED.sub(r'align="\1"', _SCRIPT.sub(moved, output))


def on_post_build(*, config: Mapping[str, Any], **_: Any) -> None:  # noqa: ANN401
    """Write the scripts; the program has its own page for what is not found."""
    site = Path(config["site_dir"])
    for name, text in _scripts.items():
        (site / name).write_text(text, "utf-8")
    (site / "404.html").unlink()
