"""Offline use in a browser: pages seen before are available, and changes are kept and sent exactly once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.axe import breaches_of_shapes
from tests.support.browser import logged_out, saved_starter, signed_up
from tests.support.kept_pages import AT_WORK, IS_KEPT, IS_KEPT_SINCE, at_work, offline_in, seen, until

pytestmark = pytest.mark.browser
# JavaScript that returns the names of the caches that belong to one viewer.
OWN_ROOMS = "async () => (await caches.keys()).filter(name => name.startsWith('cutout-viewer-'))"
# The line of the card Kai in the editor; the address of one's own decks.
KAI = '#deck [data-key="deck kai"]'
MINE = "/decks/?q=is%3Amine"


@pytest.fixture
def shop(browser, site):
    """A new browser context that may install a service worker."""
    context = browser.new_context(base_url=site, service_workers="allow")
    yield context
    context.close()


@pytest.fixture
def fresh_page(shop):
    """A page in that context, controlled by the service worker."""
    return at_work(shop.new_page())


@pytest.fixture(scope="module")
def kept_context(browser, site):
    """A browser context shared by tests that create their own deck, as installing the worker takes a
    second.
    """
    context = browser.new_context(base_url=site, service_workers="allow")
    at_work(context.new_page())
    yield context
    context.close()


@pytest.fixture
def page(kept_context):
    """A page whose network, routes and local storage are reset after each test."""
    page = kept_context.new_page()
    yield page
    kept_context.set_offline(False)
    kept_context.unroute_all(behavior="ignoreErrors")
    page.goto("/offline/")
    page.evaluate("localStorage.clear()")
    page.close()


def new_deck(page: Any) -> str:
    """Create a deck that belongs to this browser. Return its address."""
    return saved_starter(page, "game=spycraft&starter=nine-tiger")


def copies(page: Any) -> int:
    """Return the number of copies of Kai that the editor shows."""
    return int(page.locator(KAI).get_attribute("data-count"))


def become(page: Any, number: int) -> None:
    """Wait until the editor shows so many copies of Kai."""
    page.locator(f'{KAI}[data-count="{number}"]').wait_for()


def online(page: Any) -> None:
    page.context.set_offline(False)


def edited_offline(page: Any) -> tuple[str, int]:
    """Create a deck, open its editor and cut the network. Return its address and its count of Kai."""
    deck = new_deck(page)
    seen(page, f"{deck}edit/")
    before = copies(page)
    offline_in(page, f"{deck}edit/")
    return deck, before


def press_more(page: Any) -> None:
    """Add a copy of Kai in the editor."""
    page.locator("#line-deck-kai-more").click()


def waits(page: Any, words: str) -> None:
    """Wait until the editor lists this change as not sent yet."""
    page.get_by_role("button", name=f"Take back: {words}", exact=True).wait_for()


def test_seen_decks_cards_and_faces_open_and_others_are_reported_missing(fresh_page):
    page = fresh_page
    deck = new_deck(page)
    seen(page, MINE, "/cards/spycraft/kai/", deck)
    faces = page.locator("#faces").get_attribute("href")
    until(page, IS_KEPT, faces)
    offline_in(page, deck)
    assert page.inner_text("h1").startswith("Nine Tiger")
    shown = (
        "async (src) => { const picture = Object.assign(new Image(), { src }); await picture.decode(); return"
        " picture.naturalWidth }"
    )
    assert page.evaluate(shown, faces) > 1_000
    offline_in(page, MINE)
    page.get_by_role("link", name="Nine Tiger", exact=True).wait_for()
    offline_in(page, "/cards/spycraft/kai/")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--desk')"), (
        "its style is kept too"
    )
    page.goto("/games/xfiles/")
    page.get_by_text("this browser has not kept the page you asked for").wait_for()
    kept = page.get_by_role("region", name="Decks").get_by_role("link")
    kept.first.wait_for()
    assert kept.all_inner_texts() == ["Nine Tiger"]
    assert page.get_by_role("region", name="Cards seen").get_by_role("link").all_inner_texts() == [
        "Kai, Spycraft"
    ]
    online(page)
    page.get_by_role("heading", name="The X-Files", exact=False).first.wait_for()


def test_the_page_opened_before_the_worker_is_kept_with_its_files(shop):
    page = shop.new_page()
    seen(page, "/cards/spycraft/li/")
    sheet = page.locator("link[rel=stylesheet][href*='cutout/card.']").get_attribute("href")
    until(page, IS_KEPT, sheet)
    until(page, AT_WORK)
    offline_in(page, "/cards/spycraft/li/")
    assert page.get_by_role("heading", name="Li", exact=True).count()


def test_pages_are_never_stale_copies_and_a_copy_has_changes_saved_after_its_page_was_loaded(page):
    deck = new_deck(page)
    seen(page, deck, f"{deck}edit/?q=termite", f"{deck}edit/")
    before, loaded = copies(page), page.evaluate("new Date().toISOString()")
    press_more(page)
    become(page, before + 1)
    for address in (deck, f"{deck}edit/"):
        until(page, IS_KEPT_SINCE, [address, loaded])
    page.reload()
    assert copies(page) == before + 1
    assert page.get_by_text("This page is the copy").count() == 0
    for searched in ("", "?q=termite"):
        offline_in(page, f"{deck}edit/{searched}")
        assert copies(page) == before + 1
    offline_in(page, deck)
    kai = page.locator("li", has=page.get_by_role("img", name="Kai", exact=True))
    assert kai.locator(".fan-count").inner_text().endswith(str(before + 1))


def test_an_offline_change_is_kept_shown_and_sent_once_later(page):
    deck, before = edited_offline(page)
    press_more(page)
    waits(page, "+1 Kai")
    press_more(page)
    waits(page, "+2 Kai")
    assert page.locator(f"{KAI} .unsent-mark").inner_text() == "+2 not sent"
    page.fill("#find-q", "2 Termite")
    page.keyboard.press("Enter")
    waits(page, "Add “2 Termite”")
    assert page.input_value("#find-q") == ""
    page.reload()
    waits(page, "+2 Kai")
    online(page)
    become(page, before + 2)
    page.locator('#deck [data-key="deck termite"][data-count="2"]').wait_for()
    assert page.locator(".unsent button").count() == 0
    page.get_by_text("Sent to “Nine Tiger”: +2 Kai; Add “2 Termite”.").wait_for()
    assert page.get_by_role("button", name="Take back").count() == 0
    page.goto(f"{deck}history/")
    page.get_by_text("+2 Kai").first.wait_for()
    page.goto(f"{deck}edit/")
    assert copies(page) == before + 2


def test_a_change_whose_answer_was_lost_is_applied_once(page):
    deck = new_deck(page)
    page.goto(f"{deck}edit/")
    before = copies(page)
    answers: list[int] = []

    def lose_the_first_answer(route: Any) -> None:
        if route.request.method == "POST" and not answers:
            answers.append(route.fetch().status)
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/edit/**", lose_the_first_answer)
    press_more(page)
    page.get_by_role("button", name="Forget: +1 Kai").wait_for()
    assert (answers, copies(page)) == ([200], before), "the site has the change, and the page does not know"
    # A second press must not be merged with this change.
    page.context.set_offline(True)
    press_more(page)
    waits(page, "+1 Kai")
    online(page)
    page.evaluate("Unsent.send()")
    page.get_by_text("Sent to “").wait_for()
    become(page, before + 2)
    assert page.locator(".unsent button").count() == 0


def test_an_offline_change_is_merged_with_changes_made_elsewhere(page, browser, site):
    deck, before = edited_offline(page)
    other = browser.new_context(base_url=site, storage_state=page.context.storage_state())
    elsewhere = other.new_page()
    press_more(page)
    waits(page, "+1 Kai")
    elsewhere.goto(f"{deck}edit/")
    elsewhere.fill("#find-q", "1 Ambush")
    elsewhere.keyboard.press("Enter")
    elsewhere.locator('#deck [data-key="deck ambush"]').wait_for()
    other.close()
    online(page)
    page.get_by_text("Meanwhile changed elsewhere: +1 Ambush").wait_for()
    page.locator('#deck [data-key="deck ambush"]').wait_for()
    become(page, before + 1)


def test_a_refused_change_is_shown_and_the_others_are_sent(page):
    deck, before = edited_offline(page)
    for line in ("3 Tunguska", "ka"):
        page.fill("#find-q", line)
        page.locator("#add").click() if line[0] == "3" else page.keyboard.press("Enter")
        waits(page, f"Add “{line}”")
    press_more(page)
    waits(page, "+1 Kai")
    online(page)
    become(page, before + 1)
    page.get_by_role("button", name="Remove: Add “3 Tunguska”").wait_for()
    page.get_by_text("Add “ka”: it has no count before or behind a name").wait_for()
    page.goto(deck)
    page.get_by_text("Not in this deck yet, but kept in this browser: Add “3 Tunguska”").wait_for()
    page.goto(f"{deck}edit/")
    page.get_by_role("button", name="Remove: Add “3 Tunguska”").click()
    page.get_by_role("button", name="Remove: Add “3 Tunguska”").wait_for(state="detached")


def test_a_waiting_change_is_undone_by_its_button_or_by_undo_and_sent_from_any_open_page(page):
    deck = new_deck(page)
    seen(page, "/cards/spycraft/kai/", f"{deck}edit/")
    before = copies(page)
    offline_in(page, f"{deck}edit/")
    press_more(page)
    waits(page, "+1 Kai")
    page.locator("#line-deck-li-more").click()
    waits(page, "+1 Li")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Take back: +1 Li").wait_for(state="detached")
    page.get_by_role("button", name="Take back: +1 Kai").click()
    page.get_by_role("button", name="Take back: +1 Kai").wait_for(state="detached")
    page.locator("#line-deck-li-more").click()
    waits(page, "+1 Li")
    offline_in(page, "/cards/spycraft/kai/")
    online(page)
    page.get_by_text("Sent to “Nine Tiger”: +1 Li.").wait_for()
    page.goto(f"{deck}edit/")
    assert copies(page) == before


def test_logging_out_deletes_kept_pages_and_waiting_changes(fresh_page):
    page = fresh_page
    signed_up(page, "Ada-of-the-shop")
    deck = new_deck(page)
    seen(page, "/cards/spycraft/kai/", deck, f"{deck}edit/", MINE)
    assert len(page.evaluate(OWN_ROOMS)) == 1
    offline_in(page, f"{deck}edit/")
    # Keep a change from leaving: the site answers every request but this one.
    page.context.route(f"{deck}edit/", lambda route: route.abort())
    press_more(page)
    waits(page, "+1 Kai")
    online(page)
    page.goto("/accounts/logout/")
    page.get_by_text("They stay in this browser and are sent when you log in here again.").wait_for()
    logged_out(page)
    assert page.evaluate(OWN_ROOMS) == []
    signed_up(page, "Bob-of-the-shop")
    page.goto(MINE)
    assert page.get_by_text("Kept in this browser").count() == 0
    page.context.set_offline(True)
    for address in (deck, f"{deck}edit/"):
        page.goto(address)
        page.get_by_text("this browser has not kept the page you asked for").wait_for()
        assert page.get_by_text("Nine Tiger").count() == 0
    page.goto("/cards/spycraft/kai/")
    assert page.get_by_role("heading", name="Kai", exact=True).count(), "what is everybody's stays"


def test_kept_pages_are_deleted_when_the_viewer_changes(fresh_page):
    page = fresh_page
    seen(page, new_deck(page))
    (room,) = page.evaluate(OWN_ROOMS)
    page.context.clear_cookies()
    page.goto(MINE)
    until(page, IS_KEPT, MINE)
    until(page, "async room => !(await caches.keys()).includes(room)", room)


def test_a_late_picture_does_not_recreate_the_cache_of_a_former_viewer(fresh_page):
    page = fresh_page
    seen(page, new_deck(page))
    before = page.evaluate(OWN_ROOMS)
    faces = page.eval_on_selector_all("main img[src*='face.svg']", "faces => faces.map(face => face.src)")
    (worker,) = page.context.service_workers
    # Delay the answer to the request for the names of the caches, as one may be deleted meanwhile.
    worker.evaluate("""() => {
            const names = caches.keys.bind(caches);
            caches.keys = async () => { const now = await names();
                await new Promise(late => setTimeout(late, 50)); return now; };
        }""")
    moment = page.evaluate("new Date().toISOString()")
    page.context.clear_cookies()
    page.evaluate(
        "addresses => navigator.serviceWorker.controller.postMessage({ keep: addresses })", [MINE, *faces]
    )
    for address in (MINE, *faces):
        until(page, IS_KEPT_SINCE, [address, moment])
    until(page, f"async before => !(await ({OWN_ROOMS})()).some(name => before.includes(name))", before)


def test_a_list_written_offline_is_judged_when_online(page):
    page.context.set_offline(True)
    page.goto("/check/")
    page.select_option("#id_game", "spycraft")
    page.fill("#id_text", "2 Kai\n1 Termite")
    page.locator("#judged").get_by_text("is judged when the network is back").wait_for()
    page.get_by_role("button", name="Check this list").click()
    page.get_by_text("Not sent: the site does not answer.").wait_for()
    page.reload()
    page.locator("#judged").get_by_text("is judged when the network is back").wait_for()
    assert page.input_value("#id_text") == "2 Kai\n1 Termite"
    online(page)
    page.locator("#judged .verdict-stamp").wait_for()
    page.context.set_offline(True)
    page.fill("#id_text", "3 Kai")
    page.locator("#judged").get_by_text("Below is the last verdict, of the list as it was then.").wait_for()
    assert page.locator("#judged .verdict-stamp").count() == 1


def test_a_form_is_not_sent_while_offline(page):
    deck = new_deck(page)
    seen(page, f"{deck}edit/text/")
    offline_in(page, f"{deck}edit/text/")
    page.fill("#id_text", "2 Kai")
    page.get_by_role("button", name="Save the deck").click()
    page.get_by_text("Not sent: the site does not answer.").wait_for()
    assert page.input_value("#id_text") == "2 Kai"
    online(page)
    page.get_by_role("button", name="Save the deck").click()
    page.wait_for_url(deck)


def test_offline_pages_break_no_accessibility_rule(browser, site):
    context = browser.new_context(base_url=site, service_workers="allow", bypass_csp=True)
    page = at_work(context.new_page())
    edited_offline(page)
    press_more(page)
    waits(page, "+1 Kai")
    wrong = breaches_of_shapes(page)
    page.goto("/games/xfiles/")
    page.get_by_role("region", name="Decks").get_by_role("link").first.wait_for()
    wrong += breaches_of_shapes(page)
    context.close()
    assert wrong == []
