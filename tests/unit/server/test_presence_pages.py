"""The pages of connected users that a process sends to the lobby leader."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from ekoes.protocol.incoming import LARGEST_MESSAGE
from ekoes.server.cluster.lobby_news import PresencePage, presence_pages

names = st.sets(st.integers(0, 3000).map(lambda number: f"user{number:04}"), max_size=1200)


@given(names, names)
def test_presence_pages_replace_the_users_the_leader_knew(known: set[str], here: set[str]) -> None:
    for page in presence_pages(here):
        messages = PresencePage(*json.loads(json.dumps(page)))
        known -= messages.gone(known)
        known.update(messages.users)
    assert known == here


def test_page_says_nothing_of_users_on_other_pages() -> None:
    first, second, last = presence_pages([f"{number:04}" for number in range(1200)])
    assert first.gone(["0000", "0003x", "0600", "9999"]) == {"0003x"}
    assert second.gone(["0003x", "0600x", "9999"]) == {"0600x"}
    assert last.gone(["0003x", "9999"]) == {"9999"}


def test_no_page_is_too_long_for_a_message() -> None:
    crowd = [f"{number:048}" for number in range(20_000)]
    longest = max(len(json.dumps(page)) for page in presence_pages(crowd))
    assert longest < LARGEST_MESSAGE / 2  # closed and written as text it grows by a third
