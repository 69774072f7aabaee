"""Who blocks and follows whom."""

from __future__ import annotations

from datetime import UTC, datetime

from ekoes.storage.store import Store

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_two_are_apart_whoever_of_them_blocks_the_other(store: Store) -> None:
    relations = store.relations
    number = relations.add("block", "ada", "bo", "Bo", AT)
    relations.add("follow", "cy", "ada", "Ada", AT)
    assert relations.add("block", "ada", "bo", "Bo again", AT) == number
    assert (relations.has_blocked("ada", "bo"), relations.has_blocked("bo", "ada")) == (True, False)
    assert [relations.apart_from(one) for one in ("ada", "bo", "cy")] == [{"bo"}, {"ada"}, set()]
    assert [tie.name for tie in relations.of("ada", "block")] == ["Bo"]
    assert not relations.remove("block", "bo", number)
    assert not relations.remove("follow", "ada", number)
    assert relations.remove("block", "ada", number)
    assert relations.apart_from("bo") == set()


def test_nothing_is_kept_of_who_is_forgotten_but_their_nameless_lines(store: Store) -> None:
    store.relations.add("block", "ada", "bo", "Bo", AT)
    store.relations.add("follow", "bo", "ada", "Ada", AT)
    store.people.close("ada")
    assert [store.relations.of(holder) for holder in ("ada", "bo")] == [[], []]
