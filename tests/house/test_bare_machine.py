"""Setting up on a bare machine: ``make``, continuous integration and the tests when something is missing.

Missing or failing programs are simulated by small shell scripts (``stub``) on a PATH of their own. The last
tests are about how the tests run: in one process, and which of them on PostgreSQL.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cardsdb.management.commands.new_game import write_new_game
from tests import ROOT, conftest, on_postgresql
from tests.support import statements
from tests.support.new_game import files_of
from tests.support.programs import lack


def stub(folder: Path, name: str, script: str) -> Path:
    """Write a program of this name that runs the given shell lines."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_a_failed_virtual_environment_is_deleted(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    fails = stub(
        tmp_path, "python", 'if [ "$2" = venv ]; then mkdir -p .venv/bin; touch .venv/bin/python; exit 1; fi'
    )
    command = ["make", "--no-print-directory", ".venv/bin/python", f"PYTHON={fails}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "python3-venv" in done.stderr
    assert not (tmp_path / ".venv").exists()


def test_the_lock_is_complete_for_the_oldest_python():
    """pip refuses a lock that lacks a package. A lock made on a later Python lacks what only an earlier one
    needs.
    """
    oldest = {"python_version": "3.11", "python_full_version": "3.11.0", "extra": ""}
    locked = set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    needed = {
        (name, canonicalize_name(requirement.name))
        for name in locked
        for requirement in map(Requirement, metadata.requires(name) or ())
        if requirement.marker is None or requirement.marker.evaluate(oldest)
    }
    assert len(needed) > 20
    assert sorted(pair for pair in needed if pair[1] not in locked) == []


def test_the_installed_packages_are_those_of_the_lock():
    locked = re.findall(r"^(\S+)==(\S+)", (ROOT / "requirements-dev.txt").read_text(), re.MULTILINE)
    assert [f"{name} {pin}" for name, pin in locked if metadata.version(name) != pin] == [], "run make"


# What continuous integration needs and does not install here.
FOUND = "pg_isready psql chromium-headless-shell pdftoppm qpdf gs git patch redis-server nginx caddy make"


def integrated(folder: Path, path: str = "") -> str:
    """Run continuous integration with the programs of the folder, which does not fail; return its errors."""
    env = {"PATH": f"{folder}{path}", "PYTHON": str(folder / "python3"), "POSTGRESQL_URL": "postgresql:///"}
    done = subprocess.run([ROOT / ".ci" / "run"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("has_ensurepip", [True, False])
def test_continuous_integration_installs_venv_if_python_lacks_it(tmp_path, has_ensurepip):
    stub(tmp_path, "python3", f"exit {0 if has_ensurepip else 1}")
    stub(tmp_path, "apt-get", f'echo "$@" >> {tmp_path}/installed')
    (tmp_path / "installed").touch()
    for name in FOUND.split():
        stub(tmp_path, name, "exit 0")
    integrated(tmp_path, f":{os.environ['PATH']}")
    assert ("python3-venv" in (tmp_path / "installed").read_text()) is not has_ensurepip


@pytest.mark.parametrize("fails", ["npm ci", "apt-get install npm"])
def test_continuous_integration_goes_on_without_a_typescript_client(tmp_path, fails):
    """The npm registry may be unreachable, which is no fault of Cutout."""
    for name in ("bash", "dirname", "ls", "tail", "timeout"):
        (tmp_path / name).symlink_to(shutil.which(name) or "")
    for name in ["python3", *FOUND.split(), *["npm"] * (fails == "npm ci")]:
        stub(tmp_path, name, "exit 0")
    stub(tmp_path, "apt-get", 'case "$*" in *npm*) exit 100;; esac')
    log = f'echo "$@ $CUTOUT_REQUIRE_ALL ${{CUTOUT_MAY_LACK:-}}" >> {tmp_path}/made'
    stub(tmp_path, "make", f'{log}\ncase "$*" in *typescript*) exit 2;; esac')
    assert "No client in TypeScript" in integrated(tmp_path)
    assert (tmp_path / "made").read_text().splitlines()[-1] == "test 1 typescript"


@pytest.mark.parametrize(("may_lack", "outcome"), [("typescript", pytest.skip), ("", pytest.fail)])
def test_a_strict_run_skips_only_what_is_unavailable(monkeypatch, may_lack, outcome):
    monkeypatch.setenv("CUTOUT_REQUIRE_ALL", "1")
    monkeypatch.setenv("CUTOUT_MAY_LACK", may_lack)
    with pytest.raises(outcome.Exception, match="not installed"):
        lack("It is not installed.", "typescript")


@pytest.mark.parametrize(("is_last", "loads"), [(True, []), (False, [True])], ids=["last", "not last"])
def test_the_catalogue_is_reloaded_only_if_another_test_follows(request, monkeypatch, is_last, loads):
    """After the last test, a load would fill the developer's own database."""
    loaded: list[bool] = []
    monkeypatch.setattr(conftest, "load_catalogue", lambda: loaded.append(True))
    item: Any = SimpleNamespace(
        get_closest_marker=lambda _: pytest.mark.django_db(transaction=True).mark, config=request.config
    )
    list(conftest.pytest_runtest_teardown(item, None if is_last else request.node))
    assert loaded == loads


@pytest.mark.django_db
@pytest.mark.engine("postgresql")
def test_each_worker_has_a_database_of_its_own():
    assert connection.settings_dict["NAME"].endswith(os.environ.get("PYTEST_XDIST_WORKER", ""))


@pytest.mark.engine("sqlite")
def test_tests_run_in_one_process_and_without_the_data_folder_of_the_developer(tmp_path):
    write_new_game(tmp_path / "games" / "night-train", "Night Train")
    before = files_of(tmp_path)
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    starting = ["tests/decks/management/commands/test_check_deck.py", "-k", "output"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *starting, "-p", "no:xdist", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=others | {"CUTOUT_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert files_of(tmp_path) == before


def test_skipping_modules_on_postgresql_loses_no_test(request):
    """Marks count wherever they come from, not only from the text of the module."""

    def module(item: pytest.Item) -> str:
        return item.nodeid.split("::")[0]

    def is_run_there(item: pytest.Item) -> bool:
        engine = item.get_closest_marker("engine")
        return item.get_closest_marker("django_db") is not None and (
            engine is None or engine.args[0] == "postgresql"
        )

    on_postgres = [item for item in request.session.items if is_run_there(item)]
    usual = [item for item in on_postgres if not statements.is_of_one_database(item)]
    assert sorted({module(item) for item in on_postgres} - set(on_postgresql.modules(is_whole=True))) == []
    assert sorted({module(item) for item in usual} - set(on_postgresql.modules(is_whole=False))) == []


def test_postgresql_tests_of_one_database_modules_are_marked_for_both():
    alone = '@pytest.mark.engine("postgresql")'
    texts = {str(path): path.read_text() for path in (ROOT / "tests").rglob("test_*.py")}
    texts = {path: text for path, text in texts.items() if on_postgresql.ON_ONE.search(text)}
    without_both = {
        path: text.replace(f"@pytest.mark.both_databases\n{alone}", "") for path, text in texts.items()
    }
    assert [path for path, text in without_both.items() if alone in text] == []


def test_statements_are_compared_without_their_values():
    plain = statements.without_values("INSERT INTO a (b) VALUES (%s, %s)")
    assert plain == statements.without_values("INSERT INTO a  (b) VALUES (7, 'it''s'), (%s, %s)")
    assert plain != statements.without_values("INSERT INTO a (c) VALUES (%s)")
