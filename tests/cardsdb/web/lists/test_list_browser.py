"""Card lists and the page header in a real browser: without script, by keyboard, on a phone."""

import pytest

pytestmark = pytest.mark.browser


def test_values_are_ticked_and_a_name_opens_its_card_without_script_by_keyboard(browser, site):
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/cards/?q=game%3Aspycraft")
    for name in ("Bloodvine", "The Krypt"):
        page.locator(".facet").get_by_role("link", name=name, exact=True).press("Enter")
        page.locator(".facet a.picked", has_text=name).wait_for()
    assert (
        page.locator(".query-words").inner_text()
        == "game is Spycraft and (faction is Bloodvine or The Krypt)"
    )
    page.locator(".facet a.picked", has_text="Bloodvine").press("Enter")
    page.get_by_text("game is Spycraft and faction is The Krypt", exact=True).wait_for()
    page.locator("#site-q").fill("glock 17")
    page.locator("#site-q").press("Enter")
    page.get_by_role("heading", name="Glock 17", level=1).wait_for()
    context.close()


def test_a_name_and_enter_open_the_card_while_suggestions_are_shown(page):
    page.goto("/cards/")
    box = page.locator("#site-q")
    box.press_sequentially("Glock 17")
    page.get_by_role("option", name="Glock 17").wait_for()
    box.press("Enter")
    page.get_by_role("heading", name="Glock 17", level=1).wait_for()


def test_a_search_is_saved_from_the_list_and_offered_by_the_search_box(browser, site):
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/cards/?q=game%3Aspycraft+krypt")
    page.get_by_text("Keep this search").click()
    page.get_by_label("Name", exact=True).fill("Krypt people")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("link", name="Krypt people").wait_for()
    page.goto("/cards/")
    page.get_by_text("Saved searches").click()
    page.get_by_role("link", name="Krypt people").wait_for()
    box = page.locator("#site-q")
    box.focus()
    page.get_by_role("option", name="Krypt people").wait_for()
    box.press_sequentially("kry")
    page.locator(".suggestions > li:first-child", has_text="Krypt people").wait_for()
    page.locator(".suggestions > li:nth-child(2)").wait_for()
    box.press("ArrowDown")
    box.press("Enter")
    page.wait_for_url("**/cards/?q=game*")
    context.close()


def test_opening_the_saved_searches_by_keyboard_keeps_the_focus(page):
    page.goto("/cards/")
    page.locator(".saved-searches > summary").focus()
    page.keyboard.press("Enter")
    page.locator("#saved-name").wait_for()
    assert page.evaluate("document.activeElement.matches('.saved-searches > summary')")


def test_the_typed_name_of_a_search_stays_however_often_its_fold_was_opened(page):
    page.goto("/cards/")
    page.evaluate(
        "() => { const ask = fetch; window.held = []; fetch = (to) => new Promise((go) => held.push(() =>"
        " go(ask(to)))); }"
    )
    turned = (
        "(fold, open) => new Promise((done) => { fold.addEventListener('toggle', () => done(), { once: true"
        " }); fold.open = open; })"
    )
    for is_open in (True, False, True):
        page.locator(".saved-searches").evaluate(turned, is_open)
    page.evaluate("held.shift()()")
    page.fill("#saved-name", "Mine")
    assert (page.evaluate("held.length"), page.input_value("#saved-name")) == (0, "Mine")


@pytest.mark.parametrize("query", ["game:xfiles", "game:spycraft+wound"])
def test_each_row_beside_the_shown_card_has_its_set_and_its_whole_name(page, query):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"/cards/?q={query}")
    hidden = """() => {
        const of = (selector) => [...document.querySelectorAll(selector)];
        const cut = (one) => one.scrollWidth > one.clientWidth + 1;
        return [of(".card-row td.code").filter((one) => !one.offsetWidth).length,
            of(".card-row th, .table-wrap").filter(cut).length];
    }"""
    assert page.evaluate(hidden) == [0, 0]


def test_a_link_to_a_source_opens_the_folded_list_with_it(page):
    page.goto("/cards/spycraft/adam-razir/")
    # As in an older browser, where following the link does not open the folded list by itself.
    page.evaluate(
        "document.addEventListener('click', event => event.target.closest('a') && event.preventDefault(),"
        " true)"
    )
    page.locator(".facts-strip summary").first.click()
    assert not page.locator("#source-1").is_visible()
    page.locator(".facts-strip a[href='#source-1']").first.click()
    page.locator("#source-1").wait_for()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_source_that_is_opened_moves_no_number(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/cards/spycraft/beowulf/")
    # For each number: its horizontal position, and is it on the first line?
    places = """() => {
        const boxes = [...document.querySelectorAll('.facts-strip > div > dt')]
          .map(one => one.getBoundingClientRect());
        return boxes.map(({ x, y }) => [x, y === boxes[0].y]);
    }"""
    before = page.evaluate(places)
    assert len(before) > 2
    for place in range(len(before)):
        dot = page.locator(".facts-strip > div").nth(place).locator("summary")
        dot.click()
        page.locator(".facts-strip [open] > div").wait_for()
        assert page.evaluate(places) == before
        dot.click()


# -- the search in the head of a page about one game ---------------------------------------------


def test_suggestions_are_of_the_game_until_it_is_unticked(page):
    page.goto("/games/spycraft/")
    box = page.locator("#site-q")
    with page.expect_response(lambda answer: "suggest" in answer.url) as asked:
        box.press_sequentially("mulder")
    assert "within=spycraft" in asked.value.url
    page.get_by_label("in Spycraft").uncheck()
    box.fill("")
    box.press_sequentially("mulder")
    page.get_by_role("option", name="Agent Fox Mulder").first.wait_for()


@pytest.mark.parametrize(("width", "height"), [(960, 60), (320, 76)])
def test_the_tick_box_beside_the_search_box_costs_no_room(page, width, height):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/games/xfiles/")
    assert page.get_by_label("in The X-Files CCG").is_visible()
    assert page.locator(".site-header").bounding_box()["height"] < height
    assert page.locator("#site-q").bounding_box()["width"] >= 130
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_suggestions_stay_within_the_window_and_below_the_tick_box(page):
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
