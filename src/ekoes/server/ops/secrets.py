"""Random seeds, ids of tables and tournaments, and the file of signing keys."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ekoes.errors import StorageError
from ekoes.games.api.chance import Chance
from ekoes.tables.settings import LARGEST_SEED


def fresh_seed() -> int:
    """Return a random seed."""
    return secrets.randbelow(min(2**31, LARGEST_SEED))


class SecretChance(Chance):
    """Random numbers of the system, without a seed."""

    def __init__(self) -> None:
        super().__init__(0)

    def bits(self) -> int:
        """Return 64 random bits."""
        return secrets.randbits(64)


_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_LENGTH = 12
ID_PATTERN = r"^[0-9a-z]{1,32}$"
"""The form of the ids of tables, tournaments and studies in requests."""


def fresh_id() -> str:
    """Return a random id that can't be guessed."""
    return id_of(secrets.randbits(64))


def id_of(number: int) -> str:
    """Return the id for a 64-bit number."""
    digits: list[str] = []
    for _ in range(_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(digits)


_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def signing_keys(path: Path) -> list[bytes]:
    """Return the keys of a file, the newest last; the first one is created on first use.

    Raises: StorageError if they can't be read or created, or others may read them.
    """
    try:
        if not path.exists():
            make_once(path, secrets.token_bytes(_BYTES))
        return _read(path)
    except OSError as error:
        raise StorageError(f"can't use the key in {path}: {error.strerror}", code="storage/key") from error


def make_once(path: Path, content: bytes) -> None:
    """Create a file that only its owner can read, atomically, unless it exists.

    If several processes start on an empty folder, one creates it. Raises: OSError.
    """
    new = path.with_suffix(f".{secrets.token_hex(4)}")
    try:
        _write(new, content)
        with suppress(FileExistsError):
            os.link(new, path)
    finally:
        new.unlink(missing_ok=True)


def add_key(path: Path) -> list[bytes]:
    """Add a key, which signs from now on, and return all keys. Raises StorageError."""
    return _changed(path, [*signing_keys(path), secrets.token_bytes(_BYTES)])


def forget_keys(path: Path) -> list[bytes]:
    """Delete all keys but the newest, and return it. Raises StorageError."""
    return _changed(path, signing_keys(path)[-1:])


def check_private(path: Path) -> None:
    """Raise StorageError if others than its owner may read a file, OSError if it can't be checked."""
    if os.name == "posix" and path.stat().st_mode & _OTHERS:
        message = f"others may read the key in {path}: change that with chmod 600 {path}"
        raise StorageError(message, code="storage/key")


def _read(path: Path) -> list[bytes]:
    check_private(path)
    content = path.read_bytes()
    if not content or len(content) % _BYTES:
        message = (
            f"the key in {path} is damaged; delete it to get a new one, but then guests lose their seats"
        )
        raise StorageError(message, code="storage/key")
    return [content[start : start + _BYTES] for start in range(0, len(content), _BYTES)]


def _changed(path: Path, keys: Sequence[bytes]) -> list[bytes]:
    """Replace the file of keys atomically."""
    new = path.with_suffix(".new")
    try:
        new.unlink(missing_ok=True)
        _write(new, b"".join(keys))
        new.replace(path)
    except OSError as error:
        raise StorageError(f"can't store the key in {path}: {error.strerror}", code="storage/key") from error
    return list(keys)


def _write(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
