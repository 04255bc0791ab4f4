"""A process that starts answers some pages to itself first, and starts whatever becomes of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cardsdb.site.overload import answer_first
from tests import ROOT


@pytest.fixture
def asked() -> list[str]:
    return []


def test_pages_are_asked_one_after_another_and_followed_where_they_lead(asked: list[str]) -> None:
    def site(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked.append(environ["PATH_INFO"])
        leads = environ["PATH_INFO"] == "/random/"
        start_response("302 Found" if leads else "200 OK", [("Location", "/cards/kai/")] if leads else [])
        return [b""]

    answer_first(site, ["/", "/random/", "/decks/"])
    assert asked == ["/", "/random/", "/decks/", "/cards/kai/"]


def test_a_page_that_fails_keeps_neither_the_next_nor_the_process(asked: list[str]) -> None:
    def site(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        asked.append(environ["PATH_INFO"])
        raise RuntimeError

    answer_first(site, ["/", "/cards/"])
    assert asked == ["/", "/cards/"]


def test_a_server_process_has_its_addresses_before_it_serves_though_its_database_is_empty(
    tmp_path: Path,
) -> None:
    said = "import sys, cardsdb.wsgi; print('decks.urls' in sys.modules)"
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
        "CUTOUT_VAR": str(tmp_path)
    }
    done = subprocess.run(
        [sys.executable, "-c", said], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    assert done.stdout == "True\n"
