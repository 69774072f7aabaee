"""Deals that can be checked: a seed from a secret of the server and a part of each player's browser.

::

    SHA-256(secret)                       the commitment, known before anybody gives a part
    seed = HMAC-SHA-256(secret, "ekoes deal 1 TABLE PART PART …")
    the first position                    from the number HMAC-SHA-256(seed, "start ATTEMPT") mod 2³¹
    what round n is dealt                 KeyedChance(seed, "deal n")

The seed of a rematch is tried until the player begins whose turn it is.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

from ekoes.bots import Secret
from ekoes.games.api.chance import Chance, KeyedChance
from ekoes.games.api.values import Sorted

NO_PART = "-"
"""A seat without a part."""
_NUMBERS = 2**31


@dataclass(frozen=True, slots=True)
class Joint:
    """The seed of a table to which its players add parts.

    parts: by seat, in hexadecimal. awaits: seats whose browsers have announced a part. first: the seat that
    has to begin, in a rematch. seed: in hexadecimal; None before the game begins. It is as secret as what
    it deals.
    """

    parts: tuple[tuple[int, str], ...]
    awaits: Sorted[int]
    first: int | None = None
    seed: str | None = None

    def with_part(self, seat: int, part: str) -> Joint:
        """Return the seed with a seat's part added."""
        parts = dict(self.parts) | {seat: part}
        return Joint(tuple(sorted(parts.items())), self.awaits - {seat}, self.first)

    def without(self, seat: int) -> Joint:
        """Return the seed without a player who has left."""
        parts = tuple((one, part) for one, part in self.parts if one != seat)
        return Joint(parts, self.awaits - {seat}, self.first)

    def text(self, seats: int) -> str:
        """Return the parts in order of seats, as the seed is computed from them."""
        parts = dict(self.parts)
        return " ".join(parts.get(seat, NO_PART) for seat in range(seats))

    def chance(self, number: int) -> Chance | None:
        """Return the random numbers of a round; None before the game begins."""
        return None if self.seed is None else round_chance(bytes.fromhex(self.seed), number)


def secret_of(secret: Secret) -> bytes:
    """Return the server's part of a table's seed; it reveals nothing of the secret of its bots."""
    return hmac.digest(secret.key, b"deal", "sha256")


def commitment(secret: bytes) -> str:
    """Return the hash of the server's part, which is public before the game is over."""
    return sha256(secret).hexdigest()


def joint_seed(secret: bytes, table_id: str, parts: str) -> bytes:
    """Return the seed. parts: as ``Joint.text`` writes them."""
    return hmac.digest(secret, f"ekoes deal 1 {table_id} {parts}".encode(), "sha256")


def start_seeds(seed: bytes) -> Iterator[int]:
    """Yield the numbers from which a first position may be drawn; without a rematch the first one counts."""
    for attempt in count():
        yield int.from_bytes(hmac.digest(seed, f"start {attempt}".encode(), "sha256")) % _NUMBERS


def round_chance(seed: bytes, number: int) -> Chance:
    """Return the random numbers that deal a round."""
    return KeyedChance(seed, f"deal {number}")
