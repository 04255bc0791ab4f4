"""Bring files on the page "Bring your own": send one, press the buttons of its dry run, and see what
waits.
"""

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
    """Empty folders of this test for waiting files and pictures. Returns the site's data folder."""
    settings.VAR_DIR, settings.CUTOUT_PICTURES = tmp_path, str(tmp_path / "pictures")
    return tmp_path


def look(client: Client, data: bytes, name: str, **fields: str) -> Any:
    """Send a file, and return the answer, usually the page with its dry run."""
    return client.post("/own/", {"file": SimpleUploadedFile(name, data), **fields})


def form_of(seen: Any) -> dict[str, str]:
    """The fields of the form on the page of a dry run."""
    return Page(seen).one("form", action="/own/add/").sent


def pressed(client: Client, seen: Any, do: str = "add", **fields: str) -> Any:
    """The answer to a button of that form: ``add``, ``make``, ``look`` or ``forget``."""
    return client.post("/own/add/", {**form_of(seen), "do": do, **fields})


def taken_in(client: Client, seen: Any, **fields: str) -> Page:
    """Take the waiting file in, and return the page that follows."""
    return Page(client.post("/own/add/", {**form_of(seen), "do": "add", **fields}, follow=True))


def waits() -> int:
    """The number of waiting files of all owners."""
    return len(list(waiting_folder().iterdir()))


def age(seconds: float) -> None:
    """Make all waiting files older by this many seconds."""
    for path in waiting_folder().iterdir():
        os.utime(path, (path.stat().st_mtime - seconds,) * 2)


def large(name: str, data: bytes) -> bytes:
    """A zip with this file that is so large that its dry run becomes a stored job."""
    return zipped({name: data, "pad.bin": os.urandom(MAX_AT_ONCE)})


def job_of(answer: Any) -> PrintJob:
    """The stored job to which an answer redirects."""
    assert answer.status_code == 302, answer.status_code
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])
