"""Accounts, devices, blocks and follows."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from ekoes.errors import AccountError
from ekoes.storage.accounts import PROGRAM
from ekoes.storage.results import Search
from ekoes.storage.schema import ModeratorActionRow, ReportRow
from ekoes.storage.store import Store
from ekoes.tables.orders import Resign
from ekoes.tables.settings import Seat
from tests.kit.stored import account, stored_table
from tests.unit.storage.keeping import NOW, Keeper, eko_table


def test_name_of_long_ligatures_is_stored_and_found(store: Store) -> None:
    name = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 40
    account(store, "guest", name)
    found = store.people.named(name)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("Bea", "Веа"),  # Cyrillic
        ("Bea", "ΒΕΑ"),  # Greek capitals
        ("Zoe", "Zo\u0308e\u0301"),
        ("Zoe", "Zoë\ufe0f\u200d"),
        ("Bill", "BІLL"),  # a Cyrillic capital, which looks like l and is written like i
        ("Lola", "1o1a"),
        ("Tom Miller", "Torn   Mi11er"),
        ("Olga", "0lga"),
        ("Max", "Ｍax"),
        *(("Ada", f"A{char}da") for char in "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe0f\u200c"),
    ],
)
def test_names_that_look_alike_are_one(store: Store, name: str, twin: str) -> None:
    account(store, "one", name)
    assert store.people.owner(twin) == "one"
    with pytest.raises(AccountError, match="looks like it"):
        account(store, "two", twin)
    assert store.people.named(name) is not None


@pytest.mark.parametrize(
    "name",
    ["Admin", "ADMIN 2", "Administratorin", "moderator", "Mоdérateur", "m\u034foderator", "Ekoes 2"],
)
def test_names_of_those_who_run_a_server_are_reserved(store: Store, name: str) -> None:
    with pytest.raises(AccountError, match="reserved"):
        account(store, "one", name)
    with pytest.raises(AccountError, match="reserved"):
        store.people.check_name("guest", name)


def test_names_with_a_reserved_part_are_free(store: Store) -> None:
    for name in ("Adminka", "Modesty", "Eko", "Zoë"):
        account(store, name, name)
        store.people.check_name(name, name)


@pytest.mark.parametrize("char", "\u034f\u1160\u2800")
def test_ignorable_characters_fall_before_an_account_is_found(store: Store, char: str) -> None:
    account(store, "one", f"Ada{char}")
    assert store.people.find("ada", "name").user_id == "one"


def test_names_that_look_different_are_several(store: Store) -> None:
    names = [
        "Bea",
        "Ben",
        "Boa",
        "Bе",
        "Ольга",
        "Олег",
        "明",
        "さくら",
        "하나",
        "שרה",
        "मीरा",
        "मीरी",
        "Bo 1",
        "Bo 2",
    ]
    for name in names:
        account(store, name, name)
    assert [store.people.owner(name) for name in names] == names


def test_name_of_a_deleted_account_is_at_no_seat(store: Store) -> None:
    account(store, "ada", 'A "%_"')
    seats = (Seat("bot", 'A "%_"', 0, bot="greedy"), Seat("here", "ada", 1, session="ada"))
    keeper = Keeper(store, replace(eko_table(seats=seats), public=True))
    keeper.order(Resign, "ada", seat=1)
    guests = tuple(Seat("here", 'A "%_"', seat, session="bo") for seat in (0, 1))
    other = Keeper(store, eko_table(seats=guests), "other")
    store.people.close("ada")
    assert [seat.name for seat in stored_table(store, "t").table.seats] == ["", "ada"]
    assert [result.name for result in store.archive.search(Search(), None, 1)[0].results] == ["", ""]
    assert stored_table(store, "other").table.seats == other.table.seats


def test_user_has_one_open_report_at_a_table_and_one_elsewhere(store: Store) -> None:
    Keeper(store, eko_table())

    def report(table: str | None, by: str) -> int:
        return store.moderation.report(ReportRow(table, by, "bo", "Bo", None, "name", "", [], NOW))

    assert [report("t", "ada"), report("t", "cy"), report(None, "ada"), report(None, "cy")] == [1, 1, 2, 2]
    store.moderation.resolve(ModeratorActionRow(NOW, "root", "resolve", "bo", "Bo", ""), 1, "seen")
    assert report("t", "cy") == 3


def test_credentials_end_at_once_at_every_process(url: str) -> None:
    with closing(Store(url)) as here, closing(Store(url)) as there:
        assert there.people.user("ada") == "ada"
        account(here, "ada")
        assert there.people.user("ada") is None, "an account needs a device"
        phone, laptop = (here.people.sign_in("ada", about, NOW) for about in ("phone", "laptop"))
        here.programs.make("ada", "A bot", ["chat"], "digest", NOW)
        assert [there.people.user(one) for one in (phone, laptop, f"{PROGRAM}digest")] == ["ada"] * 3
        assert here.people.sign_out("ada", phone)
        assert there.people.user(phone) is None
        here.moderation.close(ModeratorActionRow(NOW, "root", "close", "ada", "Ada", "why"))
        assert [there.people.user(one) for one in (laptop, f"{PROGRAM}digest")] == [None] * 2


def test_block_separates_both_users(store: Store) -> None:
    relations = store.relations
    number = relations.add("block", "ada", "bo", "Bo", NOW)
    relations.add("follow", "cy", "ada", "Ada", NOW)
    assert relations.add("block", "ada", "bo", "Bo again", NOW) == number
    assert (relations.has_blocked("ada", "bo"), relations.has_blocked("bo", "ada")) == (True, False)
    assert [relations.apart_from(one) for one in ("ada", "bo", "cy")] == [{"bo"}, {"ada"}, set()]
    assert [one.name for one in relations.of("ada", "block")] == ["Bo"]
    assert not relations.remove("block", "bo", number)
    assert not relations.remove("follow", "ada", number)
    assert relations.remove("block", "ada", number)
    assert relations.apart_from("bo") == set()


def test_deleted_account_leaves_no_relations(store: Store) -> None:
    store.relations.add("block", "ada", "bo", "Bo", NOW)
    store.relations.add("follow", "bo", "ada", "Ada", NOW)
    store.people.close("ada")
    assert [store.relations.of(user) for user in ("ada", "bo")] == [[], []]
