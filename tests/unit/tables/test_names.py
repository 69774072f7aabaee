"""What people write: names in many scripts, cleaned chat texts, and chat rooms."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.games.api.contract import Outcome
from ekoes.games.api.values import changed
from ekoes.storage.schema import RightsRow
from ekoes.tables.chat import read_line, room_of, rooms_heard
from ekoes.tables.orders import LONGEST_NAME, Rename, read_name
from ekoes.tables.race import RaceTable
from ekoes.tables.settings import Seat
from ekoes.tables.table import Table
from tests.unit.tables.racing import NOW

NAMES = [
    "Ada",
    "Zoë O’Connor-Núñez",
    "Siobhán Ní Dhomhnaill",
    "Jiří Čapek",
    "Αθηνά",
    "Наталія",
    "Ֆրունզիկ",
    "ნინო",
    "משה",
    "نور",
    "علی\N{ZERO WIDTH NON-JOINER}رضا",
    "प्रिया",
    "ක්\N{ZERO WIDTH JOINER}රිෂාන්",
    "ক্\N{ZERO WIDTH JOINER}ষমা",
    "ญาดา",
    "သီရိ",
    "ពិសិដ្ឋ",
    "ཚེ་རིང་",
    "አበበ",
    "Nguyễn Thị Hoa",
    "김민준",
    "陳大文",
    "𠮷野さくら",
    "ᏍᏏᏉᏯ",
    "👩\N{ZERO WIDTH JOINER}🚀",
    "👨🏽\N{ZERO WIDTH JOINER}👩🏽\N{ZERO WIDTH JOINER}👧🏽",
    "❤️",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "1️⃣",
    "X" + "\N{COMBINING ACUTE ACCENT}",
    "!",
]

INVISIBLE = [
    "",
    "   ",
    "\N{HANGUL FILLER}",
    "\N{HALFWIDTH HANGUL FILLER}" * 3,
    "\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}",
    "\N{BRAILLE PATTERN BLANK} \N{BRAILLE PATTERN BLANK}",
    "\N{ZERO WIDTH JOINER}",
    "\N{ZERO WIDTH NON-JOINER} \N{ZERO WIDTH JOINER}",
    "\N{COMBINING GRAPHEME JOINER}",
    "\N{VARIATION SELECTOR-16}",
    "\U000e0067\U000e007f",
]

FORBIDDEN = [
    "Ada\nBo",
    "Ada\tBo",
    "Ada\x00",
    "\N{RIGHT-TO-LEFT OVERRIDE}adA",
    "Ada\N{RIGHT-TO-LEFT ISOLATE}",
    "Ada\N{LINE SEPARATOR}Bo",
    "Ada\N{ZERO WIDTH SPACE}",
    "Ada\N{SOFT HYPHEN}",
    "Ada\ue000",
    "\ud800",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_people_stay_as_they_are(name: str) -> None:
    assert read_name(f" {name} ") == name
    assert Rename(key="k", seat=0, name=name).name == name


def test_names_come_in_in_one_form() -> None:
    assert Rename(key="k", seat=0, name="Zoe\u0308").name == "Zoë"
    assert Rename(key="k", seat=0, name="e\u0301" * LONGEST_NAME).name == "é" * LONGEST_NAME
    with pytest.raises(ValueError, match="at most 40"):
        Rename(key="k", seat=0, name="\N{DEVANAGARI LETTER QA}" * LONGEST_NAME)  # two characters in this form


@pytest.mark.parametrize("name", INVISIBLE, ids=ascii)
def test_invisible_name_is_empty(name: str) -> None:
    assert read_name(name) == ""


@pytest.mark.parametrize("name", FORBIDDEN, ids=ascii)
def test_control_characters_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="one line of printable characters"):
        read_name(name)


OVER = Outcome((0,), "points", "E11.1")


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        (" a\t b\r\nc ", "a b c"),
        ("\u202eabc\u2066\u200f", "abc"),
        ("a\x00\x1b[31mb\ufffeb", "a[31mbb"),
        ("Z" + "\u0301" * 40 + "a", "\u0179" + "\u0301" * 4 + "a"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("cafe\u0301", "café"),
    ],
)
def test_chat_text_is_one_line_of_visible_characters(said: str, stored: str) -> None:
    assert read_line(said) == stored


@pytest.mark.parametrize("said", ["", " \n", "\u200b\u202e", "\u3164", "\u0301\u0301"])
def test_invisible_chat_text_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match="visible character"):
        read_line(said)


@given(st.text(max_size=300))
def test_cleaning_chat_text_is_idempotent(said: str) -> None:
    try:
        line = read_line(said)
    except ValueError:
        return
    assert read_line(line) == line
    assert "\n" not in line


def table(*users: str | None, over: bool = False) -> Table:
    seats = tuple(Seat("open", "", number, session=user) for number, user in enumerate(users))
    none: Any = None
    made = RaceTable(game="any", options={}, seed=0, seats=seats, play=none)
    return changed(made, outcome=OVER) if over else made


def test_rooms_follow_the_course_of_the_game() -> None:
    free, running, over = table("ada", None), table("ada", "bo"), table("ada", "bo", over=True)
    assert [room_of(now, "ada") for now in (free, running, over)] == ["all", "players", "all"]
    assert [room_of(now, "cy") for now in (free, running, over)] == ["all", "watchers", "all"]
    assert [sorted(rooms_heard(now, "ada")) for now in (running, over)] == [
        ["all", "players"],
        ["all", "players", "watchers"],
    ]
    assert sorted(rooms_heard(over, "cy")) == ["all", "watchers"]


def test_silence_ends_by_itself() -> None:
    rights = RightsRow("ada", silenced_until=NOW + timedelta(hours=1))
    assert rights.silence(NOW) == rights.silenced_until
    assert rights.silence(NOW + timedelta(hours=1)) is None
    assert RightsRow("ada").silence(NOW) is None
