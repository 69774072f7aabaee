"""The file of the keys that sign cookies: made once, for its owner alone, and renewed."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from ekoes.errors import StorageError
from ekoes.server.ops.secrets import add_key, forget_keys, signing_keys
from ekoes.server.push import signer


def test_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    (key,) = signing_keys(path)
    assert len(key) == 32
    assert signing_keys(path) == [key]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_damaged_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    path.write_bytes(b"short")
    with pytest.raises(StorageError, match="damaged"):
        signing_keys(path)


def test_key_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        signing_keys(tmp_path / "missing" / "secret.key")


def test_new_key_is_the_last_until_the_others_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    (first,) = signing_keys(path)
    both = add_key(path)
    assert both[0] == first
    assert signing_keys(path) == both
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert forget_keys(path) == signing_keys(path) == both[1:]
    assert [file.name for file in tmp_path.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_key_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "secret.key"
    signing_keys(path)
    path.chmod(mode)
    with pytest.raises(StorageError, match="chmod 600"):
        signing_keys(path)


def test_processes_that_start_at_once_have_the_same_keys(tmp_path: Path) -> None:
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        begin = Barrier(4)

        def start(_: int, folder: Path = folder, begin: Barrier = begin) -> tuple[bytes, str]:
            begin.wait()
            return signing_keys(folder / "secret.key")[0], signer(folder / "push.pem").public

        with ThreadPoolExecutor(4) as threads:
            assert len(set(threads.map(start, range(4)))) == 1
        assert sorted(file.name for file in folder.iterdir()) == ["push.pem", "secret.key"]
