"""Names of people in many scripts, and what is none."""

from __future__ import annotations

import pytest

from ekoes.tables.orders import Rename, read_name

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
    "A" + "\N{COMBINING ACUTE ACCENT}",
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


@pytest.mark.parametrize("name", INVISIBLE, ids=ascii)
def test_invisible_name_is_empty(name: str) -> None:
    assert read_name(name) == ""


@pytest.mark.parametrize("name", FORBIDDEN, ids=ascii)
def test_control_characters_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="one line of printable characters"):
        read_name(name)
