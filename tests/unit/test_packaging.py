"""What holds the checkout together: make targets, pinned versions, lock file, version, layers."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

import ekoes
from tools.audit import Answer, needed, of_npm, of_pip, written_down

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINS = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required_names() -> list[str]:
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *chain(*extras.values()), *PROJECT["build-system"]["requires"]]
    names = [normal(re.split(r"[<>=\[]", requirement)[0]) for requirement in wanted]
    return [name for name in names if name != "ekoes"]


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run make as people do, though the tests may have been started by make themselves."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("target", ["play", "test", "check", "format", "coverage", "bench", "page", "clean"])
def test_make_knows_target(target: str) -> None:
    plan = make("-n", target)
    assert plan.returncode == 0, plan.stderr


def test_make_alone_lists_the_targets() -> None:
    shown = make().stdout
    assert [line.split()[1] for line in shown.splitlines()][:4] == ["play", "test", "quick", "test-long"]


def test_continuous_integration_runs_the_commands_of_people() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    lines = script.read_text().splitlines()
    assert [line.split()[1] for line in lines if line.startswith("make")] == ["test", "check"]


def test_constraints_are_names_and_versions_only() -> None:
    assert PINS
    odd = [line for line in PINS if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line)]
    assert odd == []


def test_constraints_pin_what_is_required() -> None:
    pinned = {normal(line.split("==")[0]) for line in PINS}
    assert [name for name in required_names() if name not in pinned] == []


def test_page_lock_holds_no_addresses() -> None:
    lock = (ROOT / "web" / "package-lock.json").read_text()
    assert '"resolved"' not in lock
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web" / ".npmrc").read_text()


def test_version_is_said_once() -> None:
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/ekoes/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", ekoes.__version__)


def test_every_ruff_ignore_is_explained() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    codes = re.findall(
        r'^  "[A-Z]+\d*",.*$', text.split("[tool.ruff.lint.pydocstyle]")[0], flags=re.MULTILINE
    )
    assert codes
    assert [line for line in codes if " # " not in line] == []


SOURCES = sorted((ROOT / "src" / "ekoes").rglob("*.py"))
PACKAGES = [path for path in SOURCES if path.name == "__init__.py" and "__all__" in path.read_text()]


def parts_of(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT / "src").with_suffix("").parts


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.name)
def test_public_names_exist_and_are_sorted(path: Path) -> None:
    module = import_module(".".join(parts_of(path.parent)))
    public = module.__all__
    assert [word for word in public if not hasattr(module, word)] == []
    assert len(set(public)) == len(public)
    assert public == sorted(public, key=isort_key)


def isort_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as ruff's RUF022 sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def modules_in_strings(path: Path) -> list[str]:
    """Return the modules of ours that strings of a file name at their beginning."""
    nodes = ast.walk(ast.parse(path.read_text()))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    names = [match[0] for text in texts if (match := re.match(r"ekoes(\.\w+)+", text))]
    folders = {name: ROOT.joinpath("src", *name.split(".")) for name in names}
    return [name for name in names if folders[name].is_dir() or folders[name].with_suffix(".py").exists()]


def modules_of_other_packages(path: Path) -> list[str]:
    """Return the modules outside its own package that strings of a file name."""
    here = parts_of(path)
    if here == ("ekoes", "games", "api", "registry"):
        return []
    own = ".".join(here[: 3 if here[1] in {"games", "server"} else 2]) + "."
    around = ".".join(here)
    named = [name for name in modules_in_strings(path) if not f"{around}.".startswith(f"{name}.")]
    odd = [name for name in named if not name.startswith(own)]
    meant = {("game", "ekoes.games.api.parts"), ("worker_process", "ekoes.server.preload")}
    return [name for name in odd if (here[-1], name) not in meant]


def test_strings_name_modules_of_their_own_package_alone() -> None:
    """A module named in a string is an import that the layers' contracts do not see.

    The registry may name each game, a game the random bot, and what starts processes their entry point; a
    logger is named after a package around it.
    """
    odd = {path: modules_of_other_packages(path) for path in SOURCES}
    assert {path: names for path, names in odd.items() if names} == {}


def test_no_import_for_types_alone_hides_a_circle() -> None:
    """What stands under ``if TYPE_CHECKING:`` counts as an import like any other, in every package."""
    linter = PROJECT["tool"]["importlinter"]
    assert "exclude_type_checking_imports" not in linter
    (circles,) = [each for each in linter["contracts"] if each["type"] == "acyclic_siblings"]
    assert circles["ancestors"] == ["ekoes"]
    assert set(circles) == {"name", "type", "ancestors"}, "nothing is left out"


GAMES = ROOT / "src" / "ekoes" / "games"
RULES = sorted([*GAMES.glob("*/rules/*.py"), GAMES / "kernels/bits.py"])
OF_RULES = (
    "__future__",
    "collections.abc",
    "ekoes.games.kernels",
    "ekoes.games.kernels.jit",
    "enum",
    "llvmlite",
    "math",
    "numba",
    "numpy",
    "typing",
)


def imports_beside_arrays(path: Path) -> list[str]:
    """Return what a module of the rules imports beside arrays and its own package."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(str(node.module))
    own = "ekoes.games." + ".".join(path.parts[-3:-1])
    allowed = (own, *OF_RULES)
    return [
        name for name in imported if not any(name == root or name.startswith(root + ".") for root in allowed)
    ]


def test_rules_import_arrays_and_each_other_only() -> None:
    odd = {path: imports_beside_arrays(path) for path in RULES}
    assert {path: names for path, names in odd.items() if names} == {}


def test_command_is_installed_beside_python() -> None:
    assert PROJECT["project"]["scripts"] == {"ekoes": "ekoes.cli.main:run"}
    shown = subprocess.run(
        [Path(sys.executable).with_name("ekoes"), "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "play" in shown


def build(target: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (package,) = folder.iterdir()
    return package


def test_wheel_carries_page_tiles_and_licence(tmp_path: Path) -> None:
    names = zipfile.ZipFile(build("wheel", tmp_path)).namelist()
    assert "ekoes/server/static/index.html" in names
    assert any(name.startswith("ekoes/server/static/assets/") and name.endswith(".js") for name in names)
    assert {"ekoes/games/eko/tiles.toml", "ekoes/languages.json", "ekoes/py.typed"} <= set(names)
    assert {name.rsplit("/", 1)[1] for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_sdist_carries_sources_of_page_without_what_npm_brought(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {
        "web/package.json",
        "web/package-lock.json",
        "web/src/main.ts",
        "docs/reference/protocol.schema.json",
        "docs/rules/eko.en.md",
        "hatch_build.py",
        "LICENSE",
    } <= names
    assert [
        name
        for name in names
        if "node_modules" in name or name.startswith(("src/ekoes/server/static", "web/src/protocol"))
    ] == []


NOBODY = "http://127.0.0.1:1"
PIP = {
    "dependencies": [
        {"name": "good", "version": "1", "vulns": []},
        {"name": "bad", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"], "aliases": []}]},
        {"name": "unknown", "skip_reason": "not found"},
    ]
}
NPM = {
    "vulnerabilities": {"bad": {"severity": "high", "range": "<3"}},
    "metadata": {"dependencies": {"prod": 5}},
}


def test_what_is_known_against_a_package_is_a_hit() -> None:
    assert of_pip(json.dumps(PIP)) == Answer("Python", 2, ("bad 2: PYSEC-1, mended in 3",))
    assert of_npm(f"npm warn {json.dumps(NPM)} failed") == Answer("page", 5, ("bad: high, <3",))


@pytest.mark.parametrize("shown", ["", "Traceback", "{", '{"message": "405 Method Not Allowed"}'])
def test_without_an_answer_nothing_was_audited(shown: str) -> None:
    for answer in (of_pip(shown), of_npm(shown)):
        assert "NOT audited" in str(answer)
        assert answer.hits == ()


def test_without_a_network_it_says_so_and_does_not_fail() -> None:
    nowhere = {"HTTPS_PROXY": NOBODY, "HTTP_PROXY": NOBODY, "npm_config_registry": NOBODY}
    command = [sys.executable, "-m", "tools.audit"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | nowhere, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.count("NOT audited")) == (0, 2), done.stderr


@pytest.mark.long
def test_the_lists_name_what_a_server_and_the_page_run_with(tmp_path: Path) -> None:
    python, page = (json.loads(path.read_text("utf-8")) for path in written_down(tmp_path))
    for made in (python, page):
        assert made["bomFormat"] == "CycloneDX"
        assert all(component["version"] for component in made["components"])
    assert {f"{one['name']}=={one['version']}" for one in python["components"]} == set(needed())
    assert {"fastapi", "sqlalchemy", "starlette"} <= {line.partition("==")[0].lower() for line in needed()}
    assert "svelte" in {component["name"] for component in page["components"]}
    assert "pytest" not in {line.partition("==")[0] for line in needed()}


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("ekoes.client", "websockets", "client"),
        ("ekoes.data", "pyarrow", "data"),
        ("ekoes.envs", "gymnasium", "envs"),
        ("ekoes.envs.openspiel", "pyspiel", "openspiel"),
        ("ekoes.envs.offline", "minari", "minari"),
    ],
)
def test_whoever_lacks_a_package_reads_which_extra_brings_it(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str, extra: str
) -> None:
    for name in list(sys.modules):
        if name == module or name.startswith((f"{module}.", f"{package}.")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=package) as raised:
        import_module(module)
    assert raised.value.__notes__ == [f"It comes with an extra: pip install 'ekoes[{extra}]'"]
