"""The entry point of the fork server: imports what worker processes need.

Games of other packages are left out: a thread that they start would not survive the fork.
"""

from __future__ import annotations

from ekoes.games.api.registry import own_games
from ekoes.records import review  # noqa: F401 - the sandbox calls it
from ekoes.server.workers import bot_pool  # noqa: F401 - bots think in it
from ekoes.server.workers.warmup import load_bots, load_rules
from ekoes.server.workers.worker_process import be_nice
from ekoes.tables import puzzles, studies  # noqa: F401 - the sandbox calls them

be_nice()
load_rules(own_games())
load_bots()
