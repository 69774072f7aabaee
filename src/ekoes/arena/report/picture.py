"""A report as a picture for documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ekoes.arena.report.summary import Summary
from ekoes.arena.report.words import heading, headline

__all__ = ["write_picture"]

_INK, _MARK, _FAINT = "#22201c", "#2f6f73", "#d9d0bd"


def write_picture(summary: Summary, path: Path) -> None:
    """Draw strengths, seats and lengths into a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    height = 3.4 + 0.32 * len(summary.lines)
    figure = Figure(figsize=(8, height), dpi=150, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure.suptitle(f"{heading(summary)}\n{headline(summary)}", fontsize=11, color=_INK)
    rows = figure.add_gridspec(2, 2, height_ratios=(0.32 * len(summary.lines) + 0.5, 2))
    _draw_strengths(figure.add_subplot(rows[0, :]), summary)
    _draw_seats(figure.add_subplot(rows[1, 0]), summary)
    _draw_lengths(figure.add_subplot(rows[1, 1]), summary)
    figure.savefig(path, format="png", metadata={"Software": None})


def _draw_strengths(axes: Any, summary: Summary) -> None:  # noqa: ANN401 - matplotlib's types are its own
    for place, line in enumerate(reversed(summary.lines)):
        if line.elo is not None:
            axes.plot((line.low, line.high), (place, place), color=_MARK, linewidth=1.5)
            axes.plot(line.elo, place, "o", color=_MARK, markersize=5)
    axes.set_yticks(range(len(summary.lines)), [line.name for line in reversed(summary.lines)])
    axes.set_ylim(-0.6, len(summary.lines) - 0.4)
    axes.set_xlabel("Elo beside the mean, with 95 % intervals", fontsize=9)
    _calm(axes)


def _draw_seats(axes: Any, summary: Summary) -> None:  # noqa: ANN401
    seats = sorted(summary.tally.seats.items())
    axes.bar([seat for seat, _ in seats], [record.score / record.games for _, record in seats], color=_MARK)
    axes.axhline(1 / summary.plan.table, color=_INK, linewidth=0.8, linestyle=":")
    axes.set_xticks([seat for seat, _ in seats])
    axes.set_xlabel("score by seat", fontsize=9)
    _calm(axes)


def _draw_lengths(axes: Any, summary: Summary) -> None:  # noqa: ANN401
    for first, last, count in summary.lengths:
        axes.bar((first + last) / 2, count, width=0.9 * (last - first + 1), color=_MARK)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("games by number of turns or rounds", fontsize=9)
    _calm(axes)


def _calm(axes: Any) -> None:  # noqa: ANN401
    axes.tick_params(labelsize=8, colors=_INK)
    axes.grid(color=_FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
