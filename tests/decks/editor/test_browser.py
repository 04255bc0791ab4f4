"""The editor in a real browser: by keyboard, without script, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def editor(page: Any) -> Iterator[Any]:
    """A page with the editor of a starter."""
    page.goto("/decks/new/?game=spycraft&starter=nine-tiger")
    page.get_by_role("button", name="Save the deck").click()
    page.goto(f"{page.url}edit/")
    yield page


def settle(page: Any, selector: str) -> None:
    page.locator(selector).first.wait_for()


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_a_deck_is_changed_by_keyboard_alone(editor: Any) -> None:
    editor.focus("#find-q")
    editor.keyboard.type("!kai")
    settle(editor, "#found .found-row:only-child")
    editor.keyboard.press("ArrowDown")
    assert focused(editor) == "more-kai"
    editor.keyboard.press("3")
    settle(editor, '#deck [data-key="deck kai"][data-count="3"]')
    assert editor.inner_text("#card-kai .held") == "3"
    assert focused(editor) == "more-kai"
    for _ in range(4):
        editor.keyboard.press("Enter")
    settle(editor, '#deck [data-key="deck kai"][data-count="7"]')
    assert editor.inner_text(".pane-verdict strong").upper() == "NOT LEGAL"
    editor.keyboard.press("0")
    editor.wait_for_selector('#deck [data-key="deck kai"]', state="detached")
    editor.keyboard.press("z")
    settle(editor, '#deck [data-key="deck kai"]')
    assert "Undone" in editor.inner_text("#said")
    editor.keyboard.press("/")
    assert focused(editor) == "find-q"


def test_what_a_finding_offers_is_applied_without_leaving_the_page(editor: Any) -> None:
    editor.focus("#line-deck-kai-fewer")
    editor.keyboard.press("7")
    settle(editor, ".pane-findings .repairs button")
    editor.evaluate("window.stayed = true")
    editor.locator(".pane-findings .repairs button").first.click()
    editor.wait_for_selector(".pane-findings .repairs button", state="detached")
    assert editor.evaluate("window.stayed") is True
    assert editor.inner_text(".pane-verdict strong").upper() == "LEGAL"


def test_the_focus_goes_on_to_the_next_line_where_one_is_taken_out(editor: Any) -> None:
    editor.focus("#line-deck-kai-fewer")
    editor.keyboard.press("0")
    editor.wait_for_selector("#line-deck-kai", state="detached")
    assert focused(editor).startswith("line-deck-")
    assert editor.locator(":focus").evaluate("one => one.closest('.deck-line') !== null")


def test_keys_are_letters_again_inside_a_field(editor: Any) -> None:
    before = editor.inner_text(".pane-verdict")
    editor.focus("#quick-line")
    editor.keyboard.type("z0+")
    assert editor.input_value("#quick-line") == "z0+"
    assert editor.inner_text(".pane-verdict") == before


def test_single_keys_work_anywhere_but_in_fields_and_can_be_turned_off(editor: Any) -> None:
    editor.locator("h1").click()
    editor.keyboard.press("d")
    assert focused(editor).startswith("line-leaders-")
    editor.keyboard.press("a")
    assert focused(editor) == "quick-line"
    editor.get_by_role("link", name="Keys").click()
    editor.get_by_label("Single keys").uncheck()
    editor.reload()
    editor.keyboard.press("/")
    editor.focus("#line-deck-kai-more")
    editor.keyboard.press("9")
    assert focused(editor) == "line-deck-kai-more"
    assert editor.locator('#deck [data-key="deck kai"][data-count="9"]').count() == 0
    assert not editor.locator("#single-keys").is_checked()


def test_presses_that_follow_one_another_are_one_undo_and_what_changed_elsewhere_is_seen(editor: Any) -> None:
    other = editor.context.new_page()
    other.goto(editor.url)
    editor.focus("#line-deck-kai-more")
    before = int(editor.locator('[data-key="deck kai"]').last.get_attribute("data-count"))
    for more in (1, 2, 3):
        editor.keyboard.press("+")
        settle(editor, f'#deck [data-key="deck kai"][data-count="{before + more}"]')
    other.fill("#quick-line", "1 Ambush")
    other.keyboard.press("Enter")
    other.get_by_text("Meanwhile changed elsewhere: +3 Kai").wait_for()
    editor.keyboard.press("z")
    editor.get_by_text("Nothing was undone").first.wait_for()
    other.locator("#undo").click()
    settle(other, "#redo:not([disabled])")
    other.locator("#undo").click()
    settle(other, f'#deck [data-key="deck kai"][data-count="{before}"]')


def test_a_pasted_piece_of_a_list_is_added_at_once(editor: Any) -> None:
    paste = (
        "text => { const data = new DataTransfer(); data.setData('text/plain', text); document.getElementById('quick-line').dispatchEvent("
    )
    paste += "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }"
    editor.evaluate(paste, "2 Termite\n1 Ambush")
    settle(editor, '#deck [data-key="deck termite"][data-count="2"]')
    assert editor.locator('#deck [data-key="deck ambush"]').count() == 1
    assert (editor.input_value("#quick-lines"), focused(editor)) == ("", "quick-line")


@pytest.mark.parametrize(
    ("status", "words"), [(404, "the deck is gone"), (403, "log-in has changed"), (429, "too many requests"), (500, "wrong on the site")]
)
def test_a_change_that_fails_says_why(browser: Any, site: str, status: int, words: str) -> None:
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/decks/new/?game=spycraft")
    page.get_by_role("button", name="Start empty and open the editor").click()
    page.locator("#quick-line:focus").wait_for()
    page.wait_for_load_state()
    page.route("**/edit/**", lambda route: route.fulfill(status=status, body=""))
    page.keyboard.type("1 Termite")
    page.keyboard.press("Enter")
    page.get_by_text(words).wait_for()
    assert page.input_value("#quick-line") == "1 Termite"
    context.close()


def test_a_typed_line_is_completed_and_added(editor: Any) -> None:
    editor.focus("#quick-line")
    editor.keyboard.type("2 termi")
    editor.get_by_role("option", name="Termite").wait_for()
    editor.keyboard.press("ArrowDown")
    editor.keyboard.press("Enter")
    editor.keyboard.press("Enter")
    settle(editor, '#deck [data-key="deck termite"][data-count="2"]')
    assert (editor.input_value("#quick-line"), focused(editor)) == ("", "quick-line")


def test_the_editor_works_without_script_and_keeps_its_place(browser: Any, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/decks/new/?game=spycraft")
    page.get_by_role("button", name="Start empty and open the editor").click()
    page.fill("#find-q", "!kai")
    page.get_by_role("button", name="Search", exact=True).last.click()
    page.get_by_role("button", name="Add Kai", exact=True).click()
    assert page.url.endswith("?q=%21kai#card-kai")
    page.get_by_role("link", name="More about Kai").click()
    page.fill("#line-count", "4")
    page.get_by_role("button", name="Save", exact=True).click()
    assert page.locator('#deck [data-key="deck kai"][data-count="4"]').count() == 1
    page.get_by_role("button", name="Undo").click()
    assert page.locator('#deck [data-key="deck kai"][data-count="1"]').count() == 1
    context.close()


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 320)])
def test_the_editor_breaks_no_accessibility_rule(browser: Any, site: str, scheme: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    context = browser.new_context(base_url=site, viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.goto("/decks/new/?game=xfiles&starter=deck-mulder")
    page.get_by_role("button", name="Save the deck").click()
    deck, found = page.url, []
    for address in ("edit/", "edit/?q=cost%3E", "edit/?line=agents+agent-fox-mulder&q=in%3Adeck", "edit/text/", "settings/"):
        page.goto(deck + address)
        for violation in Axe().run(page, options=options).response["violations"]:
            found.append(f"{address}: {violation['id']}: {violation['nodes'][0]['html'][:140]}")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{address}: scrolls sideways")
    context.close()
    assert found == []


def test_what_was_refused_is_marked_so_that_the_next_line_takes_its_place(editor: Any) -> None:
    editor.focus("#quick-line")
    for line in ("1 Tunguska", "1 Double-Barrel"):
        editor.keyboard.type(line)
        editor.keyboard.press("Escape")
        editor.keyboard.press("Enter")
        editor.wait_for_function("line => !line.includes('Tung') || document.getElementById('problem')", arg=line)
    settle(editor, '#deck [data-key="leaders double-barrel"]')
    assert (editor.input_value("#quick-line"), focused(editor)) == ("", "quick-line")


def test_what_is_offered_instead_clears_the_field_and_an_unknown_name_leads_to_the_search(editor: Any) -> None:
    editor.fill("#quick-line", "1 Termitte")
    editor.get_by_role("button", name="Add", exact=True).click()
    editor.get_by_role("button", name="1 Termite", exact=True).click()
    settle(editor, '#deck [data-key="deck termite"]')
    editor.wait_for_function("() => document.getElementById('quick-line').value === ''")
    assert focused(editor) == "quick-line"
    editor.fill("#quick-line", "1 Tunguska")
    editor.get_by_role("button", name="Add", exact=True).click()
    editor.get_by_role("link", name="Search the cards for “Tunguska”").click()
    assert (editor.input_value("#find-q"), focused(editor)) == ("Tunguska", "find-q")
    editor.get_by_text("No card matches.").wait_for()


def test_a_style_that_something_set_is_no_offence_when_the_deck_is_drawn_anew(editor: Any) -> None:
    editor.evaluate("document.getElementById('undo').style.color = 'red'")
    editor.get_by_role("button", name="One Kai more").last.click()
    settle(editor, "#undo:not([disabled])")


def test_nothing_lies_over_the_button_that_adds_at_twice_the_size(editor: Any) -> None:
    editor.set_viewport_size({"width": 640, "height": 450})
    editor.focus(".quick-add button")
    at = editor.locator(".quick-add button").bounding_box()
    middle = [at["x"] + at["width"] / 2, at["y"] + at["height"] / 2]
    assert editor.evaluate("([x, y]) => document.elementFromPoint(x, y).textContent", middle) == "Add"
    assert editor.locator(".pane-verdict").evaluate("one => getComputedStyle(one).position") == "static"


def test_what_was_found_does_not_scroll_within_what_scrolls_and_many_are_folded(editor: Any) -> None:
    for line in ("9 Kai", "9 Termite", "9 Ambush", "9 Bone", "9 Double-Barrel"):
        editor.fill("#quick-line", line)
        editor.get_by_role("button", name="Add", exact=True).click()
        editor.wait_for_function("() => document.getElementById('quick-line').value === ''")
    found = editor.locator(".pane-findings .violations")
    assert found.first.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    assert found.first.locator("> li").count() == 3
    editor.locator("#more-findings > summary").click()
    editor.focus("#line-deck-kai-more")
    editor.keyboard.press("-")
    editor.wait_for_function("() => document.getElementById('said').textContent.includes('Kai')")
    assert editor.locator("#more-findings").evaluate("one => one.open")
