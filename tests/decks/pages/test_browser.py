"""A deck's page in a browser: dealing a hand without reloading (``deck_hand.html`` with htmx), the enlarged
card and the cards on a phone (``whole_card.js``), and the whole deck on one screen and on one sheet of paper.
"""

import pypdfium2
import pytest
from playwright.sync_api import expect

from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser


def hand(page) -> list[str]:
    """The names of the cards in the hand."""
    names: list[str] = page.eval_on_selector_all(
        "#hand svg", "faces => faces.map((node) => node.getAttribute('aria-label'))"
    )
    return names


def test_a_hand_is_dealt_without_reloading_and_the_address_keeps_it(page):
    page.goto(saved_starter(page, "game=spycraft&starter=nine-tiger"))
    again = page.get_by_role("link", name="Deal again")
    seed = again.get_attribute("href").partition("hand=")[2].removesuffix("#hand")
    again.focus()
    # The script is loaded at the first sign of use; until then the link is an ordinary one.
    page.wait_for_function("() => window.htmx")
    page.keyboard.press("Enter")
    page.locator("#dealt-words", has_text="Dealt: ").wait_for(state="attached")
    page.wait_for_url(f"**/?hand={seed}")
    expect(again).to_be_focused()
    dealt = hand(page)
    assert len(dealt) == 7 and page.locator("#dealt-words").text_content() == f"Dealt: {', '.join(dealt)}. "
    page.get_by_role("link", name="Rows").click()
    page.locator(".deck-list").wait_for()
    assert hand(page) == dealt


MULDER = "game=xfiles&starter=deck-mulder"


def enlarged(page) -> str:
    """The name of the enlarged card."""
    return str(page.locator(".whole-card img").get_attribute("alt"))


def test_the_card_under_the_pointer_is_enlarged_in_its_place(page):
    page.goto(saved_starter(page, MULDER))
    assert enlarged(page) == "Agent Fox Mulder"
    # Cards overlap; this point is on the visible part of each.
    page.get_by_role("link", name="Franklin, PA").hover(position={"x": 60, "y": 10})
    page.locator(".whole-card img[alt='Franklin, PA']").wait_for()
    link = page.get_by_role("link", name="Franklin, PA").first
    assert page.locator(".whole-card a").get_attribute("href") == link.evaluate("link => link.href")
    # The column has 18.75 rem of 16 pixels.
    assert page.locator(".whole-card").bounding_box()["width"] == 300
    # On pages without an enlarged card, ``peek.js`` shows a face beside the pointer.
    assert page.locator(".peek").count() == 0


def test_arrow_keys_choose_the_card_that_is_enlarged_and_enter_opens_it(page):
    page.goto(saved_starter(page, MULDER))
    # From the first card, Mulder, down and right both lead to the next: Kazdin, then Kosseff. Left leads
    # back, and End to the last card of the list.
    page.locator(".deck-faces a").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.locator(".whole-card img[alt='Agent Karen Kosseff, Counselor']").wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator(".whole-card img[alt='Agent Lucy Kazdin']").wait_for()
    page.keyboard.press("End")
    page.locator(".whole-card img[alt='Duane Barry']").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/cards/xfiles/duane-barry/")


@pytest.mark.parametrize("starter", [MULDER, "game=spycraft&starter=banshee-net"])
def test_the_whole_deck_its_verdict_and_its_buttons_fit_on_one_screen(page, starter):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(saved_starter(page, starter))
    for part in (".verdict-stamp", ".deck-buttons .button", ".deck-faces", ".whole-card"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 900, part
    # The class ``button`` marks the main action, of which a page has one, "Edit" here; the other buttons are
    # ``button-secondary``.
    assert page.locator("main .button:visible").count() == 1
    assert page.locator(".verdict-stamp:visible").count() == 1


def test_one_button_copies_the_deck_as_text(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(saved_starter(page, MULDER))
    page.get_by_role("button", name="Copy as text").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#as-text").input_value() and "1 Agent Fox Mulder\n" in copied


def test_a_text_that_cannot_be_copied_is_shown_and_selected(page):
    page.goto(saved_starter(page, MULDER))
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.get_by_role("button", name="Copy as text").click()
    expect(page.locator("#as-text")).to_be_visible()
    assert "Mulder" in page.evaluate("getSelection().toString()")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_largest_starter_is_printed_on_one_sheet(page, paper):
    page.goto(saved_starter(page, "game=xfiles&starter=deck-skinner"))
    sheets = pypdfium2.PdfDocument(page.pdf(format=paper))
    text = sheets[0].get_textpage().get_text_bounded()
    assert len(sheets) == 1
    # The deck, and on paper a table for the results of four games in place of the buttons.
    assert "Skinner's office" in text and "Game 4" in text
    assert "Publish" not in text


def test_on_a_phone_a_tap_opens_a_sheet_of_all_cards(browser, site):
    context = browser.new_context(
        base_url=site, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    page.goto(saved_starter(page, "game=spycraft&starter=nine-tiger"))
    # Cards overlap; this point is on the visible part of each.
    seen = {"x": 10, "y": 60}
    page.get_by_role("link", name="Shiatsu", exact=True).first.tap(position=seen)
    sheet = page.get_by_role("dialog")
    # The starter has 34 different cards, and Li follows Shiatsu.
    expect(sheet.get_by_role("status")).to_have_text("Shiatsu, 6 of 34")
    sheet.get_by_role("button", name="Next card").tap()
    expect(sheet.get_by_role("status")).to_have_text("Li, 7 of 34")
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()
    page.get_by_role("link", name="Shiatsu", exact=True).first.tap(position=seen)
    sheet.get_by_role("link", name="Open").tap()
    page.wait_for_url("**/cards/spycraft/shiatsu/")
    context.close()
