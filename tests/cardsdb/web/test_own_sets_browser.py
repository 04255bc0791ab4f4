"""The checklist in a real browser, by keyboard alone, with the preview of the face."""

import pytest

from tests.support.axe import breaches_of_shapes

pytestmark = pytest.mark.browser


def test_places_of_a_checklist_are_filled_one_after_another_without_a_mouse(page, site):
    page.goto(f"{site}/games/spynet/checklist/")
    assert breaches_of_shapes(page) == []
    page.get_by_role("link", name="Fill in Agent 1").press("Enter")
    for place, name in (("Agent 1", "Brass Falcon"), ("Agent 2", "Tin Gull")):
        page.get_by_role("heading", name=place, exact=True).wait_for()
        page.keyboard.type(name)
        page.locator(".own-face svg").get_by_text(name, exact=True).wait_for()
        page.get_by_label("Power").focus()
        page.keyboard.type("4")
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="Agent 3", exact=True).wait_for()
    page.get_by_label("Type").select_option("mission")
    page.get_by_label("Stars").wait_for()
    assert breaches_of_shapes(page) == []
    page.goto(f"{site}/cards/?q=falcon")
    assert page.get_by_role("link", name="Brass Falcon", exact=True).count()
