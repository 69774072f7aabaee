"""What every page has to keep to: a telephone's size, a thumb's, and what axe-core looks for."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.e2e.server import ROOT

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
GRAVE = ("serious", "critical")
THUMB = 44
"""Pixels that a target measures at least."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def violations(page: Page) -> list[str]:
    """What axe-core finds that keeps people out, told with the places."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{one['impact']} {one['id']}: {[node['html'][:160] for node in one['nodes']][:3]}"
        for one in found
        if one["impact"] in GRAVE
    ]
