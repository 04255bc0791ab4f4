"""A collection entered in a browser: by keyboard, without leaving the page, and with nothing lost when the
page is left.
"""

from typing import Any

import pytest

from tests.support.axe import breaches_of_shapes
from tests.support.browser import sent_on_leaving
from tests.support.kept_pages import until

pytestmark = pytest.mark.browser
PAGE = "/collection/?all=1&game=spycraft"


def focused(page) -> str:
    return str(page.evaluate("document.activeElement.id"))


def saved(page, *keys):
    """Press the keys and wait until the number is stored."""
    with page.expect_response("**/collection/numbers/**") as answer:
        for key in keys:
            page.keyboard.press(key)
    assert answer.value.ok


def test_enter_or_an_arrow_key_saves_a_number_and_moves_on(page):
    page.goto(PAGE)
    ids = [number.get_attribute("id") for number in page.locator(".owned-number").all()[:4]]
    page.focus(f"[id='{ids[0]}']")
    saved(page, "3", "Enter")
    assert focused(page) == ids[1]
    saved(page, "1", "2", "ArrowDown")
    assert focused(page) == ids[2]
    saved(page, "+")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert focused(page) == ids[0]
    page.get_by_text("Spycraft 16: the copies you own.").wait_for()
    page.reload()
    numbers = page.locator(".owned-number").all()[:4]
    assert [number.input_value() for number in numbers] == ["3", "12", "1", "0"]


def test_plus_and_minus_count_without_leaving_the_page(page):
    page.goto(PAGE)
    row = page.locator(".owned tbody tr").first
    more, fewer = row.get_by_role("button", name="more"), row.get_by_role("button", name="fewer")
    for button in (more, more, more, fewer):
        with page.expect_response("**/collection/numbers/**"):
            button.click()
    page.get_by_text("Spycraft 2: the copies you own.").wait_for()
    assert page.url.endswith(PAGE)


def test_a_letter_leaves_the_number_as_it_was(page):
    page.goto(PAGE)
    number = page.locator(".owned-number").first
    number.focus()
    saved(page, "4", "Enter")
    page.get_by_text("Spycraft 4: the copies you own.").wait_for()
    number.focus()
    for key in ("e", "Tab"):
        page.keyboard.press(key)
    assert number.input_value() == "4"


def test_a_number_that_could_not_be_saved_is_reported(browser, site):
    # A context of its own: the shared one fails the test for errors that the browser reports.
    page = browser.new_context(base_url=site).new_page()
    page.goto(PAGE)
    page.route("**/collection/numbers/**", lambda route: route.fulfill(status=503))
    page.locator(".owned-number").first.focus()
    page.keyboard.press("+")
    page.get_by_text("This was not saved.").wait_for()
    page.context.close()


def test_numbers_that_are_not_saved_yet_are_sent_when_the_page_is_left(page):
    page.goto(PAGE)
    unanswered: list[Any] = []
    page.route("**/collection/numbers/**", lambda route: unanswered.append(route))
    first, second = page.locator(".owned-number").all()[:2]
    first.focus()
    with page.expect_request("**/collection/numbers/**"):
        page.keyboard.press("3")
        page.keyboard.press("Enter")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    (sent,) = sent_on_leaving(page)
    names = [number.get_attribute("name") for number in (first, second)]
    counts = {name: count for name, count in sent.items() if name.startswith("count:")}
    assert counts == dict(zip(names, ("3", "4"), strict=True))
    assert [sent[name.replace("count:", "seen:")] for name in names] == ["0", "0"]
    assert sent["csrfmiddlewaretoken"]


def test_a_number_that_is_still_being_typed_is_sent_when_the_page_is_left(page):
    page.goto(PAGE)
    first, second = page.locator(".owned-number").all()[:2]
    first.focus()
    saved(page, "3", "Enter")
    page.get_by_text("Spycraft 3: the copies you own.").wait_for()
    page.keyboard.press("7")
    page.goto("/games/spycraft/")
    until(
        page,
        "async address => (await (await fetch(address)).text()).includes('Spycraft 10: the copies')",
        PAGE,
    )
    page.goto(PAGE)
    assert (first.input_value(), second.input_value()) == ("3", "7")
    second.focus()
    page.keyboard.press("Delete")
    (sent,) = sent_on_leaving(page)
    assert sent[second.get_attribute("name")] == "", "an emptied number is sent as well"


def test_numbers_that_the_browser_restored_are_not_sent(page):
    page.goto(PAGE)
    number = page.locator(".owned-number").first
    number.evaluate("field => { field.value = 9; }")
    assert sent_on_leaving(page) == []
    number.fill("8")
    assert len(sent_on_leaving(page)) == 1


def test_the_page_of_a_collection_breaks_no_accessibility_rule(page):
    page.goto(PAGE)
    page.locator(".owned-number").first.focus()
    saved(page, "+")
    page.get_by_text("Spycraft 1: the copies you own.").wait_for()
    assert breaches_of_shapes(page) == []
