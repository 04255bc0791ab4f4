"""Leaving the editor before the site has answered: what was pressed is kept in the browser until the site has
it.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.support.browser import saved_starter, sent_on_leaving
from tests.support.kept_pages import IS_KEPT_SINCE, at_work, offline_in, seen, until

pytestmark = pytest.mark.browser
ELSEWHERE = "/cards/spycraft/kai/"
KEPT = "() => Object.keys(localStorage).filter(key => key.startsWith('cutout-unsent-'))"
SENT = "() => !Object.keys(localStorage).some(key => key.startsWith('cutout-unsent-'))"


@pytest.fixture
def editor(page):
    """A page with the editor of a starter."""
    page.goto(f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/")
    yield page


def copies(page: Any, card: str = "kai") -> int:
    return int(page.locator(f'#deck [data-key="deck {card}"]').get_attribute("data-count"))


def has(page: Any, card: str, count: int) -> None:
    page.locator(f'#deck [data-key="deck {card}"][data-count="{count}"]').wait_for()


def dead(page: Any) -> None:
    """The network answers nothing to the first change and takes none of what is sent as the page is left;
    later ones are answered.
    """
    unanswered: list[Any] = []

    def swallow(route: Any) -> None:
        if route.request.method == "POST" and not unanswered:
            unanswered.append(route)
        else:
            route.continue_()

    page.context.route("**/edit/**", swallow)
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")


def press(page: Any, card: str = "kai", kind: str = "more") -> None:
    page.locator(f"#line-deck-{card}-{kind}").click()


def test_whoever_leaves_before_the_site_answers_loses_no_press(editor):
    unanswered: list[Any] = []
    editor.route(
        "**/edit/**",
        lambda route: unanswered.append(route) if route.request.method == "POST" else route.continue_(),
    )
    with editor.expect_request(lambda request: request.method == "POST") as first:
        editor.locator("#line-deck-kai-more").click()
    editor.locator("#line-deck-li-more").click()
    (again,) = sent_on_leaving(editor)
    # By its name the site applies once what it gets twice. The other is kept for the next page: sent beside
    # it, it might come first.
    assert (again["edit"], [again["request_id"]]) == (
        "+1 deck kai",
        parse_qs(first.value.post_data)["request_id"],
    )
    assert len(editor.evaluate(KEPT)) == 2


def test_changes_on_leaving_come_in_their_order(editor):
    address = editor.url
    editor.focus("#line-deck-kai-more")
    for key in "+5432":
        editor.keyboard.press(key)
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    editor.goto(address)
    assert copies(editor) == 2


def test_who_is_told_that_a_press_was_not_saved_stays_and_reads_it(editor):
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


def test_what_was_pressed_and_never_answered_is_sent_by_the_next_page(editor):
    address, kai, li = editor.url, copies(editor), copies(editor, "li")
    dead(editor)
    with editor.expect_request(lambda request: request.method == "POST"):
        press(editor)
    press(editor, "li")
    assert len(editor.evaluate(KEPT)) == 2, "kept as soon as they are pressed"
    assert editor.locator(".unsent button").count() == 0, "nothing is said while the site may still answer"
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    editor.goto(address)
    assert (copies(editor), copies(editor, "li")) == (kai + 1, li + 1)


def test_what_is_kept_meanwhile_is_there_after_the_browser_ended(editor):
    context, address, before = editor.context, editor.url, copies(editor)
    other = context.new_page()
    other.goto(address)
    dead(other)
    with other.expect_request(lambda request: request.method == "POST"):
        press(other)
    (kept,) = editor.evaluate(KEPT)
    change = editor.evaluate("key => localStorage.getItem(key)", kept)
    other.close()
    # As where a phone ends a page, of which nothing runs any more.
    since = "change => { change.sending.since -= 60000; return change; }"
    editor.evaluate(
        f"([key, change]) => localStorage.setItem(key, JSON.stringify(({since})(JSON.parse(change))))",
        [kept, change],
    )
    editor.reload()
    has(editor, "kai", before + 1)


def test_what_did_reach_the_site_is_applied_once_and_nothing_is_said_of_it(editor):
    address, before = editor.url, copies(editor)
    with editor.expect_request(lambda request: request.method == "POST"):
        press(editor)
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    assert editor.locator("#unsent-notice, #unsent-sent").count() == 0
    editor.goto(address)
    assert copies(editor) == before + 1
    assert editor.get_by_text("Meanwhile changed elsewhere").count() == 0


def test_a_step_back_goes_behind_what_it_takes_back(editor):
    address, before, li = editor.url, copies(editor), copies(editor, "li") + 1
    press(editor, "li")
    has(editor, "li", li)
    editor.locator("#undo:not([disabled])").wait_for()
    dead(editor)
    with editor.expect_request(lambda request: request.method == "POST"):
        press(editor)
    editor.evaluate("document.getElementById('undo').click()")
    editor.goto(ELSEWHERE)
    editor.wait_for_function(SENT)
    editor.goto(address)
    assert (copies(editor), copies(editor, "li")) == (before, li), "what it takes back is the press before it"


@pytest.mark.parametrize("way", ["by a link", "sooner than the site answers"])
def test_the_page_of_the_deck_has_what_was_pressed_right_before_it(editor, way):
    deck, before = editor.url.removesuffix("edit/"), copies(editor)
    if way != "by a link":
        dead(editor)
    link = editor.get_by_role("link", name="Deck’s page").element_handle()
    # In one turn of the page, so that no answer comes between them.
    editor.evaluate("link => { document.getElementById('line-deck-kai-more').click(); link.click(); }", link)
    editor.wait_for_url(deck)
    count = editor.locator("li", has=editor.get_by_role("img", name="Kai", exact=True)).locator(".fan-count")
    count.get_by_text(str(before + 1)).wait_for()
    assert editor.locator("#unsent-notice, #unsent-sent").count() == 0


def test_the_copies_of_a_deck_have_what_was_pressed_last(browser, site):
    context = browser.new_context(base_url=site, service_workers="allow")
    page, beside = at_work(context.new_page()), context.new_page()
    deck = saved_starter(page, "game=spycraft&starter=nine-tiger")
    beside.goto(ELSEWHERE)
    seen(page, deck, f"{deck}edit/")
    before, loaded = copies(page), page.evaluate("new Date().toISOString()")
    # In one turn of the page, so that no answer comes between them; and no page of the site takes its place.
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
