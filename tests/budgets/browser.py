"""Rows 1 and 2 of ``docs/speed.md``, in headless Chromium: a first visit on a slow phone, and the wait after
a key press. Called by the rows of ``__main__.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from tests.budgets.measuring import Line
from tests.drill.site import site
from tests.support.browser import ARGUMENTS, saved_starter

# Repetitions, of which the median counts.
VISITS = 5
KEYS = 7
# Slow 4G as Lighthouse defines it: milliseconds, and bytes per second.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
# Figure of a visit, its budget, its unit: in the order in which ``_visit`` returns them.
BUDGETS = (("first paint", 1_200, "ms"), ("blocking", 150, "ms"), ("weight", 110, "kB"), ("requests", 9, ""))
OBSERVE = """window.tasks = [];
new PerformanceObserver(seen => window.tasks.push(...seen.getEntries()))
  .observe({type: "longtask", buffered: true})"""
# [milliseconds to the first contentful paint, milliseconds by which later tasks exceed 50 ms in total]; null
# before the first paint.
SEEN = """(() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  const beyond = task => Math.max(0, task.startTime + task.duration - Math.max(task.startTime, paint) - 50);
  return paint === undefined ? null : [paint, window.tasks.reduce((sum, task) => sum + beyond(task), 0)];
})()"""
# Milliseconds from a key in a field, or a press of a button, until the HTML of a part of the page has changed
# and is painted.
WAIT = """([field, part]) => new Promise(done => {
  const told = () => document.querySelector(part).innerHTML, before = told();
  const input = document.querySelector(field);
  new MutationObserver((_, seen) => {
    if (told() === before) return;
    seen.disconnect();
    requestAnimationFrame(() => done(performance.now() - begun));
  }).observe(document.body, {childList: true, subtree: true});
  const begun = performance.now();
  if (input.tagName === "BUTTON") return input.click();
  input.value = input.type === "number" ? Number(input.value || 0) + 1
    : input.value + "krypt"[input.value.length % 5];
  input.dispatchEvent(new InputEvent("input", {bubbles: true}));
})"""


@contextmanager
def _browsing(folder: Path, name: str) -> Iterator[tuple[Any, str, Any, str]]:
    """Run the site and a browser; yield the browser, the site's address, the storage of a visitor with a
    deck, and the path of that deck.
    """
    chromium = which("chromium-headless-shell") or which("chromium")
    with site(folder, name, with_worker=True) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        address = f"http://127.0.0.1:{running.port}"
        context = browser.new_context(base_url=address)
        deck = saved_starter(context.new_page(), "game=spycraft&starter=nine-tiger")
        yield browser, address, context.storage_state(), deck.removeprefix(address)
        browser.close()


def first_visits(folder: Path) -> Iterator[Line]:
    """Row 1: each page on a first visit, with an empty cache."""
    with _browsing(folder, "visits") as (browser, address, state, deck):
        pages = {
            "home": "/",
            "list": "/cards/?q=game:spycraft",
            "card": "/cards/spycraft/li/",
            "deck": deck,
            "editor": f"{deck}edit/",
            "print": f"/print/?deck={deck.split('/')[2]}&paper=a4",
            "game": "/games/xfiles/",
        }
        for name, path in pages.items():
            own = state if name in ("deck", "editor", "print") else None
            visits = [_visit(browser, f"{address}{path}", own) for _ in range(VISITS)]
            for (what, budget, unit), values in zip(BUDGETS, zip(*visits, strict=True), strict=True):
                yield Line(f"{name}, {what}", median(values), budget, unit)


def _visit(browser: Any, address: str, state: Any) -> tuple[float, float, float, float]:
    """Return first paint and blocking time in ms, transferred kB, and number of requests of a visit with an
    empty cache.
    """
    phone = {"width": 390, "height": 844}
    context = browser.new_context(service_workers="block", storage_state=state, viewport=phone)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW)
    # A quarter of the processor.
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    page.goto(address, wait_until="networkidle")
    seen = None
    while not seen:
        page.wait_for_timeout(200)
        # Evaluated over the protocol, because playwright's own evaluate first injects a script into the page.
        told = devtools.send("Runtime.evaluate", {"expression": SEEN, "returnByValue": True})
        seen = told["result"]["value"]
    context.close()
    return seen[0], seen[1], sum(sizes) / 1_000, len(sizes)


def after_keys(folder: Path) -> Iterator[Line]:
    """Row 2: the wait in the form of a print and in the editor."""
    with _browsing(folder, "keys") as (browser, address, state, deck):
        page = browser.new_context(service_workers="block", storage_state=state, base_url=address).new_page()
        page.goto(f"/print/?deck={deck.split('/')[2]}&paper=a4")
        page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true })")
        yield Line("preview of a print", _wait(page, "#f-gap", "#outcome"), 150)
        page.goto(f"{deck}edit/")
        yield Line("search in the editor", _wait(page, "#find-q", "#found"), 150)
        page.goto(f"{deck}edit/")
        yield Line("+1 in the editor", _wait(page, "#deck .stepper-more", "#verdict"), 150)


def _wait(page: Any, field: str, part: str) -> float:
    """Return the median milliseconds from a key in ``field`` until ``part`` has changed (CSS selectors)."""
    waits = []
    for _ in range(KEYS):
        waits.append(page.evaluate(WAIT, [field, part]))
        page.wait_for_timeout(300)
    return median(waits)
