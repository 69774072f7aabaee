"""What nobody may know of a table: the source of its bots' chance."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import blake2b

__all__ = ["Secret", "fresh_secret"]

_BYTES = 32


@dataclass(frozen=True, slots=True)
class Secret:
    """The key from which the chance of each question to a bot comes; no text shows it.

    It lies beside the table and not in it: no judge and no view has it at hand. Whoever knows all that
    was ever drawn for other questions knows nothing of the next one (BLAKE2b as a keyed hash).
    """

    key: bytes = field(repr=False)

    @classmethod
    def read(cls, text: str) -> Secret:
        """Read what ``text`` is."""
        return cls(bytes.fromhex(text))

    @property
    def text(self) -> str:
        """The secret as the store keeps it, and nobody else."""
        return self.key.hex()

    def seed(self, about: str) -> int:
        """Return 64 bits for what is asked; the same for the same."""
        return int.from_bytes(blake2b(about.encode(), key=self.key, digest_size=8).digest())


def fresh_secret() -> Secret:
    """Return a secret of 256 bits that nobody has chosen."""
    return Secret(secrets.token_bytes(_BYTES))
