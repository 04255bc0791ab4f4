# make run    serve the site on http://127.0.0.1:8000 (PORT=... for another port)
# make test   everything that must hold, linters included
# make budgets  what people wait for, measured against its budgets; ROWS="1 3 4" chooses (docs/speed.md)
# make drill  what is done to a running site on purpose: a full disk, a dead worker and the like; a table of what was answered and lost
# make many   two machines of one site on this one, behind a proxy that sends each request to the other (Ctrl-C ends all of them)
# More: make test-postgresql (all that touches a database, on PostgreSQL), make test-many (browsers visit those machines, then one of them is killed), make test-browser (what needs a real browser), make test-sixth (with further games installed), make explore (new examples for the properties until one fails), make coverage (lines and branches that no test of their room runs).
# Each sets up what it needs in .venv and var/; python3 (3.11 or newer) and make are enough.

PORT ?= 8000
HOST ?= 127.0.0.1
WORKERS ?= 2
PYTHON ?= python3
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

# Tests run in as many processes as there are cores, on SQLite and beside them on PostgreSQL. Work is taken from whoever has most of it left, so that a folder's tests stay together as long as may be.
PARALLEL := -n auto --dist worksteal
# Else every program that the tests start would compile the project anew.
unexport PYTHONDONTWRITEBYTECODE

# make audit, make sbom, make mutate, make coverage: looking at all of it with tools of others (CONTRIBUTING.md).
.PHONY: run test many test-many test-postgresql test-browser test-sixth house explore budgets drill audit sbom mutate coverage prepare lint tests-sqlite tests-postgresql lock clean

run: prepare
	@echo "Cutout is at http://$(HOST):$(PORT)/ (stop it with Ctrl-C)"
	@# A worker that is killed is begun again, and ends when the server has, which takes the number of this shell.
	@until $(MANAGE) worker --beside $$$$; do sleep 2; done & \
		exec $(BIN)/python -m cardsdb.serve --interface wsgi --host $(HOST) --port $(PORT) --workers $(WORKERS) --no-ws --blocking-threads 24 --backpressure 512 \
		--http1-header-read-timeout 10000 --respawn-failed-workers --workers-kill-timeout 10 --log-level error \
		cardsdb.wsgi:application

prepare: .venv/installed
	@$(MANAGE) prepare

# All three at once, so that no core waits for a browser or a database; what each of them says is printed in one piece.
test: .venv/installed-dev
	@$(MAKE) --no-print-directory --jobs=3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) lint tests-sqlite tests-postgresql

lint: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -W error manage.py check --fail-level WARNING
	@# The line before has checked all that this would check again.
	$(MANAGE) makemigrations --check --dry-run --skip-checks

tests-sqlite: .venv/installed-dev
	$(BIN)/python -m pytest $(PARALLEL)

# The same tests as on a machine whose owner has added games: one with code of its own, and two that are data alone.
test-sixth: .venv/installed-dev
	CUTOUT_GAMES_PATH=tests/sixth_game:tests/data_games $(BIN)/python -m pytest $(PARALLEL) -m "not browser"

# On PostgreSQL, at POSTGRESQL_URL or whatever server this machine runs: the tests that send each statement that any test sends.
tests-postgresql: .venv/installed-dev
	$(BIN)/python -m tests.on_postgresql $(PARALLEL)

# All tests that touch a database; ends with the statements that `make test` would not send.
test-postgresql: .venv/installed-dev
	$(BIN)/python -m tests.on_postgresql whole $(PARALLEL)

# The newcomer's page, docs/the-house.md, made anew from the folders.
house: .venv/installed-dev
	$(BIN)/python -m tests.support.house_drawing

# Needs PostgreSQL (at POSTGRESQL_URL, or whatever server this machine runs), redis-server and nginx.
many: .venv/installed-dev
	@PORT=$(PORT) $(BIN)/python -m tests.many

test-many: .venv/installed-dev
	$(BIN)/python -m tests.many journeys $(PARALLEL)
	$(BIN)/python -m tests.many drill

test-browser: .venv/installed-dev
	$(BIN)/python -m pytest -m browser

explore: .venv/installed-dev
	$(BIN)/python -m tests.explore

budgets: .venv/installed-dev
	$(BIN)/python -m tests.budgets $(ROWS)

drill: .venv/installed-dev
	$(BIN)/python -m tests.drill

# Tools that look at code and packages, in an environment of their own. The last one asks the network for known weaknesses. Where
# they cannot be asked, that is said, and the exit status of the line is 75: nothing was found, and nothing is known of the packages.
audit: var/audit/installed
	var/audit/bin/bandit --quiet --recursive --severity-level medium --configfile pyproject.toml cardsdb decks printing manage.py
	var/audit/bin/semgrep scan --error --quiet --metrics off --disable-version-check --config tests/audit/rules.yaml cardsdb decks printing templates manage.py
	@var/audit/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements.txt >var/audit/advisories 2>&1; status=$$?; cat var/audit/advisories; \
		if [ $$status -ne 0 ] && ! grep -q 'Found [0-9]* known' var/audit/advisories; then \
			echo "The advisories could not be asked, for want of a network or an index that knows them: nothing is known of the packages. What was asked before found nothing." >&2; exit 75; \
		fi; exit $$status

# What the site is made of, as the lock says: CycloneDX, with the hashes.
sbom: var/audit/installed .venv/installed-dev
	var/audit/bin/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-reproducible --output-format JSON --output-file var/sbom.json 2>/dev/null
	$(BIN)/python -m tests.audit.bill var/sbom.json

var/audit/installed: tests/audit/tools.txt
	$(PYTHON) -m venv --clear var/audit
	var/audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

# What the tests do not notice when it is broken: three minutes of a core, or with a smaller SAMPLE less.
SAMPLE ?= 150
mutate: .venv/installed-dev var/mutation/mutmut
	@PYTHONPATH=var/mutation $(BIN)/python -m tests.audit.mutate $(SAMPLE)

# Which lines and branches of judging, permissions, importing and the core of printing the tests of their rooms run: a minute and a half of a core.
COVERED := cardsdb/games/kit/rules/*,cardsdb/games/kit/listtext/*,cardsdb/identity/viewer*,cardsdb/models/owned*,cardsdb/identity/staff*,cardsdb/box/reading/*
COVERED := $(COVERED),printing/layout/*,printing/job/*,printing/options/*,printing/request/*
COVERING := tests/cardsdb/games/kit/rules tests/cardsdb/games/kit/listtext tests/cardsdb/box tests/cardsdb/identity tests/house/test_row_access.py tests/decks/accounts/test_staff.py
COVERING += tests/printing/layout tests/printing/job tests/printing/options tests/printing/request
coverage: export COVERAGE_FILE = var/coverage
coverage: export PYTHONPATH = var/mutation
coverage: .venv/installed-dev var/mutation/mutmut
	@$(BIN)/python -m coverage run --branch --include='$(COVERED)' -m pytest -q -p no:cacheprovider $(COVERING)
	@$(BIN)/python -m coverage report --show-missing --skip-covered --fail-under=100

var/mutation/mutmut: tests/audit/mutation.txt .venv/installed-dev
	$(INSTALL) --no-deps --upgrade --target var/mutation -r tests/audit/mutation.txt
	@touch $@

# What makes a client in TypeScript of the API's schema and compiles it: the test of that client is skipped without. Needs node and npm.
TYPESCRIPT := tests/cardsdb/api/typescript
var/typescript/installed: $(TYPESCRIPT)/package.json $(TYPESCRIPT)/package-lock.json
	mkdir -p $(@D) && cp $^ $(@D)
	npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

lock: var/audit/installed
	var/audit/bin/pip-compile --quiet --generate-hashes --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links -o requirements.txt pyproject.toml
	var/audit/bin/pip-compile --quiet --generate-hashes --strip-extras --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --extra dev -c requirements.txt -o requirements-dev.txt pyproject.toml

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Cutout needs Python 3.11 or newer.")'
	@# Without Debian's python3-venv this fails half way; what it leaves would look finished to the next run.
	$(PYTHON) -m venv .venv || { rm -rf .venv; echo "Python cannot make .venv here (Debian: apt install python3-venv)." >&2; exit 1; }

.venv/installed: .venv/bin/python requirements.txt
	$(INSTALL) -r requirements.txt
	@touch $@

# What the site needs is among what its tests need: one run of pip is quicker than two.
.venv/installed-dev: .venv/bin/python requirements.txt requirements-dev.txt
	$(INSTALL) -r requirements-dev.txt
	@touch .venv/installed $@

clean:
	rm -rf .venv var
