"""A real browser and the site it visits: one of each for all tests of a run, or of a worker of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.programs import need
from tests.support.server import serving

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"]


@pytest.fixture(scope="session")
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site's data folder."""
    return tmp_path_factory.mktemp("var")


@pytest.fixture(scope="session")
def site(var: Path) -> Iterator[str]:
    """The site as ``make run`` serves it, with a database of its own. To prepare and start it takes ten seconds: all tests share it."""
    with serving(var) as (port, _):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Of one module only: while its loop runs Django lets no other test ask the database."""
    chromium = need("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def page(browser: Any, site: str) -> Iterator[Any]:
    """A page that fails the test when the browser reports an error or a request leaves the site."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" and "404" not in message.text else None)
    page.on("request", lambda request: errors.append(request.url) if not request.url.startswith((site, "data:")) else None)
    yield page
    context.close()
    assert errors == []
