"""Files that visitors bring on the page "Bring your own": sent, looked at, taken in."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from printing.models import PrintJob
from printing.web.own_views import MAX_AT_ONCE
from tests.support.packages import zipped
from tests.support.pages import Page
from tests.support.print_jobs import waiting_folder


@pytest.fixture
def own_folders(settings, tmp_path):
    """Folders of this test's own for files that wait, and for pictures."""
    settings.VAR_DIR, settings.CUTOUT_PICTURES = tmp_path, str(tmp_path / "pictures")
    return tmp_path


def look(client: Client, data: bytes, name: str, **fields: str) -> Any:
    """The answer to a file that is sent."""
    return client.post("/own/", {"file": SimpleUploadedFile(name, data), **fields})


def form_of(seen: Any) -> dict[str, str]:
    """What a page says with which the file that waits is looked at once more, or taken in."""
    return Page(seen).one("form", action="/own/add/").sent


def pressed(client: Client, seen: Any, do: str = "add", **fields: str) -> Any:
    """The answer to a button of that form."""
    return client.post("/own/add/", {**form_of(seen), "do": do, **fields})


def taken_in(client: Client, seen: Any, **fields: str) -> Page:
    """The page after what waits was taken in."""
    return Page(client.post("/own/add/", {**form_of(seen), "do": "add", **fields}, follow=True))


def waits() -> int:
    """The number of files that wait for their owner's word."""
    return len(list(waiting_folder().iterdir()))


def age(seconds: float) -> None:
    """As if all files that wait had been sent so much earlier."""
    for path in waiting_folder().iterdir():
        os.utime(path, (path.stat().st_mtime - seconds,) * 2)


def large(name: str, data: bytes) -> bytes:
    """The file in a package that is too large to be looked at while one waits."""
    return zipped({name: data, "pad.bin": os.urandom(MAX_AT_ONCE)})


def job_of(answer: Any) -> PrintJob:
    """The job to which an answer leads."""
    assert answer.status_code == 302, answer.status_code
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])
