"""What is seen of the editor at a glance: names in full, headings over numbers, why a deck is not legal, what
a repair made of it.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
CUT_NAMES = """() => [...document.querySelectorAll('.row-text > .name')].filter(one => {
    const own = one.getBoundingClientRect(), row = one.parentElement.getBoundingClientRect();
    return one.offsetParent && (one.scrollWidth > one.clientWidth + 1 || own.right > row.right + 1);
}).map(one => one.textContent)"""
# How far the middle of each heading is from that of the numbers under it.
APART = """list => {
    const heads = [...document.querySelectorAll(`${list} .row-headings`)].find(one => one.offsetParent);
    const row = [...document.querySelectorAll(`${list} li .row-numbers`)].find(one => one.offsetParent);
    const middle = one => { const { left, right } = one.getBoundingClientRect(); return (left + right) / 2; };
    return [...heads.children].map((head, place) => Math.abs(middle(head) - middle(row.children[place])));
}"""


def editor(page: Any, of: str, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    page.goto(f"{saved_starter(page, of)}edit/")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_name_is_cut_and_each_heading_stands_over_its_numbers(page, size):
    editor(page, "game=xfiles&starter=deck-mulder", size)
    for part, list_of in (("Find", "#found"), ("Deck", "#deck")):
        if size == PHONE:
            page.get_by_role("radio", name=part).check()
        assert page.evaluate(CUT_NAMES) == []
        assert max(page.evaluate(APART, list_of)) < 1.5
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def not_legal(page: Any) -> None:
    page.fill("#find-q", "9 Kai")
    page.locator("#add").click()
    page.locator(".pane-verdict.verdict-illegal").wait_for(state="attached")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_why_a_deck_is_not_legal_is_read_without_unfolding(page, size):
    editor(page, "game=spycraft&starter=nine-tiger", size)
    assert page.locator(".pane-reason").count() == 0
    not_legal(page)
    if size == PHONE:
        page.get_by_role("radio", name="Verdict").check()
    reason = page.locator(".pane-reason", has_text="11 copies of Kai; 3 at most.")
    assert reason.is_visible() and reason.bounding_box()["height"] < 24
    bars = "bars => bars.map(bar => getComputedStyle(bar).fill)"
    page.locator("#violations > summary").click()
    reason.wait_for(state="hidden")
    filled = set(page.locator(".gauge-fill").evaluate_all(bars))
    page.locator("#undo").evaluate("one => one.click()")
    page.locator(".pane-verdict.verdict-legal").wait_for(state="attached")
    assert not filled & set(page.locator(".gauge-fill").evaluate_all(bars)), (
        "no bar is in the colour of a legal deck"
    )


@pytest.mark.parametrize("way", ["beside the deck", "on the page of repairs"])
def test_whoever_applies_a_repair_on_a_phone_sees_the_new_verdict(page, way):
    editor(page, "game=spycraft&starter=nine-tiger", PHONE)
    not_legal(page)
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
