"""How long the tests took that `make test` ran last, by kind."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from xml.etree import ElementTree as ET

from benchmarks.report import format_table

_REPORT = Path(__file__).parents[1] / "build" / "tests.xml"


def read_durations() -> str:
    """Return the table of durations. Raises FileNotFoundError before the first `make test`."""
    seconds: defaultdict[str, float] = defaultdict(float)
    numbers: Counter[str] = Counter()
    suite = ET.parse(_REPORT).getroot()  # noqa: S314 - pytest has written it
    for test in suite.iter("testcase"):
        kind = "/".join(test.attrib["classname"].split(".")[:2])
        seconds[kind] += float(test.attrib["time"])
        numbers[kind] += 1
    slowest_first = sorted(seconds, key=seconds.__getitem__, reverse=True)
    rows = [(f"`{kind}`", f"{numbers[kind]:,}", f"{seconds[kind]:.0f}") for kind in slowest_first]
    rows.append(("all, one after the other", f"{numbers.total():,}", f"{sum(seconds.values()):.0f}"))
    whole = sum(float(run.attrib["time"]) for run in suite.iter("testsuite"))
    rows.append(("all, two at a time", "", f"{whole:.0f}"))
    return format_table("tests | number | seconds", rows)
