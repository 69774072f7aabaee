"""A notice as it goes out: sealed for one browser (RFC 8291), signed by this server (RFC 8292)."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import http_ece
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from httpx import URL
from py_vapid import Vapid02, VapidException

from ekoes.errors import AccountError, StorageError
from ekoes.server.keys import check_private, make_once
from ekoes.storage.pushes import Subscription

__all__ = ["Signer", "check_keys", "sealed", "signer"]

_DAY = timedelta(days=1)
_HALF_A_DAY = timedelta(hours=12)
_SECRET_BYTES = 16


def check_keys(p256dh: str, auth: str) -> None:
    """Raise AccountError unless these are the keys of a browser that can open what is sealed for it."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        is_sound = len(_bytes(auth)) == _SECRET_BYTES
    except (ValueError, Base64Error, UnsupportedAlgorithm):
        is_sound = False
    if not is_sound:
        raise AccountError("these are no keys of a browser", code="account/bad-push", key="keys")


def sealed(content: bytes, subscription: Subscription) -> bytes:
    """Return a notice that only the browser of a subscription can open."""
    body: bytes = http_ece.encrypt(
        content,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(subscription.p256dh),
        auth_secret=_bytes(subscription.auth),
        version="aes128gcm",
    )
    return body


class Signer:
    """Says to push services that a notice comes from the server to which a browser has subscribed."""

    def __init__(self, key: Vapid02) -> None:
        """Sign with a key."""
        self._key = key
        self._key.conf["no-strict"] = (
            True  # who is at home in a small network has no name that looks like one
        )

    @property
    def public(self) -> str:
        """The key by which browsers know this server."""
        point = self._key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode()

    def headers(self, subscription: Subscription, topic: str, at: datetime) -> Mapping[str, str]:
        """Return what goes with a notice. topic: it takes the place of an earlier one that still waits."""
        url = URL(subscription.endpoint)
        port = "" if url.port is None else f":{url.port}"
        claims = {
            "aud": f"{url.scheme}://{url.host}{port}",
            "exp": int((at + _HALF_A_DAY).timestamp()),
            "sub": subscription.origin,
        }
        told = {"TTL": str(int(_DAY.total_seconds())), "Topic": topic, "Urgency": "normal"}
        return {**self._key.sign(claims), "Content-Encoding": "aes128gcm", **told}


def signer(path: Path) -> Signer:
    """Return the signer with the key of a file that only its owner can read, made on first use.

    Raises: StorageError if it can't be read or made, or others may read it.
    """
    try:
        if not path.exists():
            fresh = Vapid02()
            fresh.generate_keys()
            make_once(path, fresh.private_pem())
        check_private(path)
        return Signer(Vapid02.from_pem(path.read_bytes()))
    except OSError as error:
        raise StorageError(f"can't use the key in {path}: {error.strerror}", code="storage/key") from error
    except (ValueError, VapidException) as error:
        message = f"the key in {path} is damaged; without that file a new one is made, and notices are lost"
        raise StorageError(message, code="storage/key") from error


def _bytes(text: str) -> bytes:
    """Read what browsers write as base64 without its padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
