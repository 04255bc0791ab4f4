"""The test suite runs in several workers or in one, and with or without optional plugins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from cardsdb.management.commands.new_game import write_new_game
from tests import ROOT
from tests.support.new_game import files_of

SMALL = "tests/house/test_terms.py"


def pytest_of(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a process of its own, as on a console. Return the finished process."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [str(Path(sys.executable).parent / "pytest"), "-q", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=others | environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.django_db
@pytest.mark.engine("postgresql")
def test_each_worker_has_a_database_of_its_own():
    assert connection.settings_dict["NAME"].endswith(os.environ.get("PYTEST_XDIST_WORKER", ""))


@pytest.mark.engine("sqlite")
def test_tests_are_collected_without_optional_plugins():
    done = pytest_of("--collect-only", SMALL, "-p", "no:xdist", "-p", "no:cacheprovider")
    assert (done.returncode, done.stderr) == (0, "") and "tests collected" in done.stdout


@pytest.mark.engine("sqlite")
def test_tests_neither_read_nor_write_the_data_folder_of_the_developer(tmp_path):
    write_new_game(tmp_path / "games" / "night-train", "Night Train")
    before = files_of(tmp_path)
    starting = "tests/decks/management/commands/test_check_deck.py"
    done = pytest_of(starting, "-k", "output", "-p", "no:xdist", CUTOUT_VAR=str(tmp_path))
    assert done.returncode == 0, done.stdout
    assert files_of(tmp_path) == before
