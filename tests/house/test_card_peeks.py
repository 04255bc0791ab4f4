"""Card faces shown in a real browser on hover, focus, tap and long press: beside the card's link ("peek"),
or in a fixed place that a list reserves for them.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.axe import breaches

pytestmark = pytest.mark.browser

TABLE = "/cards/?q=game%3Aspycraft+type%3Aagent"
# At this width there is no room for a card beside the rows.
NO_PLACE = {"width": 1100, "height": 720}
PHONE = {"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}, "bypass_csp": True}


def test_a_face_opens_beside_the_numbers_and_closes_when_the_pointer_leaves_or_on_escape(page):
    page.set_viewport_size(NO_PLACE)
    requested_faces: list[str] = []

    def note(request: Any) -> None:
        if request.url.endswith("/face.svg"):
            requested_faces.append(request.url)

    page.on("request", note)
    page.goto(TABLE)
    peek = page.locator(".peek")
    name = page.locator(".results a.name").nth(2)
    assert requested_faces == []
    name.hover()
    peek.wait_for()
    numbers = [
        number.bounding_box() for number in page.locator(".results .card-row").nth(2).locator("td.num").all()
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
    assert len(requested_faces) == 1
    page.mouse.move(face["x"] + face["width"] / 2, face["y"] + face["height"] / 2)
    # Longer than a face stays after the pointer has left, measured by the page's own (simulated) clock.
    page.evaluate("() => new Promise(later => setTimeout(later, 500))")
    assert peek.is_visible()
    page.keyboard.press("Escape")
    peek.wait_for(state="hidden")


def test_a_face_follows_the_keyboard_focus(page):
    page.set_viewport_size(NO_PLACE)
    page.goto("/cards/?q=kai")
    page.keyboard.press("Tab")  # From here on the browser shows the focus.
    page.locator(".results a.name").first.focus()
    peek = page.locator(".peek")
    peek.wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    peek.wait_for()
    page.mouse.wheel(0, 200)
    page.keyboard.press("Escape")
    peek.wait_for(state="hidden")


@pytest.fixture(scope="module")
def phone(browser, site):
    context = browser.new_context(base_url=site, **PHONE)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone_page(phone):
    """A page on a phone with a touch screen; its routes are reset after each test."""
    yield phone
    phone.unroute_all(behavior="ignoreErrors")


def test_a_long_press_shows_a_face_and_a_tap_opens_the_sheet(phone_page):
    page = phone_page
    page.goto("/cards/?q=kai")
    name = page.locator(".results a.name").first
    name.scroll_into_view_if_needed()
    box = name.bounding_box()
    point = {"x": box["x"] + 10, "y": box["y"] + box["height"] / 2}
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    peek = page.locator(".peek")
    peek.wait_for()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    # The click that follows a lifted finger has arrived by the second frame.
    page.evaluate("() => new Promise(later => requestAnimationFrame(() => requestAnimationFrame(later)))")
    assert peek.is_visible() and page.url.endswith("?q=kai")
    assert [breach for breach in breaches(page) if "peek" in breach or "aria-hidden" in breach] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.touchscreen.tap(380, 5)
    peek.wait_for(state="hidden")
    name.tap()
    page.locator("dialog.card-sheet[open]").wait_for()


# -- in one fixed place --------------------------------------------------------------


def test_a_list_shows_the_card_under_the_pointer_in_one_place(page):
    page.goto(f"{TABLE}+wound")
    place, face = page.locator(".whole-card"), page.locator(".whole-card img")
    face.wait_for()  # The first card appears without any action.
    before = face.bounding_box()
    assert round(before["width"]) == 262
    row = page.locator(".card-row").nth(2)
    row.locator(".told").hover()
    address = row.locator("a.name").evaluate("one => one.pathname")
    page.locator(f".whole-card img[src='{address}face.svg']").wait_for()
    # Cards of another size may differ a little in height.
    assert face.bounding_box() == before | {"height": face.bounding_box()["height"]}
    assert place.locator("a").get_attribute("tabindex") == "-1"
    rows = page.locator(".results").bounding_box()
    assert rows["x"] + rows["width"] <= before["x"]
    page.mouse.move(5, 5)
    page.evaluate("() => new Promise(later => setTimeout(later, 500))")
    assert face.is_visible()


def test_the_arrow_keys_move_through_rows_and_cards(page):
    page.goto(TABLE)
    names = page.locator(".card-row a.name")
    names.first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    address = names.nth(1).evaluate("one => one === document.activeElement && one.pathname")
    page.locator(f".whole-card img[src='{address}face.svg']").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address}*")


@pytest.mark.parametrize("query", ["game%3Aspycraft+wound", "wound"])
def test_on_a_phone_a_tap_opens_a_sheet_with_all_cards_to_swipe_through(phone_page, query):
    page = phone_page
    page.goto(f"/cards/?q={query}")
    name = page.locator(".results a.name").nth(2)
    address = name.evaluate("one => one.pathname")
    name.tap()
    sheet = page.locator("dialog.card-sheet[open]")
    sheet.wait_for()
    assert sheet.locator("li").count() == page.locator(".results a.name").count()
    shown = sheet.locator("li").nth(2)
    assert (
        0 < shown.bounding_box()["x"] < 195 < shown.bounding_box()["x"] + shown.bounding_box()["width"] < 390
    )
    if query == "wound":
        assert breaches(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sheet.get_by_role("button", name="Close").tap()
    sheet.wait_for(state="hidden")
    assert name.evaluate("one => one === document.activeElement")
    name.tap()
    sheet.get_by_role("link", name="Open").tap()
    page.wait_for_url(f"**{address}*")


def test_without_script_a_row_is_a_link_and_no_card_place_is_reserved(browser, site):
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto(TABLE)
    assert not page.locator(".whole-card").is_visible() and not page.locator("dialog").is_visible()
    name = page.locator(".card-row a.name").first
    address = name.get_attribute("href")
    name.click()
    assert page.url.endswith(address)
    context.close()


@pytest.mark.parametrize("comes", [True, False])
def test_the_context_menu_is_suppressed_only_where_a_face_opened(phone_page, comes):
    page = phone_page
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
