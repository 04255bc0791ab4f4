"""Bringing own texts in a real browser: by keyboard alone, and every page on the way passes axe."""

import pytest

from tests.support.axe import breaches_of_shapes

pytestmark = pytest.mark.browser


def test_texts_are_brought_by_keyboard_on_accessible_pages(page, site):
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


TABLE = (
    "Name,Type,Craft,Text\nTermite,Agent,4,Dig.\nTin Gull,Agent,4,It flies.\nBrass Falcon,Agent,many,It"
    " flies.\n"
)


def test_the_dry_run_and_the_progress_of_a_table_are_accessible(page, site):
    page.goto(f"{site}/own/")
    page.set_input_files("#id_file", {"name": "mine.csv", "mimeType": "text/csv", "buffer": TABLE.encode()})
    page.get_by_role("button", name="See what is in it").click()
    page.get_by_role("heading", name="Cards that the catalogue does not have").wait_for()
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert breaches_of_shapes(page) == []
    large = TABLE + "".join(f"Gull {number},Agent,3,It flies.\n" for number in range(20_000))
    page.goto(f"{site}/own/")
    # Without htmx the page of the job does not reload while axe looks at it.
    page.route("**/static/**/htmx*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.set_input_files("#id_file", {"name": "large.csv", "mimeType": "text/csv", "buffer": large.encode()})
    page.get_by_role("button", name="See what is in it").click()
    page.get_by_role("progressbar").wait_for()
    assert breaches_of_shapes(page) == []
