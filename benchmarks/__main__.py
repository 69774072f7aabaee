"""Run all benchmarks and print one table in Markdown: ``python -m benchmarks [pytest's options]``."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest


def main() -> int:
    """Measure, print the table, and return pytest's exit status."""
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        status = pytest.main(
            [
                str(Path(__file__).parent),
                "-qq",
                "-p",
                "no:xdist",
                "-o",
                "python_files=bench_*.py",
                "--benchmark-only",
                "--benchmark-quiet",
                f"--benchmark-json={report}",
                *sys.argv[1:],
            ]
        )
        if report.exists() and report.stat().st_size:
            print(table(json.loads(report.read_text())))
    return int(status)


def table(report: dict[str, object]) -> str:
    """Return the report as a Markdown table, in the order in which it was measured."""
    rows = [f"| what, on one thread of {machine(report)} | median | | ratio |", "|---|---:|---|---|"]
    benchmarks = report["benchmarks"]
    assert isinstance(benchmarks, list)
    figures = {one["extra_info"]["what"]: figure(one) for one in benchmarks}
    for one in benchmarks:
        info = one["extra_info"]
        beside = info.get("beside")
        ratio = f"{show(figures[info['what']] / figures[beside])} × {beside}" if beside in figures else ""
        rows.append(f"| {info['what']} | {show(figures[info['what']])} | {info['unit']} | {ratio} |")
    return "\n".join(rows)


def figure(one: dict[str, Any]) -> float:
    """Return what was measured: a figure of its own, or how many in a second."""
    info = one["extra_info"]
    return float(info["figure"] if "figure" in info else info["count"] / one["stats"]["median"])


def machine(report: dict[str, object]) -> str:
    """Return what it was measured on."""
    info = report["machine_info"]
    assert isinstance(info, dict)
    name = info.get("cpu", {}).get("brand_raw") or platform.machine()
    return f"{name}, Python {platform.python_version()}"


def show(figure: float) -> str:
    """Write a figure with three digits that count."""
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


if __name__ == "__main__":
    sys.exit(main())
