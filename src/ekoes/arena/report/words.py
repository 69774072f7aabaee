"""What reports say in words, the same in a terminal and on the page."""

from __future__ import annotations

from ekoes.arena.report.summary import Challenge, Summary, wilson_interval
from ekoes.games.registry import game

__all__ = [
    "CHALLENGE",
    "RULES",
    "challenge",
    "ending",
    "heading",
    "headline",
    "per_cent",
    "seconds",
    "signed",
    "verdict",
]

RULES = (
    "The winners of a game share its one point; where nobody wins, all at the table do.",
    "Whoever does something illegal, is silent too long or dies has lost the game to all others.",
    "Strengths are of the Davidson-Luce model, in Elo beside the mean of all; brackets hold 95 %.",
    "Each opening is played once from every seat.",
)
"""How games are counted."""

CHALLENGE = ("player", "against", "won alone", "95 %", "games")
"""What ``challenge`` tells."""


def heading(summary: Summary) -> str:
    """Return what was played."""
    plan = summary.plan
    return f"{game(plan.game).title}: {len(plan.players)} players, {plan.table} at a table"


def headline(summary: Summary) -> str:
    """Return how much was played."""
    tally = summary.tally
    return f"{tally.games:,} games, {tally.decided:,} decisions, seed {summary.plan.seed}"


def verdict(summary: Summary) -> str | None:
    """Return what a test has come to."""
    test = summary.test
    if test is None:
        return None
    low, high = test.bounds
    names = [entrant.name for entrant in summary.plan.players]
    asked = test.settings
    wanted = f"Elo {asked.elo0:g} or {asked.elo1:g}, errors {asked.alpha:g} and {asked.beta:g}"
    said = {
        None: "not decided yet",
        0: f"{names[0]} is not {asked.elo1:g} Elo better than {names[1]}",
        1: f"{names[0]} is better than {names[1]} by more than {asked.elo0:g} Elo",
    }[test.verdict]
    return f"{said} (LLR {test.llr:.2f} of {low:.2f} … {high:.2f}; {wanted}; {sum(test.counts)} pairs)"


def ending(reason: str, rule: str, winners: int) -> str:
    """Return how a game ended."""
    who = {0: "nobody won", 1: "one winner"}.get(winners, f"{winners} winners")
    return f"{reason}{f' ({rule})' if rule else ''}, {who}"


def challenge(one: Challenge) -> tuple[str, str, str, str, str]:
    """Return who played whom, how often they won alone, within what, and of how many games."""
    low, high = wilson_interval(one.alone, one.games) if one.games else (0.0, 1.0)
    interval = f"{100 * low:.1f} … {100 * high:.1f} %"
    return one.name, one.others, per_cent(one.alone, one.games), interval, f"{one.games:,}"


def per_cent(part: float, whole: float) -> str:
    """Write a share."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def signed(elo: float | None) -> str:
    """Write a strength."""
    return "–" if elo is None else f"{elo:+.0f}".replace("-", "−")


def seconds(value: float) -> str:
    """Write a time as briefly as it can be read."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"
