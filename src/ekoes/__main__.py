"""``python -m ekoes``: the same as the command ``ekoes``."""

from __future__ import annotations

from ekoes.cli.main import run

if __name__ == "__main__":
    run()
