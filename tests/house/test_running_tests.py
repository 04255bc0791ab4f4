"""The tests run however somebody starts them: in several workers or in one, with the plugins that they have
or without.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from cardsdb.management.commands.new_game import write_new_game
from tests import ROOT, conftest
from tests.support.new_game import files_of

SMALL = "tests/house/test_terms.py"


def pytest_of(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The end of a run of pytest in a process of its own, as somebody at a console has it."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [str(Path(sys.executable).parent / "pytest"), "-q", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=others | environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.django_db
@pytest.mark.engine("postgresql")
def test_each_worker_has_a_database_of_its_own() -> None:
    assert connection.settings_dict["NAME"].endswith(os.environ.get("PYTEST_XDIST_WORKER", ""))


@pytest.mark.parametrize("cores", [1, 2, 3, 4, 64])
def test_on_postgresql_there_are_never_fewer_than_two_workers(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert 2 <= conftest.pytest_xdist_auto_num_workers() <= max(2, cores)


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize("without", ["xdist", "cacheprovider", "randomly"])
def test_they_are_found_without_a_plugin_that_they_do_not_need(without: str) -> None:
    done = pytest_of("--collect-only", SMALL, "-p", f"no:{without}")
    assert (done.returncode, done.stderr) == (0, "") and "tests collected" in done.stdout


@pytest.mark.engine("sqlite")
def test_they_neither_read_nor_write_what_lies_in_the_data_folder_of_whoever_runs_them(
    tmp_path: Path,
) -> None:
    write_new_game(tmp_path / "games" / "night-train", "Night Train")
    before = files_of(tmp_path)
    starting = "tests/house/test_starting.py::test_converting_a_deck_takes_texts_from_a_file"
    done = pytest_of(starting, "-p", "no:xdist", CUTOUT_VAR=str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert files_of(tmp_path) == before
