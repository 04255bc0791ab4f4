"""A real browser, and the site it visits: one for all tests of a run, or of a worker of it."""

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
# Threads that compile and collect beside the page spare whoever waits, and cost more of the processor than
# they spare.
ARGUMENTS.append("--js-flags=--single-threaded")

# However busy the machine is: a test waits for what must be seen, and fails after a minute without it.
PATIENCE = 60_000


@pytest.fixture(scope="session")
def var(tmp_path_factory):
    """The site's data folder: one for all workers of a run, of which the first prepares it while the others
    wait.
    """
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
    """The site as ``make run`` serves it, with a database of its own. To prepare and start it takes ten
    seconds: all tests share it.

    Where one runs already (``tests.many``) that is visited.
    """
    if running := os.environ.get("CUTOUT_TEST_SITE"):
        yield running
        return
    with serving(var) as (port, _):
        yield f"http://127.0.0.1:{port}"


class Running:
    """Chromium, begun for the first test that wants it. Its start takes a second of a core, so all modules
    that follow share one.
    """

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
        """Before a test without a browser: while playwright's loop runs Django lets nobody ask the
        database.
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
    """The browser, in which a module leaves nothing open.

    No service worker stands between a test and the site, unless it makes a context with
    ``service_workers="allow"``.
    """
    if running.browser is None:
        running.start()
    running.is_wanted = True
    yield running.browser
    for context in running.browser.contexts:
        context.close()
    running.is_wanted = False


def _patient(make: Callable[..., Any]) -> Callable[..., Any]:
    """Of the page or context that is made, playwright's own half a minute becomes ours."""

    def made(**options: Any) -> Any:
        one = make(**options)
        one.set_default_timeout(PATIENCE)
        return one

    return made


@pytest.fixture(scope="module")
def kept_page(browser, site):
    """The page that the tests of a module use one after another: for each new one Chromium starts a program,
    which takes half a second.
    """
    context = browser.new_context(base_url=site)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(kept_page, site):
    """A page as for a new visitor. It fails the test when the browser reports an error or a request leaves
    the site.
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
    """The address of a deck that the visitor has from a starter. The form is read and sent and the deck's
    page, which says once that it is new, asked for; but nothing is drawn, which would take two seconds.
    """
    form = html.fromstring(page.request.get(f"/decks/new/?{of}").text()).get_element_by_id("list-form")
    saved = page.request.post("/decks/new/", form=dict(form.form_values()), max_redirects=0)
    assert saved.status == 302, saved.text()
    deck = urljoin(saved.url, saved.headers["location"])
    assert page.request.get(deck).ok
    return deck


def signed_up(page: Any, name: str) -> None:
    """The visitor with an account of this name, whose page is shown then."""
    page.goto("/accounts/signup/")
    page.fill("#id_username", name)
    page.fill("#id_password1", "correct horse battery")
    page.get_by_role("button", name="Sign up", exact=True).click()
    page.wait_for_url("**/mine/")


def logged_out(page: Any) -> None:
    """The visitor after the button of the page that asks about it, on the home page."""
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url(re.compile(r"//[^/]+/$"))


def sent_on_leaving(page: Any) -> list[dict[str, Any]]:
    """The fields of each request that the page would send as it is left, in their order; all outlive the
    page. None is sent.
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
    """Leave the page as a new one is: of the usual size, with nothing stored and nothing on its way, at an
    address of the site without any script.

    Between the site and a blank page Chromium would start another program to draw with. The files it has
    loaded it keeps, for each is loaded under a name of its contents; a test that weighs them begins with
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
    """As on a first visit, no file is there already."""
    devices = page.context.new_cdp_session(page)
    devices.send("Network.clearBrowserCache")
    devices.detach()
