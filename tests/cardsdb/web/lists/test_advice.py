"""Advice on queries that find nothing or are not understood."""

import pytest

from tests.support.card_lists import as_typed, query_of, total
from tests.support.pages import page

# SQLite suffices: lists are answered from memory, and tests/house/test_permissions.py requests each address
# on PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


# -- nothing found ------------------------------------------------------------------------


def nothing(query, client):
    return as_typed(client, query).context["page"].no_results


def test_the_part_that_emptied_the_page_comes_first_and_a_click_leaves_it_out(client):
    shown = as_typed(client, "krypt agents certainly craft>=4")
    first, *others = shown.context["page"].no_results.parts
    assert (first.typed, first.alone, first.rest.count) == ("certainly", 0, total("krypt agents craft>=4"))
    assert first.rest.count > 0
    assert query_of(first.rest.href) == "krypt agents craft>=4"
    assert {part.typed: part.alone for part in others} == {
        part: total(part) for part in ("krypt", "agents", "craft>=4")
    }
    assert all(part.rest.count == 0 for part in others)
    assert shown.one("table", class_="no-results").link(f"{first.rest.count} cards") == first.rest.href


def test_if_no_single_part_is_to_blame_the_fewest_parts_are_left_out_together(client):
    found = nothing("krypt definitely agents certainly", client)
    assert all(part.rest.count == 0 for part in found.parts)
    assert query_of(found.together.href) == "krypt agents"
    assert found.together.count == total("krypt agents")


@pytest.mark.parametrize(
    ("query", "typed", "meant", "instead"),
    [
        ("craft>=1 snipers", "snipers", "sniper", "craft>=1 sniper"),
        ("snipers", "snipers", "sniper", "sniper"),
        ("steamspy agents", "steamspy", "game:steamspy", "agents game:steamspy"),
    ],
)
def test_a_singular_or_the_field_of_a_word_is_offered_instead_of_it(client, query, typed, meant, instead):
    (part,) = (part for part in nothing(query, client).parts if part.typed == typed)
    assert (query_of(part.instead.href), part.instead.typed) == (instead, meant)
    assert part.instead.count == total(meant) > 0


def test_a_single_part_has_no_table_and_only_the_first_of_many_parts_are_tried(client):
    empty = page(client, "/cards/", {"q": "craft>900"})
    assert empty.one(class_="empty").one("h2").text == "No card matches" and not empty.has("table")
    assert not page(client, "/cards/", {"q": "krypt agents"}).has(class_="no-results")
    assert len(nothing(" ".join(f"nothing{n}" for n in range(40)), client).parts) == 8


@pytest.mark.parametrize(
    ("query", "offers"),
    [
        ("game:xfiles cost>=3 muldar type:agent", True),
        ("game:xfiles name:muldar cost>=90", True),
        ('game:xfiles !"Agent Fox Muldar"', True),
        ("game:xfiles name!=muldar cost>=90", False),
    ],
)
def test_similar_names_are_offered_for_a_wanted_name_and_not_for_an_excluded_one(client, query, offers):
    nothing = as_typed(client, query).one(class_="empty")
    assert ("Did you mean" in nothing.text) is offers
    assert not offers or nothing.link("Agent Fox Mulder").startswith("/cards/xfiles/")


def test_markup_in_a_query_is_text(client):
    shown = as_typed(client, 'krypt "<script>x"')
    assert shown.has("code", text='"<script>x"') and shown.one(id="site-q").value == 'krypt "<script>x"'
    assert all(script.get("src") for script in shown.all("script"))


# -- a part that was not understood ----------------------------------------------------------


def test_results_for_the_understood_part_say_so_and_offer_a_correction(client):
    shown = page(client, "/cards/", {"q": "g:spycraft t:agent agency:krypt craft>=4"})
    of_rest = shown.context["page"]
    assert of_rest.understood == "game:spycraft type:agent craft>=4"
    assert "The cards below are found without it" in shown.one(class_="query-problem").text
    assert shown.one("p", class_="results-count").text.endswith(f"cards for the rest, {of_rest.understood}")
    ((label, cure),) = of_rest.advice[0].corrections[:1]
    assert (label, cure) == ("faction:krypt", "g:spycraft t:agent faction:krypt craft>=4")
    assert 0 < total(cure) < of_rest.total


def test_a_mistake_is_marked_in_its_place_with_the_corrected_query(client):
    problem = as_typed(client, 'agency:"the krypt" kai').one(class_="query-problem")
    assert problem.one("mark").text == "agency"
    assert query_of(problem.link('faction:"the krypt"')) == 'faction:"the krypt" kai'


def test_a_fact_that_the_game_does_not_have_is_pointed_out(client):
    found = page(client, "/cards/", {"q": "game:xfiles craft>=4"})
    assert "has no craft" in found.one(class_="query-problem").text
