"""A lock for kernels that run in several threads on the same arrays. It is held for microseconds only."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from ekoes.games.kernels.cache import COMPILED
from ekoes.games.kernels.jit import helper

if COMPILED:
    from llvmlite import ir

    def _pointer(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
        return context.make_array(array_type)(context, builder, array).data

    @intrinsic
    def _try_acquire(_context: Any, words: Any) -> Any:
        """Change the first word from 0 to 1, as one step. Returns whether it was 0."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zero, one = (ir.Constant(ir.IntType(64), value) for value in (0, 1))
            word = _pointer(context, builder, signature.args[0], args[0])
            pair = builder.cmpxchg(word, zero, one, "acquire", "monotonic")
            return builder.extract_value(pair, 1)

        return types.boolean(words), generate

    @intrinsic
    def _clear(_context: Any, words: Any) -> Any:
        """Write 0 to the first word, after all that was written before."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = _pointer(context, builder, signature.args[0], args[0])
            builder.store_atomic(ir.Constant(ir.IntType(64), 0), word, "release", 8)
            return context.get_dummy_value()

        return types.void(words), generate

else:  # interpreted kernels run in one thread

    def _try_acquire(words: np.ndarray) -> bool:
        words[0] = 1
        return True

    def _clear(words: np.ndarray) -> None:
        words[0] = 0


@helper
def acquire(words: np.ndarray) -> None:
    """Wait until the lock is free, and take it. words: int64[1 or more]; the first is the lock, 0 if free."""
    while not _try_acquire(words):
        pass


@helper
def release(words: np.ndarray) -> None:
    """Give the lock back; other threads see all that was written while it was held."""
    _clear(words)
