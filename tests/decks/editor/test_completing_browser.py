"""An empty deck is completed into a legal one, in a browser: with few presses, without script, on a phone."""

import pytest

from tests.support.axe import breaches_of_shapes

pytestmark = pytest.mark.browser


def empty(page, game) -> str:
    """The address of a new deck's editor, which is open."""
    page.goto(f"/decks/new/?game={game}")
    page.get_by_role("button", name="Start empty").click()
    page.locator(".needs").wait_for(state="attached")
    return str(page.url).partition("?")[0]


def need(page, role):
    return page.locator("li.need").filter(has=page.get_by_role("link", name=role, exact=True))


def test_a_legal_deck_is_built_in_few_presses(page):
    page.set_viewport_size({"width": 1280, "height": 900})
    empty(page, "xfiles")
    need(page, "Team").get_by_role("link").click()
    page.locator("#found [data-role=team]").wait_for()
    page.locator("#found .stepper-more").first.click()
    page.locator("#deck .deck-line").wait_for()
    page.get_by_role("link", name="See what completes it").click()
    page.get_by_text("Legal with them").wait_for()
    page.get_by_role("button", name="Add these cards").click()
    page.locator(".pane-verdict").wait_for()
    assert page.inner_text(".pane-verdict strong").upper() == "LEGAL"
    assert page.locator(".advice").count() == 0
    assert need(page, "Sites").locator(".num").inner_text() == "15 of 15"
    page.get_by_role("button", name="Undo").click()
    page.locator("#deck .deck-line:nth-child(2)").first.wait_for(state="detached")
    assert page.locator("#deck .deck-line").count() == 1


def test_the_cards_that_fit_a_role_keep_their_places_until_it_is_opened_again(page):
    page.set_viewport_size({"width": 1280, "height": 900})
    empty(page, "xfiles")
    need(page, "Team").get_by_role("link").click()
    page.locator("#found [data-role=team]:not(.fits-few)").wait_for()
    rows = "all => all.map(node => node.dataset.code)"
    before = page.locator("#found .result-row").evaluate_all(rows)
    page.locator("#found .stepper-more").first.click()
    page.locator("#deck .deck-line").wait_for()
    assert page.locator("#found .result-row").evaluate_all(rows) == before
    assert page.locator("#found .result-row").first.locator(".stepper-count").inner_text() == "1"
    need(page, "Team").get_by_role("link").click()
    page.locator(f'#found [data-code="{before[0]}"]').wait_for(state="detached")


def test_a_legal_deck_is_built_without_script_on_a_phone(browser, site):
    context = browser.new_context(
        base_url=site, java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto("/decks/new/?game=spycraft")
    page.get_by_role("button", name="Start empty").click()
    page.goto(f"{page.url.partition('#')[0]}#verdict")
    page.get_by_role("link", name="See what completes it").click()
    page.get_by_role("button", name="Add these cards").click()
    assert page.locator(".pane-verdict strong").inner_text().upper() == "LEGAL"
    context.close()


def test_the_pages_of_completing_break_no_accessibility_rule(page):
    address = empty(page, "xfiles")
    page.goto(f"{address}?role=site")
    assert breaches_of_shapes(page) == []
    page.goto(f"{address.removesuffix('edit/')}complete/")
    page.locator(".way ~ details > summary").click()
    assert breaches_of_shapes(page) == []


def test_on_a_phone_a_tap_on_a_proposed_card_shows_it_without_leaving_the_page(browser, site):
    context = browser.new_context(base_url=site, has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto("/decks/new/?game=spycraft")
    page.get_by_role("button", name="Propose a legal deck").click()
    address = page.url
    page.locator(".way-card a.name").nth(2).tap()
    page.locator("dialog[open] li").first.wait_for()
    assert page.url == address and page.locator("dialog[open] li").count() > 20
    assert page.locator("dialog[open] ul").evaluate("all => all.scrollWidth > 9 * all.clientWidth"), (
        "a row to swipe"
    )
    context.close()


def test_on_a_phone_buttons_are_at_least_44_pixels_high_and_wide(page):
    page.set_viewport_size({"width": 390, "height": 844})
    address = empty(page, "xfiles")
    page.goto(f"{address}#verdict")
    sizes = (
        "all => all.map(node => { const box = node.getBoundingClientRect(); return Math.min(box.width,"
        " box.height); })"
    )
    assert min(page.locator(".need > a, .editor-verdict .button").evaluate_all(sizes)) >= 44
    page.goto(f"{address.removesuffix('edit/')}complete/")
    assert min(page.locator(".way-card > label, .way button:visible").evaluate_all(sizes)) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
