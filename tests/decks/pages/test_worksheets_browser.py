"""Worksheets (``decks/pages/worksheets.py``) in a browser: ``cardsdb/static/cutout/worksheets.js`` stores
what is typed for each sheet, deck and account, and prints it.
"""

from contextlib import suppress

import pytest
from playwright.sync_api import Error

from tests.support.axe import breaches_of_shapes
from tests.support.browser import logged_out, saved_starter, signed_up

pytestmark = pytest.mark.browser
BOOK, HANDICAP = "/games/agentdecker/aids/score-book/", "/games/steamspy/aids/handicap/"
# What the field ``own`` of the handicap holds before anything is typed.
UNTOUCHED = "1"
# The total, which follows what is typed.
OUTCOME = "#worksheet-result .worksheet-kind-total .num"


def wait_for_total(page, wanted):
    """Wait until the page shows this total."""
    page.locator(OUTCOME).get_by_text(wanted, exact=True).wait_for()


def begun(page):
    """Open the score book and enter the points of two missions."""
    page.goto(BOOK)
    page.fill("#f-mission_1", "12")
    page.fill("#f-mission_2", "30")
    wait_for_total(page, "42")


def test_entries_are_kept_for_their_sheet_alone(page):
    begun(page)
    kept = page.get_by_text("Kept only in this browser.")
    page.goto(HANDICAP)
    assert page.input_value("#f-own") == UNTOUCHED
    assert not kept.is_visible()
    page.goto(BOOK)
    wait_for_total(page, "42")
    assert [page.input_value(f"#f-mission_{number}") for number in (1, 2, 3)] == ["12", "30", ""]
    assert kept.is_visible()


def test_a_cleared_sheet_keeps_no_entries(page):
    begun(page)
    page.get_by_role("link", name="Clear the sheet").click()
    wait_for_total(page, "0")
    page.goto(BOOK)
    wait_for_total(page, "0")
    assert page.input_value("#f-mission_1") == ""
    assert page.evaluate("localStorage.getItem('cutout-worksheets')") == "{}"


def test_a_sheet_opened_on_a_deck_keeps_its_own_entries(page):
    page.goto(saved_starter(page, "game=steamspy&starter=worked-cell"))
    page.get_by_role("link", name="Handicap").click()
    page.wait_for_url("**/aids/handicap/**")
    with_deck = page.url
    page.fill("#f-own", "4")
    wait_for_total(page, "+0")
    page.fill("#f-other", "7")
    wait_for_total(page, "+3")
    page.goto(HANDICAP)
    assert page.input_value("#f-own") == UNTOUCHED
    page.goto(with_deck)
    wait_for_total(page, "+3")


def test_logging_out_removes_the_entries_of_the_account_and_no_others(page):
    begun(page)
    signed_up(page, "Keeper-of-sheets")
    page.goto(HANDICAP)
    page.fill("#f-own", "4")
    page.fill("#f-other", "7")
    page.get_by_text("Kept only in this browser.").wait_for()
    page.goto(BOOK)
    wait_for_total(page, "42")
    page.goto(HANDICAP)
    assert page.input_value("#f-own") == "4"
    page.goto("/accounts/logout/")
    logged_out(page)
    assert page.evaluate("Object.keys(JSON.parse(localStorage.getItem('cutout-worksheets')))") == [
        "agentdecker/score-book"
    ]
    page.goto(HANDICAP)
    assert page.input_value("#f-own") == UNTOUCHED
    page.goto(BOOK)
    wait_for_total(page, "42")


def test_entries_left_behind_by_another_account_are_removed_when_a_sheet_is_opened(page):
    page.goto(BOOK)
    # The key of an account's sheet: the account's 24 hex digits, a space, game/sheet.
    theirs = "{'0123456789abcdef01234567 agentdecker/score-book': {at: 1, entries: {mission_1: '8'}}}"
    page.evaluate(f"localStorage.setItem('cutout-worksheets', JSON.stringify({theirs}))")
    page.goto(BOOK)
    assert page.input_value("#f-mission_1") == ""
    assert page.evaluate("localStorage.getItem('cutout-worksheets')") == "{}"


def test_a_page_left_open_shows_nothing_of_an_account_that_logged_out_elsewhere(page):
    signed_up(page, "Leaver")
    page.goto(HANDICAP)
    page.fill("#f-own", "4")
    page.fill("#f-other", "7")
    wait_for_total(page, "+3")
    page.wait_for_url("**own=4**")
    second, listing, second_listing, other = (page.context.new_page() for _ in range(4))
    second.goto(page.url)
    papers = []
    for left in (listing, second_listing):
        left.goto("/games/steamspy/aids/")
        paper = left.locator("[data-print-kept='steamspy/handicap']")
        assert "own=4" in paper.get_attribute("href") and paper.is_visible()
        papers.append(paper)
    other.goto("/accounts/logout/")
    logged_out(other)
    # The two events after which a page looks whether it is still the visitor's: it is shown again, or the
    # storage has changed. If the browser has told of that already, the page is being reloaded and refuses the
    # script.
    shown_again = "document.dispatchEvent(new Event('visibilitychange'))"
    stored = """() => {
        const account = document.querySelector("script[data-account]").dataset.account;
        const oldValue = JSON.stringify({ [`${account} steamspy/handicap`]: {} });
        dispatchEvent(new StorageEvent("storage", { key: "cutout-worksheets", oldValue, newValue: "{}" }));
    }"""
    events = {page: stored, listing: stored, second: shown_again, second_listing: shown_again}
    for left, event in events.items():
        with suppress(Error):
            left.evaluate(event)
    for left in (page, second):
        left.wait_for_url(f"**{HANDICAP}")
        left.wait_for_load_state()
        assert left.input_value("#f-own") == UNTOUCHED
    for paper in papers:
        paper.wait_for(state="hidden")
        assert "own=4" not in paper.page.content()


def test_a_page_that_is_shown_again_keeps_what_its_account_entered(page):
    signed_up(page, "Stayer-with-a-sheet")
    page.goto(HANDICAP)
    page.fill("#f-own", "4")
    page.fill("#f-other", "7")
    wait_for_total(page, "+3")
    page.evaluate("window.stayed = true")
    # The page asks whose it is; only another answer would replace it.
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    # A page that stays does nothing that could be waited for; replacing it would have begun before another
    # answer comes.
    assert page.evaluate("fetch(location.href).then(() => window.stayed)")
    wait_for_total(page, "+3")
    assert page.input_value("#f-own") == "4"


def test_the_values_of_a_link_come_first_and_the_kept_entries_are_offered(page):
    begun(page)
    page.goto(f"{BOOK}?mission_1=5")
    wait_for_total(page, "5")
    page.get_by_role("button", name="Put them in").wait_for()
    assert breaches_of_shapes(page) == []
    page.get_by_role("button", name="Put them in").click()
    wait_for_total(page, "42")
    assert not page.get_by_text("other entries of this sheet").is_visible()


def test_the_printed_sheet_has_what_stands_in_the_fields_at_that_moment(page):
    page.goto(HANDICAP)
    # Answered with nothing, because the browser's PDF viewer would ask for files outside the site.
    page.route("**/sheet.pdf?**", lambda route: route.fulfill(status=204))
    page.fill("#f-own", "9")
    with page.expect_request("**/handicap/sheet.pdf?**") as asked:
        page.get_by_role("button", name="Print it").click()
    assert "own=9" in asked.value.url


def test_a_browser_keeps_a_bounded_number_of_sheets(page):
    page.goto(BOOK)
    # More than MAX_SHEETS, which is 40 in worksheets.js; sheet 0 is the oldest.
    page.evaluate(
        "localStorage.setItem('cutout-worksheets', JSON.stringify("
        "Object.fromEntries([...Array(90).keys()].map(n => ['game/sheet/' + n, {at: n, entries: {}}]))))"
    )
    page.fill("#f-mission_1", "12")
    page.get_by_text("Kept only in this browser.").wait_for()
    keys = page.evaluate("Object.keys(JSON.parse(localStorage.getItem('cutout-worksheets')))")
    assert len(keys) == 40
    assert "agentdecker/score-book" in keys and "game/sheet/0" not in keys


def test_nonsense_in_the_browsers_storage_breaks_nothing(page):
    page.goto(BOOK)
    for nonsense in ("nonsense", '{"agentdecker/score-book": {"entries": {"mission_1": {}}}}'):
        page.evaluate("text => localStorage.setItem('cutout-worksheets', text)", nonsense)
        page.goto(BOOK)
        page.fill("#f-mission_1", "12")
        wait_for_total(page, "12")
