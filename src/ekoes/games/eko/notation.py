"""Ekö's notation: every decision as one short word that a person can read and type.

========================  ==========================================================
``b4>d6``                 move, regroup or attack with the stack on b4 (E5)
``b4>d6~c3~f2``           the same; the zones of c3 and f2 take a disc each (E10.2)
``b4>d6~c3-E``            the Emperor is among the discs lost
``b4^c5=tower``           the stack on b4 constructs a tower on c5 (E6)
``b4^c5=tower-E``         the Emperor is among the discs spent (E6.4)
``march``                 forced march (E7)
``b4+2``, ``b4+2E``       bring two discs back on b4; the second form: one is the Emperor (E8)
``moon:d4``, ``moon:d4+E``  Temple of the Moon: an ordinary disc, the Emperor (E10.4)
``sandtemple:b3``         Temple of the Sand: send a disc of b3 home (E10.5)
``ransom:2``              give back the Emperor of seat 2 (E5.7)
``swap:b3``, ``keep``     swap the Emperor with the disc on b3, or decline (E3.3)
``place:b3``, ``place:b3+E``  the draft: place an ordinary disc, the Emperor (E3.4)
``end``                   choose nothing more (E12)
========================  ==========================================================

A space has the name that it has on its board (``names.py``); its coordinates ``q,r`` are read too.
A mark ``E`` always stands for the Emperor: ``-E`` as it goes, ``+E`` or ``2E`` as it comes.
``format_action`` writes no blanks; ``parse_action`` takes blanks between the parts, capital or
small letters, and a blank in place of the colon. The two are inverses on one board, whatever
stands there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ekoes.errors import NotationError
from ekoes.games.eko.action import (
    BUILDINGS,
    Action,
    Build,
    Building,
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
from ekoes.games.eko.names import NAME, Names
from ekoes.games.scanner import Scanner

if TYPE_CHECKING:
    from ekoes.games.eko.state import EkoState

__all__ = ["format_action", "parse_action"]

_SPACE = re.compile(rf"[+-]?[0-9]+\s*,\s*[+-]?[0-9]+|{NAME}", re.ASCII)
_WORDS = ("march", "end", "keep", "swap", "place", "sandtemple", "moon", "ransom")


def format_action(action: Action, position: EkoState) -> str:
    """Write an action as one word without blanks, the inverse of ``parse_action``.

    position: any of the game: it tells the board.
    """
    name = position.layout.names.write
    match action:
        case Move(source, target, zones, emperor_lost):
            taken = "".join(f"~{name(zone)}" for zone in zones)
            return f"{name(source)}>{name(target)}{taken}{'-E' * emperor_lost}"
        case Build(source, site, kind, emperor):
            return f"{name(source)}^{name(site)}={kind}{'-E' * emperor}"
        case Reinforce(space, count, emperor):
            return f"{name(space)}+{count}{'E' * emperor}"
        case Place(space, emperor) | Moon(space, emperor):
            return f"{action.type}:{name(space)}{'+E' * emperor}"
        case SandTemple(space):
            return f"sandtemple:{name(space)}"
        case Swap(space):
            return "keep" if space is None else f"swap:{name(space)}"
        case Ransom(captive):
            return f"ransom:{captive}"
        case March() | End():
            return action.type


def parse_action(text: str, position: EkoState) -> Action:
    """Read an action. Raises NotationError that says what is wrong and at which character."""
    scanner = _Scanner(text, position.layout.names)
    action = _stack_action(scanner) if scanner.sees(_SPACE) else _word_action(scanner)
    scanner.finish()
    return action


def _stack_action(scanner: _Scanner) -> Action:
    """Read an action that begins with the space of a stack: move, construct, reinforce."""
    source = scanner.space()
    if scanner.accept(">"):
        target = scanner.space()
        zones: list[Space] = []
        while scanner.accept("~"):
            zones.append(scanner.space())
        return Move(source, target, tuple(zones), emperor_lost=scanner.emperor("-"))
    if scanner.accept("^"):
        site = scanner.space()
        scanner.expect("=", "'=' and a building kind")
        return Build(source, site, scanner.kind(), emperor=scanner.emperor("-"))
    if scanner.accept("+"):
        count = scanner.number("the number of discs")
        return Reinforce(source, count, emperor=scanner.accept("E"))
    raise scanner.failure("'>' (move), '^' (construct) or '+' (reinforce)")


def _word_action(scanner: _Scanner) -> Action:
    """Read an action that begins with a word."""
    word = scanner.word(_WORDS, f"a space, as in b4>d6, or one of {', '.join(_WORDS)}")
    match word:
        case "march":
            return March()
        case "end":
            return End()
        case "keep":
            return Swap()
    scanner.accept(":")
    match word:
        case "ransom":
            return Ransom(scanner.number("the seat of a captive"))
        case "swap":
            return Swap(scanner.space())
        case "sandtemple":
            return SandTemple(scanner.space())
        case "place":
            return Place(scanner.space(), emperor=scanner.emperor("+"))
        case _:
            return Moon(scanner.space(), emperor=scanner.emperor("+"))


class _Scanner(Scanner):
    """Knows the parts of Ekö's notation."""

    def __init__(self, text: str, names: Names) -> None:
        super().__init__(text)
        self.names = names

    def emperor(self, sign: str) -> bool:
        """Step over the Emperor's mark if it comes next, and say whether it did."""
        if not self.accept(sign):
            return False
        self.expect("E", "'E', the mark of the Emperor")
        return True

    def space(self) -> Space:
        """Read a space (E2.1)."""
        start = self.at
        text = self.take(_SPACE, "a space, such as c5")
        try:
            return self.names.read("".join(text.split()))
        except NotationError as error:
            self.at = start
            raise self.failure("a space, such as c5") from error

    def kind(self) -> Building:
        """Read a building kind (E1.3)."""
        kinds = ", ".join(BUILDINGS)
        return Building(self.word(BUILDINGS, f"a building kind: {kinds}"))
