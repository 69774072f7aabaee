"""Decisions as numbers, and sets of decisions that differ only in their target.

A *code* is one decision in an int64:

    bits  0– 3  action type    bits 18–20  level or count      bits 25–31  first zone
    bits  4–10  source         bit  21     Emperor             bits 32–38  second zone
    bits 11–17  target         bits 22–24  number of zones     … four at most

The target of a march, an end or a declined swap is NO_SPACE; that of a ransom is the player whose
Emperor is given. A *group* is a code without its target and the set of its targets: decisions are
gathered, counted and drawn as groups, and listed only on demand.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ekoes.games.eko.rules.record import NO_SPACE
from ekoes.games.kernels.bits import (
    EMPTY,
    Bits,
    bit,
    drop_lowest,
    has,
    is_empty,
    lowest,
    read,
    size,
    union,
    write,
)
from ekoes.games.kernels.jit import helper


class ActionType(IntEnum):
    """The kinds of decision (E12)."""

    SWAP = 0
    PLACE = 1
    SANDTEMPLE = 2
    MOVE = 3
    BUILD = 4
    MARCH = 5
    REINFORCE = 6
    MOON = 7
    RANSOM = 8
    END = 9


TYPE_MASK = 15
SPACE_BITS, SPACE_MASK = 7, 127
SOURCE_SHIFT = 4
TARGET_SHIFT = 11
AMOUNT_SHIFT, AMOUNT_MASK = 18, 7
EMPEROR_SHIFT = 21
ZONE_COUNT_SHIFT, ZONE_COUNT_MASK = 22, 7
ZONES_SHIFT = 25
"""The bits of a code, for these kernels and for ``position/position.py``."""


@helper
def make_code(action_type: int, source: int, amount: int, emperor: int) -> int:
    """Return the code of a decision without target and zones."""
    return with_emperor(action_type | (source << SOURCE_SHIFT) | (amount << AMOUNT_SHIFT), emperor)


@helper
def with_emperor(code: int, emperor: int) -> int:
    """Return a code with the Emperor among the discs concerned, if ``emperor`` is 1."""
    return code | (emperor << EMPEROR_SHIFT)


@helper
def zone_code(heads: Bits) -> int:
    """Return the part of a code that names zones. heads: the first space of each, at most four."""
    code = 0
    count = 0
    rest = heads
    while not is_empty(rest):
        space = lowest(rest)
        rest = drop_lowest(rest)
        code |= space << (ZONES_SHIFT + SPACE_BITS * count)
        count += 1
    return code | (count << ZONE_COUNT_SHIFT)


@helper
def action_type_of(code: int) -> int:
    """Return the kind of a decision."""
    return code & TYPE_MASK


@helper
def source_of(code: int) -> int:
    """Return the space that a move or construction starts from."""
    return (code >> SOURCE_SHIFT) & SPACE_MASK


@helper
def target_of(code: int) -> int:
    """Return the target space, the captive of a ransom, or NO_SPACE."""
    return (code >> TARGET_SHIFT) & SPACE_MASK


@helper
def amount_of(code: int) -> int:
    """Return the level that is built, or the number of discs brought back."""
    return (code >> AMOUNT_SHIFT) & AMOUNT_MASK


@helper
def emperor_of(code: int) -> int:
    """Return 1 if the Emperor is spent, lost, placed or brought back, else 0."""
    return (code >> EMPEROR_SHIFT) & 1


@helper
def zones_of(code: int) -> Bits:
    """Return the set of the first spaces of the zones that take a disc."""
    heads = EMPTY
    for index in range((code >> ZONE_COUNT_SHIFT) & ZONE_COUNT_MASK):
        heads = union(heads, bit((code >> (ZONES_SHIFT + SPACE_BITS * index)) & SPACE_MASK))
    return heads


@helper
def add_group(work: np.record, count: int, code: int, targets: Bits) -> int:
    """Append a group unless it has no targets. Returns the new number of groups."""
    if is_empty(targets):
        return count
    work.code[count] = code
    write(work.targets, count, targets)
    return count + 1


@helper
def add_single(work: np.record, count: int, action_type: int) -> int:
    """Append a decision that has no target. Returns the new number of groups."""
    return add_group(work, count, action_type, bit(NO_SPACE))


@helper
def total(work: np.record, count: int) -> int:
    """Return the number of decisions in the first ``count`` groups."""
    decisions = 0
    for index in range(count):
        decisions += size(read(work.targets, index))
    return decisions


@helper
def is_listed(work: np.record, count: int, code: int) -> bool:
    """Whether a decision is in one of the first ``count`` groups."""
    target = target_of(code)
    rest = code & ~(SPACE_MASK << TARGET_SHIFT)
    for index in range(count):
        targets = read(work.targets, index)
        if work.code[index] == rest and has(targets, target):
            return True
    return False


@helper
def nth(work: np.record, rank: int) -> int:
    """Return the code of decision ``rank``, 0 … total - 1, in the order of ``expand``."""
    index = 0
    left = rank
    targets = read(work.targets, 0)
    while left >= size(targets):
        left -= size(targets)
        index += 1
        targets = read(work.targets, index)
    for _ in range(left):
        targets = drop_lowest(targets)
    return work.code[index] | (lowest(targets) << TARGET_SHIFT)


@helper
def expand(work: np.record, count: int, out: np.ndarray, start: int) -> int:
    """Write the codes of all decisions into ``out`` from ``start`` on. Returns the end."""
    end = start
    for index in range(count):
        targets = read(work.targets, index)
        while not is_empty(targets):
            out[end] = work.code[index] | (lowest(targets) << TARGET_SHIFT)
            targets = drop_lowest(targets)
            end += 1
    return end


@helper
def codes_of(work: np.record, count: int) -> np.ndarray:
    """Return the codes of all decisions in the first ``count`` groups, in the order of ``expand``."""
    codes: np.ndarray = np.empty(total(work, count), np.int64)
    expand(work, count, codes, 0)
    return codes
