"""docs/python.md: its examples run one after the other, in one program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")


def test_the_examples_run() -> None:
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert len(examples) > 5
    done = subprocess.run(
        [sys.executable, "-c", "".join(examples)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
