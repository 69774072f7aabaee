"""Rate limits, and limits of open sockets per session and address."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from starlette.requests import HTTPConnection

from ekoes.errors import LimitError
from ekoes.server.http.requests import address_of
from ekoes.server.ops.limits import MAX_CONNECTIONS_PER_ADDRESS, MAX_CONNECTIONS_PER_CREDENTIAL, Bucket
from ekoes.server.realtime.sockets import OpenSockets
from tests.kit.loops import apart


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_burst_is_free_and_what_follows_keeps_the_rate() -> None:
    bucket = Bucket(rate=10, burst=3, clock=Clock())
    assert [bucket.wait() for _ in range(3)] == [0, 0, 0]
    assert [bucket.wait() for _ in range(3)] == pytest.approx([0.1, 0.2, 0.3])


def test_pause_fills_the_bucket_up_to_the_burst() -> None:
    clock = Clock()
    bucket = Bucket(rate=10, burst=2, clock=clock)
    for _ in range(5):
        bucket.wait()
    clock.now += 0.3
    assert bucket.wait() == pytest.approx(0.1)
    clock.now += 1000
    assert [bucket.wait() for _ in range(3)] == pytest.approx([0, 0, 0.1])


class Ended:
    """A socket that notes why it was closed."""

    def __init__(self) -> None:
        self.why: tuple[int, str] | None = None

    def leave(self) -> None:
        """Nothing has been read here."""

    def end(self, code: int, reason: str) -> None:
        self.why = code, reason


def test_sockets_per_session_are_limited() -> None:
    lines = OpenSockets()
    with ExitStack() as stack:
        for _ in range(MAX_CONNECTIONS_PER_CREDENTIAL):
            stack.enter_context(lines.open("me", Ended(), "house"))
        with pytest.raises(LimitError) as refused, lines.open("me", Ended(), "house"):
            pass
        assert (refused.value.code, refused.value.wait) == ("limit/lines", 60)
        stack.enter_context(lines.open("you", Ended(), "house"))
        stack.enter_context(lines.open("me", Ended(), None))
    assert lines.number == 0
    with lines.open("me", Ended(), "house"):
        assert lines.number == 1


def test_sockets_per_address_are_limited() -> None:
    lines = OpenSockets()
    with ExitStack() as stack:
        for number in range(MAX_CONNECTIONS_PER_ADDRESS):
            stack.enter_context(lines.open(f"guest {number}", Ended(), "house"))
        with pytest.raises(LimitError), lines.open("one more", Ended(), "house"):
            pass
        stack.enter_context(lines.open("one more", Ended(), "elsewhere"))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::/64"),
        ("2001:db8:0:1::", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::5", "2001:db8:0:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("testclient", "testclient"),
        ("", None),
    ],
)
def test_address_of_a_limit_is_the_network_of_ipv6(host: str, address: str | None) -> None:
    assert address_of(HTTPConnection({"type": "http", "client": (host, 1)})) == address


def test_sockets_from_one_network_share_the_limit_of_an_address() -> None:
    lines = OpenSockets()
    with ExitStack() as stack:
        for number in range(MAX_CONNECTIONS_PER_ADDRESS):
            client = HTTPConnection({"type": "http", "client": (f"2001:db8::{number:x}", 1)})
            stack.enter_context(lines.open(f"guest {number}", Ended(), address_of(client)))
        one_more = address_of(HTTPConnection({"type": "http", "client": ("2001:db8::ffff", 1)}))
        with pytest.raises(LimitError), lines.open("one more", Ended(), one_more):
            pass


def test_socket_over_the_limit_is_closed_unserved() -> None:
    lines = OpenSockets()
    served: list[bool] = []

    async def service() -> None:
        served.append(True)

    async def visit() -> Ended:
        with ExitStack() as stack:
            for _ in range(MAX_CONNECTIONS_PER_CREDENTIAL):
                stack.enter_context(lines.open("me", Ended(), "house"))
            line = Ended()
            await lines.serve("me", line, service(), "house")
            return line

    assert apart(visit()).why == (1013, "limit/lines")
    assert served == []
