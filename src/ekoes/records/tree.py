"""Records with variations, comments and signs: lines after a ``;``, which other readers skip as comments."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

from ekoes.games.api.contract import Outcome, Position
from ekoes.games.api.table import Decision
from ekoes.records.referee import GameRecord, Referee, book_of
from ekoes.records.text import (
    VARIATIONS,
    Item,
    Lines,
    Reader,
    decision_item,
    head,
    joined,
    lines_of,
    quoted,
    result_line,
    write_record,
)

Sign = Literal["!!", "!", "!?", "?!", "?", "??"]
SIGNS: tuple[str, ...] = get_args(Sign)
"""Very good, good, interesting, doubtful, bad, very bad."""
_YES = "yes"
_Step = Literal["follow", "branch", "close"]


@dataclass(frozen=True, slots=True)
class Node:
    """A decision of a tree of variations; the first node of a tree is the start, without a decision.

    parent: the number in the tree of the node before. sign: one of ``SIGNS``, or empty.
    """

    parent: int = 0
    decision: Decision | None = None
    sign: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class GameTree:
    """A game with its variations. record: the game, which is the main line.

    nodes: in the order of the file: a decision, those that were possible in its place, what follows it. The
    first child of a node is its main line.
    """

    record: GameRecord
    nodes: tuple[Node, ...]

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing but the game."""
        is_annotated = any(node.sign or node.comment for node in self.nodes)
        return not is_annotated and len(self.nodes) == len(self.record.decisions) + 1


def read_tree(text: str) -> GameTree:
    """Read a record with its variations, every decision of which is judged.

    Raises RecordError with the line and the reason.
    """
    return _TreeReader(lines_of(text)).tree()


def write_tree(tree: GameTree) -> str:
    """Write a record with its variations; without any it is the same as ``write_record``.

    Raises IllegalActionError if a decision is illegal.
    """
    if tree.is_plain:
        return write_record(tree.record)
    record, book = tree.record, book_of(tree.record.game)
    body = joined(_Body(tree).items())
    tags = head(record, book, {VARIATIONS: _YES})
    return "\n".join([*tags, "", *body, "", result_line(record.outcome), ""])


def children_of(nodes: Sequence[Node]) -> list[list[int]]:
    """Return the numbers of the nodes after each node."""
    children: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes[1:], 1):
        children[node.parent].append(number)
    return children


def main_line(nodes: Sequence[Node]) -> list[int]:
    """Return the numbers of the nodes of the main line, without the start."""
    children, line = children_of(nodes), [0]
    while children[line[-1]]:
        line.append(children[line[-1]][0])
    return line[1:]


class _Body:
    """Writes the body of a tree: its items in order; depth 0 is the main line."""

    def __init__(self, tree: GameTree) -> None:
        self.nodes = tree.nodes
        self.start = tree.record.start
        self.book = book_of(tree.record.game)
        self.children = children_of(tree.nodes)
        self.positions: dict[int, Any] = {0: self.start}

    def items(self) -> Iterator[Item]:
        """Yield the items, with a stack in place of recursion, as a tree may be deeper than Python's."""
        yield from self._noted(0, 0)
        todo: list[tuple[_Step, int, int]] = [("follow", 0, 0)]
        while todo:
            step, number, depth = todo.pop()
            if step == "close":
                yield Item(")", before=_indent(depth))
            elif step == "branch":
                yield Item("(", before=_indent(depth))
                yield from self._played(number, depth + 1)
                todo += [("close", number, depth), ("follow", number, depth + 1)]
            elif self.children[number]:
                main, *others = self.children[number]
                yield from self._played(main, depth)
                todo.append(("follow", main, depth))
                todo += [("branch", other, depth) for other in reversed(others)]

    def _played(self, number: int, depth: int) -> Iterator[Item]:
        node = self.nodes[number]
        decision = cast("Decision", node.decision)  # only the start has none
        there = self.positions[node.parent]
        after = self.positions[number] = self.book.follow(there, decision.seat, decision.action)
        before = _indent(depth) if depth else ""
        yield decision_item(self.book.number(there), decision, self.book, self.start, before)
        summary = None if depth else self.book.summary(there, after)
        if summary is not None:
            yield Item(summary)
        yield from self._noted(number, depth)

    def _noted(self, number: int, depth: int) -> Iterator[Item]:
        node = self.nodes[number]
        if node.sign:
            yield Item(node.sign, before=_indent(depth))
        if node.comment:
            yield Item(json.dumps(node.comment, ensure_ascii=False), before=_indent(depth))


def _indent(depth: int) -> str:
    return f"; {'  ' * depth}"


@dataclass(slots=True)
class _Place:
    """A place in a variation. before: position and referee before its last decision, None at its start."""

    at: int
    position: Any
    referee: Any
    before: tuple[Any, Any] | None = None
    line: int = 0


class _TreeReader(Reader):
    """Reads the lines after a ``;`` too, with a stack of the open variations."""

    def __init__(self, lines: Lines) -> None:
        super().__init__(lines)
        self.nodes: list[Node] = [Node()]
        self.open: list[_Place] = []
        self.siblings: set[tuple[int, int, Any]] = set()

    def tree(self) -> GameTree:
        return GameTree(self.record(), tuple(self.nodes))

    def _read_tags(self) -> list[tuple[int, str]]:
        body = super()._read_tags()
        if self.tags.get(VARIATIONS) is None:
            return body
        if self.tags[VARIATIONS] != _YES:
            self._fail_tag(VARIATIONS, f"is written {_YES}, not {quoted(self.tags[VARIATIONS])}")
        last = max(self.tag_lines.values())
        return sorted(body + [one for one in self.lines if one[0] > last and one[1].startswith(";")])

    def _play(self, body: list[tuple[int, str]], position: Position, referee: Referee[Any]) -> Outcome | None:
        if VARIATIONS in self.tags and self.book.table_from_tags(self.tags) is not None:
            self._fail_tag(VARIATIONS, "the game of a live table has none")
        self.open = [_Place(0, position, referee)]
        return super()._play(body, position, referee)

    def _turn(self, line: str, position: Position, referee: Referee[Any]) -> Position:
        if line.startswith(";"):
            self._extra(line[1:].strip())
        elif line:
            self._check_closed()
            return super()._turn(line, position, referee)
        return position

    def _outcome(self, line: str, position: Position, referee: Referee[Any]) -> Outcome | None:
        self._check_closed()
        return super()._outcome(line, position, referee)

    def _check_closed(self) -> None:
        if len(self.open) > 1:
            self._fail(f"the variation that line {self.open[-1].line} opens needs a ')'")

    def _extra(self, text: str) -> None:
        """Read a line after a ``;``."""
        here = self.open[-1]
        if text == "(":
            self._open_variation(here)
        elif text == ")":
            if len(self.open) == 1:
                self._fail("there is no variation that this ')' could close")
            if here.before is None:
                self._fail("a variation has at least one decision")
            self.open.pop()
        elif text in SIGNS:
            if here.before is None or self.nodes[here.at].sign:
                self._fail("a sign stands behind a decision, one for each")
            self.nodes[here.at] = replace(self.nodes[here.at], sign=text)
        elif text.startswith('"'):
            self._comment(here, text)
        elif len(self.open) > 1:
            super()._turn(text, here.position, here.referee)
        elif text:
            message = f"""after ';' stands '(', ')', a sign or a comment in quotes, not {quoted(text)}"""
            self._fail(message)

    def _open_variation(self, here: _Place) -> None:
        if here.before is None:
            self._fail("a variation stands behind the decision that it replaces")
        position, referee = here.before
        parent = self.nodes[here.at].parent
        self.open.append(_Place(parent, position, deepcopy(referee), line=self.number))

    def _comment(self, here: _Place, text: str) -> None:
        if here.before is None and len(self.open) > 1:
            self._fail("a comment stands behind a decision, or before the first of the game")
        if self.nodes[here.at].comment:
            self._fail("a decision has one comment")
        try:
            comment = json.loads(text)
            comment.encode()  # half a surrogate pair is no text
        except ValueError as error:
            self._fail(f"a comment is a JSON string, not {quoted(text)}", error)
        self.nodes[here.at] = replace(self.nodes[here.at], comment=comment)

    def _decision(
        self, seat: int, word: str, note: str | None, position: Position, referee: Referee[Any]
    ) -> Position:
        here = self.open[-1]
        before = (here.position, deepcopy(here.referee))
        if len(self.open) == 1:
            here.position = super()._decision(seat, word, note, position, referee)
            decision = self.decisions[-1]
        else:
            decision, here.position = self._judged(seat, word, note, here.position, here.referee)
        sibling = (here.at, decision.seat, decision.action)
        if sibling in self.siblings:
            self._fail(f"{quoted(word)} is in the tree already: a variation begins with another decision")
        self.siblings.add(sibling)
        self.nodes.append(Node(here.at, decision))
        here.at, here.before = len(self.nodes) - 1, before
        after: Position = here.position
        return after
