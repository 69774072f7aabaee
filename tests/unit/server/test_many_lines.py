"""How many lines may be open: of one browser, and from one address."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from ekoes.errors import LimitError
from ekoes.server.ops.limits import MAX_CONNECTIONS_PER_ADDRESS, MAX_CONNECTIONS_PER_CREDENTIAL
from ekoes.server.realtime.sockets import OpenSockets
from tests.apart import apart


class Ended:
    """A line that notes why it was closed."""

    def __init__(self) -> None:
        self.why: tuple[int, str] | None = None

    def leave(self) -> None:
        """Nothing has been read here."""

    def end(self, code: int, reason: str) -> None:
        self.why = code, reason


def test_one_browser_has_lines_enough() -> None:
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


def test_one_address_has_lines_enough_whoever_comes_from_there() -> None:
    lines = OpenSockets()
    with ExitStack() as stack:
        for number in range(MAX_CONNECTIONS_PER_ADDRESS):
            stack.enter_context(lines.open(f"guest {number}", Ended(), "house"))
        with pytest.raises(LimitError), lines.open("one more", Ended(), "house"):
            pass
        stack.enter_context(lines.open("one more", Ended(), "elsewhere"))


def test_socket_that_is_one_too_many_is_closed_and_nothing_served() -> None:
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
