"""The looks of the editor in a browser: names are shown in full, headings stand above their numbers, the
reason of an illegal deck is visible, and so is the verdict after a repair.
"""

import pytest

from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
# The card names that are cut off or run out of their rows.
CUT_NAMES = """() => [...document.querySelectorAll('.row-text > .name')].filter(node => {
    const own = node.getBoundingClientRect(), row = node.parentElement.getBoundingClientRect();
    return node.offsetParent && (node.scrollWidth > node.clientWidth + 1 || own.right > row.right + 1);
}).map(node => node.textContent)"""
# The distance in pixels between the middle of each heading and the middle of the number under it.
APART = """list => {
    const heads = [...document.querySelectorAll(`${list} .row-headings`)].find(node => node.offsetParent);
    const row = [...document.querySelectorAll(`${list} li .row-numbers`)].find(node => node.offsetParent);
    const middle = node => {
        const { left, right } = node.getBoundingClientRect();
        return (left + right) / 2;
    };
    return [...heads.children].map((head, place) => Math.abs(middle(head) - middle(row.children[place])));
}"""


def open_starter(page, query, size: dict[str, int]):
    page.set_viewport_size(size)
    page.goto(f"{saved_starter(page, query)}edit/")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_name_is_cut_and_each_heading_stands_over_its_numbers(page, size):
    open_starter(page, "game=xfiles&starter=deck-mulder", size)
    for part, list_id in (("Find", "#found"), ("Deck", "#deck")):
        if size == PHONE:
            page.get_by_role("radio", name=part).check()
        assert page.evaluate(CUT_NAMES) == []
        assert max(page.evaluate(APART, list_id)) < 1.5
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def make_illegal(page):
    page.fill("#find-q", "9 Kai")
    page.locator("#add").click()
    page.locator(".pane-verdict.verdict-illegal").wait_for(state="attached")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_reason_of_an_illegal_deck_is_visible_without_unfolding_the_list(page, size):
    open_starter(page, "game=spycraft&starter=nine-tiger", size)
    assert page.locator(".pane-reason").count() == 0
    make_illegal(page)
    if size == PHONE:
        page.get_by_role("radio", name="Verdict").check()
    reason = page.locator(".pane-reason > p", has_text="11 copies of Kai; 3 at most.")
    assert reason.is_visible() and reason.bounding_box()["height"] < 24
    colours = "bars => bars.map(bar => getComputedStyle(bar).fill)"
    page.locator("#violations > summary").click()
    reason.wait_for(state="hidden")
    illegal = set(page.locator(".gauge-fill").evaluate_all(colours))
    page.locator("#undo").evaluate("button => button.click()")
    page.locator(".pane-verdict.verdict-legal").wait_for(state="attached")
    legal = set(page.locator(".gauge-fill").evaluate_all(colours))
    assert not illegal & legal, "bars of an illegal deck share no colour with those of a legal one"


@pytest.mark.parametrize("way", ["beside the deck", "on the page of repairs"])
def test_after_a_repair_on_a_phone_the_new_verdict_is_in_view(page, way):
    open_starter(page, "game=spycraft&starter=nine-tiger", PHONE)
    make_illegal(page)
    page.get_by_role("radio", name="Verdict").check()
    offer = page.get_by_role("link", name="Find the smallest repair")
    if way == "beside the deck":
        offer.click()
    else:
        page.goto(offer.get_attribute("href"))
    page.get_by_role("button", name="Apply").first.click()
    stamp = page.locator(".pane-verdict.verdict-legal .verdict-stamp")
    stamp.wait_for()
    assert page.get_by_role("radio", name="Verdict").is_checked()
    top = stamp.bounding_box()["y"]
    assert 0 <= top < PHONE["height"]
    if way == "beside the deck":
        assert page.evaluate("document.activeElement.id") == "verdict"
