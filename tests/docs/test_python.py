"""docs/python.md: its examples run one after the other, in one program."""

from __future__ import annotations

from tests.docs.pages import fences, read, run_python


def test_the_examples_run() -> None:
    examples = fences(read("docs/python.md"), "python")
    assert len(examples) > 5
    run_python("".join(examples))
