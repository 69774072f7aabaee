"""The names of the environments in Gymnasium, registered through the entry point of the package."""

from __future__ import annotations

from gymnasium import register


def register_envs() -> None:
    """Register ``Eko-v0`` and ``Ekko-v0`` in the namespace of the entry point, ``ekoes``."""
    for name, game in (("Eko-v0", "eko"), ("Ekko-v0", "ekko")):
        register(name, entry_point="ekoes.envs.single:BotEnv", kwargs={"game": game})
