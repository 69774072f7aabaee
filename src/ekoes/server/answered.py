"""The answers that a table has given lately, by who asked and the key of the order."""

from __future__ import annotations

from collections import OrderedDict

from ekoes.errors import EkoesError

__all__ = ["Answered"]

_REMEMBERED = 128


class Answered:
    """Remembers the latest acknowledgements and refusals; which orders were taken before, the store knows."""

    def __init__(self) -> None:
        """Begin with none."""
        self._answers: OrderedDict[tuple[str, str], int | EkoesError] = OrderedDict()

    def version(self, session: str, key: str) -> int | None:
        """Return the version acknowledged for an order, None if it is not remembered.

        Raises: the refusal, if it was refused.
        """
        answer = self._answers.get((session, key))
        if isinstance(answer, EkoesError):
            raise answer.with_traceback(None)
        return answer

    def remember(self, session: str, key: str, answer: int | EkoesError) -> None:
        """Keep an answer, so that the same key is answered the same way."""
        self._answers[session, key] = answer
        if len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)
