"""In a real browser: the face of a card beside its link, on hover, on focus and on a long press."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.axe import breaches

pytestmark = pytest.mark.browser

TABLE = "/cards/?q=game%3Aspycraft+type%3Aagent"


@pytest.fixture
def asked_for(page: Any) -> list[str]:
    """The faces that the page asks for, as they are asked for."""
    faces: list[str] = []
    page.on(
        "request", lambda request: faces.append(request.url) if request.url.endswith("/face.svg") else None
    )
    return faces


def test_a_face_opens_beside_the_numbers_and_closes_on_leaving(page: Any, asked_for: list[str]) -> None:
    page.goto(TABLE)
    peek = page.locator(".peek")
    name = page.locator(".results a.name").nth(2)
    assert asked_for == []
    name.hover()
    peek.wait_for()
    numbers = [
        number.bounding_box() for number in page.locator(".results tbody tr").nth(2).locator("td.num").all()
    ]
    face = peek.bounding_box()
    assert all(
        face["x"] + face["width"] <= number["x"] or face["x"] >= number["x"] + number["width"] / 2
        for number in numbers
    )
    assert peek.get_attribute("aria-hidden") == "true" and peek.locator("img").get_attribute("alt") == ""
    page.mouse.move(5, 5)
    peek.wait_for(state="hidden")
    name.hover()
    peek.wait_for()
    assert len(asked_for) == 1


def test_a_face_stays_under_the_pointer_and_closes_on_escape(page: Any) -> None:
    page.goto(TABLE)
    peek = page.locator(".peek")
    page.locator(".results a.name").nth(1).hover()
    peek.wait_for()
    box = peek.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    # Longer than a face stays after the pointer has left, by the page's own clock, which its timers go by.
    page.evaluate("() => new Promise(later => setTimeout(later, 500))")
    assert peek.is_visible()
    page.keyboard.press("Escape")
    peek.wait_for(state="hidden")


def test_the_focus_shows_a_face_and_takes_it_away(page: Any) -> None:
    page.goto("/cards/?q=kai")
    page.keyboard.press("Tab")  # From here on the browser shows where the focus is.
    page.locator(".results a.name").first.focus()
    peek = page.locator(".peek")
    peek.wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    peek.wait_for()
    page.mouse.wheel(0, 200)
    page.keyboard.press("Escape")
    peek.wait_for(state="hidden")


def test_a_long_press_shows_a_face_and_a_tap_opens_the_card(browser: Any, site: str) -> None:
    context = browser.new_context(
        base_url=site, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}, bypass_csp=True
    )
    page = context.new_page()
    page.goto("/cards/?q=kai")
    name = page.locator(".results a.name").first
    name.scroll_into_view_if_needed()
    box = name.bounding_box()
    point = {"x": box["x"] + 10, "y": box["y"] + box["height"] / 2}
    touch = context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    peek = page.locator(".peek")
    peek.wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    # The click that a lifted finger makes has come by the time of a second frame.
    page.evaluate("() => new Promise(later => requestAnimationFrame(() => requestAnimationFrame(later)))")
    assert peek.is_visible() and page.url.endswith("?q=kai")
    assert [breach for breach in breaches(page) if "peek" in breach or "aria-hidden" in breach] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.touchscreen.tap(380, 5)
    peek.wait_for(state="hidden")
    name.tap()
    page.wait_for_url("**/cards/spycraft/**")
    context.close()


@pytest.mark.parametrize("comes", [True, False])
def test_the_browsers_own_menu_stays_away_only_where_the_face_came_up(
    browser: Any, site: str, comes: bool
) -> None:
    context = browser.new_context(
        base_url=site, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    page = context.new_page()
    if not comes:
        page.route("**/face.svg", lambda route: route.abort())
    page.goto("/cards/?q=kai")
    name = page.locator(".results a.name").first
    name.dispatch_event("pointerdown", {"pointerType": "touch"})
    if comes:
        page.locator(".peek").wait_for()
    allowed = "one => one.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))"
    assert name.evaluate(allowed) is not comes
    assert page.locator(".peek").is_visible() is comes
    context.close()
