"""Bringing one's own words in a real browser: by keyboard alone, in every shape, from the paste to the card's page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.axe import breaches_of_shapes

pytestmark = pytest.mark.browser


def test_words_are_brought_by_keyboard_and_every_page_on_the_way_is_sound(page: Any, site: str) -> None:
    page.goto(f"{site}/own/")
    assert breaches_of_shapes(page) == []
    page.get_by_label("Or paste text").focus()
    page.keyboard.type("Kai\nChoose a zeppelin.\n\nTracer\nTwo cards have this name.\n\nNobody Knows\nLost.")
    page.get_by_role("button", name="See what is in it").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="What is in pasted.txt").wait_for()
    page.get_by_text("1 would be added").wait_for()
    assert breaches_of_shapes(page) == []
    page.get_by_text("What its columns mean").press("Enter")
    page.get_by_role("button", name="Keep 1 card").focus()
    page.keyboard.press("Enter")
    page.get_by_text("1 card of Spycraft added").wait_for()
    assert breaches_of_shapes(page) == []
    page.goto(f"{site}/cards/spycraft/kai/")
    page.get_by_role("heading", name="Your text").wait_for()
    assert breaches_of_shapes(page) == []
    page.goto(f"{site}/cards/?q=zeppelin")
    assert page.get_by_role("link", name="Kai", exact=True).count()
