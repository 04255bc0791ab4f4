"""What the tests of boxes share: faults of the machine on which a site runs."""

from __future__ import annotations

import errno
import os

import pytest
from PIL import Image

from cardsdb.box import intake, picture_store


@pytest.fixture
def full_disk(monkeypatch):
    """No file can be made whole."""

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)


@pytest.fixture
def impatient(monkeypatch):
    """Nobody waits long: neither for a turn to decode, nor for the lock of stored pictures."""
    monkeypatch.setattr(intake, "MAX_WAIT", 0.01)
    monkeypatch.setattr(picture_store, "MAX_WAIT", 0.01)


@pytest.fixture
def no_decoding(monkeypatch):
    """Whoever decodes a picture fails."""
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("it was decoded"))
