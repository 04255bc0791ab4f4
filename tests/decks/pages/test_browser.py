"""A deck's page in a browser: a hand is dealt in its place, and its address deals it again without script."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser


def hand(page: Any) -> list[str]:
    names: list[str] = page.eval_on_selector_all(
        "#hand svg", "faces => faces.map((one) => one.getAttribute('aria-label'))"
    )
    return names


def test_a_hand_is_dealt_in_its_place_and_the_address_keeps_it(page: Any) -> None:
    page.goto(saved_starter(page, "game=spycraft&starter=nine-tiger"))
    again = page.get_by_role("link", name="Deal again")
    seed = again.get_attribute("href").partition("hand=")[2].removesuffix("#hand")
    again.focus()
    # Its script comes with the first sign of somebody; before that the link is an ordinary one.
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
