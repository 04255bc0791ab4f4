"""On a touch screen every control outside running text is at least 44 px high."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.one_database]

# Controls that are lower. A checkbox counts with its label; scrolled content is measured where it is.
SMALL = """() => [...document.querySelectorAll(
        "main :is(button, select, summary, nav a, th a, td > a, a.name, a.button-small,"
        + " input:not([type=hidden]))"
    )]
    .filter(one => one.checkVisibility({ visibilityProperty: true })
      && !one.closest(".visually-hidden, .face"))
    .map(one => [one, [one, ...(one.labels || [])].map(part => part.getBoundingClientRect())])
    .filter(([one, boxes]) => boxes[0].width > 1)
    .filter(([one, boxes]) => Math.max(...boxes.map(box => box.height)) < 43.5)
    .map(([one]) => one.outerHTML.slice(0, 120))"""
PAGES = (
    "/cards/?q=game%3Axfiles",
    "/cards/?q=game%3Aspycraft+wound",
    "/cards/?q=wound&view=faces",
    "/cards/?q=zzzz",
    "/games/xfiles/",
    "/print/?game=xfiles",
    "/check/",
    "/collection/?game=xfiles",
    "/decks/",
    "/sets/",
    "/games/spynet/checklist/",
)


def test_controls_are_44_px_high_under_a_finger(browser, site):
    phone = {"width": 390, "height": 844}
    context = browser.new_context(base_url=site, has_touch=True, is_mobile=True, viewport=phone)
    page = context.new_page()
    small = {}
    for address in PAGES:
        page.goto(address)
        page.locator("main details").evaluate_all("all => all.forEach(one => { one.open = true })")
        small[address] = page.evaluate(SMALL)
    context.close()
    assert {address: found for address, found in small.items() if found} == {}
