"""On a phone, content below the first screen is laid out one frame later, and all of it appears."""

import pytest

from tests.support.browser import saved_starter

pytestmark = pytest.mark.browser

# content-visibility of the first and the last of some elements: on entering the page, and three frames later.
LAID_OUT = """async parts => {
    const all = [...document.querySelectorAll(parts)];
    const now = () => [all[0], all.at(-1)].map(one => getComputedStyle(one).contentVisibility);
    all[0].parentElement.append(...all);
    const first = now();
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return [first, now()];
}"""


@pytest.mark.parametrize(("where", "parts"), [("list", ".card-row"), ("editor", ".result-row")])
def test_the_first_frame_shows_the_screen_and_the_next_the_rest(page, where, parts):
    page.set_viewport_size({"width": 390, "height": 844})
    address = "/cards/?q=game%3Aspycraft"
    if where == "editor":
        address = f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/"
        # The script of the editor would end the deferred layout as it starts.
        page.route("**/editor_page*.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    page.goto(address)
    assert page.evaluate(LAID_OUT, parts) == [["auto", "hidden"], ["auto", "auto"]]
    page.locator(parts).last.scroll_into_view_if_needed()
    page.wait_for_function(
        "parts => [...document.querySelectorAll(parts)].at(-1).innerText.trim()", arg=parts
    )
    page.emulate_media(media="print")
    printed = page.locator(parts).evaluate_all(
        "all => all.map(one => getComputedStyle(one).contentVisibility)"
    )
    page.emulate_media(media="null")
    assert {*printed} == {"visible"}


def test_later_search_results_and_reopened_parts_appear_at_once(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{saved_starter(page, 'game=spycraft&starter=nine-tiger')}edit/")
    page.wait_for_function("() => document.querySelector('#show-find:checked')")
    assert page.evaluate(LAID_OUT, ".result-row") == [["auto", "auto"], ["auto", "auto"]]
    page.wait_for_function("() => document.querySelector('#keys-switch:not([hidden])')")
    assert page.locator("main > *:empty:not([id])").count() == 0, (
        "all of the editor would be styled anew for parts that scripts add"
    )
