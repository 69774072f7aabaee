"""Dashboard and alerts ask for what a real server measures, in words that Prometheus understands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.kit.server import Server, free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
MONITORING = DEPLOY.parent / "docs" / "operations" / "monitoring.md"
RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))["groups"]
    for rule in group["rules"]
]
PANELS = json.loads((DEPLOY / "grafana" / "ekoes.json").read_text("utf-8"))["panels"]
BY_PROMETHEUS = {"up"}


def expressions() -> Iterator[str]:
    """All that is asked of Prometheus."""
    yield from (rule["expr"] for rule in RULES)
    for panel in PANELS:
        yield from (target["expr"].replace("$__rate_interval", "1m") for target in panel["targets"])


def names(expression: str) -> set[str]:
    """The measures that an expression names. Raises ValueError where Prometheus would not understand it."""
    found: set[str] = set()

    def note(part: promql_parser.Expr) -> None:
        match part:
            case promql_parser.VectorSelector():
                found.add(str(part.name))
            case promql_parser.MatrixSelector():
                found.add(str(part.vector_selector.name))

    promql_parser.walk(promql_parser.parse(expression), note)
    return found


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of all that a server measures."""
    port = free_port()
    with Server(tmp_path_factory.mktemp("measured"), "--bot-workers", "0", "--metrics", str(port)) as server:
        browser = server.browser()
        with browser.open(browser.create("here", "here")):
            text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    families = list(text_string_to_metric_families(text))
    shown = set(re.findall(r"^# TYPE (\S+)", text, flags=re.MULTILINE))
    buckets = {f"{family.name}_{end}" for family in families for end in ("bucket", "count", "sum")}
    return shown | buckets


@pytest.mark.long
def test_measures_that_are_asked_for_are_there(measured: set[str]) -> None:
    asked = set().union(*map(names, expressions()))
    assert len(asked) > 10
    assert asked - measured - BY_PROMETHEUS == set()


def test_every_metric_is_documented_and_no_other(measured: set[str]) -> None:
    shown = set(re.findall(r"`(ekoes_[a-z_]+)`", MONITORING.read_text("utf-8")))
    own = {name for name in measured if name.startswith("ekoes_")}
    assert shown <= own
    ends = ("_bucket", "_count", "_sum", "_created")
    assert {name for name in own if not name.endswith(ends)} <= shown


def test_expression_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="parenthesis"):
        names("sum(rate(x[5m])")


def test_every_alert_has_a_section_in_the_runbook() -> None:
    headings = re.findall(r"^## (.+)$", MONITORING.read_text("utf-8"), flags=re.MULTILINE)
    sections = {heading.lower().replace(" ", "-") for heading in headings}
    assert {rule["annotations"]["section"] for rule in RULES} <= sections
    assert {rule["labels"]["severity"] for rule in RULES} == {"page", "ticket"}
