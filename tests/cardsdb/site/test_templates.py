"""What every template may call, and what is empty in it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.urls import NoReverseMatch, set_script_prefix


def made(text: str, **values: Any) -> str:
    return str(engines["jinja2"].from_string(text).render(values))


@pytest.mark.parametrize(("prefix", "address"), [("/cutout/", "/cutout/decks/x/"), ("/", "/decks/x/")])
def test_a_link_begins_where_the_site_does(prefix, address):
    set_script_prefix(prefix)
    try:
        assert made("{{ url('deck', 'x') }}") == address
    finally:
        set_script_prefix("/")


def test_a_link_that_leads_nowhere_is_a_fault_each_time():
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            made("{{ url('deck', '/') }}")


def test_what_a_page_lacks_is_empty_and_so_is_all_that_hangs_on_it():
    assert (
        made(
            "{{ deck.owner.name }}|{% if deck.owner %}x{% endif %}|{{ deck is none }}|{{ none is none }}|{{ 0"
            " is none }}"
        )
        == "||True|True|False"
    )


def test_what_somebody_typed_is_escaped_and_what_is_made_of_it_too():
    assert (
        made("{{ name }} {{ name|truncatechars(3) }} {{ name|linebreaks }}", name="<b>&")
        == "&lt;b&gt;&amp; &lt;b… <p>&lt;b&gt;&amp;</p>"
    )


def test_an_address_keeps_the_rest_of_its_query(rf):
    asked = rf.get("/check/", {"q": "a b", "findings": "few"})
    assert made("{{ querystring(findings='all') }}", request=asked) == "?q=a+b&amp;findings=all"


def test_a_time_of_day_says_whose_clock_it_is_by():
    moment = datetime(2026, 3, 1, 18, 41, tzinfo=timezone(timedelta(hours=1)))
    assert made("{{ at|date }}", at=moment) == "1 March 2026, 17:41 UTC"
    pages = (Path(settings.BASE_DIR) / "templates").rglob("*.html")
    assert [page.name for page in pages if re.search("H:i(?! T)", page.read_text("utf-8"))] == []
