"""The editor in a browser: by keyboard, without script, on a phone, and when answers fail or are slow."""

import pytest

from tests.support.axe import breaches_of_shapes
from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser


@pytest.fixture
def editor(page):
    """A page with the editor of a starter."""
    page.goto(f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/")
    yield page


def settle(page, selector):
    """Wait until an element is visible."""
    page.locator(selector).first.wait_for()


def focused(page) -> str:
    """The id of the element that has the focus."""
    return str(page.evaluate("document.activeElement.id"))


def test_a_deck_is_changed_by_keyboard_alone(editor):
    editor.focus("#find-q")
    editor.keyboard.type("!kai")
    settle(editor, "#found .result-row:only-child")
    editor.keyboard.press("ArrowDown")
    assert focused(editor) == "more-kai"
    editor.keyboard.press("3")
    settle(editor, '#deck [data-key="deck kai"][data-count="3"]')
    assert editor.inner_text("#card-kai .stepper-count") == "3"
    assert focused(editor) == "more-kai"
    for _ in range(4):
        editor.keyboard.press("Enter")
    settle(editor, '#deck [data-key="deck kai"][data-count="7"]')
    assert editor.inner_text(".pane-verdict strong").upper() == "NOT LEGAL"
    editor.keyboard.press("0")
    editor.wait_for_selector('#deck [data-key="deck kai"]', state="detached")
    editor.keyboard.press("z")
    settle(editor, '#deck [data-key="deck kai"]')
    assert "Undone" in editor.inner_text("#editor-status")
    editor.focus("#line-deck-li-fewer")
    editor.keyboard.press("0")
    editor.wait_for_selector("#line-deck-li", state="detached")
    assert editor.locator(":focus").evaluate("node => node.closest('.deck-line') !== null"), "the next line"
    editor.keyboard.press("/")
    assert focused(editor) == "find-q"
    before = editor.inner_text(".pane-verdict")
    editor.fill("#find-q", "")
    editor.keyboard.type("z0+")
    assert (editor.input_value("#find-q"), editor.inner_text(".pane-verdict")) == ("z0+", before)


def test_single_keys_work_anywhere_and_can_be_turned_off(editor):
    editor.evaluate("document.activeElement.blur()")
    for key, place in (("d", "line-leaders-"), ("a", "find-q")):
        editor.keyboard.press(key)
        assert focused(editor).startswith(place)
    editor.locator("#keys > summary").click()
    editor.get_by_label("Single keys").uncheck()
    editor.reload()
    editor.focus("#line-deck-kai-more")
    editor.keyboard.press("9")
    editor.keyboard.press("/")
    assert focused(editor) == "line-deck-kai-more" and not editor.locator("#single-keys").is_checked()
    assert editor.locator('#deck [data-key="deck kai"][data-count="9"]').count() == 0


def test_presses_in_a_row_are_one_undo_and_changes_made_elsewhere_are_told(editor):
    other = editor.context.new_page()
    other.goto(editor.url)
    editor.focus("#line-deck-kai-more")
    before = int(editor.locator('[data-key="deck kai"]').last.get_attribute("data-count"))
    for more in (1, 2, 3):
        editor.keyboard.press("+")
        settle(editor, f'#deck [data-key="deck kai"][data-count="{before + more}"]')
    other.fill("#find-q", "1 Ambush")
    other.keyboard.press("Enter")
    other.get_by_text("Meanwhile changed elsewhere: +3 Kai").wait_for()
    editor.keyboard.press("z")
    editor.get_by_text("Nothing was undone").first.wait_for()
    other.locator("#undo").click()
    settle(other, "#redo:not([disabled])")
    other.locator("#undo").click()
    settle(other, f'#deck [data-key="deck kai"][data-count="{before}"]')


def test_several_pasted_lines_are_added_at_once(editor):
    paste = """text => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        document.getElementById('find-q').dispatchEvent(paste);
    }"""
    editor.evaluate(paste, "2 Termite\n1 Ambush")
    settle(editor, '#deck [data-key="deck termite"][data-count="2"]')
    assert editor.locator('#deck [data-key="deck ambush"]').count() == 1
    assert (editor.input_value("#quick-lines"), focused(editor)) == ("", "find-q")


# Status of an answer -> the words that tell the author about it.
WHY = {
    404: "the deck is gone",
    403: "log-in has changed",
    429: "too many requests",
    500: "wrong on the site",
}


def answering(status):
    """A route that answers every request with this status and nothing else."""
    return lambda route: route.fulfill(status=status, body="")


def test_a_change_that_fails_says_why(browser, site):
    # A context of its own: the shared one fails the test for errors that the browser reports.
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/decks/new/?game=spycraft")
    page.get_by_role("button", name="Start empty and open the editor").click()
    page.locator("#find-q:focus").wait_for()
    page.wait_for_load_state()
    page.locator("#find-q").press_sequentially("1 Termite")
    for status, words in WHY.items():
        page.route("**/edit/**", answering(status))
        page.locator("#find-q").press("Enter")
        page.get_by_text(words).wait_for()
        assert page.input_value("#find-q") == "1 Termite"
    context.close()


def test_a_typed_line_or_whole_name_is_added_by_enter_and_other_words_search(editor):
    editor.focus("#find-q")
    editor.keyboard.type("2 termi")
    settle(editor, '#card-termite[data-offer="Add 2"][data-offered-for="2 termi"]:first-child')
    assert editor.inner_text("#add") == "Add 2"
    editor.keyboard.press("Enter")
    settle(editor, '#deck [data-key="deck termite"][data-count="2"]')
    editor.wait_for_function("() => document.getElementById('find-q').value === ''")
    assert focused(editor) == "find-q"
    assert editor.inner_text("#undo") == "Undo +2 Termite"
    editor.keyboard.type("termit")
    settle(editor, "#found .result-row:only-child")
    with editor.expect_request(lambda request: request.method == "GET" and "q=termit" in request.url):
        editor.keyboard.press("Enter")
    assert editor.locator('#deck [data-key="deck termite"][data-count="2"]').count() == 1, (
        "words alone search"
    )
    editor.keyboard.type("termite")
    editor.keyboard.press("Enter")
    settle(editor, '#deck [data-key="deck termite"][data-count="3"]')
    editor.keyboard.type("ambush")
    assert editor.input_value("#find-q") == "ambush", "typing replaces the words of the last search"


def test_before_anything_is_offered_the_server_decides_between_line_search_and_suggestion(editor):
    before = editor.inner_text("#undo")
    editor.fill("#find-q", "agent 5")
    with editor.expect_response(lambda answer: answer.request.method == "POST" and answer.status == 204):
        editor.keyboard.press("Enter")
    assert (editor.input_value("#find-q"), editor.inner_text("#undo")) == ("agent 5", before)
    editor.fill("#find-q", "Termitte")
    editor.locator("#add").click()
    editor.get_by_role("button", name="1 Termite", exact=True).click()
    settle(editor, '#deck [data-key="deck termite"]')
    editor.wait_for_function("() => document.getElementById('find-q').value === ''")
    assert focused(editor) == "find-q"


def test_a_new_kind_of_verdict_is_scrolled_to_its_stamp(editor):
    editor.set_viewport_size({"width": 1280, "height": 600})
    editor.locator("#keys > summary").click()
    assert editor.evaluate(
        "() => { const side = document.querySelector('.editor-side'); side.scrollTo(0, 9999); return"
        " side.scrollTop > 100; }"
    )
    editor.fill("#find-q", "9 Termite")
    editor.keyboard.press("Enter")
    settle(editor, ".pane-verdict.verdict-illegal")
    editor.wait_for_function("() => document.querySelector('.editor-side').scrollTop === 0")


def test_the_face_of_the_row_with_pointer_or_focus_is_shown_in_its_column(editor):
    editor.set_viewport_size({"width": 1280, "height": 800})
    editor.hover("#line-deck-kai")
    settle(editor, '.peek-face[src="/cards/spycraft/kai/face.svg"]')
    editor.focus("#line-deck-li-more")
    settle(editor, '.peek-face[src="/cards/spycraft/li/face.svg"]')
    assert editor.locator("body > .peek").count() == 0, "no second face beside the pointer"


def test_one_part_shows_at_a_time_on_a_phone(editor):
    editor.set_viewport_size({"width": 390, "height": 844})
    # Whether the search, the deck and the verdict are shown.
    parts = (
        "() => ['.editor-find', '.editor-deck', '.editor-side'].map(node =>"
        " document.querySelector(node).offsetParent !== null)"
    )
    for name, shown in (
        ("Deck", [False, True, False]),
        ("Verdict", [False, False, True]),
        ("Find", [True, False, False]),
    ):
        editor.evaluate("scrollTo(0, 900)")
        editor.get_by_role("radio", name=name).check()
        assert editor.evaluate(parts) == shown
        assert editor.evaluate("scrollY") == 0, "each begins at its top"
    right = "node => node.getBoundingClientRect().right"
    assert editor.get_by_role("link", name="Deck’s page").evaluate(right) <= 390
    editor.evaluate("document.activeElement.blur()")
    editor.keyboard.press("/")
    assert editor.evaluate(parts)[0] and focused(editor) == "find-q"


def test_the_editor_works_without_script_and_keeps_its_place(browser, site):
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/decks/new/?game=spycraft")
    page.get_by_role("button", name="Start empty and open the editor").click()
    for typed, left in (("2 termite", ""), ("2 qqqqqqqq", "2 qqqqqqqq")):
        page.fill("#find-q", typed)
        page.keyboard.press("Enter")
        page.locator(f'#find-q:focus[value="{left}"]').wait_for()
    page.fill("#find-q", "!kai")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Add Kai", exact=True).click()
    page.wait_for_url("**/edit/?q=%21kai#card-kai")
    page.get_by_role("link", name="More about Kai").click()
    page.fill("#line-count", "4")
    page.get_by_role("button", name="Save", exact=True).click()
    settle(page, '#deck [data-key="deck kai"][data-count="4"]')
    page.get_by_role("button", name="Undo").click()
    settle(page, '#deck [data-key="deck kai"][data-count="1"]')
    context.close()


def test_the_editor_breaks_no_accessibility_rule(browser, site):
    context = browser.new_context(base_url=site, bypass_csp=True)
    page = context.new_page()
    # A deck of a few cards: axe takes time for every word.
    deck, wrong = saved_starter(page, "game=xfiles&starter=pack-premiere-mulder"), []
    addresses = (
        "edit/?q=cost%3E",
        "edit/?line=agents+agent-fox-mulder&q=in%3Adeck",
        "edit/?view=stacks&q=in%3Adeck",
        "edit/text/",
        "settings/",
    )
    for address in addresses:
        page.goto(deck + address)
        wrong += breaches_of_shapes(page)
    context.close()
    assert wrong == []


def test_an_inline_style_on_a_button_does_not_break_redrawing_the_deck(editor):
    editor.evaluate("document.getElementById('undo').style.color = 'red'")
    editor.get_by_role("button", name="One Kai more").last.click()
    settle(editor, "#undo:not([disabled])")


def test_nothing_covers_the_add_button_at_twice_the_zoom(editor):
    editor.set_viewport_size({"width": 640, "height": 450})
    editor.focus("#add")
    at = editor.locator("#add").bounding_box()
    middle = [at["x"] + at["width"] / 2, at["y"] + at["height"] / 2]
    assert editor.evaluate("([x, y]) => document.elementFromPoint(x, y).textContent", middle) == "Add"
    assert editor.locator(".pane-verdict").evaluate("node => getComputedStyle(node).position") == "static"


def test_violations_do_not_scroll_by_themselves_and_further_ones_are_folded(editor):
    for line in ("9 Kai", "9 Termite", "9 Ambush", "9 Bone"):
        editor.fill("#find-q", line)
        editor.locator("#add").click()
        editor.wait_for_function("() => document.getElementById('find-q').value === ''")
    found = editor.locator(".pane-violations .violations")
    assert found.first.evaluate("node => node.scrollHeight <= node.clientHeight + 1")
    assert found.first.locator("> li").count() == 3
    editor.locator("#violations > summary").click()
    editor.locator("#more-violations > summary").click()
    editor.focus("#line-deck-kai-more")
    editor.keyboard.press("-")
    editor.wait_for_function("() => document.getElementById('editor-status').textContent.includes('Kai')")
    assert editor.locator("#more-violations").evaluate("node => node.open")


def test_presses_made_while_the_deck_is_redrawn_all_count(editor):
    """All presses happen in one turn of the event loop, so no answer can come between them."""
    keys = editor.evaluate("""() => {
            const rows = [...document.querySelectorAll('#deck [data-key][data-count]')].slice(0, 3);
            document.querySelector('#deck .line-more').click();
            for (const row of rows) row.querySelector('button[value^="+1 "]').click();
            return rows.map(row => [row.dataset.key, Number(row.dataset.count) + 1]);
        }""")
    for key, count in keys:
        settle(editor, f'#deck [data-key="{key}"][data-count="{count}"]')


def test_unanswered_lines_leave_their_field_only_if_the_browser_could_keep_them(browser, site):
    # A context of its own: the shared one fails the test for errors that the browser reports.
    page = browser.new_context(base_url=site).new_page()
    page.goto(f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/")
    page.route(
        "**/edit/**", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    page.evaluate("for (const fold of document.querySelectorAll('.find-help, #several')) fold.open = true")
    page.fill("#quick-lines", "2 Termite")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    page.get_by_role("button", name="Add these lines").click()
    page.get_by_text("this browser has no room to keep it").wait_for()
    assert page.input_value("#quick-lines") == "2 Termite"
    page.reload()
    page.evaluate("for (const fold of document.querySelectorAll('.find-help, #several')) fold.open = true")
    page.fill("#quick-lines", "2 Termite")
    page.get_by_role("button", name="Add these lines").click()
    page.get_by_role("button", name="Forget: Lines: 2 Termite").wait_for()
    assert page.input_value("#quick-lines") == ""
    page.context.close()


def test_an_edit_link_opens_the_editor_and_its_key_leaves_the_address_and_the_history(browser, site, page):
    page.goto("/decks/new/?game=spycraft")
    page.click("text=Start empty")
    link = page.locator('a[href*="/decks/edit/#"]').get_attribute("href")
    context = browser.new_context(base_url=site)
    other, asked = context.new_page(), []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(link)
    other.wait_for_url("**/decks/*/edit/")
    key = link.rpartition(".")[2]
    assert other.locator("#deck").count() == 1
    assert not [url for url in asked if key in url.partition("#")[0]]
    other.go_back()
    assert "#" not in other.url
    context.close()
