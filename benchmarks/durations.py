"""How long the tests took that `make test` ran last, by kind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks.report import format_table

_REPORT = Path(__file__).parents[1] / "build" / "tests.xml"


def read_durations() -> str:
    """Return the table of durations. Raises FileNotFoundError before the first `make test`."""
    seconds: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    suite = ET.parse(_REPORT).getroot()  # noqa: S314 - pytest has written it
    for test in suite.iter("testcase"):
        kind = "/".join(test.attrib["classname"].split(".")[:2])
        seconds[kind] += float(test.attrib["time"])
        numbers[kind] += 1
    rows = [(f"`{kind}`", f"{numbers[kind]:,}", f"{time:.0f}") for kind, time in seconds.most_common()]
    all_of_them = ("all, one after the other", f"{numbers.total():,}", f"{seconds.total():.0f}")
    whole = sum(float(run.attrib["time"]) for run in suite.iter("testsuite"))
    return format_table(
        "tests | number | seconds", [*rows, all_of_them, ("two at a time", "", f"{whole:.0f}")]
    )
