"""The preview picture of a game of EKKO, for links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ekoes.games.api.contract import Json
from ekoes.games.api.table import HEIGHT, WIDTH, Sitter, document, text
from ekoes.games.ekko.rules.record import is_multiple, mirror_of

if TYPE_CHECKING:
    from ekoes.games.ekko.position.position import EkkoPosition

_FELT, _LIT, _LINE, _INK, _GOLD = "#bfd0b4", "#d5e2ca", "#8fa783", "#2b2118", "#f2c230"
_PLUS, _MINUS = ("#f6b13c", "#3d1c00"), ("#1d4a92", "#ffffff")
"""Background and ink of the cards followed by higher, and of those followed by lower ones."""
_LEFT, _RIGHT = 560, WIDTH - 40
_ROUNDS = 4
"""The number of rounds shown, counted from the latest."""
_EDGE = '<clipPath id="card"><rect x="2" y="2" width="96" height="136" rx="11.5"/></clipPath>'
_RADII = (34, 52, 70, 88, 106, 124)


class _Preview:
    """Draws the public part of a game of EKKO."""

    def preview(self, position: EkkoPosition, shown: Json, sitters: Sequence[Sitter]) -> str:  # noqa: ARG002
        """Draw the play zone and the totals; hands are not shown."""
        zone = shown["position"]["zone"]
        rounds = shown["rounds"]
        totals = rounds[-1]["totals"] if rounds else [0] * len(sitters)
        columns = [[it["points"][seat] for it in rounds[-_ROUNDS:]] for seat in range(len(sitters))]
        oval = (
            f'<ellipse cx="285" cy="{HEIGHT / 2:g}" rx="245" ry="275" fill="{_LIT}" stroke="{_LINE}" '
            'stroke-width="5"/>'
        )
        high = min(78.0, 500 / len(sitters))
        top = (HEIGHT - high * len(sitters)) / 2 + 30
        rows = "".join(
            f'<g transform="translate({_LEFT} {top + high * seat:g})">'
            f"{_row(sitter, high, totals[seat], columns[seat])}</g>"
            for seat, sitter in enumerate(sitters)
        )
        title = text("EKKO", (_LEFT, top - 26), 52, _INK)
        return document(_FELT, _EDGE, f"{oval}{_top(zone)}{title}{rows}")


PREVIEW = _Preview()


def _row(sitter: Sitter, high: float, total: int, points: Sequence[int]) -> str:
    """Draw a player: name, points of the latest rounds, and total; the winner has a gold frame."""
    wide, size = _RIGHT - _LEFT, min(30.0, high * 0.42)
    foot = (high - 10) / 2 + size * 0.36
    rim = f'stroke="{_GOLD}" stroke-width="5"' if sitter.won else f'stroke="{_LINE}" stroke-width="1.5"'
    cells = "".join(
        f'<text x="{wide - 90 - 44 * place}" y="{foot:g}" font-size="{size * 0.7:g}" fill="#5d6b56" '
        f'text-anchor="end">{value}</text>'
        for place, value in enumerate(reversed(points))
    )
    name = text(sitter.name, (22, foot), size, _INK, wide - 120 - 44 * len(points))
    return (
        f'<rect width="{wide}" height="{high - 10:g}" rx="14" fill="#fffdf6" {rim}/>{name}{cells}'
        f'<text x="{wide - 22}" y="{foot:g}" font-size="{size:g}" fill="{_INK}" text-anchor="end">'
        f"{total}</text>"
    )


def _top(zone: Sequence[int]) -> str:
    """Draw the top card, large, over the cards below it."""
    lower = "".join(_placed(card, turn) for card, turn in zip(zone[-3:-1], (-14, 9), strict=False))
    return lower + (_placed(zone[-1], -3) if zone else "")


def _placed(card: int, turn: int) -> str:
    where = f"translate(285 {HEIGHT / 2:g}) rotate({turn}) scale(2.5) translate(-50 -70)"
    return f'<g transform="{where}">{_card(card)}</g>'


def _card(card: int) -> str:
    """Draw the face of a card as on the page."""
    plus = card % 2 == 1
    ground, ink = _PLUS if plus else _MINUS
    frame = (
        f'<rect x="6" y="6" width="88" height="128" rx="8.5" fill="none" stroke="{ink}" stroke-width="2.6"/>'
        if is_multiple(card)
        else ""
    )
    sign = "M72.5 20.5H87.5M80 13V28" if plus else "M72.5 20.5H87.5"
    badge = (
        f'<circle cx="80" cy="20.5" r="13.5" fill="{ink}"/>'
        if plus
        else f'<rect x="66.5" y="9" width="27" height="23" rx="6" fill="{ink}"/>'
    )
    return (
        f'<rect x="1.5" y="1.5" width="97" height="137" rx="12" fill="{ground}" stroke="{_INK}" '
        'stroke-width="2"/><g clip-path="url(#card)" fill="none" stroke-width="3" stroke-linecap="round" '
        f'stroke="{ink}" opacity=".13">{_echo(plus=plus)}</g>'
        f'{frame}<g fill="{ink}" text-anchor="middle"><text x="50" y="89" font-size="52">{card:02d}</text>'
        f"{_foot(card, ink)}</g>{badge}"
        f'<path d="{sign}" stroke="{ground}" stroke-width="5" stroke-linecap="round"/>'
    )


def _foot(card: int, ink: str) -> str:
    """Write the mirror number, or that the player plays again."""
    if is_multiple(card):
        return (
            f'<path d="M59 108A11.5 11.5 0 1 0 61 117M60 100.5V108.5H52" fill="none" stroke="{ink}" '
            'stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return (
        f'<path d="M26 106H74" stroke="{ink}" stroke-width="2" stroke-dasharray="6 4"/>'
        f'<text x="50" y="128" font-size="19">{mirror_of(card):02d}</text>'
    )


def _echo(*, plus: bool) -> str:
    """Draw the echoes, which rise on + and sink on −."""
    arcs = []
    for r in _RADII:
        foot, sweep = (138 - r * 0.35, 1) if plus else (2 + r * 0.35, 0)
        ends = f"{50 - r * 0.62:.1f} {foot:.1f}", f"{50 + r * 0.62:.1f} {foot:.1f}"
        arcs.append(f'<path d="M{ends[0]}A{r * 0.7:.1f} {r * 0.7:.1f} 0 0 {sweep} {ends[1]}"/>')
    return "".join(arcs)
