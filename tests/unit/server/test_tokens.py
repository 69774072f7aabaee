from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ekoes.errors import AccountError
from ekoes.server.accounts import RATE, TokenStore, digest_of, fresh_token
from ekoes.server.runtime.messages import error_json
from ekoes.storage.accounts import MOST_TOKENS, Account
from ekoes.storage.store import Store
from tests.unit.server.hub_room import run
from tests.unit.storage.keeping import NOW


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    store.people.open(Account("ada", "Ada", "hash", NOW), ["digest"])
    yield store
    store.close()


def made(store: Store, *scopes: str) -> str:
    text = fresh_token()
    store.programs.make("ada", "A bot", scopes, digest_of(text), NOW)
    return text


def test_token_is_known_by_its_digest_until_it_has_ended(store: Store) -> None:
    desk, text = TokenStore(store.programs), made(store, "table:read", "chat")
    token = desk.read(text)
    assert (token.holder, token.scopes) == ("ada", frozenset({"table:read", "chat"}))
    assert store.people.holder(token.credential) == "ada"
    assert store.programs.end("ada", token.number) == [token.credential]
    assert store.people.holder(token.credential) is None
    with pytest.raises(AccountError) as refused:
        desk.read(text)
    assert refused.value.code == "account/no-token"


def test_requests_by_a_token_are_counted_and_each_token_by_itself(store: Store) -> None:
    desk, text, other = TokenStore(store.programs), made(store), made(store)
    for _ in range(RATE.amount):
        run(desk.count(text))
    with pytest.raises(AccountError) as refused:
        run(desk.count(text))
    told = error_json(refused.value)
    assert (told["code"], told["retry_after"]) == ("account/too-many", refused.value.wait)
    run(desk.count(other))
    run(desk.count(fresh_token()))


def test_use_is_noted_once_a_day(store: Store) -> None:
    desk, text = TokenStore(store.programs), made(store)
    for hours, noted in ((0, 0), (23, 0), (25, 25)):
        store.programs.use(desk.read(text), NOW + timedelta(hours=hours))
        (kept,) = store.programs.of("ada")
        assert kept.used_at == NOW + timedelta(hours=noted)


def test_account_has_so_many_tokens_and_no_more(store: Store) -> None:
    for _ in range(MOST_TOKENS):
        made(store)
    with pytest.raises(AccountError) as refused:
        made(store)
    assert refused.value.code == "account/many-tokens"


def test_account_that_is_closed_or_deleted_has_no_token(store: Store) -> None:
    text = made(store)
    credential = TokenStore(store.programs).read(text).credential
    store.programs.mark("ada", NOW)
    assert store.programs.has("ada")
    store.programs.end("ada")
    store.people.close("ada")
    assert store.people.holder(credential) is None
