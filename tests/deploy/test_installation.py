"""The quick start of running.md on a Debian made from nothing: its commands, run as they are written.

The first block of commands runs with the machine's network. The second one runs under systemd, started in a
container without a network (so that the machine's ports don't matter), with Pebble as certificate authority.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.nginx import certify
from tests.docs.pages import ROOT, fences, read
from tests.services.programs import find

PACKAGES = "ca-certificates,dbus,systemd-sysv"
"""What each Debian server has, and the smallest one that debootstrap makes lacks."""
PASSED_ON = re.compile(r"PIP_|NPM_|NODE_|_PROXY|CERT|CA_BUNDLE|_CAINFO", re.IGNORECASE)
"""Variables of the environment by which this machine reaches its registries."""
AUTHORITY = {
    "listenAddress": "127.0.0.1:14000",
    "managementListenAddress": "127.0.0.1:15000",
    "certificate": "/srv/ssl_certificate.pem",
    "privateKey": "/srv/ssl_certificate_key.pem",
    "httpPort": 80,
    "tlsPort": 443,
}
UNIT = """\
[Unit]
After=nginx.service
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
WorkingDirectory=/opt/ekoes/src
TimeoutStartSec=5min
Environment=CURL_CA_BUNDLE=/srv/root.pem REQUESTS_CA_BUNDLE=/srv/ssl_certificate.pem
ExecStart=/bin/bash -eux /srv/second
StandardOutput=append:/srv/log
StandardError=append:/srv/log
"""
SECOND = """\
trap 'journalctl --no-pager --lines 40' ERR
systemd-run --setenv=PEBBLE_VA_NOSLEEP=1 pebble -config /srv/pebble.json
curl --silent --insecure --retry 20 --retry-connrefused --output /srv/root.pem https://localhost:15000/roots/0
{commands}
certbot renew --force-renewal --no-random-sleep-on-renew
served() {{ openssl s_client -connect "$name:443" < /dev/null | openssl x509 -noout -serial; }}
until [ "$(served)" = "$(openssl x509 -noout -serial -in "/etc/letsencrypt/live/$name/cert.pem")" ]; do
    sleep 0.1
done
curl --fail "https://$name/readyz"
systemctl is-active certbot.timer ekoes-backup.timer
"""
"""Starts the authority, runs the commands, renews the certificate, waits until nginx shows the new one."""


def run(*command: str | Path) -> str:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command[0]}: {done.stdout[-8000:]}"
    return done.stdout


def pip_settings() -> dict[str, str]:
    """Return this machine's settings of pip, from wherever it has them; those of the environment win."""
    lines = [line.partition("=") for line in run(sys.executable, "-m", "pip", "config", "list").splitlines()]
    lines.sort(key=lambda line: line[0].startswith(":env:"))
    return {name.rpartition(".")[2]: " ".join(ast.literal_eval(value).split()) for name, _, value in lines}


def local_folders(settings: dict[str, str]) -> Iterator[Path]:
    """Yield what pip's settings name on this machine; a folder of pages lies beside that of its files."""
    for found in re.findall(r"/[^/\s]\S*", " ".join(settings.values())):
        path = Path(found)
        if path.exists():
            yield path.parent if path.name == "simple" else path


@pytest.fixture
def debian(tmp_path: Path) -> Iterator[Path]:
    """Make the smallest Debian (or Ubuntu) of this machine's release in a folder."""
    form = ("--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages")
    mirror, release = run("apt-get", "indextargets", *form).splitlines()[0].split()
    root = tmp_path / "root"
    try:
        run(find("debootstrap"), "--variant=minbase", f"--include={PACKAGES}", release, root, mirror)
        yield root
    finally:
        shutil.rmtree(root, ignore_errors=True)


@pytest.mark.long
def test_quick_start_on_an_empty_debian(debian: Path) -> None:
    quick_start = read("docs/operations/running.md").partition("## At home")[0]
    first, second = fences(quick_start, "sh root")
    run("git", "clone", "--bare", ROOT, debian / "srv/ekoes.git")
    certify(debian / "srv")
    settings = pip_settings()
    for name, text in {
        "etc/gitconfig": '[url "/srv/ekoes.git"]\n    insteadOf = https://ekoes.example/ekoes.git\n',
        "etc/pip.conf": "\n".join(["[global]", *(f"{key} = {value}" for key, value in settings.items())]),
        "etc/hosts": "127.0.0.1 localhost games.example\n",
        "root/.config/letsencrypt/cli.ini": "server = https://localhost:14000/dir\n",
        "etc/systemd/system/second.service": UNIT,
        "srv/pebble.json": json.dumps({"pebble": AUTHORITY}),
        "srv/first": first + "apt-get install --yes pebble\n",
        "srv/second": SECOND.format(commands=second),
        "usr/sbin/policy-rc.d": "#!/bin/sh\nexit 101\n",
    }.items():
        (debian / name).parent.mkdir(parents=True, exist_ok=True)
        (debian / name).write_text(text, "utf-8")
    (debian / "usr/sbin/policy-rc.d").chmod(0o755)  # services start with systemd, not when installed

    container = [find("nspawn"), "--quiet", "--directory", str(debian)]
    if not Path("/run/systemd/system").is_dir():
        container += ["--register=no", "--keep-unit"]
    own = filter(Path.exists, [Path("/etc/apt"), Path("/etc/ssl/certs"), Path.home() / ".npmrc"])
    binds = [f"--bind-ro={path}" for path in sorted({*own, *local_folders(settings)})]
    passed = [f"--setenv={name}" for name in os.environ if PASSED_ON.search(name)]
    run(*container, "--pipe", *binds, *passed, "bash", "-eux", "/srv/first")
    booted = [*container, "--private-network", "--boot", "systemd.wants=second.service"]
    done = subprocess.run(booted, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 0, (debian / "srv/log").read_text("utf-8")[-9000:]
