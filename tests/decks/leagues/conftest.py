"""Two formats of this browser: one read from a file, one begun by the form."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from decks.models import LeagueFormat
from tests.support.leagues import FILE, begin


@pytest.fixture
def row(client):
    """A private format of this browser, read from a file."""
    file = SimpleUploadedFile("tuesday.toml", FILE.encode())
    assert client.post("/formats/", {"from": "file", "file": file}).status_code == 302
    return LeagueFormat.objects.get()


@pytest.fixture
def begun(client):
    """A private format of this browser, begun by the form."""
    begin(client, "Night")
    return LeagueFormat.objects.get(name="Night")
