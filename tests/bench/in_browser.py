"""Rows 18 and 19: what somebody waits for in a browser, at slow 4G with a quarter of the processor, and after
the last key.

By the clock, of a quiet moment: whatever else the machine does is in these figures. Left out where no
Chromium is installed.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

from cardsdb.games import games
from tests.bench.goals import Result, result
from tests.support.browser import ARGUMENTS
from tests.support.server import serving

VISITS, KEYS = 7, 7
# So often is looked, ten times a second, whether a page was painted.
LOOKS = 300
# Slow 4G as Lighthouse has it: bytes a second, and milliseconds.
SLOW = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6 * 1024 * 1024 / 8,
    "uploadThroughput": 750 * 1024 / 8,
}
OBSERVE = """
window.blocked = 0;
new PerformanceObserver(list => { for (const task of list.getEntries()) window.blocked += Math.max(0, task.duration - 50) })
  .observe({type: "longtask", buffered: true});
"""
# [first paint, blocking], of which the first is null until the page was painted: it may be whole before that.
SEEN = "[performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null, window.blocked]"
# Milliseconds from a key in a field to the next change of a part of the page, seen when it is painted.
AFTER_KEY = """([field, part]) => new Promise(done => {
  const input = document.querySelector(field);
  new MutationObserver((_, seen) => { seen.disconnect(); requestAnimationFrame(() => done(performance.now() - begun)) })
    .observe(document.querySelector(part), {childList: true, subtree: true});
  input.value = input.type === "number" ? String(Number(input.value || 0) + 1) : input.value + LETTERS[input.value.length % LETTERS.length];
  const begun = performance.now();
  input.dispatchEvent(new InputEvent("input", {bubbles: true}));
})""".replace("LETTERS", '"krypt"')


def run() -> Iterator[Result]:
    chromium = which("chromium-headless-shell") or which("chromium")
    if not chromium:
        return
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as var,
        serving(Path(var)) as (port, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        site = f"http://127.0.0.1:{port}"
        state, deck = _author(browser, site)
        addresses = {
            "home": "/",
            "card": "/cards/spycraft/li/",
            "list": "/cards/?q=game:spycraft",
            "deck": deck,
            "editor": f"{deck}edit/",
        }
        for name, address in addresses.items():
            visits = [
                _visit(browser, f"{site}{address}", state if name in ("deck", "editor") else None)
                for _ in range(VISITS)
            ]
            for what, values in zip(
                ("bytes", "requests", "paint", "blocking"), zip(*visits, strict=True), strict=True
            ):
                yield result(f"18.{name}-{what}", median(values))
        page = browser.new_context(storage_state=state, service_workers="block").new_page()
        page.goto(f"{site}/print/?deck={deck.split('/')[2]}&paper=a4")
        page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true }")
        yield result("19.preview", _after_keys(page, "#f-gap", "#outcome"))
        page.goto(f"{site}{deck}edit/")
        yield result("19.search", _after_keys(page, "#find-q", "#found"))
        browser.close()


def _author(browser: Any, site: str) -> tuple[Any, str]:
    """The cookies of a browser that has made a deck, and the deck's address."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(f"{site}/decks/new/")
    starter = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger")
    page.fill("#id_text", starter.text)
    page.fill("#id_name", "Bench")
    page.evaluate("() => document.querySelector('#list-form').submit()")
    page.wait_for_url(re.compile(r"/decks/[\w-]{16,}/"))
    state = context.storage_state()
    context.close()
    return state, "/".join(page.url.removeprefix(site).split("/")[:3]) + "/"


def _visit(browser: Any, address: str, state: Any) -> tuple[float, float, float, float]:
    """kB over the wire, requests, first contentful paint and blocking time (ms beyond 50 of each task) of a
    visit without a cache.
    """
    context = browser.new_context(
        service_workers="block", storage_state=state, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.add_init_script(OBSERVE)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    page.goto(address, wait_until="networkidle")
    # Asked of the browser itself: playwright would first put a script of its own into the page, which blocks
    # it too.
    for _ in range(LOOKS):
        page.wait_for_timeout(100)
        paint, blocking = devtools.send("Runtime.evaluate", {"expression": SEEN, "returnByValue": True})[
            "result"
        ]["value"]
        if paint is not None:
            break
    else:
        raise TimeoutError(f"{address} was not painted.")
    context.close()
    return sum(sizes) / 1_000, float(len(sizes)), float(paint), float(blocking)


def _after_keys(page: Any, field: str, part: str) -> float:
    waits = []
    for _ in range(KEYS):
        waits.append(page.evaluate(AFTER_KEY, [field, part]))
        page.wait_for_timeout(300)
    return median(waits)
