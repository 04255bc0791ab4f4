"""Long visits in a real browser: browsing, judging and printing; by keyboard, without JavaScript, on a phone.
Also accessibility, weight and fonts of all pages.
"""

from __future__ import annotations

import urllib.request
from typing import Any

import pytest

from tests import ROOT
from tests.support.axe import breaches_of_shapes
from tests.support.browser import forget_files, stamp
from tests.support.server import manage

pytestmark = pytest.mark.browser

DECK = (ROOT / "cardsdb/games/spycraft/starters/nine-tiger.txt").read_text(encoding="utf-8")


def test_a_starter_deck_is_edited_and_printed(page, tmp_path):
    page.goto("/")
    page.locator("main a[href='/games/spycraft/']").first.click()
    page.click("a[href*='starter=nine-tiger']")
    page.get_by_role("button", name="Save the deck").click()
    assert stamp(page) == "LEGAL"
    page.get_by_role("link", name="Mine", exact=True).wait_for()
    page.click("text=Edit")
    page.click("text=As text")
    page.fill("#id_text", page.input_value("#id_text") + "\nDeck:\n4 Termite\n")
    page.click("text=Save the deck")
    assert stamp(page) == "NOT LEGAL"
    assert "line 430" in page.inner_text("#verdict")
    page.get_by_role("group", name="What to do with this deck").get_by_role("link", name="Print").click()
    assert "63 cards" in page.inner_text("#price")
    with page.expect_download() as download:
        page.locator("button:visible", has_text="Download the sheets").first.click()
    download.value.save_as(tmp_path / "deck.pdf")
    assert (tmp_path / "deck.pdf").read_bytes().startswith(b"%PDF")


def test_a_whole_game_is_printed_with_two_clicks_or_by_keyboard(page):
    page.goto("/")
    page.get_by_role("link", name="SpyNet", exact=True).click()
    button = page.get_by_role("button", name="Print 1 sheet")
    with page.expect_download() as download:
        button.click()
    assert download.value.suggested_filename == "spynet-spynet-for-3-players.pdf"
    page.goto("/games/spynet/?players=2")
    tab_to(page, button)
    with page.expect_download():
        page.keyboard.press("Enter")
    # The numbers are those of the usual choice. After another choice they are not shown.
    page.get_by_label("No box?").check()
    page.get_by_role("button", name="Print", exact=True).wait_for()
    assert not page.get_by_text("1 sheet, ").is_visible()
    page.get_by_label("Paper").select_option("letter")
    page.get_by_role("button", name="Look at them first").click()
    assert page.locator("#f-paper").input_value() == "letter" and " unnamed cards" in page.inner_text(
        "#price"
    )


def tab_to(page: Any, wanted: Any) -> None:
    """Press Tab until this element has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"no way by Tab to {wanted}")


def test_the_score_of_spynet_is_counted_and_saved_as_a_deck(page):
    page.goto("/games/spynet/")
    page.get_by_role("link", name="Count the end").click()
    for label, typed in (("Player 1", "Ana"), ("Stars 1", "7"), ("Stars 2", "5")):
        page.get_by_label(label, exact=True).fill(typed)
    page.locator("#worksheet-result").get_by_text("Ana wins").wait_for()
    page.get_by_role("button", name="Save as my deck").click()
    page.wait_for_url("**/decks/*/")
    assert "Ana wins" in page.locator(".worksheet-result").inner_text()
    page.get_by_role("link", name="Count the end", exact=True).click()
    assert page.get_by_label("Stars 1", exact=True).input_value() == "7"


def test_the_search_box_completes_what_is_typed_and_opens_a_card_by_keyboard(page):
    page.goto("/")
    box = page.locator("input[data-suggest]").first
    box.focus()
    page.keyboard.type("game:spycraft faction:kr")
    page.get_by_role("option", name="The Krypt").wait_for()
    assert box.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    # If the list still shows an earlier search, its first line is marked once the right list arrives.
    page.locator("input[data-suggest][aria-activedescendant]").wait_for()
    offered = page.locator(f"#{box.get_attribute('aria-activedescendant')}")
    assert offered.get_attribute("aria-selected") == "true"
    page.keyboard.press("Enter")
    assert box.input_value() == 'game:spycraft faction:"The Krypt" '
    page.keyboard.type("gl")
    page.get_by_role("option", name="Glock 17").wait_for()
    page.keyboard.press("Escape")
    assert (box.get_attribute("aria-expanded"), box.input_value()) == (
        "false",
        'game:spycraft faction:"The Krypt" gl',
    )
    box.fill("glock 1")
    page.get_by_role("option", name="Glock 17").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/cards/spycraft/glock-17*/")


def test_keys_pressed_before_the_suggestions_arrive_choose_from_them(page):
    page.goto("/")
    box = page.locator("input[data-suggest]").first
    box.focus()
    page.keyboard.type("game:spycraft facti")
    page.get_by_role("option", name="faction").first.wait_for()
    page.evaluate("""() => {
            const ask = window.fetch, slow = new Promise(answer => { window.answerAtLast = answer; });
            window.fetch = (...request) => slow.then(() => ask(...request));
        }""")
    page.keyboard.type("on:kr")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert (box.get_attribute("aria-activedescendant"), box.input_value()) == (
        None,
        "game:spycraft faction:kr",
    )
    page.evaluate("answerAtLast()")
    page.wait_for_function("box => box.value !== 'game:spycraft faction:kr'", arg=box.element_handle())
    assert box.input_value() == 'game:spycraft faction:"The Krypt" '


def test_cards_are_ticked_and_compared(page):
    page.goto("/cards/?q=game%3Aspycraft+krypt+craft%3E%3D6")
    for name in ("Beowulf", "Edik Noskor"):
        page.get_by_label(f"Compare {name}").check()
    page.get_by_role("button", name="Compare the ticked cards").click()
    page.wait_for_url("**/compare/?**")
    for name in ("Beowulf", "Edik Noskor"):
        page.get_by_role("link", name=name).first.wait_for()


def test_the_browsers_back_button_leads_back_through_the_pages_of_a_list(page):
    page.goto("/cards/?q=game%3Axfiles")
    first = page.locator(".results a.name").first.inner_text()
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**after=**")
    assert page.locator(".results a.name").first.inner_text() != first
    page.go_back()
    page.wait_for_function(
        "first => document.querySelector('.results a.name').innerText === first", arg=first
    )


def test_a_view_is_remembered_until_another_is_picked(page):
    for picked in ("Faces", "Numbers only", "With the line"):
        page.goto("/cards/?q=game%3Aspynet")
        page.get_by_role("navigation", name="View").get_by_role("link", name=picked).click()
        page.goto("/cards/?q=game%3Asteamspy")
        page.locator(".switch [aria-current]", has_text=picked).wait_for()
    page.goto("/cards/?q=game%3Asteamspy&view=numbers")
    page.locator(".switch [aria-current]", has_text="Numbers only").wait_for()


def test_everything_works_without_script(browser, site):
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/check/")
    page.select_option("#id_game", "spycraft")
    page.fill("#id_text", DECK)
    page.click("text=Check this list")
    assert stamp(page) == "LEGAL"
    context.close()


def test_a_list_is_checked_by_keyboard_alone(page):
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent").strip().lower().startswith("skip")
    page.keyboard.press("Enter")
    tab_to(page, page.locator("#id_text"))
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(DECK)
    tab_to(page, page.get_by_role("button", name="Is it legal?"))
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    page.wait_for_url("**/check/")
    assert stamp(page) == "LEGAL"


# One of several similar pages, with a few rows, is enough: axe takes time for every word.
ADDRESSES = [
    "/",
    "/games/",
    "/games/xfiles/",
    "/games/spycraft/about/",
    "/games/spynet/aids/count-the-end/?stars_1=7&stars_2=5",
    "/games/agentdecker/rules/",
    "/cards/",
    "/cards/?q=expanse%3A3+%28",
    "/cards/?q=nothingofthename",
    "/cards/?q=krypt+agents+certainly&view=faces",
    "/cards/?q=alrik+forsithe&view=checklist",
    "/cards/?q=game%3Aspycraft+%28faction%3DBloodvine+or+faction%3DFreelancer%29+traits%3DSoldier+traits%3DUnique",
    "/cards/?q=similar%3A%22Glock+17%22",
    "/search/",
    "/compare/?card=spycraft/li&card=xfiles/first-aid",
    "/cards/spycraft/li/correct/",
    "/games/spycraft/glossary/",
    "/games/xfiles/set-up/?players=3",
    "/cards/spycraft/li/?q=type%3Aagent",
    "/bulk/",
    "/sets/",
    "/changes/",
    "/sets/xfiles/PRE/",
    "/decks/new/?game=steamspy",
    "/print/",
    "/formats/",
    "/games/spynet/play/",
    "/own/sets/",
    "/api/v1/docs/",
    "/nothing/",
]


def check_page(page: Any) -> None:
    """The page of a checked list with problems."""
    page.goto("/check/")
    page.select_option("#id_game", "spycraft")
    page.fill("#id_text", DECK + "\n4 Termite\n1 Kia\n")
    with page.expect_navigation():
        page.click("text=Check this list")


def format_page(page: Any) -> None:
    """The form of a league's format, with search results and cards on its lists."""
    page.goto("/formats/")
    page.fill("#id_name", "Tuesday")
    page.select_option("#id_base", "spycraft/agency")
    page.get_by_role("button", name="Make the format").click()
    page.fill("#id_q", "kai")
    page.locator("#id_q").press("Enter")
    page.get_by_role("button", name="Ban Kai").click()
    page.get_by_role("button", name="Take off Kai").wait_for()


def set_page(page: Any) -> None:
    """The settings page of an own set."""
    page.goto("/own/sets/")
    page.get_by_label("Name").fill("Balloons")
    page.get_by_role("button", name="Make the set").click()
    page.get_by_role("link", name="Name, licence, who sees it").click()
    page.get_by_role("heading", name="Balloons: settings").wait_for()


def test_no_page_breaks_an_accessibility_rule_or_scrolls_sideways(browser, site):
    context = browser.new_context(base_url=site, bypass_csp=True)
    page = context.new_page()
    wrong = []
    for address in [*ADDRESSES, check_page, format_page, set_page]:
        if callable(address):
            address(page)
        else:
            page.goto(address)
        wrong += breaches_of_shapes(page)
    context.close()
    assert wrong == []


# These pages show other fonts too.
MORE_FONTS = ("/games/spycraft/", "/games/xfiles/rules/", "/print/?starter=spycraft/banshee-net")


def test_pages_load_at_most_110_kb_and_nine_files_and_preload_their_fonts(page):
    """Measured as a first visit on a phone, compressed. A font that arrives later makes the browser lay out
    the whole page again. Fonts that are not used are not preloaded.
    """
    page.set_viewport_size({"width": 390, "height": 844})
    weights: dict[str, int] = {}
    page.on(
        "requestfinished",
        lambda request: weights.__setitem__(request.url, request.sizes()["responseBodySize"]),
    )
    usual = ("/", "/cards/?game=spycraft&type=agent", "/cards/spycraft/li/", "/decks/")
    for address in (*usual, *MORE_FONTS):
        weights.clear()
        page.context.clear_cookies()
        forget_files(page)
        page.goto(address, wait_until="networkidle")
        assert sum(weights.values()) <= 110_000, weights
        assert len(weights) <= 9, weights
        if address in usual:
            fonts = page.evaluate(
                """() => performance.getEntriesByType("resource").filter((one) => one.name.includes(".woff2"))
                    .map((one) => [one.initiatorType, one.name.split("/").pop().split(".")[0]]).sort()"""
            )
            used = page.evaluate("[...document.fonts].filter((one) => one.status === 'loaded').length")
            assert fonts == [["link", "sans-regular"], ["link", "sans-semibold"], ["link", "serif-semibold"]]
            assert used == len(fonts), address


def test_an_edition_shows_at_once_on_every_worker(site, var):
    """Another process changes the catalogue; no worker may answer from the catalogue that it has in
    memory.
    """

    def names() -> set[str]:
        """The page's headings, asked over enough connections to reach every worker."""
        pages = [urllib.request.urlopen(f"{site}/cards/xfiles/2shy/").read().decode() for _ in range(12)]
        return {page.partition("<h1>")[2].partition("</h1>")[0] for page in pages}

    def rename(old: str, new: str, digest: str) -> None:
        change = [
            "from cardsdb.games import games",
            "from cardsdb.models import Card, Edition, Holding",
            f"Card.objects.filter(game='xfiles', name={old!r}).update(name={new!r})",
            "held = Holding.objects.get(game='xfiles')",
            f"held.summary['digest'] = {digest}",
            "held.save()",
            "Edition.objects.create()",
        ]
        manage(var, "shell", "--no-imports", "-c", "; ".join(change))

    assert names() == {"2Shy"}
    rename("2Shy", "2Shy Renamed", "'of other cards'")
    try:
        assert names() == {"2Shy Renamed"}
    finally:
        rename("2Shy Renamed", "2Shy", "games()['xfiles'].folder_digest")
    assert names() == {"2Shy"}
