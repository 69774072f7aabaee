"""A script that converts SVG on stdin to PNG on stdout; it imports nothing of Ekoes, to start fast."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import resvg_py

_MEMORY = 1 << 30
_SECONDS = 10
_FONT = Path(__file__).with_name("DejaVuSans-Bold.ttf")


def png(svg: str) -> bytes:
    """Render an SVG document to PNG. Raises ValueError if it is invalid."""
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[str(_FONT)])


def _set_limits() -> None:
    """Limit memory and CPU time, if the system supports it."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))


if __name__ == "__main__":
    _set_limits()
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode()))
