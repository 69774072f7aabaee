"""A real server in its own process, which a test may end and start again."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
PROGRAM = "from ekoes.cli.main import run; run()"


class Server:
    """`ekoes play` on a free port, its games in a folder of their own; the port stays over restarts.

    deals: the orders in which EKKO's cards lie, one deal after the other; else they are shuffled.
    page: the folder of another page than the one that was built here. options: of `ekoes play`. is_timed: a
    test may put its clock forward.
    """

    def __init__(
        self,
        data: Path,
        deals: list[list[int]] | None = None,
        page: Path | None = None,
        *options: str,
        is_timed: bool = False,
    ) -> None:
        self.data = data
        self.is_timed = is_timed
        self.options = options
        self.deals = deals
        self.page = page
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start, and return as soon as the server says that it answers."""
        log = self.data / "server.log"
        with log.open("a", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                self._command(),
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                text=True,
            )
        assert self.process.stdout
        for line in self.process.stdout:
            if found := ADDRESS.search(line):
                self.port = int(found[1])
                return
        raise RuntimeError(log.read_text("utf-8"))

    def _command(self) -> list[str]:
        if self.is_timed:
            return [sys.executable, "-m", "tests.e2e.timed", str(self.data), str(self.port)]
        if self.deals is None and self.page is None:
            play = [sys.executable, "-c", PROGRAM, "play", "--no-browser"]
            return [*play, "--port", str(self.port), "--data", str(self.data), *self.options]
        deals = self.data / "deals.json"
        deals.write_text(json.dumps(self.deals), "utf-8")
        dealt = [sys.executable, "-m", "tests.e2e.dealt", str(self.data), str(self.port), str(deals)]
        return [*dealt, *([] if self.page is None else [str(self.page)])]

    def forward(self, seconds: float) -> None:
        """Let time pass at once for the server."""
        with urlopen(Request(f"{self.address}/forward/{seconds}", method="POST")) as answer:  # noqa: S310
            answer.read()

    def go(self) -> None:
        """Tell the server to go, as for a restart, and wait until it has gone."""
        assert self.process
        self.process.terminate()
        self.process.communicate(timeout=60)
        self.process = None

    def stop(self) -> None:
        """End the server at once, as a lost machine would."""
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None
