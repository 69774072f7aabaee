"""Who blocks and follows whom."""

from __future__ import annotations

from datetime import UTC, datetime

from ekoes.storage.store import Store

AT = datetime(2026, 1, 1, tzinfo=UTC)


def test_two_are_apart_whoever_of_them_blocks_the_other(store: Store) -> None:
    ties = store.ties
    number = ties.tie("block", "ada", "bo", "Bo", AT)
    ties.tie("follow", "cy", "ada", "Ada", AT)
    assert ties.tie("block", "ada", "bo", "Bo again", AT) == number
    assert (ties.has_blocked("ada", "bo"), ties.has_blocked("bo", "ada")) == (True, False)
    assert [ties.apart_from(one) for one in ("ada", "bo", "cy")] == [{"bo"}, {"ada"}, set()]
    assert [tie.name for tie in ties.of("ada", "block")] == ["Bo"]
    assert not ties.untie("block", "bo", number)
    assert not ties.untie("follow", "ada", number)
    assert ties.untie("block", "ada", number)
    assert ties.apart_from("bo") == set()


def test_nothing_is_kept_of_who_is_forgotten_but_their_nameless_lines(store: Store) -> None:
    store.ties.tie("block", "ada", "bo", "Bo", AT)
    store.ties.tie("follow", "bo", "ada", "Ada", AT)
    store.people.close("ada")
    assert [store.ties.of(holder) for holder in ("ada", "bo")] == [[], []]
