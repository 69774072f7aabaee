"""What the advisory services say of packages: read from pip-audit and ``npm audit``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

__all__ = ["Answer", "of_npm", "of_pip"]

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a service knows. asked: of how many packages; None: it does not answer. hits: what is wrong."""

    service: str
    asked: int | None
    hits: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Tell it in a line."""
        if self.asked is None:
            return f"{self.service}: NOT audited, the advisory service does not answer"
        return f"{self.service}: {self.asked} packages audited, {len(self.hits)} with known vulnerabilities"


def of_pip(told: str) -> Answer:
    """Read what pip-audit prints as JSON; where it could not ask it prints none."""
    answer = _json(told)
    known = [package for package in answer.get("dependencies", ()) if "skip_reason" not in package]
    hits = [
        f"{package['name']} {package['version']}: {hit['id']}, mended in {', '.join(hit['fix_versions'])}"
        for package in known
        for hit in package["vulns"]
    ]
    return Answer("Python", len(known) or None, tuple(hits))


def of_npm(told: str) -> Answer:
    """Read what ``npm audit`` prints as JSON."""
    answer = _json(told)
    if "metadata" not in answer:
        return Answer("page", None)
    hits = [f"{name}: {hit['severity']}, {hit['range']}" for name, hit in answer["vulnerabilities"].items()]
    return Answer("page", answer["metadata"]["dependencies"]["prod"], tuple(hits))


def _json(told: str) -> Json:
    """Return the first JSON object in a text, an empty one if there is none."""
    start = told.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(told[max(start, 0) :])
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
