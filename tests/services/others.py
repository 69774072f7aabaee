"""Programs that the files of `deploy/` are tried with."""

from __future__ import annotations

import shutil

__all__ = ["nginx", "systemd_analyze"]

_PLACES = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"


def nginx() -> str | None:
    """Return where nginx is, None if it is not."""
    return shutil.which("nginx", path=_PLACES)


def systemd_analyze() -> str | None:
    """Return where systemd's own checks are, None if they are not."""
    return shutil.which("systemd-analyze", path=_PLACES)
