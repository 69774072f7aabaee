"""Reports of a run: as text in a terminal, as one HTML page, and as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ekoes.arena.statistics import Challenge, PlayerRow, Summary, wilson_interval
from ekoes.games.api.registry import game

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

RULES = (
    "The winners of a game share its one point; without a winner, all players do.",
    "An illegal action, a timeout or a crash loses the game to all other players.",
    "Ratings are of the Davidson-Luce model, in Elo relative to the mean; intervals are 95 %.",
    "Each opening is played once from every seat.",
)
"""How games are scored."""

CHALLENGE = ("player", "against", "won alone", "95 %", "games")
"""The columns of ``challenge``."""


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
    """Return the row of a challenge: players, winning rate, interval, games."""
    low, high = wilson_interval(one.alone, one.games) if one.games else (0.0, 1.0)
    interval = f"{100 * low:.1f} … {100 * high:.1f} %"
    return one.name, one.others, per_cent(one.alone, one.games), interval, f"{one.games:,}"


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


def report_text(summary: Summary) -> Iterator[RenderableType]:
    """Yield what to print, part by part."""
    from rich.text import Text

    yield Text(heading(summary), style="bold")
    yield Text(headline(summary))
    said = verdict(summary)
    if said is not None:
        yield Text(said, style="bold")
    yield _text_strengths(summary)
    if len(summary.rows) > 1:
        yield _text_cross(summary)
    if summary.challenges:
        yield _text_challenges(summary)
    yield _text_seats(summary)
    yield _text_endings(summary)
    if summary.stats.forfeits:
        yield _forfeits(summary)
    yield from (Text(rule, style="dim") for rule in RULES)


def _text_table(title: str, columns: Sequence[str]) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold")
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right")
    return table


def _text_strengths(summary: Summary) -> Table:
    table = _text_table(
        "Strength", ("player", "Elo", "95 %", "games", "score", "won", "half", "95 %", "longest")
    )
    for line in summary.rows:
        record = line.record
        table.add_row(
            line.name,
            signed(line.elo),
            f"{signed(line.low)} … {signed(line.high)}",
            f"{record.games}",
            per_cent(record.score, record.games),
            per_cent(record.won, record.games),
            *map(seconds, line.times),
        )
    return table


def _text_cross(summary: Summary) -> Table:
    table = _text_table("Row against column", ("", *(line.name for line in summary.rows)))
    for line in summary.rows:
        cells = (summary.stats.pairs.get((line.place, other.place)) for other in summary.rows)
        table.add_row(line.name, *("" if cell is None else per_cent(*cell) for cell in cells))
    return table


def _text_challenges(summary: Summary) -> Table:
    table = _text_table("One against the table", CHALLENGE)
    for one in summary.challenges:
        table.add_row(*challenge(one))
    return table


def _text_seats(summary: Summary) -> Table:
    table = _text_table("Seats", ("seat", "score", "won alone"))
    for seat, record in sorted(summary.stats.seats.items()):
        table.add_row(str(seat), per_cent(record.score, record.games), per_cent(record.alone, record.games))
    return table


def _text_endings(summary: Summary) -> Table:
    table = _text_table("How games ended", ("", "games", ""))
    for (reason, rule, winners), count in summary.stats.endings.most_common():
        table.add_row(ending(reason, rule, winners), f"{count}", per_cent(count, summary.stats.games))
    return table


def _forfeits(summary: Summary) -> Table:
    table = _text_table("Games lost by forfeit", ("player", "reason", "games"))
    for (place, reason), count in summary.stats.forfeits.most_common():
        table.add_row(summary.plan.players[place].name, reason, f"{count}")
    return table


_MOST_COLUMNS = 16
"""Of a cross table, to stay readable."""


def report_page(summary: Summary) -> str:
    """Return the page as HTML, without scripts."""
    style = (files("ekoes.arena") / "report.css").read_text("utf-8")
    said = verdict(summary)
    parts = [
        f"<h1>{escape(heading(summary))}</h1><p>{escape(headline(summary))}</p>",
        "" if said is None else f'<p class="verdict">{escape(said)}</p>',
        _section("Strength", _strengths(summary)),
        _section("Row against column", _cross(summary)) if 1 < len(summary.rows) <= _MOST_COLUMNS else "",
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
    ends = [end for line in summary.rows for end in (line.low, line.high) if end is not None]
    least, most = (min(ends), max(ends)) if ends else (0.0, 0.0)
    rows = []
    for line in summary.rows:
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


def _whisker(line: PlayerRow, least: float, most: float) -> str:
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
    for line in summary.rows:
        cells = [summary.stats.pairs.get((line.place, other.place)) for other in summary.rows]
        rows.append((escape(line.name), *("" if cell is None else per_cent(*cell) for cell in cells)))
    return _table(("", *(escape(line.name) for line in summary.rows)), rows)


def _seats(summary: Summary) -> str:
    fair = 1 / summary.plan.table
    rows = [
        (f"seat {seat}", _bar(record.score, record.games), per_cent(record.score, record.games))
        for seat, record in sorted(summary.stats.seats.items())
    ]
    return _table(("", "", "score"), rows) + f"<p>An even share would be {100 * fair:.1f} %.</p>"


def _endings(summary: Summary) -> str:
    games = summary.stats.games
    rows = [
        (escape(ending(*how)), _bar(count, games), f"{count:,}")
        for how, count in summary.stats.endings.most_common()
    ]
    for (place, reason), count in summary.stats.forfeits.most_common():
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
    rows = ((escape(line.name), *map(seconds, line.times)) for line in summary.rows)
    return _table(("player", "half within", "95 % within", "longest"), rows)


_INK, _MARK, _FAINT = "#22201c", "#2f6f73", "#d9d0bd"


def write_picture(summary: Summary, path: Path) -> None:
    """Draw strengths, seats and lengths into a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    height = 3.4 + 0.32 * len(summary.rows)
    figure = Figure(figsize=(8, height), dpi=150, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure.suptitle(f"{heading(summary)}\n{headline(summary)}", fontsize=11, color=_INK)
    rows = figure.add_gridspec(2, 2, height_ratios=(0.32 * len(summary.rows) + 0.5, 2))
    _draw_strengths(figure.add_subplot(rows[0, :]), summary)
    _draw_seats(figure.add_subplot(rows[1, 0]), summary)
    _draw_lengths(figure.add_subplot(rows[1, 1]), summary)
    figure.savefig(path, format="png", metadata={"Software": None})


def _draw_strengths(axes: Any, summary: Summary) -> None:  # noqa: ANN401 - matplotlib's types are its own
    for place, line in enumerate(reversed(summary.rows)):
        if line.elo is not None:
            axes.plot((line.low, line.high), (place, place), color=_MARK, linewidth=1.5)
            axes.plot(line.elo, place, "o", color=_MARK, markersize=5)
    axes.set_yticks(range(len(summary.rows)), [line.name for line in reversed(summary.rows)])
    axes.set_ylim(-0.6, len(summary.rows) - 0.4)
    axes.set_xlabel("Elo beside the mean, with 95 % intervals", fontsize=9)
    _style(axes)


def _draw_seats(axes: Any, summary: Summary) -> None:  # noqa: ANN401
    seats = sorted(summary.stats.seats.items())
    axes.bar([seat for seat, _ in seats], [record.score / record.games for _, record in seats], color=_MARK)
    axes.axhline(1 / summary.plan.table, color=_INK, linewidth=0.8, linestyle=":")
    axes.set_xticks([seat for seat, _ in seats])
    axes.set_xlabel("score by seat", fontsize=9)
    _style(axes)


def _draw_lengths(axes: Any, summary: Summary) -> None:  # noqa: ANN401
    for first, last, count in summary.lengths:
        axes.bar((first + last) / 2, count, width=0.9 * (last - first + 1), color=_MARK)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("games by number of turns or rounds", fontsize=9)
    _style(axes)


def _style(axes: Any) -> None:  # noqa: ANN401
    axes.tick_params(labelsize=8, colors=_INK)
    axes.grid(color=_FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
