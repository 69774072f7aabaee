"""Work that kills its worker, apart from the tests: workers import no more than this."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Self


class Deadly:
    """Work whose worker dies as it does a piece: so often as there are lives in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self, piece: int) -> int:
        if piece == 3:
            for life in self.folder.iterdir():
                life.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
        if piece == 99:
            raise ValueError("no such piece")
        return piece * piece
