"""Hashes of passwords, made as any other but quickly: the real ones take a fifth of a second each."""

from __future__ import annotations

from argon2 import PasswordHasher

__all__ = ["QUICK_HASHER"]

QUICK_HASHER = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
