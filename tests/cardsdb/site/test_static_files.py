"""Static files under hashed names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.templatetags.static import static
from django.test import Client

from cardsdb.site.static_files import HashedFiles


@pytest.fixture
def collected(tmp_path: Path, settings: Any) -> HashedFiles:
    """Static files of which one was collected."""
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").write_text(json.dumps({"paths": {"site.css": "site.1.css"}, "version": "1.1", "hash": ""}))
    return HashedFiles()


def test_a_collected_file_has_its_hashed_name(collected: HashedFiles) -> None:
    assert collected.url("site.css") == "/static/site.1.css"


def test_a_file_that_was_not_collected_keeps_its_plain_name(collected: HashedFiles) -> None:
    assert collected.url("cutout/forgotten.svg") == "/static/cutout/forgotten.svg"


def test_before_collecting_names_are_plain(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    assert HashedFiles().url("site.css") == "/static/site.css"


def test_the_icon_that_browsers_look_for_leads_to_the_one_that_is_there(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardsdb.site.static_files.static", lambda name: f"{static(name)}?hashed")
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (302, "/static/cutout/favicon.svg?hashed")
