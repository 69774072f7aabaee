"""Hypothesis draws the same examples each time; ``make test-long`` draws fresh ones."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("fixed", derandomize=True)
if not os.environ.get("EKOES_FRESH_EXAMPLES"):
    settings.load_profile("fixed")
