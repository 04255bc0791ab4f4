"""Fixtures for tests in a real browser: the running site, one shared Chromium, and a clean page for each
test.

Tests take ``page`` (and ``site`` for its address). Starting Chromium or the site costs seconds, so both
are shared by all tests of a process; ``_forget`` makes sure that a page starts like that of a new visitor.
``tests/conftest.py`` imports the fixtures for all tests.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from lxml import html

from tests.support.programs import need_browser
from tests.support.server import serving

USUAL_SIZE = {"width": 1280, "height": 720}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
# Chromium's helper threads shorten waiting, but cost more processor time than they save.
ARGUMENTS.append("--js-flags=--single-threaded")

# Milliseconds that a step may wait before the test fails, enough for a busy machine.
PATIENCE = 60_000


@pytest.fixture(scope="session")
def var(tmp_path_factory):
    """The site's data folder. All xdist workers share one; the first prepares it while the others wait."""
    if given := os.environ.get("CUTOUT_TEST_VAR"):
        return Path(given)
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return tmp_path_factory.mktemp("var")
    shared = base.parent / "site"
    shared.mkdir(exist_ok=True)
    return shared


@pytest.fixture(scope="session")
def site(var):
    """The address of the site as ``make run`` serves it, with its own database. All tests share it, because
    preparing and starting it takes ten seconds.

    ``CUTOUT_TEST_SITE`` names a site that runs already (``tests.many``); then that one is used.
    """
    if running := os.environ.get("CUTOUT_TEST_SITE"):
        yield running
        return
    with serving(var) as (port, _):
        yield f"http://127.0.0.1:{port}"


class Running:
    """The shared Chromium. It starts for the first test that needs it, because a start takes a second."""

    def __init__(self) -> None:
        self.browser: Any = None
        self.is_wanted = False
        self._playwright: Any = None

    def start(self) -> None:
        chromium = need_browser()
        from playwright.sync_api import expect, sync_playwright

        expect.set_options(timeout=PATIENCE)
        self._playwright = sync_playwright().start()
        self.browser = self._playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        self.browser.new_context = _patient(partial(self.browser.new_context, service_workers="block"))
        self.browser.new_page = _patient(partial(self.browser.new_page, service_workers="block"))

    def stop(self) -> None:
        """Close the browser unless a module uses it. Tests without a browser need this: while playwright's
        event loop runs, Django refuses database queries.
        """
        if self.browser is not None and not self.is_wanted:
            self.browser.close()
            self._playwright.stop()
            self.browser = self._playwright = None


RUNNING = Running()


@pytest.fixture(scope="session")
def running():
    """The shared ``Running``; the browser closes when the session ends."""
    yield RUNNING
    RUNNING.stop()


@pytest.fixture(scope="module")
def browser(running):
    """The shared browser. All its contexts are closed after each module.

    Service workers are blocked, unless a test makes its own context with ``service_workers="allow"``.
    """
    if running.browser is None:
        running.start()
    running.is_wanted = True
    yield running.browser
    for context in running.browser.contexts:
        context.close()
    running.is_wanted = False


def _patient(make: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a factory of pages or contexts so that their default timeout is PATIENCE instead of playwright's
    30 seconds.
    """

    def made(**options: Any) -> Any:
        opened = make(**options)
        opened.set_default_timeout(PATIENCE)
        return opened

    return made


@pytest.fixture(scope="module")
def kept_page(browser, site):
    """One page for all tests of a module, because each new page starts a process of Chromium, which takes
    half a second. Tests use ``page`` instead.
    """
    context = browser.new_context(base_url=site)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(kept_page, site):
    """The page of a new visitor. The test fails if the browser reports an error or if a request leaves the
    site.
    """
    errors: list[str] = []

    def console(message: Any) -> None:
        if message.type == "error" and "404" not in message.text:
            errors.append(message.text)

    def request(request: Any) -> None:
        if not request.url.startswith((site, "data:")):
            errors.append(request.url)

    def uncaught(error: Any) -> None:
        errors.append(str(error))

    listeners = {"console": console, "request": request, "pageerror": uncaught}
    for event, listener in listeners.items():
        kept_page.on(event, listener)
    yield kept_page
    for event, listener in listeners.items():
        kept_page.remove_listener(event, listener)
    _forget(kept_page, site)
    assert errors == []


def saved_starter(page: Any, params: str) -> str:
    """Save a starter as the visitor's deck and return the deck's address; ``params`` is the query string that
    names the starter.

    The form is sent without drawing a page, which saves two seconds. The deck's page is fetched once, so
    that its notice for new decks is gone.
    """
    form = html.fromstring(page.request.get(f"/decks/new/?{params}").text()).get_element_by_id("list-form")
    saved = page.request.post("/decks/new/", form=dict(form.form_values()), max_redirects=0)
    assert saved.status == 302, saved.text()
    deck = urljoin(saved.url, saved.headers["location"])
    assert page.request.get(deck).ok
    return deck


def stamp(page: Any) -> str:
    """Return the verdict on the page of a deck or of a checked list, in capitals."""
    return str(page.inner_text(".verdict-stamp").upper())


def signed_up(page: Any, name: str) -> None:
    """Sign up with this name; ends on the page "Mine"."""
    page.goto("/accounts/signup/")
    page.fill("#id_username", name)
    page.fill("#id_password1", "correct horse battery")
    page.get_by_role("button", name="Sign up", exact=True).click()
    page.wait_for_url("**/mine/")


def logged_out(page: Any) -> None:
    """Press "Log out" on the page that asks for confirmation; ends on the home page."""
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(re.compile(r"//[^/]+/$"))


def sent_on_leaving(page: Any) -> list[dict[str, Any]]:
    """Return the fields of each request that the page would send while it is left, in order. No request is
    really sent, and one without ``keepalive`` is an error, because it would be cut off.
    """
    return list(
        page.evaluate(
            """() => {
                const sent = [];
                window.fetch = (address, { body, keepalive }) => {
                    if (!keepalive) throw new Error(`${address} would be cut off`);
                    sent.push(Object.fromEntries(body));
                    return new Promise(() => {});
                };
                dispatchEvent(new PageTransitionEvent("pagehide"));
                return sent;
            }"""
        )
    )


def _forget(page: Any, site: str) -> None:
    """Reset the page to that of a new visitor: usual size, no stored data, no open requests, on an address
    without scripts.

    It stays on the site, because Chromium would start another process to go from the site to a blank page.
    Cached files stay too: their names contain their hash. A test that measures loading calls ``forget_files``
    first.
    """
    context = page.context
    for other in context.pages:
        if other is not page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    page.goto(f"{site}/robots.txt")
    page.mouse.move(0, 0)
    page.set_viewport_size(USUAL_SIZE)
    page.emulate_media(color_scheme="light", forced_colors="none")
    context.clear_cookies()
    devices = context.new_cdp_session(page)
    devices.send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
    devices.detach()


def forget_files(page: Any) -> None:
    """Empty the browser's file cache, as on a first visit."""
    devices = page.context.new_cdp_session(page)
    devices.send("Network.clearBrowserCache")
    devices.detach()
