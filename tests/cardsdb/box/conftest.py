"""Fixtures for the tests of boxes: a folder for pictures, and faults of the machine."""

import errno
import os

import pytest
from django.core.files.storage import storages
from PIL import Image

from cardsdb.box import intake, picture_store
from tests.support.pictures import picture_folder

__all__ = ["picture_folder"]


@pytest.fixture
def full_disk(monkeypatch):
    """Every attempt to complete a file fails for lack of disk space."""

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)


@pytest.fixture
def impatient(monkeypatch):
    """Waiting for the decoding lock or the lock of stored pictures ends at once."""
    monkeypatch.setattr(intake, "MAX_WAIT", 0.01)
    monkeypatch.setattr(picture_store, "MAX_WAIT", 0.01)


@pytest.fixture
def no_decoding(monkeypatch):
    """Decoding any picture fails the test."""
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("it was decoded"))


@pytest.fixture
def asked(bucket):
    """The names of the requests that the site sends to the object store."""
    asked, events = list[str](), storages["pictures"].client.meta.events
    events.register("before-call.s3", lambda model, **of: asked.append(model.name), unique_id="asked")
    yield asked
    events.unregister("before-call.s3", unique_id="asked")
