"""The print page in a real browser: changing cards on the preview by mouse and keyboard, undoing, and the
same without script.
"""

from typing import Any

import pytest

from tests.support.axe import WIDE_AND_NARROW, breaches_of_shapes

pytestmark = pytest.mark.browser

PRINT = "/print/?card=2.spycraft/kai,3.spycraft/li,7.spycraft/termite&paper=a4"


def wait_for_summary(page, words: str) -> None:
    """Wait until the page shows this summary of the print."""
    page.locator("#price .print-short", has_text=words).wait_for()


def test_the_copies_of_a_card_are_changed_by_keyboard_and_the_changes_undone(page):
    page.goto(PRINT)
    page.get_by_role("button", name="Kai, 2 copies").first.focus()
    page.wait_for_function("() => window.htmx")
    page.keyboard.press(" ")
    more = page.get_by_role("button", name="One copy more of Kai")
    more.wait_for()
    more.focus()
    page.keyboard.press("Enter")
    wait_for_summary(page, "13 cards with 3 × Kai")
    # The menu is open again at its card, with the focus where it was.
    page.get_by_role("dialog", name="Kai").wait_for()
    page.wait_for_function("document.activeElement.id === 'pick-spycraft-kai-more'")
    assert "counts=kai=3" in page.url
    page.get_by_role("button", name="Leave out Kai").click()
    wait_for_summary(page, "10 cards without Kai")
    page.locator("#f-paper").select_option("letter")
    page.wait_for_url("**paper=letter**")
    page.get_by_role("button", name="Undo").wait_for()  # It appears once there is a change to undo.
    page.locator("#preview-title").click()
    page.keyboard.press("Control+z")
    page.wait_for_url("**paper=a4**")
    assert page.input_value("#f-paper") == "a4"
    page.get_by_role("button", name="Undo").click()
    wait_for_summary(page, "13 cards with 3 × Kai")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(f"**{PRINT}")
    page.locator("#undo").wait_for(state="hidden")


def test_a_setting_chosen_before_htmx_is_loaded_takes_effect_afterwards(page):
    held: list[Any] = []
    page.route("**/htmx-2*.js", lambda route: held.append(route))
    page.goto(PRINT)
    page.locator("#f-paper").select_option("letter")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.wait_for_url("**paper=letter**")


def test_presses_faster_than_the_answers_all_count_and_the_menu_stays_open(page):
    page.goto(PRINT)
    page.get_by_role("button", name="Kai, 2 copies").first.click()
    page.get_by_role("button", name="One copy more of Kai").wait_for()
    page.wait_for_function("() => window.htmx")
    # All three in one turn of the event loop, so that no answer can come between them.
    page.evaluate("for (const _ of 'three') document.getElementById('pick-spycraft-kai-more').click()")
    wait_for_summary(page, "17 cards with 7 × Kai")
    page.get_by_role("dialog", name="Kai").wait_for()
    page.wait_for_function("document.activeElement.id === 'pick-spycraft-kai-more'")


def test_undo_goes_back_to_the_last_setting_that_could_be_printed(page):
    page.goto(PRINT)
    page.locator("summary", has_text="Cutting").first.click()
    for gap in ("2", "99"):
        page.fill("#f-gap", gap)
        page.locator("#outcome .error-summary" if gap == "99" else "#outcome #preview").wait_for()
        page.wait_for_url("**gap=2**")
    page.get_by_role("button", name="Undo").click()
    # The group of settings stays unfolded.
    page.locator("#print-page:has(#preview) details[open] #f-gap").wait_for()
    assert page.input_value("#f-gap") == "2"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(f"**{PRINT}")
    assert page.input_value("#f-gap") == "0"


def test_the_cards_of_a_pasted_list_are_changed_and_undone_too(page):
    page.goto("/check/?game=spycraft")
    page.fill("#id_text", "2 Kai\n1 Li")
    page.get_by_role("button", name="Check this list").click()
    page.get_by_role("button", name="Print", exact=True).click()
    page.get_by_role("button", name="Kai, 2 copies").first.click()
    page.get_by_role("button", name="Leave out Kai").click()
    wait_for_summary(page, "1 card without Kai")
    page.get_by_role("button", name="Undo").click()
    wait_for_summary(page, "3 cards,")


def test_the_preview_is_beside_the_settings_and_above_them_on_a_phone(page):
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


def test_without_script_a_card_links_to_its_menu_and_the_back_button_undoes(browser, site):
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    try:
        page.goto(PRINT)
        page.get_by_role("link", name="Kai, 2 copies").first.click()
        page.get_by_role("button", name="One copy more of Kai").click()
        wait_for_summary(page, "13 cards with 3 × Kai")
        page.get_by_role("button", name="Leave out Kai").click()
        wait_for_summary(page, "10 cards without Kai")
        page.locator("#f-paper").select_option("letter")
        page.get_by_role("button", name="Show the sheets").click()
        page.wait_for_url("**paper=letter**")
        # The form shows the settings of the address, not those that the browser remembers of the form.
        page.go_back()
        page.wait_for_url("**paper=a4**")
        assert page.input_value("#f-paper") == "a4"
        wait_for_summary(page, "10 cards without Kai")
        page.get_by_role("button", name="Print again: Kai").click()
        page.wait_for_url(f"**{PRINT}*")
        wait_for_summary(page, "12 cards,")
    finally:
        context.close()
