"""The Jinja2 environment: links, missing values, escaping, and filters."""

import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.urls import NoReverseMatch, set_script_prefix


def rendered(text: str, **values: Any) -> str:
    """Render the text of a template with these values."""
    return str(engines["jinja2"].from_string(text).render(values))


@pytest.mark.parametrize(("prefix", "address"), [("/cutout/", "/cutout/decks/x/"), ("/", "/decks/x/")])
def test_a_link_begins_with_the_prefix_of_the_site(prefix, address):
    set_script_prefix(prefix)
    try:
        assert rendered("{{ url('deck', 'x') }}") == address
    finally:
        set_script_prefix("/")


def test_a_link_to_no_route_raises_each_time():
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            rendered("{{ url('deck', '/') }}")


def test_a_missing_variable_and_its_attributes_are_empty_and_none():
    assert (
        rendered(
            "{{ deck.owner.name }}|{% if deck.owner %}x{% endif %}|{{ deck is none }}|{{ none is none }}|{{ 0"
            " is none }}"
        )
        == "||True|True|False"
    )


def test_a_value_is_escaped_with_and_without_filters():
    assert (
        rendered("{{ name }} {{ name|truncatechars(3) }} {{ name|linebreaks }}", name="<b>&")
        == "&lt;b&gt;&amp; &lt;b… <p>&lt;b&gt;&amp;</p>"
    )


def test_querystring_keeps_the_other_parameters(rf):
    asked = rf.get("/check/", {"q": "a b", "findings": "few"})
    assert rendered("{{ querystring(findings='all') }}", request=asked) == "?q=a+b&amp;findings=all"


def test_a_time_is_shown_with_its_zone_in_every_template():
    moment = datetime(2026, 3, 1, 18, 41, tzinfo=timezone(timedelta(hours=1)))
    assert rendered("{{ at|date }}", at=moment) == "1 March 2026, 17:41 UTC"
    pages = (Path(settings.BASE_DIR) / "templates").rglob("*.html")
    assert [page.name for page in pages if re.search("H:i(?! T)", page.read_text("utf-8"))] == []
