"""A script that converts SVG on stdin to PNG or GIF on stdout; it imports nothing of Ekoes, to start fast.

Its arguments: ``png`` or ``gif``, and the seconds of CPU time that it may take. The frames of a GIF are
documents with a NUL between them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import resvg_py

_MEMORY = 1 << 30
_FONT = Path(__file__).with_name("DejaVuSans-Bold.ttf")
_GIF_WIDTH = 640
_FRAME, _LAST_FRAME = 500, 4000
"""Milliseconds that a frame stays."""
_SAMPLE = 8
"""Frames from which the palette is made, about."""


def png(svg: str, width: int | None = None) -> bytes:
    """Render an SVG document to PNG. Raises ValueError if it is invalid."""
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[str(_FONT)], width=width)


def gif(svgs: Sequence[str]) -> bytes:
    """Render SVG documents to an animated GIF that holds the last one. Raises ValueError."""
    from PIL import Image  # noqa: PLC0415 - a PNG needs none

    def frame(svg: str) -> Image.Image:
        return Image.open(BytesIO(png(svg, _GIF_WIDTH))).convert("RGB")

    frames = [frame(svg) for svg in svgs]
    # one palette for all, so that what stands still stays the same
    sample = frames[:: -max(1, len(frames) // _SAMPLE)]
    together = Image.new("RGB", (_GIF_WIDTH, sum(one.height for one in sample)))
    for number, one in enumerate(sample):
        together.paste(one, (0, number * one.height))
    palette = together.quantize(dither=Image.Dither.NONE)
    first, *others = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in frames]
    stays = [_FRAME] * len(others) + [_LAST_FRAME]
    made = BytesIO()
    first.save(made, "GIF", save_all=True, append_images=others, duration=stays, loop=0)
    return made.getvalue()


def _set_limits(seconds: int) -> None:
    """Limit memory and CPU time, if the system supports it."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


if __name__ == "__main__":
    kind, seconds = sys.argv[1:]
    _set_limits(int(seconds))
    given = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(gif(given.split("\0")) if kind == "gif" else png(given))
