from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ekoes.errors import AccountError
from ekoes.server.accounts import LASTS, Pass, Passes

NOW = datetime(2026, 5, 1, tzinfo=UTC)
GIVEN = Pass("table", 3, "giver")


def test_pass_is_good_until_it_has_run_out() -> None:
    passes = Passes(b"k" * 32)
    text = passes.write(GIVEN, NOW)
    assert passes.read(text, NOW + LASTS - timedelta(seconds=1)) == GIVEN
    with pytest.raises(AccountError, match="expired"):
        passes.read(text, NOW + LASTS)


@pytest.mark.parametrize("spoil", [lambda text: text[:-1], lambda text: "x" + text, lambda _: ""])
def test_pass_that_was_changed_is_none(spoil: object) -> None:
    passes = Passes(b"k" * 32)
    with pytest.raises(AccountError) as refused:
        passes.read(spoil(passes.write(GIVEN, NOW)), NOW)  # type: ignore[operator]
    assert refused.value.code == "account/no-pass"


def test_pass_of_another_key_is_none() -> None:
    with pytest.raises(AccountError):
        Passes(b"o" * 32).read(Passes(b"k" * 32).write(GIVEN, NOW), NOW)
