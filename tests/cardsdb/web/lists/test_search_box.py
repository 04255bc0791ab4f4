"""The search box's script against the code that answers it, in a real browser without the site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from cardsdb.games import games
from cardsdb.search.completion import completions
from cardsdb.search.query.fields import fields_of
from tests import ROOT
from tests.support.programs import need_browser

pytestmark = pytest.mark.browser

SITE = "http://cutout.test"
SCRIPT = ROOT / "cardsdb/static/cutout/search.js"
PAGE = '<!doctype html><meta charset="utf-8"><form><input name="q" data-suggest="/suggest"></form><script src="/search.js"></script>'
FIELDS = fields_of(tuple(games().values()))


def answered(route: Any) -> None:
    asked = urlsplit(route.request.url)
    if asked.path == "/search.js":
        route.fulfill(content_type="text/javascript; charset=utf-8", body=SCRIPT.read_text(encoding="utf-8"))
    elif asked.path == "/suggest":
        given = parse_qs(asked.query)
        found = completions(given["q"][0], int(given["at"][0]), FIELDS, lambda *_: [])
        choices = [{"text": c.text, "label": c.label, "kind": c.kind, "start": c.start} for c in found]
        route.fulfill(content_type="application/json", body=json.dumps({"choices": choices}))
    else:
        route.fulfill(content_type="text/html; charset=utf-8", body=PAGE)


@pytest.fixture(scope="module")
def box() -> Iterator[Any]:
    chromium = need_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.route("**/*", answered)
        page.goto(SITE)
        yield page.locator("input")
        browser.close()


@pytest.mark.parametrize("before", ["", "word ", "🕵️🕵 ", "𝔸 é ", '"🕵" '])
def test_what_is_chosen_takes_the_place_of_what_was_typed_whatever_stands_before_it(box: Any, before: str) -> None:
    box.fill("")
    box.fill(f"{before}rarit")
    box.page.locator(".suggestions [role=option]", has_text="rarity").first.wait_for()
    box.press("ArrowDown")
    box.press("Enter")
    assert box.input_value() == f"{before}rarity:"


def test_the_choice_is_made_at_the_caret_and_what_follows_stays(box: Any) -> None:
    box.fill("")
    box.fill("🕵 rarit 🕵")
    box.evaluate("input => { input.setSelectionRange(8, 8); input.dispatchEvent(new Event('input')) }")
    box.page.locator(".suggestions [role=option]", has_text="rarity").first.wait_for()
    box.press("ArrowDown")
    box.press("Enter")
    assert box.input_value() == "🕵 rarity: 🕵"
