"""Write docs/reference/commands.md from the command line's own help: ``python -m tools.commands``."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from pathlib import Path

import typer

from ekoes.cli.main import commands

FILE = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"

INTRO = r"""# Commands

Written by `python -m tools.commands` from the help of each command. Results are JSON on standard output, one
value or one per line; messages go to standard error. A command whose [extra](../python.md#extras) is missing
names it. The exit status is 0, or 2 for bad input with the reason in one line:

```
ekoes: position.json: E1.6, 'stacks.2,-2.height': must be 1 to 4
```

[Formats](formats.md) and [notation](notation.md) describe positions and actions,
[settings](../operations/running.md#settings) the options of `ekoes play`.

```console
$ ekoes levels
$ echo '{"id":1,"cmd":"hello"}' | ekoes engine
$ ekoes eko new --players 3 --seed 7 --variants portals,pyramids > position.json
$ ekoes eko legal position.json
$ echo keep | ekoes eko apply position.json -
$ ekoes eko show position.json
$ ekoes eko svg position.json > board.svg
$ ekoes eko perft position.json --depth 2
$ ekoes eko playouts position.json --count 20 --seed 1
$ ekoes eko analyse position.json --time 1 --lines 3
$ printf '[Game "eko"]\n[Format "1"]\n[Players "2"]\n[Seed "7"]\n\n' > game.txt
$ printf '0. seat 0: keep\n0. seat 1: keep\n\nresult: open\n' >> game.txt
$ ekoes eko review game.txt --iterations 20
$ printf '[Game "ekko"]\n[Format "1"]\n[Players "2"]\n[Seed "7"]\n\nresult: open\n' > cards.txt
$ ekoes ekko review cards.txt
$ ekoes ekko new --players 3 --seed 7 --deal > cards.json
$ ekoes ekko legal cards.json | head -n 1 | ekoes ekko apply cards.json -
$ printf 'game = "eko"\nrounds = 1\n' > duel.toml
$ printf 'players = [{name = "a", bot = "greedy"}, {name = "b", bot = "random"}]\n' >> duel.toml
$ ekoes arena run duel.toml --workers 1
$ ekoes arena show duel
$ ekoes arena compare duel duel
$ ekoes arena sample duel.toml --out samples --workers 1
```
"""


Option = tuple[str, str]
"""The names of an option or argument, and its help."""
FEW = 2
"""An option that reads the same in more commands is explained once."""


def commands_text() -> str:
    """Return the page: the options that many commands share, then a section for each command."""
    options = {name: list(_options(command)) for name, command in commands().items()}
    counts = Counter(chain.from_iterable(options.values()))
    shared = [option for option, count in counts.items() if count > FEW and option[0].startswith("`--")]
    parts = [INTRO, _section("Options of several commands", None, shared, ())]
    for name, command in commands().items():
        known = options[name] if name == "play" else shared  # they are in the table of settings
        parts.append(_section(f"ekoes {name}", inspect.getdoc(command), options[name], known))
    return "\n".join(parts)


def _section(title: str, text: str | None, options: list[Option], known: Collection[Option]) -> str:
    """Return a section. known: options that are explained elsewhere."""
    items = [
        f"- {label}: {meaning}".rstrip(": ") for label, meaning in options if (label, meaning) not in known
    ]
    if labels := [option[0] for option in options if option in known]:
        items.append(f"- {', '.join(labels)}")
    return "\n\n".join(filter(None, [f"## {title}", text, "\n".join(items)])) + "\n"


def _options(command: Callable[..., None]) -> Iterator[Option]:
    """Yield each parameter."""
    app = typer.Typer(add_completion=False)
    app.command()(command)
    for parameter in typer.main.get_command(app).params:
        if "--help" not in parameter.opts:
            names = [name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("--")]
            label = ", ".join(f"`{name}`" for name in names) or f"`{parameter.metavar or parameter.name}`"
            yield label, getattr(parameter, "help", None) or ""


if __name__ == "__main__":
    FILE.write_text(commands_text(), encoding="utf-8")
    print(FILE)
