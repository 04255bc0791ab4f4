"""What every template may call, what is empty in it, and how templates are kept compiled."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.shortcuts import render
from django.template import engines
from django.test import RequestFactory
from django.urls import NoReverseMatch, set_script_prefix
from jinja2 import DictLoader, Environment

from cardsdb.games import games
from cardsdb.games.kit import Entry, Marks
from cardsdb.site.templates import CompiledTemplates


def made(text: str, **values: Any) -> str:
    return str(engines["jinja2"].from_string(text).render(values))


@pytest.mark.parametrize(("prefix", "address"), [("/cutout/", "/cutout/decks/x/"), ("/", "/decks/x/")])
def test_a_link_begins_where_the_site_does(prefix: str, address: str) -> None:
    set_script_prefix(prefix)
    try:
        assert made("{{ url('deck', 'x') }}") == address
    finally:
        set_script_prefix("/")


def test_a_link_that_leads_nowhere_is_a_fault_each_time() -> None:
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            made("{{ url('deck', '/') }}")


def test_a_link_may_be_empty_where_the_site_has_no_such_page() -> None:
    assert made("{{ url_if_any('nothing') }}|{{ url_if_any('deck', 'x') }}") == "|/decks/x/"


def test_a_part_knows_nothing_else_of_the_page() -> None:
    kai = games()["spycraft"].card("kai")
    assert kai
    shown = [
        made(
            "{{ remembered_part('decks/list_line.html', entry=entry) }}",
            entry=Entry(kai, 2, "deck", Marks(note="<b>")),
            game=game,
        )
        for game in games().values()
    ]
    assert len(set(shown)) == 1 and "&lt;b&gt;" in shown[0]


def test_what_a_page_lacks_is_empty_and_so_is_all_that_hangs_on_it() -> None:
    assert (
        made(
            "{{ deck.owner.name }}|{% if deck.owner %}x{% endif %}|{{ deck is none }}|{{ none is none }}|{{ 0"
            " is none }}"
        )
        == "||True|True|False"
    )


def test_what_somebody_typed_is_escaped_and_what_is_made_of_it_too() -> None:
    assert (
        made("{{ name }} {{ name|truncatechars(3) }} {{ name|linebreaks }}", name="<b>&")
        == "&lt;b&gt;&amp; &lt;b… <p>&lt;b&gt;&amp;</p>"
    )


def test_an_address_keeps_the_rest_of_its_query(rf: RequestFactory) -> None:
    asked = rf.get("/check/", {"q": "a b", "findings": "few"})
    assert made("{{ querystring(findings='all') }}", request=asked) == "?q=a+b&amp;findings=all"


def test_numbers_and_moments_are_written_for_people() -> None:
    moment = datetime(2026, 3, 1, 9, 5, tzinfo=UTC)
    assert (
        made("{{ 1234567|intcomma }} {{ at|date('j F Y, H:i') }} {{ 2|pluralize }}", at=moment)
        == "1,234,567 1 March 2026, 09:05 s"
    )


def test_what_a_view_gives_stays_its_own(rf: RequestFactory) -> None:
    given = {"name": "Kai"}
    asked = rf.get("/")
    asked.user = AnonymousUser()
    render(asked, "error.html", given)
    assert given == {"name": "Kai"}


def test_a_method_that_a_template_forgets_to_call_is_a_fault_in_the_tests() -> None:
    with pytest.raises(AssertionError, match="upper is not called"):
        made("{% if name.upper %}x{% endif %}", name="kai")


def environment(folder: Path, release: str = "now") -> Environment:
    kept = CompiledTemplates(folder, release)
    return Environment(
        loader=DictLoader({"card.html": "{{ card.name }}"}), bytecode_cache=kept, autoescape=True
    )


def test_a_template_is_compiled_once_and_read_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment(tmp_path / "kept").get_template("card.html")
    again = environment(tmp_path / "kept")
    monkeypatch.setattr(again, "compile", None)
    assert again.get_template("card.html").render(card={"name": "Kai"}) == "Kai"


def test_what_another_release_compiled_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment(tmp_path, "before").get_template("card.html")
    now = environment(tmp_path)
    monkeypatch.setattr(now, "compile", None)
    with pytest.raises(TypeError):
        now.get_template("card.html")


def test_a_compiled_template_that_was_cut_off_costs_no_page(tmp_path: Path) -> None:
    environment(tmp_path).get_template("card.html")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:40])
    assert environment(tmp_path).get_template("card.html").render(card={"name": "Kai"}) == "Kai"


def test_a_disk_that_takes_no_compiled_template_costs_no_page(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("")
    assert environment(tmp_path / "full").get_template("card.html")
