"""A report as one page: a file that needs nothing else, readable on a phone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from ekoes.arena.report.summary import Line, Summary
from ekoes.arena.report.words import (
    CHALLENGE,
    RULES,
    challenge,
    ending,
    heading,
    headline,
    per_cent,
    seconds,
    signed,
    verdict,
)

__all__ = ["report_page"]

_MOST_COLUMNS = 16
"""Of a cross table; more can't be read."""


def report_page(summary: Summary) -> str:
    """Return the page as HTML, without scripts."""
    style = (files("ekoes.arena.report") / "page.css").read_text("utf-8")
    said = verdict(summary)
    parts = [
        f"<h1>{escape(heading(summary))}</h1><p>{escape(headline(summary))}</p>",
        "" if said is None else f'<p class="verdict">{escape(said)}</p>',
        _section("Strength", _strengths(summary)),
        _section("Row against column", _cross(summary)) if 1 < len(summary.lines) <= _MOST_COLUMNS else "",
        _section("One against the table", _challenges(summary)) if summary.challenges else "",
        _section("Seats", _seats(summary)),
        _section("How games ended", _endings(summary)),
        _section("How long games were", _lengths(summary)),
        _section("How long decisions took", _times(summary)),
        _section("How it is counted", "<ul>" + "".join(f"<li>{escape(rule)}" for rule in RULES) + "</ul>"),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(heading(summary))}</title>\n<style>\n{style}</style></head>\n"
        f"<body><main>\n{''.join(f'{part}{chr(10)}' for part in parts if part)}</main></body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; cells are HTML, the first of a row names it."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join(
        f"<tr><th>{first}</th>{''.join(f'<td>{cell}</td>' for cell in rest)}</tr>" for first, *rest in rows
    )
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def _strengths(summary: Summary) -> str:
    ends = [end for line in summary.lines for end in (line.low, line.high) if end is not None]
    least, most = (min(ends), max(ends)) if ends else (0.0, 0.0)
    rows = []
    for line in summary.lines:
        record = line.record
        interval = f"{signed(line.low)} … {signed(line.high)}"
        rows.append(
            (
                escape(line.name),
                f"<b>{signed(line.elo)}</b>",
                _whisker(line, least, most) + f'<span class="small">{interval}</span>',
                per_cent(record.score, record.games),
                per_cent(record.won, record.games),
                f"{record.games:,}",
            )
        )
    return _table(("player", "Elo", "95 %", "score", "won", "games"), rows)


def _whisker(line: Line, least: float, most: float) -> str:
    """Draw a player's interval on a line from the least to the most."""
    if line.low is None or line.elo is None or line.high is None or most <= least:
        return ""
    left, at, right = (100 * (value - least) / (most - least) for value in (line.low, line.elo, line.high))
    return (
        f'<span class="whisker"><i style="left:{left:.1f}%;width:{right - left:.1f}%"></i>'
        f'<b style="left:{at:.1f}%"></b></span>'
    )


def _challenges(summary: Summary) -> str:
    return _table(CHALLENGE, (tuple(map(escape, challenge(one))) for one in summary.challenges))


def _bar(part: float, whole: float) -> str:
    return f'<span class="bar"><i style="width:{100 * part / whole if whole else 0:.1f}%"></i></span>'


def _cross(summary: Summary) -> str:
    rows = []
    for line in summary.lines:
        cells = [summary.tally.pairs.get((line.place, other.place)) for other in summary.lines]
        rows.append((escape(line.name), *("" if cell is None else per_cent(*cell) for cell in cells)))
    return _table(("", *(escape(line.name) for line in summary.lines)), rows)


def _seats(summary: Summary) -> str:
    fair = 1 / summary.plan.table
    rows = [
        (f"seat {seat}", _bar(record.score, record.games), per_cent(record.score, record.games))
        for seat, record in sorted(summary.tally.seats.items())
    ]
    return _table(("", "", "score"), rows) + f"<p>An even share would be {100 * fair:.1f} %.</p>"


def _endings(summary: Summary) -> str:
    games = summary.tally.games
    rows = [
        (escape(ending(*how)), _bar(count, games), f"{count:,}")
        for how, count in summary.tally.endings.most_common()
    ]
    for (place, reason), count in summary.tally.forfeits.most_common():
        name = summary.plan.players[place].name
        rows.append((escape(f"{name} forfeited: {reason}"), _bar(count, games), f"{count:,}"))
    return _table(("", "", "games"), rows)


def _lengths(summary: Summary) -> str:
    """Draw how many games had how many turns."""
    bars = summary.lengths
    if not bars:
        return ""
    most, width = max(count for *_, count in bars), 100 / len(bars)
    drawn = "".join(
        f'<rect x="{place * width:.2f}" y="{40 - 40 * count / most:.2f}" width="{width * 0.9:.2f}"'
        f' height="{40 * count / most:.2f}"><title>{first} to {last}: {count}</title></rect>'
        for place, (first, last, count) in enumerate(bars)
    )
    return (
        '<svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="games by their length">'
        f"{drawn}</svg>"
        f'<p class="axis"><span>{bars[0][0]}</span><span>turns or rounds</span><span>{bars[-1][1]}</span></p>'
    )


def _times(summary: Summary) -> str:
    rows = ((escape(line.name), *map(seconds, line.times)) for line in summary.lines)
    return _table(("player", "half within", "95 % within", "longest"), rows)
