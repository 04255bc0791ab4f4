"""What is judged and counted stands in sight: beside the list where there is room, and whole on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.house.test_journeys import DECK

pytestmark = pytest.mark.browser


def type_a_list(page: Any) -> None:
    page.goto("/check/")
    page.select_option("#id_game", "spycraft")
    page.fill("#id_text", DECK)
    page.locator("#judged .stamp").wait_for()
    page.locator("#id_text").press("Control+End")
    page.keyboard.type("\n5 Termite")
    page.locator("#judged .verdict-illegal").wait_for()


def test_the_verdict_stands_beside_the_list_while_one_types(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    type_a_list(page)
    field, stamp = page.locator("#id_text").bounding_box(), page.locator("#judged .stamp").bounding_box()
    assert stamp["x"] > field["x"] + field["width"]
    assert stamp["y"] >= 0 and stamp["y"] + stamp["height"] <= 900
    assert page.locator("#check-line").is_hidden(), "the verdict itself is in sight"


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_one_line_of_the_verdict_stays_in_sight_and_leads_to_the_whole(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    type_a_list(page)
    line = page.locator("#check-line")
    box = line.bounding_box()
    assert 0 <= box["y"] <= 700 - box["height"]
    assert line.inner_text().upper().startswith("NOT LEGAL")
    line.click()
    assert 0 <= page.locator("#judged .stamp").bounding_box()["y"] <= 350


def test_before_there_is_a_list_no_line_stands_in_the_way(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto("/check/")
    assert page.locator("#check-line").is_hidden()
    assert "verdict comes here" in page.inner_text("#judged")


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("starter", ["spycraft&starter=nine-tiger", "xfiles&starter=deck-mulder", "steamspy&starter=level-1-character"])
def test_no_bar_of_a_picture_is_cut_off_on_a_phone(page: Any, width: int, starter: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/decks/new/?game={starter}")
    page.get_by_role("button", name="Save the deck").click()
    page.goto(f"{page.url}numbers/")
    bars = page.evaluate(
        "[...document.querySelectorAll('svg.bar')].map((bar) => bar.getBoundingClientRect()).map((box) => [box.left, box.right])"
    )
    assert bars
    assert all(0 <= left < right <= width for left, right in bars)
