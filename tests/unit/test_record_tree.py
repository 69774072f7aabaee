"""Records with variations, comments and signs: round trips, damage, and readers that skip them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ekoes.errors import RecordError
from ekoes.games.eko.game import EKO
from ekoes.records import (
    Decision,
    GameRecord,
    GameTree,
    Node,
    read_record,
    read_tree,
    write_record,
    write_tree,
)
from ekoes.records.tree import SIGNS, children_of, main_line
from tests.kit.examples import property_settings
from tests.unit.games import ALL_VARIANTS, random_game
from tests.unit.test_record import change

_signs = st.sampled_from(["", *SIGNS])
_times = st.sampled_from([None, 1250])


@st.composite
def trees(draw: st.DrawFn) -> GameTree:
    """A tree of random legal decisions."""
    variants = draw(st.lists(st.sampled_from(ALL_VARIANTS), unique=True))
    start = EKO.new({"players": draw(st.integers(2, 4)), "variants": variants}, draw(st.integers(0, 999)))
    grown, positions = [Node(comment=draw(st.text(max_size=9)))], [start]
    for _ in range(draw(st.integers(0, 25))):
        parent = draw(st.integers(max(0, len(grown) - 4), len(grown) - 1))
        (seat,) = positions[parent].actors()
        legal = positions[parent].legal(seat)
        action = legal[draw(st.integers(0, len(legal) - 1))]
        if all(
            one.decision is None or (one.parent, one.decision.action) != (parent, action) for one in grown
        ):
            decision = Decision(seat, action, draw(_times))
            grown.append(Node(parent, decision, draw(_signs), draw(st.text(max_size=20))))
            positions.append(positions[parent].play(seat, action))
    nodes = in_file_order(grown)
    decisions = tuple(one for number in main_line(nodes) if (one := nodes[number].decision))
    return GameTree(GameRecord("eko", start, decisions), nodes)


def in_file_order(grown: list[Node]) -> tuple[Node, ...]:
    """A decision, those that were possible in its place with what follows them, what follows it."""
    children, made = children_of(grown), [grown[0]]

    def added(number: int, parent: int) -> int:
        one = grown[number]
        made.append(Node(parent, one.decision, one.sign, one.comment))
        return len(made) - 1

    def follow(number: int, there: int) -> None:
        if children[number]:
            main, *others = children[number]
            after = added(main, there)
            for other in others:
                follow(other, added(other, there))
            follow(main, after)

    follow(0, 0)
    return tuple(made)


@property_settings(60)
@given(trees())
def test_reading_undoes_writing(tree: GameTree) -> None:
    text = write_tree(tree)
    again = read_tree(text)
    assert again == tree
    assert write_tree(again) == text
    record = read_record(text)
    assert record == tree.record, "other readers see the game alone"
    assert write_record(record) == write_record(tree.record)


def grown_tree() -> GameTree:
    """Four decisions, one of which could have been another."""
    (start, *_), *_ = steps = list(random_game(7, 4))
    nodes = [
        Node(comment="The start"),
        *(Node(n, Decision(seat, action)) for n, (_, seat, action) in enumerate(steps)),
    ]
    position, seat, played = steps[1]
    other = next(action for action in position.legal(seat) if action != played)
    nodes[2:3] = [
        Node(1, Decision(seat, played), "!?", 'A "plan"; ü\n'),
        Node(1, Decision(seat, other), "??"),
    ]
    nodes[4:] = [Node(2, nodes[4].decision), Node(4, nodes[5].decision)]
    decisions = tuple(nodes[number].decision or Decision(0, None) for number in (1, 2, 4, 5))
    return GameTree(GameRecord("eko", start, decisions), tuple(nodes))


def test_what_variations_look_like() -> None:
    lines = write_tree(grown_tree()).split("\n")
    assert '[Variations "yes"]' in lines
    body = [line.split(": ")[0] for line in lines[lines.index("") + 1 :]]
    assert body[:5] == ['; "The start"', "0. seat 0", "0. seat 1", "; !?", '; "A \\"plan\\"; ü\\n"']
    assert body[5:9] == ["; (", ";   0. seat 1", ";   ??", "; )"]


def test_comments_of_other_records_stay_comments() -> None:
    tree = grown_tree()
    plain = write_tree(tree).replace('[Variations "yes"]\n', "").replace("; (", "; (broken")
    again = read_tree(plain)
    assert (again.record, again.is_plain) == (tree.record, True)
    assert write_tree(again) == write_record(tree.record)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (change('Variations "yes"', 'Variations "no"'), "tag Variations: is written yes, not 'no'"),
        (change("; (\n", "; (\n; (\n"), "a variation stands behind the decision that it replaces"),
        (change("; (\n", '; (\n; "early"\n'), "a comment stands behind a decision"),
        (change("; (\n", "; (\n; )\n"), "a variation has at least one decision"),
        (change("; )\n", ""), "opens needs a ')'"),
        (change("; )\n", "; )\n; )\n"), "no variation that this ')' could close"),
        (change("; !?", "; !?\n; !"), "one for each"),
        (change("; !?", "; !?!"), "stands '(', ')', a sign or a comment in quotes, not '!?!'"),
        (change('; "A', '; "one"\n; "A'), "a decision has one comment"),
        (change("ü", "\\ud800"), "a comment is a JSON string"),
        (change("ü", '"'), "a comment is a JSON string"),
        (change(";   0. seat 1: ", ";   0. seat 1: march "), "'march': E12"),
        (change(";   0. seat 1: ", ";   1. seat 1: "), "here comes '0. seat 1'"),
    ],
)
def test_damage_is_named_by_line_and_reason(damage: Callable[[str], str], reason: str) -> None:
    text = write_tree(grown_tree())
    damaged = damage(text)
    assert damaged != text
    with pytest.raises(RecordError, match=r"^line \d+: ") as caught:
        read_tree(damaged)
    assert reason in str(caught.value)
    assert read_record(damaged) == read_record(text)


def test_a_variation_does_not_repeat_the_decision_that_it_replaces() -> None:
    text = write_tree(grown_tree())
    played = next(line for line in text.split("\n") if line.startswith("0. seat 1"))
    with pytest.raises(RecordError, match="is in the tree already"):
        read_tree(text.replace("; )\n", f"; )\n; (\n; {played}\n; )\n"))
