"""Browser helpers for offline tests: wait for the service worker, visit pages until they are cached, and go
offline.

They need a browser context that allows service workers.
"""

from __future__ import annotations

from typing import Any

# Asynchronous JavaScript conditions for ``until``: a page is cached; the service worker controls this page; a
# page was cached after a moment.
IS_KEPT = "async path => Boolean(await caches.match(path, {ignoreVary: true}))"
AT_WORK = (
    "async () => navigator.serviceWorker.controller && (await navigator.serviceWorker.ready).active.state ==="
    " 'activated'"
)
IS_KEPT_SINCE = (
    "async ([path, moment]) => (await caches.match(path, {ignoreVary: true, ignoreSearch:"
    " true}))?.headers.get('Cutout-Kept') > moment"
)


def until(page: Any, condition: str, argument: object = "") -> None:
    """Wait up to a minute for an asynchronous JavaScript condition. Playwright's own ``wait_for_function``
    would take the promise itself for true.
    """
    page.evaluate(
        f"""async argument => {{
            const condition = {condition}, end = Date.now() + 60000;
            while (!await condition(argument)) {{
                if (Date.now() > end) throw new Error(`never came true for ${{argument}}: ${{condition}}`);
                await new Promise(again => setTimeout(again, 25));
            }}
        }}""",
        argument,
    )


def at_work(page: Any) -> Any:
    """Open the home page and wait for the service worker; return the page."""
    page.goto("/")
    until(page, AT_WORK)
    return page


def seen(page: Any, *addresses: str) -> None:
    """Visit each address and wait until it is cached."""
    for address in addresses:
        page.goto(address)
        until(page, IS_KEPT, address)


def offline_in(page: Any, address: str) -> None:
    """Go offline and open the address; wait until the page says that it is a copy."""
    page.context.set_offline(True)
    page.goto(address)
    page.get_by_text("No network. This page is the copy of").wait_for()
