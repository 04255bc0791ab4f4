"""Browser tests of pages that work without a network: wait until the service worker has stored pages, go
offline. The context must allow service workers.
"""

from __future__ import annotations

from typing import Any

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
    """Wait until an asynchronous JavaScript condition is true. Playwright's ``wait_for_function`` would take
    its promise for true.
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
    """Open the home page, wait until the service worker controls it, and return the page."""
    page.goto("/")
    until(page, AT_WORK)
    return page


def seen(page: Any, *addresses: str) -> None:
    """Visit these addresses, and wait until each is stored."""
    for address in addresses:
        page.goto(address)
        until(page, IS_KEPT, address)


def offline_in(page: Any, address: str) -> None:
    """Go offline, open the address, and wait for the note that it is a copy."""
    page.context.set_offline(True)
    page.goto(address)
    page.get_by_text("No network. This page is the copy of").wait_for()
