"""What a server imports and loads before it answers: ``tests.started`` has it done once for all of them."""

from __future__ import annotations

from importlib import import_module

from ekoes.bots import warm_bots
from ekoes.server.workers.warmup import load_rules

__all__: list[str] = []

for _name in ("cli.play", "cli.warm", "server.app", "server.logs", "server.serving"):
    import_module(f"ekoes.{_name}")
load_rules()
warm_bots()
