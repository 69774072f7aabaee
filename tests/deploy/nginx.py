"""The real nginx with the configuration of `deploy/`, on free ports and with a certificate of its own."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from ssl import SSLContext, create_default_context

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.kit.server import free_port
from tests.services.programs import find

NAME = "localhost"
FRAME = Path(__file__).parents[2] / "deploy" / "nginx" / "nginx.conf"
PARTS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True)
class Proxy:
    """A running nginx. plain, port: where it speaks HTTP and HTTPS; trust: knows its certificate."""

    plain: int
    port: int
    trust: SSLContext

    @property
    def address(self) -> str:
        return f"https://{NAME}:{self.port}"


def configure(folder: Path, source: Path, server: str) -> Proxy:
    """Write a configuration of `deploy/` into a folder, for other ports. server: where Ekoes is."""
    plain, port = free_port(), free_port()
    changes = {
        r"listen \[::\].*;": "",
        r"listen 80;": f"listen 127.0.0.1:{plain};",
        r"listen 443 ": f"listen 127.0.0.1:{port} ",
        r"server_name .*;": f"server_name {NAME};",
        r"(ssl_certificate(_key)?) .*;": rf"\1 {folder}/\1.pem;",
        r"( +server) \S+:8765;": rf"\1 {server};",
    }
    frame = {
        r"user .*;": "user root;",
        r"(pid|error_log) \S+/": rf"\1 {folder}/",
        r"include /etc/nginx/conf.d/.*;": f"include {folder}/ekoes.conf;",
        r"http {": "\n".join(["http {", *(f"{part}_temp_path {folder}/{part};" for part in PARTS)]),
        r"worker_processes auto;": "worker_processes 1;",
    }
    for place, name, pairs in ((source, "ekoes.conf", changes), (FRAME, "nginx.conf", frame)):
        text = place.read_text("utf-8")
        for pattern, instead in pairs.items():
            text, number = re.subn(pattern, instead, text)
            assert number, pattern
        (folder / name).write_text(text, "utf-8")
    certify(folder)
    return Proxy(plain, port, create_default_context(cafile=folder / "ssl_certificate.pem"))


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """Run nginx with what stands in a folder; it listens once the command returns."""
    place = ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    command = [find("nginx"), *place]
    for more in (["-t"], []):
        done = subprocess.run([*command, *more], stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 0, done.stderr
    try:
        yield
    finally:
        subprocess.run([*command, "-s", "stop"], check=True)


def certify(folder: Path) -> None:
    """Write a certificate that only the test trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "ssl_certificate.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "ssl_certificate_key.pem").write_bytes(secret)
