"""What is kept of passwords, and how long it takes to look at them."""

from __future__ import annotations

from argon2 import extract_parameters

from ekoes.server.accounts import _DUMMY_HASH, hashed, is_password


def test_a_password_is_known_again_and_no_other() -> None:
    kept = hashed("correct horse", "ada")
    assert "correct horse" not in kept
    assert is_password(kept, "correct horse")
    assert not is_password(kept, "correct house")


def test_nobody_has_a_password_and_finding_out_takes_as_much_work_as_for_somebody() -> None:
    assert not is_password(None, "nobody's")
    assert extract_parameters(_DUMMY_HASH) == extract_parameters(hashed("correct horse", "ada"))
