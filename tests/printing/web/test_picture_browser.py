"""Cutting a picture in a real browser: the frame and the fields follow each other, by mouse, touch and
keyboard.
"""

import io
import re

import pytest
from PIL import Image

from tests.support.axe import breaches
from tests.support.pictures import coded, painted
from tests.support.rendering import apart

pytestmark = pytest.mark.browser
SIDES = ("left", "top", "right", "bottom")
# The card whose picture tests change without saving, and one card for each test that saves its picture.
LOOKED_AT = "Kai"
# (turn, edge) -> card
KEPT = {
    ("90", "mirrored"): "Termite",
    ("90", "included"): "Ambush",
    ("0", "repeated"): "Aerial Tail",
    ("0", "colour"): "Adrenaline Rush",
}
CARDS = (LOOKED_AT, *KEPT.values())
# It has the shape of a card, so that it is taken as the whole card.
PICTURE = coded(painted(size=(630, 880)), "PNG")


@pytest.fixture(scope="module")
def brought(browser, site):
    """Upload a picture of each card. A dict of the address of each by card, and the ``cookies`` of the
    browser.
    """
    page = browser.new_page(base_url=site)
    page.goto("/pictures/?game=spycraft")
    page.set_input_files(
        "#id_files", [{"name": f"{card}.png", "mimeType": "image/png", "buffer": PICTURE} for card in CARDS]
    )
    page.click("text=Bring them")
    found = {}
    for card in CARDS:
        found[card] = page.get_by_role("link", name=f"{card}, front", exact=True).get_attribute("href")
    yield {"cookies": page.context.cookies(), **found}
    page.close()


@pytest.fixture
def page(page, brought):
    """The page of the picture of LOOKED_AT."""
    page.context.add_cookies(brought["cookies"])
    show(page, brought[LOOKED_AT])
    return page


@pytest.fixture(scope="module")
def plain(browser, site, brought):
    """A page of the same visitor without scripts."""
    state = {"cookies": brought["cookies"], "origins": []}
    page = browser.new_context(base_url=site, java_script_enabled=False, storage_state=state).new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    return page


def show(page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(address)
    page.wait_for_selector(".crop-frame")


def cuts(page) -> list[float]:
    """The per cent cut off at each side, as the fields say."""
    return [float(page.input_value(f"#id_{side}") or 0) for side in SIDES]


def frame(page) -> list[float]:
    """The per cent cut off at each side, as the frame shows."""
    inner, outer = (page.locator(name).bounding_box() for name in (".crop-frame", "#crop"))
    width, height = outer["width"], outer["height"]
    left, top = (inner["x"] - outer["x"]) / width, (inner["y"] - outer["y"]) / height
    right, bottom = 1 - left - inner["width"] / width, 1 - top - inner["height"] / height
    return [100 * part for part in (left, top, right, bottom)]


def drag(page, what: str, across: float, down: float) -> None:
    """Drag an element by its middle. ``across`` and ``down`` are fractions of the whole picture."""
    box, whole = page.locator(what).bounding_box(), page.locator("#crop").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across * whole["width"], y + down * whole["height"], steps=5)
    page.mouse.up()


def printed(page) -> Image.Image:
    """A screenshot of the card without the cut lines over it, so that only the picture is compared."""
    page.wait_for_load_state("networkidle")
    page.evaluate(
        "document.querySelectorAll('#printed :is(path, .crop-cut, .crop-safe)').forEach((line) =>"
        " line.remove())"
    )
    return Image.open(io.BytesIO(page.locator("#printed > svg").screenshot())).convert("RGB")


def test_the_frame_and_the_field_for_bleed_follow_the_fields(page):
    for side, value in zip(SIDES, ("10", "20", "5", "2.5"), strict=True):
        page.fill(f"#id_{side}", value)
    assert frame(page) == pytest.approx([10, 20, 5, 2.5], abs=0.5)
    assert page.is_visible("text=Not kept yet") and not page.is_visible("#id_bleed")
    for edge, has_bleed in (("included", True), ("repeated", False)):
        page.check(f"#id_edge-{edge}")
        assert page.is_visible("#id_bleed") is has_bleed


def test_the_fields_follow_a_corner_and_the_frame_as_a_whole(page):
    drag(page, ".crop-se", -0.2, -0.1)
    assert cuts(page) == pytest.approx([0, 0, 20, 10], abs=1)
    drag(page, ".crop-frame", 0.1, 0.3)
    assert cuts(page) == pytest.approx([10, 10, 10, 0], abs=1), "it stays inside the picture, and its size"
    drag(page, ".crop-e", -0.95, 0)
    assert cuts(page)[2] == pytest.approx(88, abs=1), "a part of the picture is always left"


def test_the_frame_is_moved_and_resized_by_keyboard(page):
    page.focus(".crop-frame")
    for key in ["Shift+ArrowLeft"] * 5 + ["Shift+ArrowUp"] * 4 + ["ArrowRight"] * 3 + ["ArrowDown"]:
        page.keyboard.press(key)
    assert cuts(page) == [3, 1, 2, 3]
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "id_game", "the frame does not trap the focus"


def test_turning_or_mirroring_a_picture_keeps_the_part_that_is_shown(page):
    page.fill("#id_left", "10")
    page.fill("#id_top", "20")
    before = printed(page)
    page.check("#id_turn-180")
    assert cuts(page) == [0, 0, 10, 20]
    assert apart(printed(page).rotate(180), before) < 3
    page.check("#id_mirrored")
    assert cuts(page) == [10, 0, 0, 20]
    page.check("#id_turn")
    page.uncheck("#id_mirrored")
    assert cuts(page) == [10, 20, 0, 0]


@pytest.mark.parametrize(("turn", "edge"), list(KEPT))
def test_the_preview_drawn_by_the_script_equals_the_one_drawn_by_the_site(page, plain, brought, turn, edge):
    show(page, brought[KEPT[turn, edge]])
    # The first choice of a field has its id without a value.
    page.check("#id_turn" if turn == "0" else f"#id_turn-{turn}")
    page.fill("#id_left", "12")
    page.check("#id_edge" if edge == "mirrored" else f"#id_edge-{edge}")
    if edge == "included":
        page.fill("#id_bleed", "2")
    live = printed(page)
    page.click("text=Keep and show")
    page.wait_for_selector("text=is kept as you see it")
    plain.goto(page.url)
    assert not plain.is_visible(".crop-frame") and plain.is_visible("text=Keep and show")
    assert apart(live, printed(plain)) < 2


def test_the_frame_is_resized_by_touch_on_a_phone(browser, site, brought):
    phone = browser.new_context(
        base_url=site,
        viewport={"width": 320, "height": 700},
        has_touch=True,
        is_mobile=True,
        color_scheme="dark",
        storage_state={"cookies": brought["cookies"], "origins": []},
    ).new_page()
    phone.goto(brought[LOOKED_AT])
    phone.wait_for_selector(".crop-frame")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320
    grip = phone.locator(".crop-nw")
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = phone.context.new_cdp_session(phone)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + 40, "y": y + 60}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    edges = cuts(phone)
    assert edges[0] > 5 and edges[1] > 5 and edges[2:] == [0, 0]
    phone.context.close()


def test_the_pages_of_pictures_pass_axe(page):
    by_page = {page.url: breaches(page)}
    page.goto("/pictures/")
    by_page[page.url] = breaches(page)
    assert not any(by_page.values()), by_page


def test_a_picture_that_is_too_large_is_made_smaller_in_the_browser_if_wished(browser, site):
    page = browser.new_page(base_url=site)

    def smaller_bound(route):
        answer = route.fetch()
        body, times = re.subn('data-bytes="[0-9]+"', 'data-bytes="200000"', answer.text())
        assert times == 1
        route.fulfill(response=answer, body=body)

    page.route("**/pictures/?game=spycraft", smaller_bound, times=1)
    page.goto("/pictures/?game=spycraft")
    large = coded(painted(size=(400, 560)), "BMP")
    files = [
        ("Fang.bmp", "image/bmp", large),
        ("Kurara.png", "image/png", coded(painted(size=(60, 84)), "PNG")),
    ]
    page.set_input_files(
        "#id_files", [{"name": name, "mimeType": kind, "buffer": data} for name, kind, data in files]
    )
    page.wait_for_selector("text=Too large for this site: Fang.bmp has 0.7 MB.")
    page.click("text=Make them smaller before they are sent")
    page.wait_for_selector("text=Smaller now: Fang.webp")
    sent = page.eval_on_selector("#id_files", "input => [...input.files].map(file => [file.name, file.size])")
    assert [name for name, _ in sent] == ["Fang.webp", "Kurara.png"]
    assert sent[0][1] < 200_000 and sent[1][1] == len(files[1][2])
    assert not breaches(page)
    page.click("text=Bring them")
    page.wait_for_selector("text=2 pictures are kept.")
    page.close()
