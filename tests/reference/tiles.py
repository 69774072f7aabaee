"""The tiles of E2.3 and E9, typed in by hand from the rule specification."""

from __future__ import annotations

DIRECTIONS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
"""E2.1: E, NE, NW, W, SW, SE."""

WORDS = {
    ".": "sand",
    "t": "tempest",
    "x": "chasm",
    "r": "reg",
    "c": "canyon",
    "C": "capital",
    "m": "mountain",
    "M": "moon",
    "S": "sandtemple",
    "W": "wind",
    "P": "portal",
}
"""E1.5: letter in the tile tables -> terrain."""

CARRIES = {
    "reg": ["camp"],
    "canyon": ["camp", "tower"],
    "capital": ["camp", "tower"],
    "mountain": ["camp", "tower", "castle"],
    "moon": ["camp"],
    "sandtemple": ["camp"],
    "wind": ["camp"],
}
"""E1.5: what can be built on a terrain; nothing on the ones left out."""

LARGE = {
    "A": "C..x..r",
    "B": ".r..c..",
    "C": "m...x..",
    "D": ".m.c...",
    "E": "r....c.",
    "F": ".c.r.x.",
    "G": ".m.r.r.",
    "H": "C......",
    "I": ".m..r..",
    "J": ".c.r...",
    "K": ".C...r.",
    "L": "m......",
    "M": ".c.x...",
}
"""E2.3: the centre, then directions 0-5."""

GROUPS = {2: "ABCDEFG", 3: "ABCDEFGHIJ", 4: "ABCDEFGHIJKLM"}
"""E1.4: the large tiles in play for a number of players."""

SMALL = {
    "P": [(0, 0), (1, 0), (0, 1)],
    "Q": [(-1, 0), (0, 0), (1, 0)],
    "R": [(0, 0)],
    "S": [(0, 0), (1, 0), (0, 1)],
    "T": [(0, 0)],
    "U": [(0, 0), (1, 0), (0, 1)],
}
"""E9: the cells of the small tiles."""

SMALL_LETTER = {"P": "t", "Q": "t", "R": "P", "S": "t", "T": "W", "U": "t"}
COPIES = {"P": 3, "Q": 3, "R": 2, "S": 2, "T": 1, "U": 1}


def turned(offset: tuple[int, int], rot: int) -> tuple[int, int]:
    """E2.2: an offset after `rot` steps of 60° counter-clockwise."""
    for _ in range(rot):
        offset = (offset[0] + offset[1], -offset[0])
    return offset


def replaced_by_temples(used: set[str]) -> dict[str, str]:
    """E9: temple tile -> the large tile whose place (and form) it takes."""
    replaced = {}
    if "O" in used:
        replaced["O"] = "E"
    if "N" in used:
        replaced["N"] = "B" if "O" in used else "E"
    return replaced


def cells_of(tile: str, used: set[str]) -> list[tuple[tuple[int, int], str]]:
    """The cells of an unturned tile: offset and letter. `used`: all tiles of the layout."""
    if tile in SMALL:
        return [(offset, SMALL_LETTER[tile]) for offset in SMALL[tile]]
    letters = LARGE[tile] if tile in LARGE else LARGE[replaced_by_temples(used)[tile]]
    if tile == "N":
        letters = letters.replace("r", "S")
    if tile == "O":
        letters = letters.replace("r", "M")
    return list(zip([(0, 0), *DIRECTIONS], letters, strict=True))
