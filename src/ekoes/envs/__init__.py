"""Environments for learning: PettingZoo (``aec``), Gymnasium (``single``), and batches of games (``batch``).

Importing this package registers ``ekoes/Eko-v0`` and ``ekoes/Ekko-v0`` with Gymnasium, which since 1.0 reads
no entry points.
"""

from __future__ import annotations

from ekoes.errors import from_extra

with from_extra("envs"):
    from gymnasium import register

for _name, _game in (("Eko", "eko"), ("Ekko", "ekko")):
    register(
        f"ekoes/{_name}-v0",
        entry_point="ekoes.envs.single:BotEnv",
        vector_entry_point="ekoes.envs.vector:BatchVectorEnv",
        kwargs={"game": _game},
    )
