"""What a server's process has from the process it is a copy of: all modules and kernels, loaded once.

A server that is killed a thousand times would load them a thousand times. The process that is copied
imports this module and does nothing else.
"""

from __future__ import annotations

import gc

from ekoes.games.api.registry import game, games, load
from tools.faults import __main__ as _main  # noqa: F401 - each copy imports it, as all of multiprocessing's do

for _name in games():
    _warm = game(_name).parts.warm
    if _warm is not None:
        for _, _step in load(_warm).warm_steps():
            _step()
gc.collect()
gc.freeze()  # a copy that looked for garbage here would have its own copy of all memory then
