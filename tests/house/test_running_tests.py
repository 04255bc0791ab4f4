"""The tests run however somebody starts them: in several workers or in one, with the plugins that they have or without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests import ROOT, conftest

SMALL = "tests/house/test_terms.py"


def pytest_of(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The end of a run of pytest in a process of its own, as somebody at a console has it."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [str(Path(sys.executable).parent / "pytest"), "-q", *arguments]
    return subprocess.run(command, cwd=ROOT, env=others | environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.django_db
@pytest.mark.engine("postgresql")
def test_each_worker_has_a_database_of_its_own() -> None:
    assert connection.settings_dict["NAME"].endswith(os.environ.get("PYTEST_XDIST_WORKER", ""))


@pytest.mark.parametrize("cores", [1, 2, 3, 4, 64])
def test_on_postgresql_there_are_never_fewer_than_two_workers(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert 2 <= conftest.pytest_xdist_auto_num_workers() <= max(2, cores)


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("without", ["xdist", "cacheprovider", "randomly"])
def test_they_are_found_without_a_plugin_that_they_do_not_need(without: str) -> None:
    done = pytest_of("--collect-only", SMALL, "-p", f"no:{without}")
    assert (done.returncode, done.stderr) == (0, "") and "tests collected" in done.stdout
