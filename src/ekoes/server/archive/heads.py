"""What a link to a table says of it elsewhere: title, description and picture, without words but names."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from ekoes.games.picturing import HEIGHT, WIDTH
from ekoes.games.registry import game
from ekoes.match.state import Table
from ekoes.server.archive.pictures import draws, sitters

__all__ = ["headed"]

_TITLE = "<title>Ekoes</title>"
_WINNER = "\N{BLACK CHESS QUEEN}"


def headed(document: str, table: Table, address: str, picture: str, *, listed: bool) -> str:
    """Return the page's document as it stands for a table.

    address: of this document; picture: of its picture. listed: those who search the web may find it.
    """
    title, about = _title(table), _about(table)
    named = {"og:type": "website", "og:site_name": "Ekoes", "og:url": address, "og:title": title}
    named |= {"og:description": about}
    shown = {"twitter:card": "summary", "twitter:title": title, "twitter:description": about}
    if draws(table):
        named |= {"og:image": picture, "og:image:type": "image/png"}
        named |= {"og:image:width": str(WIDTH), "og:image:height": str(HEIGHT), "og:image:alt": about}
        shown |= {"twitter:card": "summary_large_image", "twitter:image": picture}
    tags = [_tags("property", named), _tags("name", shown)]
    if not listed:
        tags.append(_tags("name", {"robots": "noindex"}))
    return document.replace(_TITLE, f"<title>{escape(title)} · Ekoes</title>{''.join(tags)}", 1)


def _tags(key: str, values: Mapping[str, str]) -> str:
    return "".join(f'<meta {key}="{name}" content="{escape(value)}" />' for name, value in values.items())


def _title(table: Table) -> str:
    return f"{game(table.game).title.partition(',')[0]} · {' – '.join(it.name for it in sitters(table))}"


def _about(table: Table) -> str:
    """Tell who plays, the winners with a crown, and what everybody needs to know the game again by."""
    people = [f"{_WINNER} {it.name}" if it.won else it.name for it in sitters(table)]
    return f"{game(table.game).title}: {', '.join(people)}"
