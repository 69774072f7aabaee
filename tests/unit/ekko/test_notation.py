"""EKKO's notation: what it writes, what it reads, and what it says about text that it can't read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import NotationError
from ekoes.games.ekko.position.action import (
    Action,
    Close,
    Deal,
    Draw,
    Effect,
    Mirror,
    Misplay,
    Pass,
    Play,
    format_action,
    parse_action,
)

CARDS = tuple(range(1, 99))
_cards = st.integers(1, 98)
_named = st.none() | _cards

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Play, _cards),
    st.builds(Mirror, _cards, st.just(Effect.DRAW), st.none(), _named),
    st.builds(Mirror, _cards, st.just(Effect.DISCARD), _cards, _named),
    st.builds(Misplay, _cards),
    st.builds(Deal, st.permutations(CARDS).map(tuple) | st.just(())),
    st.sampled_from([Pass(), Draw(), Close()]),
)

EXAMPLES = [
    ("67", Play(67)),
    ("1", Play(1)),
    ("73/+", Mirror(73, Effect.DRAW)),
    ("73/-20", Mirror(73, Effect.DISCARD, 20)),
    ("73/37+", Mirror(73, Effect.DRAW, on=37)),
    ("73/37-20", Mirror(73, Effect.DISCARD, 20, on=37)),
    ("12?", Misplay(12)),
    ("draw", Draw()),
    ("pass", Pass()),
    ("close", Close()),
    ("deal", Deal()),
    ("deal:" + ",".join(map(str, CARDS)), Deal(CARDS)),
]


@pytest.mark.parametrize(("text", "action"), EXAMPLES)
def test_each_form_is_written_and_read(text: str, action: Action) -> None:
    assert format_action(action) == text
    assert parse_action(text) == action


@given(actions)
def test_reading_undoes_writing(action: Action) -> None:
    text = format_action(action)
    assert parse_action(text) == action
    assert text.split() == [text]


@given(st.sampled_from(EXAMPLES), st.data())
def test_blanks_and_capitals_do_not_matter(example: tuple[str, Action], data: st.DataObject) -> None:
    text, action = example
    for mark in "/+-?,":
        text = text.replace(mark, data.draw(st.sampled_from([f" {mark}", f"{mark} ", mark])))
    text = text.replace(":", data.draw(st.sampled_from([":", " : ", " "])))
    text = data.draw(st.sampled_from([text, text.upper(), text.lower(), f" {text} "]))
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "character", "reason"),
    [
        ("", 1, "found nothing"),
        ("fly", 1, "a card, as in 67, or one of draw, pass, close, deal, found 'fly'"),
        ("0", 1, "a card, 1 to 98"),
        ("99", 1, "a card, 1 to 98"),
        ("100", 1, "a card, 1 to 98"),
        ("-5", 1, "a card"),
        ("73/", 4, "'-' and the card put aside"),
        ("73/37", 6, "'-' and the card put aside"),
        ("73/37-", 7, "a card, 1 to 98, found nothing"),
        ("73/99+", 4, "a card, 1 to 98"),
        ("73+", 3, "the end of the action"),
        ("73/+20", 5, "the end of the action"),
        ("12??", 4, "the end of the action"),
        ("draw 2", 6, "the end of the action"),
        ("deal:1,2", 9, "98 cards, these are 2"),
        ("deal:1,2,1", 10, "a card that is not in the list yet"),
        ("deal:1,,2", 8, "a card, 1 to 98"),
    ],
)
def test_an_error_names_the_character_and_the_reason(text: str, character: int, reason: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(text)
    assert str(caught.value).startswith(f"character {character}: expected ")
    assert reason in str(caught.value)


@given(st.text(max_size=60) | st.text("0123456789/+-?, dealrwpsco", max_size=20))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    refusal = ""
    try:
        action = parse_action(text)
    except NotationError as error:
        refusal = str(error)
    if refusal:
        assert len(refusal.splitlines()) == 1
    else:
        assert parse_action(format_action(action)) == action


def test_a_huge_text_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="at most 1000 characters"):
        parse_action("deal:" + "1," * 1_000_000)
