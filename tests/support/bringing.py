"""Steps of the page "Bring your own" at ``/own/``: upload a file, look at its preview, and accept it.

An uploaded file waits in ``waiting_folder`` until its owner accepts it. ``look`` gives the preview,
``pressed`` and ``taken_in`` send the form of that preview.
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
from tests.support.pages import Page, page
from tests.support.print_jobs import waiting_folder


@pytest.fixture
def own_folders(settings, tmp_path):
    """Give the test its own folders for waiting files and for pictures."""
    settings.VAR_DIR, settings.CUTOUT_PICTURES = tmp_path, str(tmp_path / "pictures")
    return tmp_path


def look(client: Client, data: bytes, name: str, **fields: str) -> Any:
    """Return the response to an upload: the preview of the file, or a redirect to a job if the file is
    large.
    """
    return client.post("/own/", {"file": SimpleUploadedFile(name, data), **fields})


def form_of(seen: Any) -> dict[str, str]:
    """Return the fields of the form in a preview, which name the waiting file."""
    return Page(seen).one("form", action="/own/add/").sent


def pressed(client: Client, seen: Any, do: str = "add", **fields: str) -> Any:
    """Return the response to a button of that form; ``do`` is the button's value."""
    return client.post("/own/add/", {**form_of(seen), "do": do, **fields})


def taken_in(client: Client, seen: Any, **fields: str) -> Page:
    """Accept the waiting file and return the page that follows."""
    return Page(client.post("/own/add/", {**form_of(seen), "do": "add", **fields}, follow=True))


def waits() -> int:
    """Return the number of files that wait to be accepted."""
    return len(list(waiting_folder().iterdir()))


def age(seconds: float) -> None:
    """Make all waiting files older by so many seconds."""
    for path in waiting_folder().iterdir():
        os.utime(path, (path.stat().st_mtime - seconds,) * 2)


def large(name: str, data: bytes) -> bytes:
    """Return a ZIP with this file that is too large to be read within a request, so that a job reads it."""
    return zipped({name: data, "pad.bin": os.urandom(MAX_AT_ONCE)})


def job_of(answer: Any) -> PrintJob:
    """Return the stored job to which the response redirects."""
    assert answer.status_code == 302, answer.status_code
    return PrintJob.objects.get(link=answer["Location"].split("/")[-2])


def words_of(client: Client, row: PrintJob, **headers: str) -> str:
    """Return the words on the page of the job."""
    return page(client, f"/own/jobs/{row.link}/", headers=headers).text
