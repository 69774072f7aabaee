"""Stacks of discs and buildings, in four colours with a pattern each."""

# ruff: noqa: E501 -- an outline of the art is one text

from __future__ import annotations

from ekoes.games.eko.picture.style import COLOURS, GOLD, GOLD_RIM, Colour, number

__all__ = ["definitions", "stack"]

_THICKNESS = 9.0
_RX, _RY = 25.0, 16.0

_TENT = "M0-22 25 18H-25Z"
_TOWER = "M-15 20-12-10H-16V-25H-9V-20H-3.5V-25H3.5V-20H9V-25H16V-10H12L15 20Z"
_CASTLE = "M-30 20V-20H-24V-15H-20V-20H-14V-6H-10V-27H-4.5V-21H4.5V-27H10V-6H14V-20H20V-15H24V-20H30V20Z"

_OUTLINES = {"camp": _TENT, "tower": _TOWER, "castle": _CASTLE}

_FEATURES = {
    "camp": '<path d="M0-22V-31L11-27 0-23" fill="{rim}" stroke="{rim}" stroke-width="1.5"/>'
    '<path d="M0-8 9 18H-9Z" fill="{rim}"/>',
    "tower": '<path d="M-12-10H12" stroke="{rim}" stroke-width="2"/><path d="M-3.5-1a3.5 3.5 0 0 1 7 0v6h-7Z" fill="{rim}"/>',
    "castle": '<path d="M-14-6V20M14-6V20" stroke="{rim}" stroke-width="2"/>'
    '<path d="M-8 20V8a8 8 0 0 1 16 0V20Z" fill="{rim}"/><path d="M-2-14h4v8h-4ZM-24-7h4v8h-4ZM20-7h4v8h-4Z" fill="{rim}"/>',
}

_PATTERNS = (
    "",
    '<circle cx="3" cy="3" r="1.9"/><circle cx="8" cy="8" r="1.9"/>',
    '<path d="M-2 7 7-2M3 12 12 3" stroke-width="2.6"/>',
    '<circle cx="5" cy="5" r="2.9" fill="none" stroke-width="1.5"/>',
)

_CROWN = (
    f'<g id="crown"><path d="M-15 4-18-13-8-5 0-18 8-5 18-13 15 4Q0 9-15 4Z" fill="{GOLD}" stroke="{GOLD_RIM}" '
    'stroke-width="2" stroke-linejoin="round"/>'
    f'<g fill="#fff3c4" stroke="{GOLD_RIM}" stroke-width="1.3"><circle cx="-18" cy="-14" r="2.6"/>'
    '<circle cy="-19" r="2.8"/><circle cx="18" cy="-14" r="2.6"/></g>'
    '<path d="M-14 1Q0 5 14 1" fill="none" stroke="#b8860b" stroke-width="2"/></g>'
)


def definitions() -> str:
    """Return the patterns, discs and buildings of all colours, to be used by their ids."""
    parts = [_CROWN]
    for place, colour in enumerate(COLOURS):
        parts += [_pattern(place, colour), _disc(place, colour)]
        parts += [_building(kind, place, colour) for kind in _OUTLINES]
    return "".join(parts)


def stack(colour: int, height: int, *, emperor: bool) -> str:
    """Draw a stack around the centre of its space: its discs, the crown, its height as a figure."""
    lowest = 2.0 + (height - 1) * 3.5
    parts = [f'<ellipse cy="{number(lowest + 7)}" rx="28" ry="17" fill="#5b3d12" opacity=".28"/>']
    parts += [
        f'<use href="#disc{colour}" y="{number(lowest - level * _THICKNESS)}"/>' for level in range(height)
    ]
    top = lowest - (height - 1) * _THICKNESS
    if emperor:
        parts.append(f'<use href="#crown" y="{number(top + 2)}"/>')
    if height > 1:
        parts.append(_figure(height, COLOURS[colour]))
    return "".join(parts)


def _figure(height: int, colour: Colour) -> str:
    """Write the height on the front, clear of the corners, where pyramids stand."""
    return (
        f'<circle cy="25" r="9" fill="#fffaf0" stroke="{colour.rim}" stroke-width="1.6"/>'
        f'<text class="figure" y="29.7" fill="{colour.rim}">{height}</text>'
    )


def _pattern(place: int, colour: Colour) -> str:
    return (
        f'<pattern id="pattern{place}" width="10" height="10" patternUnits="userSpaceOnUse">'
        f'<rect width="10" height="10" fill="{colour.fill}"/>'
        f'<g fill="{colour.ink}" stroke="{colour.ink}" stroke-width="0">{_PATTERNS[place]}</g></pattern>'
    )


def _disc(place: int, colour: Colour) -> str:
    side = f"M{-_RX:g} 0V{_THICKNESS:g}A{_RX:g} {_RY:g} 0 0 0 {_RX:g} {_THICKNESS:g}V0A{_RX:g} {_RY:g} 0 0 1 {-_RX:g} 0Z"
    return (
        f'<g id="disc{place}" stroke="{colour.rim}" stroke-width="1.8" stroke-linejoin="round">'
        f'<path d="{side}" fill="{colour.side}"/>'
        f'<ellipse rx="{_RX:g}" ry="{_RY:g}" fill="url(#pattern{place})"/>'
        f'<ellipse cy="-.5" rx="{_RX - 2.6:g}" ry="{_RY - 2.4:g}" fill="none" stroke="#fff" stroke-width="1.2" opacity=".45"/>'
        "</g>"
    )


def _building(kind: str, place: int, colour: Colour) -> str:
    outline = _OUTLINES[kind]
    return (
        f'<g id="{kind}{place}" stroke-linejoin="round">'
        '<ellipse cy="20" rx="32" ry="8" fill="#3a2508" opacity=".3"/>'
        f'<path d="{outline}" fill="#fffaf0" stroke="#fffaf0" stroke-width="6"/>'
        f'<path d="{outline}" fill="url(#pattern{place})" stroke="{colour.rim}" stroke-width="2.2"/>'
        f"{_FEATURES[kind].format(rim=colour.rim)}</g>"
    )
