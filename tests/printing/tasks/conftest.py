"""Shared by tests of stored jobs: each begins with an empty folder of jobs (``no_files_of_others``), and
``pen`` replaces the drawing of sheets.
"""

from collections.abc import Callable
from typing import Any

import pytest

from printing.exports import kinds
from printing.tasks import jobs
from tests.support.print_jobs import no_files_of_others

__all__ = ["no_files_of_others"]


@pytest.fixture
def pen(monkeypatch):
    """A function that replaces ``write_sheets(job, out, on_page)`` by the one it is given, or by the real one
    for None: to make drawing fail, or to let something happen in the middle of it. Each page is reported at
    once.
    """
    plain = kinds.write_sheets
    monkeypatch.setattr(jobs, "BETWEEN", 0)

    def take(write: Callable[..., Any] | None) -> None:
        monkeypatch.setattr(kinds, "write_sheets", write or plain)

    return take
