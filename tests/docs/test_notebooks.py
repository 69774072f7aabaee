"""The notebooks of docs/notebooks run from top to bottom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, run_python

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def code(notebook: Path) -> str:
    """Return the code of a notebook as a program."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "code")


@pytest.mark.long
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    run_python(code(notebook))
