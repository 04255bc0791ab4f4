"""A real browser, the site it visits (one for all tests of a run, or of a worker of it) and what axe finds wrong with a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.programs import need_browser
from tests.support.server import serving

USUAL_SIZE = {"width": 1280, "height": 720}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--no-first-run"]

EVERY_RULE = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
# The shapes a page is looked at in: every rule in both, and so the contrast of each colour scheme once.
WIDE_AND_NARROW = ((1280, "light"), (320, "dark"))


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
    """Of one module only: while its loop runs Django lets no other test ask the database.

    No service worker stands between a test and the site, unless it makes a context with ``service_workers="allow"``.
    """
    chromium = need_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        running.new_context = partial(running.new_context, service_workers="block")
        running.new_page = partial(running.new_page, service_workers="block")
        yield running
        running.close()


@pytest.fixture(scope="module")
def kept_page(browser: Any, site: str) -> Iterator[Any]:
    """The page that the tests of a module use one after another: for each new one Chromium starts a program, which takes half a second."""
    context = browser.new_context(base_url=site)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(kept_page: Any, site: str) -> Iterator[Any]:
    """A page as for a new visitor. It fails the test when the browser reports an error or a request leaves the site."""
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
    """The address of a deck that the visitor saves from a starter, whose page is shown then."""
    page.goto(f"/decks/new/?{of}")
    page.get_by_role("button", name="Save the deck").click()
    page.wait_for_url(re.compile(r"/decks/[\w-]{22}/$"))
    return str(page.url)


def signed_up(page: Any, name: str) -> None:
    """The visitor with an account of this name, whose page is shown then."""
    page.goto("/accounts/signup/")
    page.fill("#id_username", name)
    page.fill("#id_password1", "correct horse battery")
    page.get_by_role("button", name="Sign up", exact=True).click()
    page.wait_for_url("**/account/")


def sent_on_leaving(page: Any) -> list[dict[str, Any]]:
    """The fields of each request that the page would send as it is left, in their order; all outlive the page. None is sent."""
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
    """Leave the page as a new one is: at no address, of the usual size, with nothing stored and nothing on its way."""
    context = page.context
    for other in context.pages:
        if other is not page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    page.goto("about:blank")
    page.mouse.move(0, 0)
    page.set_viewport_size(USUAL_SIZE)
    page.emulate_media(color_scheme="light", forced_colors="none")
    context.clear_cookies()
    devices = context.new_cdp_session(page)
    devices.send("Storage.clearDataForOrigin", {"origin": site, "storageTypes": "all"})
    devices.send("Network.clearBrowserCache")
    devices.detach()


def breaches(page: Any, rules: object = EVERY_RULE) -> list[str]:
    """The rules of axe that the page breaks as it stands, each with the first element that does."""
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    # Without ``preload`` axe does not fetch the style sheets once more, which no rule of these reads.
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    violations = page.evaluate("options => axe.run(options).then(results => results.violations)", options)
    return [f"{violation['id']}: {violation['nodes'][0]['html'][:140]}" for violation in violations]


def breaches_of_shapes(page: Any, shapes: Iterable[tuple[int, str]] = WIDE_AND_NARROW) -> list[str]:
    """What is wrong with the page in each width and colour scheme: rules of axe, and that it scrolls sideways. It is loaded once."""
    wrong = []
    for width, scheme in shapes:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found = breaches(page)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append("scrolls sideways")
        wrong += [f"{page.url}, {width}, {scheme}: {one}" for one in found]
    return wrong
