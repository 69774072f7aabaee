"""Openings: what two games have in common in their first turns, although chance deals the discs (E3.1).

docs/decisions/0029-what-the-same-opening-means.md explains the choice. ::

  position ─▶ moments: this board, or any of its kind; the turn; the phase
  decision ─▶ gists:   what is done where, or what is done; not by which stack
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import NamedTuple

from ekoes.games.api.parts import OpeningEntry, Played, Score, SelfPlay
from ekoes.games.api.table import Decision
from ekoes.games.eko.position.action import (
    Action,
    Build,
    End,
    March,
    Moon,
    Move,
    Place,
    Ransom,
    Reinforce,
    SandTemple,
    Space,
    Swap,
)
from ekoes.games.eko.position.layout import Layout
from ekoes.games.eko.position.position import SETUP_PHASES, EkoPosition
from ekoes.games.eko.presenter import effect_of
from ekoes.games.eko.rules.record import Phase

ROUNDS = 4
"""Turns of each player that belong to the opening, and in a draft so many discs."""
FILE = "openings.jsonl.gz"
_BOARDS_CACHED = 256
_PORTAL = "o"
"""The letter of a space in front of a portal, beside those of terrains and signs."""
_EVERYWHERE = frozenset(".xrcCm")
"""The terrains of boards without variants."""

_PHASES = {
    Phase.PLACE: "place",
    Phase.SWAP: "swap",
    Phase.ACTION: "act",
    Phase.SECOND: "act",
    Phase.AFTER: "back",
    Phase.REINFORCE: "back",
}
"""Both actions of a turn are one moment, so that their order does not matter (E7.1)."""


class Board(NamedTuple):
    """A board as openings see it. name: equal for boards that can be turned or mirrored into each other.

    kind: number of players and variants, as text. places: a number for each space, equal on all these boards
    and for spaces that a symmetry of the board maps to each other.
    """

    name: str
    kind: str
    places: Mapping[Space, int]


def moments(position: EkoPosition) -> tuple[str, ...]:
    """Return the moment of a position on this board, and on boards of its kind; () after the opening.

    A draft has the first alone.
    """
    phase, number = position.phase, position.turn_number
    if phase not in _PHASES:
        return ()
    if phase == Phase.PLACE:
        count, most = len(position.plain.stacks), ROUNDS * position.players
    elif phase == Phase.SWAP:
        count, most = place(position, position.player), position.players
    else:
        count, most = number - 1, ROUNDS * position.players
    if count >= most:
        return ()
    at, board = f"{_PHASES[phase]}{count + 1}", board_of(position.layout)
    found = (f"{board.name}/{at}", f"{board.kind}/{at}")
    return found[:1] if phase == Phase.PLACE else found


def gists(position: EkoPosition, action: Action) -> tuple[str, str]:
    """Return what a legal decision does and where, and what it does on any board; ``-`` for a ransom."""
    layout = position.layout
    number = board_of(layout).places
    match action:
        case Move(_, target):
            what = _move(position, action)
            return f">{number[target]}{what}", f">{what}"
        case Build(_, site, kind, emperor):
            what = f"={kind}{'!' * (effect_of(position, action) == 'replace')}{'-E' * emperor}"
            return f"^{number[site]}{what}", f"^{layout.terrain[layout.index[site]].letter}{what}"
        case Reinforce(space, count, emperor):
            what = f"+{count}{'E' * emperor}"
            return f"{number[space]}{what}", what
        case Place(space, emperor) | Moon(space, emperor):
            what = f"{action.type}{'+E' * emperor}"
            return f"{what}:{number[space]}", what
        case SandTemple(space):
            return f"{action.type}:{number[space]}", action.type
        case Swap(space):
            return ("keep", "keep") if space is None else (f"swap:{number[space]}", "swap")
        case Ransom():
            return "-", "-"
        case March() | End():
            return action.type, action.type


def _move(position: EkoPosition, move: Move) -> str:
    """Return what a move does at its destination: ``=3`` joins to 3, ``x2`` attacks 2, ``k`` both leave."""
    effect, stacks = effect_of(position, move), position.stacks()
    if effect in {"move", "perish"}:
        return ""
    there = stacks[move.target]
    if effect == "regroup":
        return f"={stacks[move.source].height - len(move.zones) + there.height}"
    what = "k" if effect == "kamikaze" else f"x{there.height}"
    return f"{what}{'E' * there.emperor}"


def place(position: EkoPosition, seat: int) -> int:
    """Return the place of a seat in the order of turns, from 0 (E3.2, E4.1)."""
    number = position.turn_number
    first = position.player - number + 1 if number else position.plain.first
    return (seat - first) % position.players


def entries(start: EkoPosition, decisions: Iterable[Decision]) -> list[OpeningEntry]:
    """Return what was played at each moment of a game's opening, each once, ascending.

    A game that does not begin with its set-up has none. Raises IllegalActionError.
    """
    return sorted(set(_entries(start, decisions))) if start.phase in SETUP_PHASES else []


def _entries(position: EkoPosition, decisions: Iterable[Decision]) -> Iterator[OpeningEntry]:
    for decision in decisions:
        if position.turn_number > ROUNDS * position.players:
            return
        pairs = zip(moments(position), gists(position, decision.action), strict=False)
        yield from (OpeningEntry(moment, gist) for moment, gist in pairs)
        position = position.play(decision.seat, decision.action)


# ---------------------------------------------------------------- boards


@lru_cache(_BOARDS_CACHED)
def board_of(layout: Layout) -> Board:
    """Return a layout as openings see it, equal for all orders of its tiles, rotations and reflections."""
    signs = [_sign(layout, space) for space in range(len(layout.spaces))]
    frames = layout.images()
    drawn = [sorted((r, q, signs[space]) for space, (q, r) in enumerate(frame)) for frame in frames]
    least = min(drawn)
    places: dict[Space, int] = {}
    for frame, spaces in zip(frames, drawn, strict=True):
        if spaces == least:
            for number, space in enumerate(sorted(range(len(frame)), key=lambda one: frame[one][::-1])):
                at = layout.spaces[space]
                places[at] = min(number, places.get(at, number))
    text = json.dumps([layout.players, least], separators=(",", ":"))
    kind = "".join(sorted(set("".join(signs)) - _EVERYWHERE))
    name = blake2b(text.encode(), digest_size=8).hexdigest()
    return Board(name, f"{layout.players}{kind}", places)


def _sign(layout: Layout, space: int) -> str:
    """Return all that a space is: its terrain, and what it lies at."""
    return "".join(
        (
            layout.terrain[space].letter,
            _PORTAL * sum(front == space for _, _, front in layout.portals),
            *(sign.letter * sum(space in spaces for spaces in found) for sign, found in layout.signs.items()),
        )
    )


# ---------------------------------------------------------------- games of bots


@cache
def self_play() -> SelfPlay:
    """Return the games of bots that come with the package, made by ``tools/openings.py``."""
    header, *lines = map(
        json.loads, gzip.decompress(files("ekoes.games.eko").joinpath(FILE).read_bytes()).splitlines()
    )
    return SelfPlay(
        header["level"],
        {
            moment: Played(games, {gist: Score(count, wins) for gist, count, *wins in scores})
            for moment, games, scores in lines
        },
    )
