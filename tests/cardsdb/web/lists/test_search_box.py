"""The script of the search box with the code that answers it, in a real browser without the site."""

import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from cardsdb.games import games
from cardsdb.search.completion import Completer
from tests import ROOT
from tests.support.search_fields import fields_of

pytestmark = pytest.mark.browser

SITE = "http://cutout.test"
SCRIPT = ROOT / "cardsdb/static/cutout/search.js"
PAGE = (
    '<!doctype html><meta charset="utf-8"><form><input name="q" data-suggest="/suggest"></form><script'
    ' src="/search.js"></script>'
)
FIELDS = fields_of(tuple(games().values()))
# A catalogue of fields without cards.
CARDS: Any = SimpleNamespace(fields=lambda _: FIELDS, named_beginning=lambda *_: [], named_like=lambda *_: [])


def answered(route: Any) -> None:
    asked = urlsplit(route.request.url)
    if asked.path == "/search.js":
        route.fulfill(content_type="text/javascript; charset=utf-8", body=SCRIPT.read_text(encoding="utf-8"))
    elif asked.path == "/suggest":
        given = parse_qs(asked.query)
        found = Completer(given["q"][0], int(given["at"][0]), CARDS).completions()
        choices = [{"text": c.text, "label": c.label, "kind": c.kind, "start": c.start} for c in found]
        route.fulfill(content_type="application/json", body=json.dumps({"choices": choices}))
    else:
        route.fulfill(content_type="text/html; charset=utf-8", body=PAGE)


# Each request of the box waits until the test answers it, with suggestions or with own searches.
HELD = """() => {
    window.held = [];
    window.fetch = (address, { signal } = {}) => new Promise((answer, refuse) => {
        const found = { choices: [{ text: "rarity", label: "", kind: "word", start: 0 }], searches: [] };
        held.push({ address: String(address), answer: () => answer(new Response(JSON.stringify(found))) });
        signal?.addEventListener("abort", () => refuse(new DOMException("", "AbortError")));
    });
    document.querySelector("input").dataset.saved = "/own";
}"""


def answer(page: Any, address: str) -> None:
    """Answer the next request to this address, as soon as there is one."""
    page.wait_for_function("address => held.some((one) => one.address.startsWith(address))", arg=address)
    page.evaluate(
        "address => held.splice(held.findIndex((one) => one.address.startsWith(address)), 1)[0].answer()",
        address,
    )


@pytest.fixture
def held(box):
    page = box.page
    page.goto(SITE)
    page.evaluate(HELD)
    yield page
    page.goto(SITE)


def test_a_suggestion_can_be_chosen_before_own_searches_have_arrived(held, box):
    box.fill("rarit")
    answer(held, "/suggest")
    held.wait_for_function("held.some((one) => one.address === '/own')")
    box.press("ArrowDown")
    answer(held, "/own")
    answer(held, "/suggest")
    held.locator(".suggestions [role=option][aria-selected=true]").wait_for()
    box.press("Enter")
    assert box.input_value() == "rarity "


def test_an_answer_that_arrives_after_escape_opens_no_list(held, box):
    box.fill("rarit")
    answer(held, "/suggest")
    answer(held, "/own")
    held.locator(".suggestions [role=option]").wait_for()
    box.press_sequentially("y")
    held.wait_for_function("held.length === 1")
    box.press("Escape")
    answer(held, "/suggest")
    # The box handles an answer within one turn of the page's event loop.
    held.evaluate("new Promise((turn) => setTimeout(turn))")
    assert held.locator(".suggestions").is_hidden()


@pytest.fixture(scope="module")
def box(browser):
    page = browser.new_page()
    page.route("**/*", answered)
    page.goto(SITE)
    return page.locator("input")


@pytest.mark.parametrize(
    ("typed", "caret", "chosen"),
    [
        ("rarit", None, "rarity:"),
        ("🕵️🕵 rarit", None, "🕵️🕵 rarity:"),
        ('"𝔸é" rarit', None, '"𝔸é" rarity:'),
        ("🕵 rarit 🕵", 8, "🕵 rarity: 🕵"),
    ],
)
def test_a_chosen_suggestion_replaces_what_was_typed_before_the_caret_alone(box, typed, caret, chosen):
    box.fill("")
    box.fill(typed)
    if caret:
        box.evaluate(
            "(input, at) => { input.setSelectionRange(at, at); input.dispatchEvent(new Event('input')) }",
            caret,
        )
    box.page.locator(".suggestions [role=option]", has_text="rarity").first.wait_for()
    box.press("ArrowDown")
    box.press("Enter")
    assert box.input_value() == chosen
