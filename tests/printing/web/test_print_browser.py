"""The print page in a browser: a card of the sheet is changed by mouse and keyboard, changes are undone, all
of it without a script too.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.axe import WIDE_AND_NARROW, breaches_of_shapes

pytestmark = pytest.mark.browser

PRINT = "/print/?card=2.spycraft/kai,3.spycraft/li,7.spycraft/termite&paper=a4"


def short(page: Any, words: str) -> None:
    """Wait until the print comes to this."""
    page.locator("#price .print-short", has_text=words).wait_for()


def test_a_card_of_the_sheet_is_changed_by_keyboard_and_the_change_undone(page):
    page.goto(PRINT)
    page.get_by_role("button", name="Kai, 2 copies").first.focus()
    page.wait_for_function("() => window.htmx")
    page.keyboard.press(" ")
    more = page.get_by_role("button", name="One copy more of Kai")
    more.wait_for()
    more.focus()
    page.keyboard.press("Enter")
    short(page, "13 cards with 3 × Kai")
    # The menu is open again at its card, with the focus where it was.
    page.get_by_role("dialog", name="Kai").wait_for()
    page.wait_for_function("document.activeElement.id === 'pick-spycraft-kai-more'")
    assert "counts=kai=3" in page.url
    page.get_by_role("button", name="Leave out Kai").click()
    short(page, "10 cards without Kai")
    page.locator("#f-paper").select_option("letter")
    page.wait_for_url("**paper=letter**")
    page.get_by_role("button", name="Undo").wait_for()  # shown once the change is one that can be undone
    page.locator("#preview-title").click()
    page.keyboard.press("Control+z")
    page.wait_for_url("**paper=a4**")
    assert page.input_value("#f-paper") == "a4"
    page.get_by_role("button", name="Undo").click()
    short(page, "13 cards with 3 × Kai")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(f"**{PRINT}")
    page.locator("#undo").wait_for(state="hidden")


def test_what_is_chosen_before_htmx_has_come_shows_when_it_has(page):
    held: list[Any] = []
    page.route("**/htmx-2*.js", lambda route: held.append(route))
    page.goto(PRINT)
    page.locator("#f-paper").select_option("letter")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.wait_for_url("**paper=letter**")


def test_presses_that_are_quicker_than_the_sheet_all_count_and_the_menu_stays(page):
    page.goto(PRINT)
    page.get_by_role("button", name="Kai, 2 copies").first.click()
    page.get_by_role("button", name="One copy more of Kai").wait_for()
    page.wait_for_function("() => window.htmx")
    # All in one turn of the page: no answer can come between them.
    page.evaluate("for (const _ of 'three') document.getElementById('pick-spycraft-kai-more').click()")
    short(page, "17 cards with 7 × Kai")
    page.get_by_role("dialog", name="Kai").wait_for()
    page.wait_for_function("document.activeElement.id === 'pick-spycraft-kai-more'")


def test_a_setting_that_cannot_be_printed_is_undone_and_never_gone_back_to(page):
    page.goto(PRINT)
    page.locator("summary", has_text="Cutting").first.click()
    for gap in ("2", "99"):
        page.fill("#f-gap", gap)
        page.locator("#outcome .error-summary" if gap == "99" else "#outcome #preview").wait_for()
        page.wait_for_url("**gap=2**")
    page.get_by_role("button", name="Undo").click()
    # The group of settings is as open as it was.
    page.locator("#print-page:has(#preview) details[open] #f-gap").wait_for()
    assert page.input_value("#f-gap") == "2"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(f"**{PRINT}")
    assert page.input_value("#f-gap") == "0"


def test_a_pasted_list_is_changed_in_place_too(page):
    page.goto("/check/?game=spycraft")
    page.fill("#id_text", "2 Kai\n1 Li")
    page.get_by_role("button", name="Check this list").click()
    page.get_by_role("button", name="Print", exact=True).click()
    page.get_by_role("button", name="Kai, 2 copies").first.click()
    page.get_by_role("button", name="Leave out Kai").click()
    short(page, "1 card without Kai")
    page.get_by_role("button", name="Undo").click()
    short(page, "3 cards,")


def test_the_sheet_stands_beside_the_settings_and_under_the_title_on_a_phone(page):
    page.goto(PRINT)
    for width in (1280, 800, 760):
        page.set_viewport_size({"width": width, "height": 800})
        sheet, settings = page.locator("#outcome").bounding_box(), page.locator("#settings").bounding_box()
        assert sheet["y"] == settings["y"] < 140 and sheet["x"] + sheet["width"] <= settings["x"] + 1
        button = page.get_by_role("button", name="Download the sheets").bounding_box()
        assert button["y"] + button["height"] <= 800
    page.set_viewport_size({"width": 390, "height": 844})
    sheet, settings = page.locator("#outcome").bounding_box(), page.locator("#settings").bounding_box()
    assert sheet["y"] < 260 and sheet["y"] + sheet["height"] <= settings["y"] + 1
    button = page.get_by_role("button", name="Download the sheets").bounding_box()
    assert button["y"] + button["height"] <= 844
    assert breaches_of_shapes(page, (*WIDE_AND_NARROW, (1280, "dark"))) == []


def test_without_a_script_the_place_of_a_card_leads_to_its_menu_and_back_undoes(browser, site):
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    try:
        page.goto(PRINT)
        page.get_by_role("link", name="Kai, 2 copies").first.click()
        page.get_by_role("button", name="One copy more of Kai").click()
        short(page, "13 cards with 3 × Kai")
        page.get_by_role("button", name="Leave out Kai").click()
        short(page, "10 cards without Kai")
        page.locator("#f-paper").select_option("letter")
        page.get_by_role("button", name="Show the sheets").click()
        page.wait_for_url("**paper=letter**")
        # What stands in the form is what was asked for, and not what a browser kept of it.
        page.go_back()
        page.wait_for_url("**paper=a4**")
        assert page.input_value("#f-paper") == "a4"
        short(page, "10 cards without Kai")
        page.get_by_role("button", name="Print again: Kai").click()
        page.wait_for_url(f"**{PRINT}*")
        short(page, "12 cards,")
    finally:
        context.close()
