"""A program that plays by the engine protocol, and does what its first word says where it is asked to choose.

``stranger.py MODE ACTION FILE``: the action, in JSON, is its only one; the file is what some modes need.
Standard library only: it is started with ``python -I -S``.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MODE, ACTION, FILE = sys.argv[1:]
HELLO = {"name": "Stranger", "version": "1", "protocol": 1, "games": ["eko", "ekko"], "levels": []}


def say(value: Any) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def answer(request: Any) -> None:
    say({"id": request["id"], "result": {"action": json.loads(ACTION)}})


def forever(text: str, out: Any) -> None:
    while True:
        out.write(text)


def die_once(_: Any) -> None:
    is_first = not Path(FILE).exists()
    Path(FILE).touch()
    if is_first:
        sys.exit(1)


def close_output(_: Any) -> None:
    os.close(1)
    time.sleep(30)


def fork(_: Any) -> None:
    """Start a child that holds a connection for ever, and our output too. FILE: the port."""
    held = socket.create_connection(("127.0.0.1", int(FILE)))
    if os.fork() == 0:
        while held:
            time.sleep(30)
    held.detach()  # this process holds it on, without a word when it ends


def fork_and_die(request: Any) -> None:
    fork(request)
    sys.exit(1)


def fork_apart(request: Any) -> None:
    """Start a child in a session of its own, without a parent."""
    sys.stdout.flush()
    if os.fork() == 0:
        os.setsid()
        fork(request)
        os._exit(0)
    os.wait()


def note(request: Any) -> None:
    with Path(FILE).open("a") as file:
        file.write(json.dumps(request) + "\n")


BEFORE: dict[str, Callable[[Any], object]] = {
    "slow": lambda _: time.sleep(30),
    "dying": lambda _: sys.exit("something broke\nOops: it is over"),
    "dying once": die_once,
    "killed": lambda _: os.kill(os.getpid(), 9),
    "closing": close_output,
    "greedy": lambda _: bytearray(1 << 30),
    "never ending line": lambda _: forever("x" * 1000, sys.stdout),
    "blank lines": lambda _: forever("\n" * 1000, sys.stdout),
    "huge answer": lambda _: say("x" * (1 << 21)),
    "talkative": lambda _: sys.stderr.write("hm\n" * (1 << 19)),
    "forking": fork,
    "forking and dying": fork_and_die,
    "forking apart": fork_apart,
    "raw": lambda _: os.write(1, Path(FILE).read_bytes()),
    "noting": note,
    "environment": lambda _: Path(FILE).write_text(json.dumps(dict(os.environ))),
    "answering twice": answer,
}
"""What is done before the answer."""


def choose(request: Any) -> None:
    if MODE in BEFORE:
        BEFORE[MODE](request)
    if MODE not in {"silent", "raw"}:
        answer(request)


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "choose":
            choose(request)
        elif request["cmd"] == "hello" and MODE != "dumb":
            hello = json.loads(ACTION) if MODE == "strange hello" else HELLO
            say({"id": request["id"], "result": hello | {"ready": True} if MODE == "loading" else hello})
        elif request["cmd"] == "ready" and MODE == "loading":
            time.sleep(0.6)  # more than a short limit and what the protocol gives beyond it
            note(request)
            say({"id": request["id"], "result": {}})
        elif request["cmd"] == "quit" and MODE == "noting":
            note("quit")
        if request["cmd"] == "quit" and MODE != "staying":
            return


if MODE == "not reading":
    say({"id": 1, "result": HELLO})
    time.sleep(30)
else:
    main()
