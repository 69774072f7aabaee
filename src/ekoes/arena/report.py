"""Reports of a run: as text in a terminal, as one HTML page, and as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from ekoes.arena.statistics import Challenge, Summary
from ekoes.games.api.chance import wilson_interval
from ekoes.games.api.registry import game

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.console import RenderableType

RULES = (
    "The winners of a game share its one point; without a winner, all players do.",
    "An illegal action, a timeout or a crash loses the game to all other players.",
    "Ratings are of the Davidson-Luce model, in Elo relative to the mean; intervals are 95 %.",
    "Each opening is played once from every seat.",
)
"""How games are scored."""


def heading(summary: Summary) -> str:
    """Return what was played."""
    plan = summary.plan
    return f"{game(plan.game).title}: {len(plan.players)} players, {plan.table} at a table"


def headline(summary: Summary) -> str:
    """Return how much was played."""
    stats = summary.stats
    return f"{stats.games:,} games, {stats.decided:,} decisions, seed {summary.plan.seed}"


def verdict(summary: Summary) -> str | None:
    """Return the result of the sequential test, if the plan has one."""
    test = summary.stats.test
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
    numbers = f"LLR {test.llr:.2f} of {low:.2f} … {high:.2f}; {wanted}; {sum(test.counts)} pairs"
    forfeits = [
        f"{name} forfeited {count:,} of {summary.stats.games:,} games"
        for place, name in enumerate(names)
        if (count := sum(summary.stats.forfeits[key] for key in summary.stats.forfeits if key[0] == place))
    ]
    return "; ".join([f"{said} ({numbers})", *forfeits])


def ending(reason: str, rule: str, winners: int) -> str:
    """Return how a game ended."""
    who = {0: "nobody won", 1: "one winner"}.get(winners, f"{winners} winners")
    return f"{reason}{f' ({rule})' if rule else ''}, {who}"


def per_cent(part: float, whole: float) -> str:
    """Format a percentage."""
    return f"{100 * part / whole:.1f} %" if whole else "–"


def signed(elo: float | None) -> str:
    """Format a rating."""
    return "–" if elo is None else f"{elo:+.0f}".replace("-", "−")


def seconds(value: float) -> str:
    """Format a time briefly."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


@dataclass(frozen=True)
class _Table:
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    """Below it on the page."""


def _tables(summary: Summary) -> Iterator[_Table]:
    stats, lines = summary.stats, summary.rows
    yield _Table(
        "Strength",
        ("player", "Elo", "95 %", "score", "won", "games"),
        [
            (
                line.name,
                signed(line.elo),
                f"{signed(line.low)} … {signed(line.high)}",
                per_cent(line.record.score, line.record.games),
                per_cent(line.record.won, line.record.games),
                f"{line.record.games:,}",
            )
            for line in lines
        ],
    )
    if len(lines) > 1:
        cells = [[stats.pairs.get((line.place, other.place)) for other in lines] for line in lines]
        yield _Table(
            "Row against column",
            ("", *(line.name for line in lines)),
            [
                (line.name, *("" if cell is None else per_cent(*cell) for cell in row))
                for line, row in zip(lines, cells, strict=True)
            ],
        )
    if summary.challenges:
        columns = ("player", "against", "won alone", "95 %", "games")
        yield _Table("One against the table", columns, [*map(_challenge, summary.challenges)])
    seats = sorted(stats.seats.items())
    yield _Table(
        "Seats",
        ("", "score", "won alone"),
        [
            (f"seat {seat}", per_cent(one.score, one.games), per_cent(one.alone, one.games))
            for seat, one in seats
        ],
        f"An even share would be {per_cent(1, summary.plan.table)}.",
    )
    endings = [(ending(*how), count) for how, count in stats.endings.most_common()] + [
        (f"{summary.plan.players[place].name} forfeited: {reason}", count)
        for (place, reason), count in stats.forfeits.most_common()
    ]
    yield _Table(
        "How games ended",
        ("", "games", ""),
        [(how, f"{count:,}", per_cent(count, stats.games)) for how, count in endings],
    )
    yield _Table(
        "How long decisions took",
        ("player", "half within", "95 % within", "longest"),
        [(line.name, *map(seconds, line.times)) for line in lines],
    )


def _challenge(one: Challenge) -> tuple[str, ...]:
    low, high = wilson_interval(one.alone, one.games) if one.games else (0.0, 1.0)
    interval = f"{100 * low:.1f} … {100 * high:.1f} %"
    return one.name, one.others, per_cent(one.alone, one.games), interval, f"{one.games:,}"


def report_text(summary: Summary) -> Iterator[RenderableType]:
    """Yield what to print, part by part."""
    from rich.table import Table
    from rich.text import Text

    yield Text(heading(summary), style="bold")
    yield Text(headline(summary))
    said = verdict(summary)
    if said is not None:
        yield Text(said, style="bold")
    for one in _tables(summary):
        table = Table(title=one.title, title_justify="left", title_style="bold")
        for place, column in enumerate(one.columns):
            table.add_column(column, justify="left" if place == 0 else "right")
        for row in one.rows:
            table.add_row(*map(Text, row))
        yield table
    yield from (Text(rule, style="dim") for rule in RULES)


_MOST_COLUMNS = 17
"""Of a table on the page, to stay readable."""


def report_page(summary: Summary) -> str:
    """Return the page as HTML, without scripts."""
    style = (files("ekoes.arena") / "report.css").read_text("utf-8")
    said = verdict(summary)
    parts = [
        f"<h1>{escape(heading(summary))}</h1><p>{escape(headline(summary))}</p>",
        "" if said is None else f'<p class="verdict">{escape(said)}</p>',
        _picture(summary),
        *(
            _section(one.title, _html(one))
            for one in _tables(summary)
            if len(one.columns) <= _MOST_COLUMNS + 1
        ),
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


def _html(table: _Table) -> str:
    """Return a table; the first cell of a row names it."""
    body = "".join(f"<tr>{_cells('th', row[:1])}{_cells('td', row[1:])}</tr>" for row in table.rows)
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    head = f"<thead><tr>{_cells('th', table.columns)}</tr></thead>"
    return f'<div class="wide"><table>{head}<tbody>{body}</tbody></table></div>{note}'


def _cells(kind: str, cells: Iterable[str]) -> str:
    return "".join(f"<{kind}>{escape(cell)}</{kind}>" for cell in cells)


def _picture(summary: Summary) -> str:
    """Return the picture as an SVG element. No line leaves its axes, so nothing need be clipped."""
    drawn = StringIO()
    write_picture(summary, drawn, "svg")
    element = re.sub(r' clip-path="[^"]*"', "", "".join(drawn.getvalue().partition("<svg")[1:]))
    named = element.replace(
        "<svg", '<svg role="img" aria-label="strengths, scores by seat, lengths of games"', 1
    )
    return f'<div class="wide">{named}</div>'


_INK, _PAPER, _MARK, _FAINT = "#22201c", "#fbf8f1", "#2f6f73", "#d9d0bd"
_METADATA = {"png": ("Software",), "svg": ("Creator", "Date", "Format", "Type")}
"""Metadata to leave out, so that equal runs make equal pictures."""


def write_picture(summary: Summary, file: Path | StringIO, kind: str = "png") -> None:
    """Draw strengths, seats and lengths. kind: png, or svg without a title, which the page has."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "ekoes", "text.parse_math": False}):
        height = 3.4 + 0.32 * len(summary.rows)
        figure = Figure(figsize=(8, height), dpi=150, layout="constrained", facecolor=_PAPER)
        if kind == "png":
            figure.suptitle(f"{heading(summary)}\n{headline(summary)}", fontsize=11, color=_INK)
        rows = figure.add_gridspec(2, 2, height_ratios=(0.32 * len(summary.rows) + 0.5, 2))
        _draw_strengths(figure.add_subplot(rows[0, :]), summary)
        _draw_seats(figure.add_subplot(rows[1, 0]), summary)
        _draw_lengths(figure.add_subplot(rows[1, 1]), summary)
        figure.savefig(file, format=kind, metadata=dict.fromkeys(_METADATA[kind]))


def _draw_strengths(axes: Axes, summary: Summary) -> None:
    for place, line in enumerate(reversed(summary.rows)):
        if line.elo is not None and line.low is not None and line.high is not None:
            axes.plot((line.low, line.high), (place, place), color=_MARK, linewidth=1.5)
            axes.plot(line.elo, place, "o", color=_MARK, markersize=5)
    axes.set_yticks(range(len(summary.rows)), [line.name for line in reversed(summary.rows)])
    axes.set_ylim(-0.6, len(summary.rows) - 0.4)
    axes.set_xlabel("Elo beside the mean, with 95 % intervals", fontsize=9)
    _style(axes)


def _draw_seats(axes: Axes, summary: Summary) -> None:
    seats = sorted(summary.stats.seats.items())
    axes.bar([seat for seat, _ in seats], [record.score / record.games for _, record in seats], color=_MARK)
    axes.axhline(1 / summary.plan.table, color=_INK, linewidth=0.8, linestyle=":")
    axes.set_xticks([seat for seat, _ in seats])
    axes.set_xlabel("score by seat", fontsize=9)
    _style(axes)


def _draw_lengths(axes: Axes, summary: Summary) -> None:
    for first, last, count in summary.lengths:
        axes.bar((first + last) / 2, count, width=0.9 * (last - first + 1), color=_MARK)
    axes.locator_params(axis="x", integer=True)
    axes.set_xlabel("games by number of turns or rounds", fontsize=9)
    _style(axes)


def _style(axes: Axes) -> None:
    axes.set_facecolor(_PAPER)
    axes.tick_params(labelsize=8, colors=_INK)
    axes.grid(color=_FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
