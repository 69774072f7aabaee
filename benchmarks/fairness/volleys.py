"""What programs win that send cards faster than a hand: before their time, and wrong ones (K4.1, K7.2)."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from statistics import mean
from typing import Any

from benchmarks.fairness.report import Figure
from ekoes.errors import EkoesError
from ekoes.games.ekko.live.entry import Verdict
from tests.unit.match.racing import Race

HANDS = {0: [42, 50, 60, 61, 62, 63], 1: [73, 24, 26, 28, 30, 32]}
"""37 lies on top and seat 0 begins; seat 1 holds 24, the mirror of 42."""
STEP = 8
"""Milliseconds between two cards of a program."""
WAITS = range(2000, 2500, 25)
"""Milliseconds of claims before seat 0 plays 42, so that the volley meets the card at any moment."""


def measured() -> list[Figure]:
    """Send volleys."""
    paid = [claims_ahead(wait, misplays=True) for wait in WAITS]
    shut = [claims_ahead(wait, misplays=False) for wait in WAITS]
    return [
        Figure("2 s of claims before their card: cards they cost", mean(c for c, _ in paid), "", (4, 99)),
        Figure("… the mirror lands after its card", mean(ms for _, ms in paid), "ms", (150, 10_000)),
        Figure("… without misplays", mean(ms for _, ms in shut), "ms", (500, 10_000)),
        Figure("wrong cards of 1.2 s that count", wrong_cards(1200), "misplays", (1, 3)),
    ]


def claims_ahead(wait: int, *, misplays: bool) -> tuple[int, int]:
    """Claim a mirror again and again before its card comes; return what it costs, and when it lands."""
    race = Race(HANDS, misplays=misplays, turn_clock=None)
    held = len(race.hand(1))
    for _ in range(wait // STEP):
        tried(race, after=STEP, card=24, on=42)
    cost = len(race.hand(1)) - held
    race.send(0, "play", card=42, on=37)
    came = race.at
    while race.entry.verdict not in {Verdict.CLAIM, Verdict.MIRROR}:
        tried(race, after=STEP, card=24, on=42)
    return cost, (race.at - came) // timedelta(milliseconds=1)


def wrong_cards(milliseconds: int) -> int:
    """Send wrong cards for a while; return how many misplays come of it."""
    race = Race(HANDS, turn_clock=None)
    for number in range(milliseconds // STEP):
        tried(race, after=STEP, card=race.hand(1)[number % 3], on=37, kind="play")
    return sum(entry.verdict is Verdict.MISPLAY for entry in race.table.log)


def tried(race: Race, *, after: int, kind: str = "mirror", **content: Any) -> None:
    """Send a card, whatever comes of it."""
    with suppress(EkoesError):
        race.send(1, kind, after=after, **content)
