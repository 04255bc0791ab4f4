"""The check page in a browser: the verdict stays visible while a list is typed, also on a phone."""

import pytest

from tests.support.browser import saved_starter
from tests.support.made_decks import starter

pytestmark = pytest.mark.browser
DECK = starter("spycraft", "nine-tiger")


def test_the_verdict_is_in_sight_while_typing_and_on_a_phone_a_line_of_it_leads_there(page):
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto("/check/")
    line = page.locator("#check-line")
    assert line.is_hidden(), "before there is a list none stands in the way"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.select_option("#id_game", "spycraft")
    page.fill("#id_text", DECK)
    page.locator("#judged .verdict-stamp").wait_for()
    page.locator("#id_text").press("Control+End")
    page.keyboard.type("\n5 Termite")
    page.locator("#judged .verdict-illegal").wait_for()
    field, stamp = (
        page.locator("#id_text").bounding_box(),
        page.locator("#judged .verdict-stamp").bounding_box(),
    )
    assert stamp["x"] > field["x"] + field["width"]
    assert stamp["y"] >= 0
    assert stamp["y"] + stamp["height"] <= 900
    assert line.is_hidden(), "the verdict itself is in sight"
    page.set_viewport_size({"width": 320, "height": 700})
    line.wait_for()
    box = line.bounding_box()
    assert 0 <= box["y"] <= 700 - box["height"]
    assert line.inner_text().upper().startswith("NOT LEGAL")
    line.click()
    page.wait_for_function(
        "(({ y }) => 0 <= y && y <= 350)(document.querySelector('#judged"
        " .verdict-stamp').getBoundingClientRect())"
    )


def test_the_game_is_guessed_while_typing_and_can_be_changed(page):
    page.goto("/check/")
    page.fill("#id_text", "Players: 2\n1 Hitman\n")
    page.locator("#id_format option", has_text="Guessed: Draw deck, 2 players").wait_for(state="attached")
    assert page.locator("#id_game option:checked").inner_text() == "Guessed: SpyNet"
    page.locator("#id_game").focus()
    page.select_option("#id_game", "xfiles")
    page.locator("#id_format option", has_text="Contingency").wait_for(state="attached")
    assert page.evaluate("document.activeElement.id") == "id_game", "the choice keeps the focus"
    assert page.locator("#id_format option", has_text="Draw deck").count() == 0


def test_lines_at_fault_are_flagged_beside_their_line(page):
    page.goto("/check/")
    page.fill("#id_text", "Night Watch, my own\n4 Kai\n1 Termite\n1 Nobody Knows\n")
    page.locator(".check-flag-unsure", has_text="4").wait_for(state="attached")
    assert page.locator(".check-flag-illegal").all_text_contents() == ["2"]
    flag, field = page.locator(".check-flag-illegal").bounding_box(), page.locator("#id_text").bounding_box()
    assert field["x"] <= flag["x"]
    assert abs(flag["y"] - field["y"] - flag["height"]) < 3, "beside the second line"


def test_a_list_is_corrected_repaired_and_saved_in_four_presses(page):
    page.goto("/check/")
    page.fill("#id_text", DECK.replace("Shiatsu", "Shiatzu") + "\nDeck:\n4 Termite\n")
    page.get_by_role("button", name="Accept it").click()
    page.get_by_text("1 name put right: Shiatsu.").wait_for()
    page.get_by_role("button", name="Apply the smallest repair").click()
    page.get_by_text("The repair is made.").wait_for()
    assert page.inner_text(".verdict-stamp").upper() == "LEGAL"
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/decks/*/")
    assert page.inner_text(".verdict-stamp").upper() == "LEGAL"


def test_a_guest_prints_a_list_from_the_home_page(page):
    page.goto("/")
    page.fill("#id_text", DECK)
    page.get_by_role("button", name="Is it legal?").click()
    page.locator("#judged .verdict-legal").wait_for()
    page.get_by_role("button", name="Print", exact=True).click()
    page.get_by_role("heading", name="Print Nine Tiger").wait_for()


def test_without_script_a_button_chooses_the_game_of_an_ambiguous_list(browser, site):
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/check/")
    page.fill("#id_text", "2 Kai\n1 Termite\n1 Agent Fox Mulder\n1 Agent Jack Willis\n")
    page.get_by_role("button", name="Check this list").click()
    page.get_by_role("button", name="The X-Files CCG").click()
    page.locator("#id_game option:checked", has_text="The X-Files").wait_for(state="attached")
    assert page.locator(".verdict-stamp").count() == 1
    context.close()


# Without a network the check page keeps the last verdict and names its list: see
# tests/house/test_offline_journeys.py.
def test_a_failed_request_removes_the_old_verdict(browser, site):
    # A page of its own: the fixture ``page`` fails when the browser logs the refused request as an error.
    page = browser.new_page(base_url=site)
    page.goto("/check/")
    page.fill("#id_text", DECK)
    page.locator("#judged .verdict-legal").wait_for()
    error = '<div class="empty"><p>These are too many lists.</p><p>Wait.</p></div>'
    page.route(
        "**/check/verdict/", lambda route: route.fulfill(status=429, content_type="text/html", body=error)
    )
    page.locator("#id_text").press("Control+End")
    page.keyboard.type("\n5 Termite")
    page.locator("#judged .notice-error").wait_for()
    message = "Not judged: These are too many lists."
    assert page.inner_text("#judged").strip() == page.text_content("#live-status") == message
    assert page.locator("#check-line").is_hidden()
    page.unroute("**/check/verdict/")
    page.keyboard.type("\n5 Kai")
    page.locator("#judged .verdict-illegal").wait_for()
    page.close()


@pytest.mark.parametrize("starter", ["xfiles&starter=deck-mulder", "steamspy&starter=level-1-character"])
def test_no_bar_of_a_picture_is_cut_off_on_a_phone(page, starter):
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(f"{saved_starter(page, f'game={starter}')}numbers/")
    bars = page.evaluate(
        "[...document.querySelectorAll('svg.bar')].map((bar) => bar.getBoundingClientRect()).map((box) =>"
        " [box.left, box.right])"
    )
    assert bars
    assert all(0 <= left < right <= 320 for left, right in bars)
