"""The editor by pointer and finger, in a browser: cards are dragged, pinned beside the deck by a press on
their name, and lifted out of stacks.
"""

import pytest

from tests.decks.editor.test_browser import editor, focused, settle
from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser
__all__ = ["editor"]  # the fixture
SIDEBOARD = '#deck [data-section="sideboard"]'


def grab(page, row):
    """Put the pointer down on a row and begin to drag it."""
    page.locator(row).scroll_into_view_if_needed()
    box = page.locator(f"{row} .row-text").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 20, steps=3)
    settle(page, "body.is-dragging")


def carry(page, to, words):
    """Drag on to another place, until the label under the pointer says what dropping would do."""
    page.locator(to).scroll_into_view_if_needed()
    box = page.locator(to).bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 12, steps=3)
    page.locator(".drag-label").get_by_text(words).wait_for()


def test_a_card_is_dragged_into_the_deck_and_out_of_it_and_both_are_undone(editor):
    editor.set_viewport_size({"width": 1280, "height": 800})
    grab(editor, "#card-bone")
    carry(editor, "#section-leaders", "Add to Deck: Bone")
    editor.keyboard.press("Escape")
    editor.mouse.up()
    editor.wait_for_selector("body.is-dragging", state="detached")
    assert editor.locator("#undo").is_disabled(), "Escape gives the drag up"
    grab(editor, "#card-bone")
    carry(editor, "#section-leaders", "Add to Deck: Bone")
    editor.mouse.up()
    settle(editor, '#deck [data-key="deck bone"][data-count="1"]')
    editor.keyboard.press("z")
    editor.wait_for_selector("#line-deck-bone", state="detached")
    grab(editor, "#line-deck-kai")
    carry(editor, "#find-title + form", "Take out: Kai")
    editor.mouse.up()
    editor.wait_for_selector("#line-deck-kai", state="detached")
    editor.locator("#undo").click()
    settle(editor, "#line-deck-kai")


@pytest.fixture
def with_sideboard(page):
    """An editor with a sideboard and three copies of one card in the Bureau deck."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/decks/new/?game=xfiles")
    page.get_by_role("button", name="Start empty and open the editor").click()
    page.locator("#deck-format").select_option("contingency")
    page.get_by_role("button", name="Change").click()
    settle(page, SIDEBOARD)
    # The row is visible before the scripts of the new page run.
    page.wait_for_load_state()
    page.fill("#find-q", "3 Aura of Invulnerability")
    page.keyboard.press("Enter")
    settle(page, "#line-bureau-aura-of-invulnerability")
    return page


def test_a_line_or_one_copy_of_it_is_dragged_to_another_section(with_sideboard):
    page, row = with_sideboard, "#line-bureau-aura-of-invulnerability"
    grab(page, row)
    page.keyboard.down("Shift")
    carry(page, "#section-sideboard", "Move one to Sideboard")
    page.mouse.up()
    page.keyboard.up("Shift")
    settle(page, f'{SIDEBOARD} [data-count="1"]')
    assert focused(page) == "line-sideboard-aura-of-invulnerability-more"
    grab(page, row)
    carry(page, "#section-xfile", "Aura of Invulnerability")
    carry(page, "#section-sideboard", "Move to Sideboard")
    page.mouse.up()
    settle(page, f'{SIDEBOARD} [data-count="3"]')
    assert page.locator(row).count() == 0
    page.focus("#line-sideboard-aura-of-invulnerability-more")
    page.keyboard.press("m")
    page.get_by_role("group", name="Move to").get_by_role("button").first.press("Enter")
    settle(page, f'{row}[data-count="3"]')
    assert focused(page) == "line-bureau-aura-of-invulnerability-more", "by keyboard too"


def test_a_press_on_a_name_pins_the_card_beside_the_deck_and_its_page_links_back(editor):
    editor.set_viewport_size({"width": 1280, "height": 800})
    editor.locator("#line-deck-kai a.name").click()
    settle(editor, ".editor[data-kept=kai]")
    editor.hover("#line-deck-li")
    editor.get_by_role("button", name="Close Kai").hover()
    assert editor.locator("#peek .peek-facts").get_by_text("Nine Tiger").count() == 1
    editor.get_by_role("link", name="Open the card’s page").click()
    editor.get_by_role("link", name="Back to the deck").click()
    editor.wait_for_url("**/edit/?peek=kai#line-deck-kai")
    settle(editor, "#peek h2:text('Kai')")
    editor.locator("#line-deck-kai a.name").press("Enter")
    settle(editor, "#peek h2:focus")
    editor.keyboard.press("Escape")
    editor.wait_for_selector(".editor[data-kept]", state="detached")
    with editor.context.expect_page() as opened:
        editor.locator("#line-deck-kai a.name").click(modifiers=["ControlOrMeta"])
    opened.value.get_by_role("link", name="Back to the deck").wait_for()


def test_on_a_phone_a_tap_shows_a_card_and_in_a_stack_first_lifts_its_face(browser, site):
    context = browser.new_context(base_url=site, viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/?view=stacks")
    page.locator("#card-bone a.name").tap()
    page.get_by_role("button", name="Close Bone").tap()
    page.wait_for_selector(".editor[data-kept]", state="detached")
    page.get_by_role("radio", name="Deck").check()
    face = page.locator("#line-deck-kai .fan-card")
    face.tap(position={"x": 10, "y": 60})
    page.get_by_role("button", name="One Kai more").tap()
    settle(page, '#line-deck-kai[data-count="3"]')
    page.locator("#line-deck-kai .fan-card").tap(position={"x": 10, "y": 60})
    page.get_by_role("button", name="Close Kai").wait_for()
    context.close()


def test_without_script_a_phone_shows_only_the_part_that_the_address_names(browser, site):
    context = browser.new_context(
        base_url=site, viewport={"width": 390, "height": 800}, java_script_enabled=False
    )
    page = context.new_page()
    editor = f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/"

    def parts() -> list[str]:
        return [part for part in ("find", "deck", "side") if page.locator(f".editor-{part}").is_visible()]

    for place, expected in (
        ("", "find"),
        ("?q=kai#find", "find"),
        ("?q=kai#card-kai", "find"),
        ("?line=deck+kai#line-deck-kai", "deck"),
        ("?q=li#verdict", "side"),
    ):
        page.goto(editor + place)
        assert parts() == [expected], place
    page.goto(f"{editor}?sort=name#line-deck-kai")
    page.get_by_role("radio", name="Find").check()
    assert parts() == ["find"]
    context.close()
