"""What the process has loaded from which bots' processes and workbenches are forked: what those will need.

Python's fork server imports this module when it starts. What comes with others' packages stays out of it: a
thread that they begin would not outlive the fork. Decision 172.
"""

from __future__ import annotations

from importlib import import_module

from ekoes.bots.opening import warm_bots
from ekoes.games.registry import own_games
from ekoes.server.process import be_nice
from ekoes.server.readied import load_rules

__all__: list[str] = []

be_nice()
for _name in ("cli.main", "server.thinking.worker", "server.tried"):
    import_module(f"ekoes.{_name}")
load_rules(own_games())
warm_bots(own_games())
