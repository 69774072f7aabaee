"""Print the strengths of a game's levels as docs/strength.md has them, from a league or a run of the arena.

    python -m tools.strength SOURCE

SOURCE: the address of a server's league, such as https://games.example/api/league/eko, or the folder of a run
of two at a table (`ekoes arena run`). Both are rated by the same code.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import httpx

from ekoes.arena.league import Results, strengths
from ekoes.arena.report import per_cent, signed
from ekoes.arena.run import read_summary
from ekoes.bots import levels
from ekoes.games.api.chance import CONFIDENCE, wilson_interval


def of_league(league: dict[str, Any]) -> Results:
    """Return the results of the levels in a league, as its server sends it."""
    results: Counter[tuple[str, str, int | None]] = Counter()
    for pair in league["pairs"]:
        first, second = pair["players"]
        if first.get("level") and second.get("level"):
            for winner, how in ((0, "won"), (None, "even"), (1, "lost")):
                results[first["name"], second["name"], winner] += pair[how]
    return results


def of_run(folder: Path) -> tuple[str, Results]:
    """Return the game of a run, and its results."""
    summary = read_summary(folder)
    names = [one.name for one in summary.plan.players]
    results: Counter[tuple[str, str, int | None]] = Counter()
    for ((first, second), winners), games in summary.stats.showings.items():
        winner = (first, second).index(winners[0]) if len(winners) == 1 else None
        results[names[first], names[second], winner] += games
    return summary.plan.game, results


def table(game: str, results: Results) -> str:
    """Return the strengths as a table of Markdown."""
    met: defaultdict[tuple[str, str], int] = defaultdict(int)
    scores: defaultdict[tuple[str, str], float] = defaultdict(float)
    for (first, second, winner), games in results.items():
        for one, other, seat in ((first, second, 0), (second, first, 1)):
            met[one, other] += games
            scores[one, other] += games * (0.5 if winner is None else float(winner == seat))
    played = [level for level in levels(game) if any(one == level for one, _ in met)]
    ratings = strengths(played, len(played), results)
    rows = ["| | strength | against the level below | games |", "|---|---|---|---|"]
    for place, level in enumerate(played):
        spread = CONFIDENCE * float(ratings.covariance[place, place]) ** 0.5
        score = ""
        if place and met[below := (level, played[place - 1])]:
            low, high = wilson_interval(scores[below], met[below])
            score = f"{per_cent(scores[below], met[below])} ({100 * low:.1f} … {100 * high:.1f})"
        games = sum(met[level, other] for other in played)
        rows.append(f"| `{level}` | {signed(ratings.elo[place])} ± {spread:.0f} | {score} | {games:,} |")
    return "\n".join(rows)


def main() -> None:
    """Print the strengths of the source on the command line."""
    source = sys.argv[1]
    if source.startswith("http"):
        league = httpx.get(source, timeout=30).raise_for_status().json()
        game, results = league["game"], of_league(league)
    else:
        game, results = of_run(Path(source))
    print(table(game, results))


if __name__ == "__main__":
    main()
