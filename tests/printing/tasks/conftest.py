"""What tests of stored jobs share: a pen that does as the test says while a worker makes sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from printing.exports import kinds
from tests.support.bringing import own_folders

__all__ = ["own_folders"]


@pytest.fixture
def pen(monkeypatch):
    """Called with a function it has that write the sheets, until it is called with None: a pen that breaks, a
    person who comes in between, a signal that arrives in the middle of a page.
    """
    plain = kinds.write_sheets

    def take(write: Callable[..., Any] | None) -> None:
        monkeypatch.setattr(kinds, "write_sheets", write or plain)

    return take
