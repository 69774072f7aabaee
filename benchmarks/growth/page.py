"""The page of what growth needs, and its picture."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks.growth.bots import Thinking
from benchmarks.growth.costs import Costs
from benchmarks.growth.needs import (
    AT_ONCE,
    BUSY,
    CHANGES,
    CROWDS,
    EACH,
    GAME,
    HOURS,
    PLAYING,
    TURN,
    Needs,
    needs,
)

__all__ = ["needs_table", "write_page"]

FOLDER = Path(__file__).parents[2] / "docs" / "operations"
PICTURE = "scaling.svg"
_KIB, _MIB, _GIB = 2**10, 2**20, 2**30


def write_page(costs: Costs, bots: Sequence[Thinking]) -> None:
    """Write docs/operations/scaling.md and its picture."""
    (FOLDER / "scaling.md").write_text(_page(costs, bots), encoding="utf-8")
    _draw(costs, FOLDER / PICTURE)


def _page(costs: Costs, bots: Sequence[Thinking]) -> str:
    cores, python = len(os.sched_getaffinity(0)), platform.python_version()
    return f"""# Growth on paper

What things cost is **measured**, by `python -m benchmarks.growth --write` on {datetime.now(UTC).date()}:
{platform.machine()}, {cores} cores, Python {python}, PostgreSQL on the same machine. What a crowd needs is
**reckoned** from that; nobody has seen a million visitors. What one machine carries is measured too:
[capacity](capacity.md).

## What things cost

| | memory | processor time | bytes |
|---|---:|---:|---|
{_costs(costs)}

What is written at once is PostgreSQL's log and its pages; what is kept is what the database has grown by
after `VACUUM FULL`, indexes with it. A decision of a bot in positions that
chance has played to, in one thread:

| game | bot | on average, ms | at most, ms |
|---|---|---:|---:|
{chr(10).join(f"| {one.game} | `{one.bot}` | {one.usual:,.1f} | {one.longest:,.1f} |" for one in bots)}

Bots think in processes of their own (`--bot-workers`); on a running server `ekoes_bot_seconds` tells for how
long. Divide the seconds between two decisions of a table by those that its bot thinks: so many tables of
that bot keep one core busy.

## What a crowd needs

Assumed: visitors are those of a day, and stay {HOURS * 60:.0f} minutes each. {AT_ONCE:.0%} of them are there
at the same time when most are (of a club's all are). {PLAYING:.0%} of these play, at tables of two, the
others are in the lobby. At each table somebody decides every {EACH:.0f} seconds; a game lasts
{GAME / 60:.0f} minutes, and the lobby hears {CHANGES:.0f} times of it. A process, which uses one core, is to
be busy for no more than {BUSY:.0%} of its time.

{needs_table([needs(costs, crowd) for crowd in CROWDS])}

![cores over visitors]({PICTURE})

*Cores* are those of all server processes, without bots. PostgreSQL's year is what it grows by if every day is
like this; only what guests have abandoned is ever put away. *The meeting* is what the lobby takes of the one
process that has it; more than 1 can't be had.

- **A club** needs nothing: one process and a file.
- **A thousand** likewise, or PostgreSQL if somebody looks after databases anyway.
- **A hundred thousand**: a machine of a few cores for the servers, another one for PostgreSQL with terabytes
  of disk. The meeting is at its end there, or nearly.
- **A million**: not as it is. Processors and memory could be had; the lobby and the database's size stand
  in the way.

## Where it breaks, in this order

{_breaks(costs)}
"""


def needs_table(rows: Sequence[Needs]) -> str:
    """Return the table of what crowds need, in Markdown."""
    head = "visitors | there at once | tables | decisions/s | cores | processes | memory | to people"
    lines = [
        f"| {head} | PostgreSQL's cores | its year | the meeting, of a core |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in rows:
        cells = [
            f"{one.visitors:,}",
            f"{one.there:,}",
            f"{one.tables:,}",
            f"{one.decisions:,.0f}" if one.decisions > 10 else f"{one.decisions:.1f}",
            f"{one.cores:.2f}",
            f"{one.processes}",
            f"{one.memory / _GIB:.1f} GiB",
            f"{one.wire * 8 / 1e6:,.1f} Mbit/s",
            f"{one.database:.2f}",
            f"{one.year / _GIB:,.1f} GiB",
            f"{one.meeting:.3f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _breaks(costs: Costs) -> str:
    reads = BUSY / (costs.read / 1000) * TURN
    writer = 1000 / costs.decision * BUSY
    commits = BUSY * 1000 / costs.database
    full = _full(costs)
    return f"""1. **The one meeting.** One process has the lobby, and reads each table of another one
   whenever what can be seen of it changes: whose turn it is, every {TURN:.0f} decisions or so. That alone
   would fill it at some {reads:,.0f} decisions a second; with what the lobby has to be told it is full at
   some {full:,} visitors a day. *Then*: the owner of a table tells what the lobby shows of it, so that
   nothing is read; private tables are told of where somebody looks; then a lobby for each game, each with
   an owner of its own.
2. **Lines that are passed on.** A proxy that knows nothing sends half of all lines to a process that has to
   pass them on, of many processes nearly all. *Then*: a proxy that chooses by the table's id in the address,
   so that all who play there come to one process, which then owns the table.
3. **One writer for each process.** A process commits what its tables decided in one transaction after the
   other, and judges on one core: some {writer:,.0f} decisions a second. More processes carry more; nothing
   has to be changed for that.
4. **PostgreSQL's commits and its size.** A core of it takes some {commits:,.0f} decisions a second. It has
   one log; a disk that takes long to be sure of a write makes transactions larger. *Then*: games that are
   over in tables by month (partitions), or as records in files; games by their id in several databases,
   since no transaction needs two tables of play; accounts and ratings in one.
5. **News from each process to each.** Who signed out is told to all others, and each process gives a sign of
   life in the database every 0.4 s: of fifty processes 125 small writes a second. *Then*: pub/sub (Redis) for
   all news, which has its own end at one core of its server; and a sign of life for a whole machine."""


def _costs(costs: Costs) -> str:
    """Return the rows of what things cost."""
    game = f"{costs.kept * costs.moves / _KIB:,.0f} KiB in PostgreSQL after {costs.moves:,.0f} decisions"
    moved = f"{costs.wire / 1000:.1f} KB to people, {costs.log / 1000:.0f} KB written at once"
    rows = [
        ("a server without tables", f"{costs.process / _MIB:,.0f} MiB", "", ""),
        ("a table at rest", "none", "none", game),
        (
            "a live table of two, with its lines",
            f"{costs.table / _KIB:,.0f} KiB",
            "none until somebody decides",
            "",
        ),
        (
            "a visitor in the lobby",
            f"{costs.visitor / _KIB:,.0f} KiB",
            f"{costs.told * 1000:.1f} µs for each table that opens or closes",
            "",
        ),
        (
            "a decision",
            "",
            f"{costs.decision:.2f} ms, PostgreSQL {costs.database:.2f} ms",
            f"{moved}, {costs.kept:,.0f} bytes kept",
        ),
        ("a decision, two processes, half of the lines passed on", "", f"{costs.passed_on:.2f} ms", ""),
        ("a table read from the store", "", f"{costs.read:.2f} ms", ""),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _full(costs: Costs) -> int:
    """Return the number of visitors, to two digits, at which the meeting is used up."""
    crowds = np.geomspace(100, 1e8, 601)
    found = next((crowd for crowd in crowds if needs(costs, int(crowd)).meeting > BUSY), crowds[-1])
    return int(float(f"{found:.1e}"))


def _draw(costs: Costs, path: Path) -> None:
    """Draw cores over visitors."""
    from matplotlib.figure import Figure

    crowds = np.geomspace(100, 1e7, 80)
    found = [needs(costs, int(crowd)) for crowd in crowds]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot(crowds, [one.cores for one in found], color="#b3541e", label="server processes")
    axes.plot(crowds, [one.database for one in found], color="#5b6b7a", label="PostgreSQL")
    axes.plot(crowds, [one.meeting for one in found], color="#2f7d5b", label="the one with the meeting")
    axes.axhline(BUSY, color="#2f7d5b", linestyle=":", label=f"{BUSY:.0%} of a core: as much as that one has")
    axes.set(xlabel="visitors of a day", ylabel="cores", xscale="log", yscale="log", ylim=(0.01, None))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
