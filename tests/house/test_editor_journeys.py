"""The deck editor in a browser: a deck is built, broken, repaired, shared and forked by keyboard alone; and
every page of a deck is checked for accessibility.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.support.axe import breaches_of_shapes
from tests.support.browser import stamp

pytestmark = pytest.mark.browser

# The most presses of Tab to reach an element.
LONGEST_WAY = 120


class Keyboard:
    """A person without a mouse, who goes by Tab, presses Enter and types. Counts the keys pressed."""

    def __init__(self, page: Any) -> None:
        self.page, self.presses = page, 0

    def press(self, key: str, times: int = 1) -> None:
        for _ in range(times):
            self.page.keyboard.press(key)
            self.presses += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.presses += len(text)

    def to(self, words: str, key: str = "Tab") -> None:
        """Press Tab until an element with this name or label has the focus, which must be visible at every
        step.
        """
        for _ in range(LONGEST_WAY):
            self.press(key)
            called, shown = self.page.evaluate("""() => {
                    const e = document.activeElement;
                    const label = e.labels && e.labels.length ? e.labels[0].textContent : '';
                    const words = [e.getAttribute('aria-label'), label, e.textContent].filter(Boolean)
                        .map(one => one.trim());
                    const style = getComputedStyle(e);
                    return [words, style.outlineStyle !== 'none' || style.boxShadow !== 'none'];
                }""")
            if any(re.match(rf"{re.escape(words)}(?!\w)", name) for name in called):
                assert shown, f"{words} has the focus and nothing shows it"
                return
        raise AssertionError(f"no way by Tab to “{words}” on {self.page.url}")

    def follow(self, words: str) -> None:
        """Go to a link or button by Tab, press Enter and wait for the next page."""
        self.to(words)
        with self.page.expect_navigation():
            self.press("Enter")


def test_a_deck_is_built_repaired_shared_and_forked_by_keyboard_alone(page, browser, site):
    hands = Keyboard(page)
    page.goto("/decks/new/?game=spycraft&starter=nine-tiger")
    hands.follow("Save the deck")
    assert stamp(page) == "LEGAL"
    deck = page.url
    hands.follow("Edit")
    hands.to("Search the cards of Spycraft, or add one")
    hands.type("4 Termite")
    hands.press("Escape")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        hands.press("Enter")
    # Wait for the card in the deck: among the cards found it may be there before the answer is drawn.
    page.locator('#deck [data-key="deck termite"]').wait_for()
    assert page.inner_text(".pane-verdict strong").upper() == "NOT LEGAL"
    page.goto(f"{deck}repairs/?back=deck_edit")
    hands.follow("Apply")
    page.goto(deck)
    assert stamp(page) == "LEGAL"
    page.reload()
    hands.follow("Share")
    address = page.input_value("#whole-address")
    friend = browser.new_context(base_url=site)
    other = friend.new_page()
    other.goto(address)
    other.locator(".verdict-stamp").wait_for()
    assert stamp(other) == "LEGAL"
    theirs = Keyboard(other)
    theirs.follow("Save as my deck")
    assert stamp(other) == "LEGAL"
    friend.close()
    hands.follow("Deck")
    hands.follow("Copy: a deck of your own that begins as this one")
    assert "Copied from" in page.inner_text("main")
    assert hands.presses < 600


# The editor's own pages are checked in tests/decks/editor/, those of an account in tests/decks/accounts/.
OF_A_DECK = (
    "",
    "?view=rows&hand=1",
    "numbers/",
    "numbers/odds/?a=t%3Aagent",
    "numbers/hands/?seed=1",
    "missing/",
)
OF_A_DECK += ("history/", "share/", "files/", "house/", "repairs/", "comments/", "embed/", "delete/")
OTHERS = (
    "/decks/?q=game%3Aspycraft+legal%3Aagency",
    "/decks/?q=uses%3A%22Kia%22",
    "/decks/search-help/",
    "/decks/compare/",
    "/decks/import/",
    "/d/",
    "/decks/edit/",
    "/collection/?all=1&game=spycraft",
    "/collection/import/",
    "/collection/decks/",
    "/collection/starters/spycraft/banshee-net/",
    "/collection/spycraft/kai/",
    "/cards/spycraft/kai/add/",
    "/cards/spycraft/kai/reviews/",
    "/games/steamspy/aids/",
    "/games/spycraft/house/?format=agency&AG-3.at_least=40",
)


def test_no_page_of_the_editor_breaks_an_accessibility_rule_or_scrolls_sideways(browser, site):
    context = browser.new_context(base_url=site, bypass_csp=True)
    page = context.new_page()
    page.goto("/decks/new/?game=spycraft&starter=nine-tiger")
    page.fill("#id_text", page.input_value("#id_text") + "\nDeck:\n4 Termite\n")
    page.get_by_role("button", name="Save the deck").click()
    page.wait_for_url(re.compile(r"/decks/[\w-]{22}/$"))
    deck = page.url.removeprefix(site)
    wrong = []
    for address in (*(deck + part for part in OF_A_DECK), *OTHERS):
        page.goto(address)
        wrong += breaches_of_shapes(page)
    context.close()
    assert wrong == []
