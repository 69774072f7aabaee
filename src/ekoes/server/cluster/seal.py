"""What processes tell each other, under keys that they alone have: nobody else can say such things."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import NamedTuple

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from itsdangerous import BadSignature, URLSafeSerializer

from ekoes.server.cluster.bus import Word

__all__ = ["HEADER", "Passed", "Seal"]

HEADER = b"x-ekoes-passed"


class Passed(NamedTuple):
    """A visitor who came to another process.

    to: the member that they are passed on to; address: from where they come; scheme, host: how they called.
    """

    to: str
    address: str | None
    scheme: str
    host: str


class Seal:
    """Signs what is passed on, closes words, and knows its own again."""

    def __init__(self, *keys: bytes) -> None:
        """Use the last of the keys that all processes have, the cookies'; what any of them made is known."""
        self._serializer = URLSafeSerializer(list(keys), salt="ekoes.passed")
        self._words = MultiFernet([Fernet(_key_of_words(key)) for key in reversed(keys)])

    def write(self, passed: Passed) -> str:
        """Return the value of the header."""
        text = self._serializer.dumps(passed)
        return text if isinstance(text, str) else text.decode()

    def read(self, text: bytes) -> Passed | None:
        """Return what a header says, None if it is none of ours."""
        try:
            return Passed(*self._serializer.loads(text))
        except (BadSignature, TypeError):
            return None

    def close(self, word: Word) -> bytes:
        """Return a word as nobody else can read it, nor write it."""
        return self._words.encrypt(json.dumps(word).encode())

    def open(self, text: bytes) -> Word | None:
        """Return a word, None if it is none of ours."""
        try:
            return Word(*json.loads(self._words.decrypt(text)))
        except (InvalidToken, TypeError):
            return None


def _key_of_words(key: bytes) -> bytes:
    """Return a key for words alone, made of one that serves for other things too."""
    derived = HKDF(SHA256(), 32, salt=None, info=b"ekoes.word").derive(key)
    return urlsafe_b64encode(derived)
