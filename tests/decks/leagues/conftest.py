"""A format out of a file, and one that was begun by the form."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from decks.models import LeagueFormat
from tests.support.leagues import FILE, begin


@pytest.fixture
def row(client: Client) -> LeagueFormat:
    """A private format of this browser, out of a file."""
    file = SimpleUploadedFile("tuesday.toml", FILE.encode())
    assert client.post("/formats/", {"from": "file", "file": file}).status_code == 302
    return LeagueFormat.objects.get()


@pytest.fixture
def begun(client: Client) -> LeagueFormat:
    """A format that was begun by the form."""
    begin(client, "Night")
    return LeagueFormat.objects.get(name="Night")
