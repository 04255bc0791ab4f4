"""The search in the head of a page about one game in a real browser: with and without script, in narrow
windows.
"""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_the_game_is_taken_off_and_all_games_are_searched_without_script(browser: Any, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    tab = context.new_page()
    tab.goto("/cards/spycraft/beowulf/")
    tab.locator("#site-q").fill("agent")
    tab.locator("#site-q").press("Enter")
    tab.get_by_role("heading", name="Cards of Spycraft", level=1).wait_for()
    tab.get_by_label("in Spycraft").uncheck()
    tab.locator("#site-q").press("Enter")
    tab.get_by_role("heading", name="Cards", level=1, exact=True).wait_for()
    context.close()


def test_suggestions_keep_to_the_game_until_it_is_taken_off(page: Any) -> None:
    page.goto("/games/spycraft/")
    box = page.locator("#site-q")
    with page.expect_response(lambda answer: "suggest" in answer.url) as asked:
        box.press_sequentially("mulder")
    assert "within=spycraft" in asked.value.url
    page.get_by_label("in Spycraft").uncheck()
    box.fill("")
    box.press_sequentially("mulder")
    page.get_by_role("option", name="Agent Fox Mulder").first.wait_for()


@pytest.mark.parametrize(("width", "height"), [(960, 60), (1280, 60), (390, 76), (320, 76)])
def test_the_words_beside_the_box_cost_no_room(page: Any, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/games/xfiles/")
    assert page.get_by_label("in The X-Files CCG").is_visible()
    assert page.locator(".site-header").bounding_box()["height"] < height
    assert page.locator("#site-q").bounding_box()["width"] >= 130
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_suggestions_stay_within_the_window_and_leave_the_words_beside_the_box_free(
    page: Any,
) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/games/spycraft/")
    page.locator("#site-q").press_sequentially("agents with craft 4 or more")
    page.get_by_role("option", name="Search for").wait_for()
    box = page.locator(".suggestions").bounding_box()
    words = page.locator(".site-search-game").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert box["y"] >= words["y"] + words["height"]
    page.get_by_role("option", name="Search for").click()
    page.get_by_role("heading", name="Cards of Spycraft").wait_for()
