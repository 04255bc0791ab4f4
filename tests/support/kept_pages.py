"""Pages that a browser keeps for the time without a network, in a context that may have a service worker."""

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
    """Wait until an asynchronous condition holds: playwright's own ``wait_for_function`` takes a promise for
    a yes.
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
    """The page, with the site's worker at work."""
    page.goto("/")
    until(page, AT_WORK)
    return page


def seen(page: Any, *addresses: str) -> None:
    """Visit these, until the browser has kept each."""
    for address in addresses:
        page.goto(address)
        until(page, IS_KEPT, address)


def offline_in(page: Any, address: str) -> None:
    """The page without a network; it says that it is a copy."""
    page.context.set_offline(True)
    page.goto(address)
    page.get_by_text("No network. This page is the copy of").wait_for()
