"""Fixtures of browser tests: ``page`` is a Chromium page as for a new visitor, ``site`` the address of the
running site.

Browser and site are started once for a run (or for each of its workers), because that takes seconds. ``page``
fails its test for errors in the console and for requests to other sites.
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
# V8's background threads make a page faster for a person, but cost more processor time than they save in
# tests.
ARGUMENTS.append("--js-flags=--single-threaded")

# Milliseconds that a test waits for something to appear. Long, because the machine may be busy.
PATIENCE = 60_000


@pytest.fixture(scope="session")
def var(tmp_path_factory):
    """The site's data folder, shared by all workers of a run."""
    if there := os.environ.get("CUTOUT_TEST_VAR"):
        return Path(there)
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return tmp_path_factory.mktemp("var")
    shared = base.parent / "site"
    shared.mkdir(exist_ok=True)
    return shared


@pytest.fixture(scope="session")
def site(var):
    """The address of a site served as ``make run`` does, with a database of its own. It takes ten seconds to
    start, so all tests share it. If one is running already (``tests.many``), its address.
    """
    if running := os.environ.get("CUTOUT_TEST_SITE"):
        yield running
        return
    with serving(var) as (port, _):
        yield f"http://127.0.0.1:{port}"


class Running:
    """Chromium, started for the first test that needs it and shared by all modules after it."""

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
        """Stop Chromium unless the next test needs it. Called before tests without a browser, because Django
        refuses database queries while playwright's event loop runs.
        """
        if self.browser is not None and not self.is_wanted:
            self.browser.close()
            self._playwright.stop()
            self.browser = self._playwright = None


RUNNING = Running()


@pytest.fixture(scope="session")
def running():
    yield RUNNING
    RUNNING.stop()


@pytest.fixture(scope="module")
def browser(running):
    """The browser. All contexts are closed after each module. Service workers are blocked, unless a test
    makes a context with ``service_workers="allow"``.
    """
    if running.browser is None:
        running.start()
    running.is_wanted = True
    yield running.browser
    for context in running.browser.contexts:
        context.close()
    running.is_wanted = False


def _patient(make: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function that makes a page or context, so that it waits PATIENCE instead of half a minute."""

    def made(**options: Any) -> Any:
        context = make(**options)
        context.set_default_timeout(PATIENCE)
        return context

    return made


@pytest.fixture(scope="module")
def kept_page(browser, site):
    """The page that all tests of a module use one after the other, because a new one takes half a second."""
    context = browser.new_context(base_url=site)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(kept_page, site):
    """A page as for a new visitor. The test fails if the browser reports an error or a request leaves the
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


def saved_starter(page: Any, of: str) -> str:
    """Save a starter as a deck of the visitor, and return its address. ``of`` is the query of the form, such
    as ``game=spycraft&starter=nine-tiger``. No page is rendered, which would take two seconds; the deck's
    page is requested once, because its first answer says that the deck is new.
    """
    form = html.fromstring(page.request.get(f"/decks/new/?{of}").text()).get_element_by_id("list-form")
    saved = page.request.post("/decks/new/", form=dict(form.form_values()), max_redirects=0)
    assert saved.status == 302, saved.text()
    deck = urljoin(saved.url, saved.headers["location"])
    assert page.request.get(deck).ok
    return deck


def signed_up(page: Any, name: str) -> None:
    """Sign the visitor up under this name. Ends on the page Mine."""
    page.goto("/accounts/signup/")
    page.fill("#id_username", name)
    page.fill("#id_password1", "correct horse battery")
    page.get_by_role("button", name="Sign up", exact=True).click()
    page.wait_for_url("**/mine/")


def logged_out(page: Any) -> None:
    """Press the button on the page that asks about logging out. Ends on the home page."""
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(re.compile(r"//[^/]+/$"))


def sent_on_leaving(page: Any) -> list[dict[str, Any]]:
    """The fields of each request that the page's script sends when the page is left, in order. Nothing is
    really sent. A request without ``keepalive``, which the browser would cut off, is an error.
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
    """Reset the page: usual size and colours, no cookies and storage, no pending requests.

    It ends at an address of the site without script, because for a blank page Chromium would start another
    process. Loaded files stay in the browser's cache; a test that measures loading begins with
    ``forget_files``.
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
    """Empty the browser's cache, as on a first visit."""
    devices = page.context.new_cdp_session(page)
    devices.send("Network.clearBrowserCache")
    devices.detach()
