"""A position of EKKO for the terminal: the cards on the table and every hand.

A multiple of 11 carries a star, the mirror of the top card an ``m``, a blocked card an ``x``; all of this
reads without colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ekoes.games.ekko.rules.cards import is_multiple, mirror_of
from ekoes.games.ekko.rules.record import Phase

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ekoes.games.ekko.position import EkkoPosition

__all__ = ["show_position"]

_MULTIPLE = "bold #8a5a00"
_MIRROR = "bold #0b6b5d"
_BLOCKED = "strike"
_KEY = "* multiple of 11   m mirror of the top card   x blocked"


def show_position(position: EkkoPosition) -> RenderableType:
    """Return the table and the hands, to be printed with a rich console."""
    parts: list[RenderableType] = [Text(_heading(position), style="bold")]
    if position.zone_size:
        parts += [Text(), _zone(position), Text(f"pile: {position.pile_size} cards")]
    return Group(*parts, Text(), _players(position), Text(), Text(_KEY))


def _heading(position: EkkoPosition) -> str:
    """Tell the round and what is asked (K6)."""
    begin = f"EKKO, {position.players} players to {position.target}; round {position.round}"
    match position.phase:
        case Phase.DEAL:
            return f"{begin}: seat {position.dealer} deals"
        case Phase.OVER:
            return f"{begin}: over, won by {', '.join(f'seat {seat}' for seat in position.winners)}"
        case Phase.MIRROR:
            return f"{begin}: seat {position.asked} is asked for the mirror of {position.top}"
    if position.leaving is not None:
        return f"{begin}: seat {position.leaving} is leaving, unless {position.top} is mirrored"
    again = " again, on the own multiple of 11" if position.again else ""
    return f"{begin}: seat {position.player} plays{again}"


def _zone(position: EkkoPosition) -> Text:
    """Write the play zone in order, and which way the next card has to go (K2.1)."""
    top = position.top or 0
    is_free = position.last == position.player and not position.again
    fits = "any card fits" if is_free else f"a {'higher' if top % 2 else 'lower'} card fits"
    return Text.assemble(
        "play zone: ",
        _cards(position.zone[:-1]),
        Text(f"{' ' if position.zone_size > 1 else ''}[{_named(top)}]", style="bold reverse"),
        f"  by seat {position.last}; {fits}",
    )


def _players(position: EkkoPosition) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("seat", "total", "hand", "put aside", ""):
        table.add_column(title)
    mirror = mirror_of(position.top or 0)
    for seat in range(position.players):
        hand = _cards(position.hands[seat], mirror, position.blocked[seat])
        notes = "  ".join(_notes(position, seat))
        table.add_row(
            Text(str(seat)), Text(str(position.scores[seat])), hand, _cards(position.aside[seat]), notes
        )
    return table


def _notes(position: EkkoPosition, seat: int) -> Iterable[str]:
    if seat == position.dealer:
        yield "dealer"
    if position.phase in {Phase.MIRROR, Phase.PLAY} and seat == position.player:
        yield "in turn"
    if seat == position.asked:
        yield "asked"
    if seat == position.leaving:
        yield "leaving"


def _cards(cards: Iterable[int], mirror: int = 0, blocked: tuple[int, ...] = ()) -> Text:
    """Write cards with their marks."""
    words = []
    for card in cards:
        marks = ("m" if card == mirror else "") + ("x" if card in blocked else "")
        style = _MULTIPLE if is_multiple(card) else _MIRROR if card == mirror else ""
        words.append(Text(_named(card) + marks, style=_BLOCKED if card in blocked else style))
    return Text(" ").join(words)


def _named(card: int) -> str:
    return f"{card}*" if is_multiple(card) else str(card)
