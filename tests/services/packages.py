"""Debian's packages, where they may be had."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

_PATIENT = ("-o", "DPkg::Lock::Timeout=300")
"""Seconds for which apt-get waits for somebody else who installs something."""

NOT_HAD = """\
The tests need {0}, and there is none here; apt-get (as root) could not bring it.
Install it, and start again."""


def get(*names: str) -> None:
    """Try apt-get where it may be used."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        _try("apt-get", *_PATIENT, "update", "-q")
        _try("apt-get", *_PATIENT, "install", "-q", "-y", "--no-install-recommends", *names)


def _try(*command: str) -> None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=quiet)
