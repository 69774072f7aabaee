"""Accounts, devices, blocks and follows."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from ekoes.storage import accounts as module
from ekoes.storage.accounts import Account
from ekoes.storage.store import Store
from tests.unit.storage.keeping import NOW

ADA = Account("ada", "Ada", "a hash", NOW)


def test_name_of_letters_that_are_words_is_kept_and_found(store: Store) -> None:
    name = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 40
    store.people.open(Account("guest", name, "a hash", NOW), ["a code"])
    found = store.people.named(name)
    assert found is not None
    assert found.name == name


def test_device_that_is_signed_out_while_it_is_looked_up_stays_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, look_up = store.people, module._user
    people.open(ADA, ["a code"])
    device = people.sign_in("ada", "a browser", NOW)

    def slowly(connection: Connection, credential: str) -> str | None:
        found = look_up(connection, credential)
        assert people.sign_out("ada", device)
        return found

    monkeypatch.setattr(module, "_user", slowly)
    assert people.user(device) is None


def test_guest_who_becomes_an_account_while_it_is_looked_up_needs_a_device(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, look_up = store.people, module._user

    def slowly(connection: Connection, credential: str) -> str | None:
        found = look_up(connection, credential)
        people.open(ADA, ["a code"])
        return found

    monkeypatch.setattr(module, "_user", slowly)
    assert people.user("ada") is None


def test_two_are_apart_whoever_of_them_blocks_the_other(store: Store) -> None:
    relations = store.relations
    number = relations.add("block", "ada", "bo", "Bo", NOW)
    relations.add("follow", "cy", "ada", "Ada", NOW)
    assert relations.add("block", "ada", "bo", "Bo again", NOW) == number
    assert (relations.has_blocked("ada", "bo"), relations.has_blocked("bo", "ada")) == (True, False)
    assert [relations.apart_from(one) for one in ("ada", "bo", "cy")] == [{"bo"}, {"ada"}, set()]
    assert [tie.name for tie in relations.of("ada", "block")] == ["Bo"]
    assert not relations.remove("block", "bo", number)
    assert not relations.remove("follow", "ada", number)
    assert relations.remove("block", "ada", number)
    assert relations.apart_from("bo") == set()


def test_nothing_is_kept_of_who_is_forgotten_but_their_nameless_lines(store: Store) -> None:
    store.relations.add("block", "ada", "bo", "Bo", NOW)
    store.relations.add("follow", "bo", "ada", "Ada", NOW)
    store.people.close("ada")
    assert [store.relations.of(user) for user in ("ada", "bo")] == [[], []]
