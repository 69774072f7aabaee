"""Imports and loads what a server needs: the fork server of ``tests.kit.server`` does it once for all."""

from __future__ import annotations

import gc

import anyio._backends._asyncio  # noqa: F401
from sqlalchemy.orm import configure_mappers

import ekoes.cli.bots
import ekoes.cli.main
import ekoes.cli.play
import ekoes.server.app
import ekoes.server.ops.logs
import ekoes.server.realtime.sockets  # noqa: F401
from ekoes.server import accounts
from ekoes.server.workers.warmup import load_bots, load_rules
from ekoes.storage import names
from tests.kit.passwords import QUICK_HASHER

load_rules()
load_bots()
accounts._HASHER = QUICK_HASHER
configure_mappers()
accounts.hashed("a tower by the sea", "Ada")  # reads the lists of words, as each server with an account would
names._prototypes()
gc.freeze()  # which servers would go through again and again
