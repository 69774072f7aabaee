"""The keys that sign cookies and passes: a file that its owner alone can read, the newest key last.

The newest one signs. What an older one has signed is known for as long as that key is in the file.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ekoes.errors import StorageError

__all__ = ["add_key", "check_private", "forget_keys", "make_once", "signing_keys"]

_BYTES = 32
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def signing_keys(path: Path) -> list[bytes]:
    """Return the keys of a file, the newest last; the first one is made on first use.

    Raises: StorageError if they can't be read or made, or others may read them.
    """
    try:
        if not path.exists():
            make_once(path, secrets.token_bytes(_BYTES))
        return _read(path)
    except OSError as error:
        raise StorageError(f"can't use the key in {path}: {error.strerror}", code="storage/key") from error


def make_once(path: Path, content: bytes) -> None:
    """Make a file that its owner alone can read, whole, unless there is one.

    Of several processes that start on an empty folder one makes it. Raises: OSError.
    """
    new = path.with_suffix(f".{secrets.token_hex(4)}")
    try:
        _write(new, content)
        with suppress(FileExistsError):
            os.link(new, path)
    finally:
        new.unlink(missing_ok=True)


def add_key(path: Path) -> list[bytes]:
    """Let another key sign from now on. Returns: all keys. Raises: StorageError."""
    return _changed(path, [*signing_keys(path), secrets.token_bytes(_BYTES)])


def forget_keys(path: Path) -> list[bytes]:
    """Know nothing any more but what the newest key has signed. Returns: it. Raises: StorageError."""
    return _changed(path, signing_keys(path)[-1:])


def check_private(path: Path) -> None:
    """Raise StorageError if others than its owner may read a file, OSError if it can't be looked at."""
    if os.name == "posix" and path.stat().st_mode & _OTHERS:
        message = f"others may read the key in {path}: change that with chmod 600 {path}"
        raise StorageError(message, code="storage/key")


def _read(path: Path) -> list[bytes]:
    check_private(path)
    kept = path.read_bytes()
    if not kept or len(kept) % _BYTES:
        message = f"the key in {path} is damaged; without that file a new one is made, and seats are lost"
        raise StorageError(message, code="storage/key")
    return [kept[start : start + _BYTES] for start in range(0, len(kept), _BYTES)]


def _changed(path: Path, keys: Sequence[bytes]) -> list[bytes]:
    """Put a file with these keys in the place of another one, whole or not at all."""
    new = path.with_suffix(".new")
    try:
        new.unlink(missing_ok=True)
        _write(new, b"".join(keys))
        new.replace(path)
    except OSError as error:
        raise StorageError(f"can't keep the key in {path}: {error.strerror}", code="storage/key") from error
    return list(keys)


def _write(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
