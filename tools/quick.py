"""Lints what differs from the main branch, and runs the tests nearest to it: ``make quick``.

A changed test runs. For a module those run that are named after it, and those that import it, unit tests if
there are any; else those that import an importer of it. For a rule all of its game run, interpreted, as
compiling takes longer. Vitest finds those of the page by their imports. For another file those run that name
it, or that belong to a module that does. Changed tests run first, then those named after a change, then those
that import little, eight files in all. Nothing runs in a browser, nothing long, and nothing begins when most
of a minute has passed, which pytest reports as skipped: a change has to pass ``make test`` too.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from time import time

import grimp

from hatch_build import npm

ROOT = Path(__file__).parents[1]
RULE = re.compile(r"src/ekoes/games/(eko|ekko)/rules/")
PAGE_CODE = (".ts", ".mjs", ".svelte", ".css")
_SECONDS, _PAGE_SECONDS = 45, 15
"""After them no test begins; what the page's own take."""
_FILES = 8
"""Only changed tests can be more: each worker imports all of them first."""


def main() -> None:
    """Lint and test; ends with status 1 if something is wrong."""
    begun = time()
    since = _out("git", "merge-base", "HEAD", _main_branch()).strip()
    changed = _changed(since)
    python = [name for name in changed if name.endswith(".py")]
    page = [
        name.removeprefix("web/") for name in changed if name.startswith("web/") and name.endswith(PAGE_CODE)
    ]
    rules, others = choose_tests(changed)
    run = others[: max(_FILES, sum(name in changed for name in others))]
    left = f", {len(others) - len(run)} files of tests left to make test" if run != others else ""
    print(f"{len(changed)} changed files{left}, tests:", *(sorted(rules) + run or ["none"]), flush=True)
    end = begun + _SECONDS - (_PAGE_SECONDS if page else 0)
    ok = True
    if python:
        ok &= _run([sys.executable, "-m", "ruff", "check", *python])
        ok &= _run([sys.executable, "-m", "ruff", "format", "--check", *python])
    if rules:
        ok &= _test(sorted(rules), end, NUMBA_DISABLE_JIT="1")
    if run:
        ok &= _test(run, end)
    if page:
        npm(
            "exec",
            "--",
            "biome",
            "ci",
            "--log-level=warn",
            "--no-errors-on-unmatched",
            *page,
            cwd=ROOT / "web",
        )
    if any(name.startswith("web/") for name in changed):
        npm("run", "test", "--", "--passWithNoTests", "--changed", since, cwd=ROOT / "web")
    sys.exit(not ok)


def choose_tests(changed: list[str]) -> tuple[set[str], list[str]]:
    """Return the tests to run interpreted, and those to run as they are, in their order."""
    rules: set[str] = set()
    others: set[str] = set()
    texts = {
        name: (ROOT / name).read_text("utf-8")
        for name in _out("git", "ls-files", "tests").split()
        if _is_test(name)
    }
    imports = {name: _imported(text) for name, text in texts.items() if not name.startswith("tests/e2e/")}
    graph = grimp.build_graph("ekoes")
    for name in changed:
        if _is_test(name):
            (rules if name.startswith("tests/rules/") else others).add(name)
        elif found := RULE.match(name):
            rules.add(f"tests/rules/{found[1]}")
        elif name.startswith("src/"):
            for path in [name] if name.endswith(".py") else _naming(Path(name).name):
                others |= _nearest(
                    graph, path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__"), imports
                )
        elif name.endswith(".py"):
            module = name.removesuffix(".py").replace("/", ".")
            others |= {test for test, modules in imports.items() if module in modules}
        else:
            others |= {test for test, text in texts.items() if "/".join(Path(name).parts[-2:]) in text}
            others |= {"tests/docs/test_site.py"} if name.endswith(".md") else set()
            others |= {"tests/docs/test_catalogues.py"} if name.startswith("web/src/i18n/") else set()
    stems = {Path(name).stem for name in changed}
    order = sorted(
        others,
        key=lambda name: (name not in changed, not stems & _words(name), len(imports.get(name, ()))),
    )
    return rules, [name for name in order if not name.startswith("tests/e2e/")]


def _nearest(graph: grimp.ImportGraph, path: str, imports: dict[str, set[str]]) -> set[str]:
    """Return the tests named after a module, and those that import it, else an importer of it."""
    named = {test for test in imports if Path(path).name in _words(test)}
    modules, seen = {path.replace("/", ".")}, set[str]()
    while modules:
        tests = {test for test, imported in imports.items() if imported & modules}
        if named or tests:
            return named | ({test for test in tests if test.startswith("tests/unit/")} or tests)
        seen |= modules
        modules = (
            set().union(*(graph.find_modules_that_directly_import(one) for one in modules & graph.modules))
            - seen
        )
    return set()


def _words(test: str) -> set[str]:
    return set(Path(test).stem.split("_"))


def _imported(text: str) -> set[str]:
    """Return the modules that a test imports, and the names it takes from them, which may be modules."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{one.name}" for one in node.names}
    return names


def _naming(name: str) -> list[str]:
    """Return the sources that name a file."""
    sources = _out("git", "ls-files", "src/*.py").split()
    return [source for source in sources if name in (ROOT / source).read_text("utf-8")]


def _is_test(name: str) -> bool:
    return name.startswith("tests/") and name.rpartition("/")[2].startswith("test_") and name.endswith(".py")


def _changed(since: str) -> list[str]:
    """Return the files that differ from a commit and are there, new ones included."""
    names = _out("git", "diff", "--name-only", "--diff-filter=d", since).splitlines()
    return sorted({*names, *_out("git", "ls-files", "--others", "--exclude-standard").splitlines()})


def _main_branch() -> str:
    """Return the branch that changes go to: of the project's repository, or here."""
    known = _out("git", "for-each-ref", "--format=%(refname:short)").split()
    return next((name for name in ("upstream/main", "origin/main", "main") if name in known), "HEAD")


def _out(*command: str) -> str:
    return subprocess.run(  # noqa: S603 - git alone
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def _test(tests: list[str], end: float, **environment: str) -> bool:
    """Run tests that are neither long nor in a browser; after the end none begins."""
    is_file = len(tests) == 1 and _is_test(tests[0])
    workers = ["-n", "0" if is_file else "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    pytest = [sys.executable, "-m", "pytest", "-q", *workers, "-m", "not long and not e2e"]
    return _run([*pytest, *tests], EKOES_TESTS_BEGIN_UNTIL=str(end), **environment)


def _run(command: list[str], **environment: str) -> bool:
    return subprocess.run(  # noqa: S603 - our own tools
        command, cwd=ROOT, env=os.environ | environment, check=False
    ).returncode in {0, 5}


if __name__ == "__main__":
    main()
