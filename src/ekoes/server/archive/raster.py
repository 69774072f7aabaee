"""A process of its own that makes one picture: an SVG document comes in, a PNG file goes out.

It is started as a file and imports nothing of the rest, so it is there at once.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import resvg_py

__all__ = ["png"]

_MEMORY = 1 << 30
_SECONDS = 10
_FONT = Path(__file__).with_name("DejaVuSans-Bold.ttf")


def png(svg: str) -> bytes:
    """Return an SVG document as a PNG file. Raises ValueError where it is none."""
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[str(_FONT)])


def _bound() -> None:
    """Take no more memory and time than any picture needs, where the system can see to it."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))


if __name__ == "__main__":
    _bound()
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode()))
