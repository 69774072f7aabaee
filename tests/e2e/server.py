"""A real server in its own process, which a test may end and start again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from signal import SIGKILL, SIGTERM
from urllib.request import Request, urlopen

from tests.started import Forked, Started

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


class Server:
    """`ekoes play` on a free port, its games in a folder of their own; the port stays over restarts.

    deals: the orders in which EKKO's cards lie, one deal after the other; else they are shuffled.
    page: the folder of another page than the one that was built here. options: of `ekoes play`. is_timed: a
    test may put its clock forward. way: how its process begins.
    """

    def __init__(
        self,
        data: Path,
        deals: list[list[int]] | None = None,
        page: Path | None = None,
        *options: str,
        is_timed: bool = False,
        way: type[Started] = Forked,
    ) -> None:
        self.data = data
        self.is_timed = is_timed
        self.options = options
        self.deals = deals
        self.page = page
        self.port = 0
        self._way = way
        self._process: Started | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start, and return as soon as the server says that it answers."""
        log = self.data / "server.log"
        self._process = self._way(log, *self._command())
        for line in self._process.told:
            if found := ADDRESS.search(line):
                self.port = int(found[1])
                return
        raise RuntimeError(log.read_text("utf-8"))

    def _command(self) -> list[str]:
        """Return a module and its arguments."""
        if self.is_timed:
            return ["tests.e2e.timed", str(self.data), str(self.port)]
        if self.deals is None and self.page is None:
            play = ["ekoes", "play", "--no-browser"]
            return [*play, "--port", str(self.port), "--data", str(self.data), *self.options]
        deals = self.data / "deals.json"
        deals.write_text(json.dumps(self.deals), "utf-8")
        dealt = ["tests.e2e.dealt", str(self.data), str(self.port), str(deals)]
        return [*dealt, *([] if self.page is None else [str(self.page)])]

    def forward(self, seconds: float) -> None:
        """Let time pass at once for the server."""
        with urlopen(Request(f"{self.address}/forward/{seconds}", method="POST")) as answer:  # noqa: S310
            answer.read()

    def go(self) -> None:
        """Tell the server to go, as for a restart, and wait until it has gone."""
        assert self._process
        self._process.end(SIGTERM)
        self._process = None

    def stop(self) -> None:
        """End the server at once, as a lost machine would."""
        if self._process:
            self._process.end(SIGKILL)
            self._process = None
