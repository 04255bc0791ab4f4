"""Leaving the editor before the site has answered: a press is kept in the browser's local storage until the
site has received it.
"""

from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.support.browser import saved_starter, sent_on_leaving
from tests.support.kept_pages import IS_KEPT_SINCE, at_work, offline_in, seen, until

pytestmark = pytest.mark.browser
ELSEWHERE = "/cards/spycraft/kai/"
# The keys of changes that are kept, and the condition that all of them have been sent.
KEPT = "() => Object.keys(localStorage).filter(key => key.startsWith('cutout-unsent-'))"
SENT = "() => !Object.keys(localStorage).some(key => key.startsWith('cutout-unsent-'))"


@pytest.fixture
def editor(page):
    """A page with the editor of a starter."""
    page.goto(f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/")
    yield page


def copies(page, card="kai") -> int:
    return int(page.locator(f'#deck [data-key="deck {card}"]').get_attribute("data-count"))


def wait_for_copies(page, card, count):
    """Wait until the card has so many copies."""
    page.locator(f'#deck [data-key="deck {card}"][data-count="{count}"]').wait_for()


def lose_first_change(page):
    """From now on the network swallows the first change, and all that this page sends while it is left. Later
    changes are answered.
    """
    unanswered: list[Any] = []

    def swallow(route):
        if route.request.method == "POST" and not unanswered:
            unanswered.append(route)
        else:
            route.continue_()

    page.context.route("**/edit/**", swallow)
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")


def press(page, card="kai", kind="more"):
    page.locator(f"#line-deck-{card}-{kind}").click()


def test_no_press_is_lost_when_the_page_is_left_before_the_site_answers(editor):
    unanswered: list[Any] = []
    editor.route(
        "**/edit/**",
        lambda route: unanswered.append(route) if route.request.method == "POST" else route.continue_(),
    )
    with editor.expect_request(lambda request: request.method == "POST") as first:
        editor.locator("#line-deck-kai-more").click()
    editor.locator("#line-deck-li-more").click()
    (again,) = sent_on_leaving(editor)
    # The first press is sent again under the same request id, so the site applies it once. The second is kept
    # for the next page, because it might overtake the first if both were sent now.
    assert (again["edit"], [again["request_id"]]) == (
        "+1 deck kai",
        parse_qs(first.value.post_data)["request_id"],
    )
    assert len(editor.evaluate(KEPT)) == 2


def test_changes_sent_on_leaving_arrive_in_their_order(editor):
    address = editor.url
    editor.focus("#line-deck-kai-more")
    for key in "+5432":
        editor.keyboard.press(key)
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    editor.goto(address)
    assert copies(editor) == 2


def test_the_page_is_not_left_when_a_press_was_not_saved(editor):
    address = editor.url
    waiting: list[Any] = []
    editor.route(
        "**/edit/**",
        lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_(),
    )
    with editor.expect_request(lambda request: request.method == "POST"):
        press(editor)
    editor.locator("a.wordmark, header a[href='/']").first.click(no_wait_after=True)
    waiting[0].fulfill(status=404, body="")
    editor.locator(".not-saved").wait_for()
    assert editor.url == address


def test_presses_that_were_never_answered_are_sent_by_the_next_page(editor):
    address, kai, li = editor.url, copies(editor), copies(editor, "li")
    lose_first_change(editor)
    with editor.expect_request(lambda request: request.method == "POST"):
        press(editor)
    press(editor, "li")
    assert len(editor.evaluate(KEPT)) == 2, "kept as soon as they are pressed"
    assert editor.locator(".unsent button").count() == 0, "nothing is said while the site may still answer"
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    editor.goto(address)
    assert (copies(editor), copies(editor, "li")) == (kai + 1, li + 1)


def test_a_press_kept_when_the_browser_ended_is_sent_later(editor):
    context, address, before = editor.context, editor.url, copies(editor)
    other = context.new_page()
    other.goto(address)
    lose_first_change(other)
    with other.expect_request(lambda request: request.method == "POST"):
        press(other)
    (kept,) = editor.evaluate(KEPT)
    change = editor.evaluate("key => localStorage.getItem(key)", kept)
    other.close()
    # Age the change by a minute, as if a phone had ended the page that was sending it.
    since = "change => { change.sending.since -= 60000; return change; }"
    editor.evaluate(
        f"([key, change]) => localStorage.setItem(key, JSON.stringify(({since})(JSON.parse(change))))",
        [kept, change],
    )
    editor.reload()
    wait_for_copies(editor, "kai", before + 1)


def test_a_press_that_reached_the_site_is_applied_once_without_a_notice(editor):
    address, before = editor.url, copies(editor)
    with editor.expect_request(lambda request: request.method == "POST"):
        press(editor)
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    assert editor.locator("#unsent-notice, #unsent-sent").count() == 0
    editor.goto(address)
    assert copies(editor) == before + 1
    assert editor.get_by_text("Meanwhile changed elsewhere").count() == 0


def test_an_undo_is_sent_after_the_press_that_it_undoes(editor):
    address, before, li = editor.url, copies(editor), copies(editor, "li") + 1
    press(editor, "li")
    wait_for_copies(editor, "li", li)
    editor.locator("#undo:not([disabled])").wait_for()
    lose_first_change(editor)
    with editor.expect_request(lambda request: request.method == "POST"):
        press(editor)
    editor.evaluate("document.getElementById('undo').click()")
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    editor.goto(address)
    assert (copies(editor), copies(editor, "li")) == (before, li), "the press right before it is undone"


@pytest.mark.parametrize("way", ["by a link", "sooner than the site answers"])
def test_the_decks_page_shows_a_press_made_right_before_it_was_opened(editor, way):
    deck, before = editor.url.removesuffix("edit/"), copies(editor)
    if way != "by a link":
        lose_first_change(editor)
    link = editor.get_by_role("link", name="Deck’s page").element_handle()
    # Both clicks in one turn of the event loop, so that no answer comes between them.
    editor.evaluate("link => { document.getElementById('line-deck-kai-more').click(); link.click(); }", link)
    editor.wait_for_url(deck)
    count = editor.locator("li", has=editor.get_by_role("img", name="Kai", exact=True)).locator(".fan-count")
    count.get_by_text(str(before + 1)).wait_for()
    assert editor.locator("#unsent-notice, #unsent-sent").count() == 0


def test_the_pages_kept_for_offline_use_show_the_last_press(browser, site):
    context = browser.new_context(base_url=site, service_workers="allow")
    page, beside = at_work(context.new_page()), context.new_page()
    deck = saved_starter(page, "game=spycraft&starter=nine-tiger")
    beside.goto(ELSEWHERE)
    seen(page, deck, f"{deck}edit/")
    before, loaded = copies(page), page.evaluate("new Date().toISOString()")
    # Both in one turn of the event loop, so that no answer comes between them. A blank page follows, so that
    # no other page of the site sends the change.
    page.evaluate("document.getElementById('line-deck-kai-more').click(); location.href = 'about:blank'")
    page.wait_for_url("about:blank")
    for address in (deck, f"{deck}edit/"):
        until(beside, IS_KEPT_SINCE, [address, loaded])
    offline_in(beside, deck)
    assert (
        beside.locator("li", has=beside.get_by_role("img", name="Kai", exact=True))
        .locator(".fan-count")
        .inner_text()
        .endswith(str(before + 1))
    )
    offline_in(beside, f"{deck}edit/")
    assert copies(beside) == before + 1
    context.close()
