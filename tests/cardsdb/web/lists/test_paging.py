"""How the card list is paged and shown, a random card of it, and the page that says how to ask."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from cardsdb.models import Card, Edition
from cardsdb.search.query.tree import normal
from cardsdb.search.results import parse_query, results_of
from cardsdb.web.lists.card_list import PER_PAGE
from tests.support.card_lists import listed, names
from tests.support.pages import Part, page

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


# -- pages ------------------------------------------------------------------------------


def test_a_page_after_a_card_that_was_retired_goes_on_where_it_stood(client: Client) -> None:
    cards = listed(client, q="game:xfiles").cards
    Card.objects.filter(game=cards[-1].game, code=cards[-1].code).update(retired=True)
    Edition.objects.create()
    after = listed(client, q="game:xfiles", after=cards[-1].key)
    assert after.span.first > 40
    assert after.cards[0].key not in {card.key for card in cards}


@pytest.mark.parametrize(
    "query",
    [
        "kai or agent foo:1",
        "kai or -craft>=4",
        "-(craft>=4 agent)",
        "mulder or -combat>=3",
        "cost>=4",
        "level=1 or cost=2",
    ],
)
def test_a_facet_of_games_counts_what_its_link_finds_though_they_lack_the_fact(
    client: Client, query: str
) -> None:
    shown = listed(client, q=query)
    for choice in next(facet for facet in shown.facets if facet.key == "game").choices:
        assert client.get(f"/cards/{choice.href}").context["page"].total == choice.count


def test_a_fact_that_the_game_does_not_have_is_pointed_out(client: Client) -> None:
    assert (
        "has no craft"
        in page(client, "/cards/", {"q": "game:xfiles craft>=4"}).one(class_="query-problem").text
    )


def test_next_and_previous_lead_there_and_back(client: Client) -> None:
    first = names(client, q="game:xfiles")
    onward = page(client, "/cards/?q=game:xfiles").one("nav", class_="pagination").one("a", rel="next")
    second = page(client, f"/cards/{onward['href']}")
    assert not {card.name for card in second.context["page"].cards} & set(first)
    back = second.one("nav", class_="pagination").one("a", rel="prev")
    assert [card.name for card in client.get(f"/cards/{back['href']}").context["page"].cards] == first


def test_a_page_holds_no_more_than_it_should(client: Client) -> None:
    assert len(listed(client).cards) == PER_PAGE


# -- views, a random card, help -------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "rows", "chosen"),
    [
        ("line", "cards-table", "With the line"),
        ("numbers", "cards-table", "Numbers only"),
        ("faces", "faces", "Faces"),
        ("checklist", "checklist", ""),
        # What addresses called them before.
        ("list", "cards-table", "With the line"),
        ("table", "cards-table", "Numbers only"),
        ("grid", "faces", "Faces"),
    ],
)
def test_every_view_shows_every_card_of_the_page(client: Client, view: str, rows: str, chosen: str) -> None:
    shown = page(client, "/cards/", {"q": "game:spycraft type:leader", "view": view})
    assert [name.text for name in shown.one(class_=rows).all("a", class_="name")] == [
        card.name for card in shown.context["page"].cards
    ]
    current = shown.one("nav", aria_label="View").all("a", aria_current="true")
    assert [link.text for link in current] == [chosen] * bool(chosen)


@pytest.mark.parametrize("view", ["line", "numbers", "faces"])
def test_the_pages_of_groups_go_on_in_their_order_and_lose_no_card(client: Client, view: str) -> None:
    """Each group has its heading on every page that it is on, and its link leads to the page that begins with
    it.
    """
    address, found, titles = f"?q=game%3Aspycraft+wound&view={view}", [], []
    first = page(client, f"/cards/{address}")
    groups = {title: (count, href) for title, count, href in first.context["page"].groups}
    while address:
        shown = page(client, f"/cards/{address}")
        found += [card.key for card in shown.context["page"].cards]
        titles += [heading.text for heading in shown.all("h2", class_="group-title")]
        onward = shown.all("a", rel="next")
        address = onward[0]["href"] if onward else ""
    assert len(found) == len(set(found)) == first.context["page"].total > 2 * PER_PAGE
    assert found == [card.key for card in first.context["page"].results.cards]
    said = [f"{title} {count}" for title, (count, _) in groups.items()]
    assert list(dict.fromkeys(" ".join(title.split()) for title in titles)) == said
    for title, (count, href) in groups.items():
        begins = page(client, f"/cards/{href.partition('#')[0]}")
        assert begins.all("h2", class_="group-title")[0].text.startswith(title)
        assert begins.context["page"].cards[0].key in first.context["page"].results.groups[title]
        assert len(first.context["page"].results.groups[title]) == count


def test_a_list_that_is_sorted_has_no_groups(client: Client) -> None:
    shown = page(client, "/cards/", {"q": "game:spycraft wound order:-craft"})
    assert not shown.has("h2", class_="group-title") and not shown.has("nav", class_="groups")


def test_a_list_in_groups_does_not_say_that_it_is_by_name(client: Client) -> None:
    assert not page(client, "/cards/", {"q": "game:spycraft wound"}).has("th", aria_sort=True)
    assert page(client, "/cards/", {"q": "game:spycraft"}).one("th", aria_sort=True).text == "Name"


def test_a_heading_sorts_by_its_column(client: Client) -> None:
    table = page(client, "/cards/", {"q": "game:spycraft type:agent order:-craft", "view": "numbers"}).one(
        "table", class_="cards-table"
    )
    assert (
        table.one("th", aria_sort=True)["aria-sort"] == "descending"
        and table.one("th", aria_sort=True).text == "Cra"
    )
    crafts = [card.facts["craft"] for card in listed(client, q="game:spycraft type:agent order:-craft").cards]
    assert crafts == sorted(crafts, reverse=True)


def test_a_name_with_markup_is_shown_as_text(client: Client) -> None:
    query = '<script>alert("x")</script>'
    shown = page(client, "/cards/", {"q": query})
    assert shown.one("input", id="site-q").value == query
    assert all(script.get("src") for script in shown.all("script"))


def test_a_random_card_is_one_that_the_query_finds(client: Client) -> None:
    answer = client.get("/cards/random/", {"q": "game:deadgame or !Kai"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/cards/spycraft/kai/")
    assert "no-store" in answer["Cache-Control"] or "no-cache" in answer["Cache-Control"]


def test_of_nothing_there_is_no_random_card(client: Client) -> None:
    assert client.get("/cards/random/", {"q": "craft>900"}).status_code == 404


def test_the_page_of_how_to_ask_has_examples_that_find_something(client: Client) -> None:
    help_page = page(client, "/search/")
    plain = queries_on(help_page.one("section", id="plain"))
    queries = {
        query: bool(parse_query(query).query.problems)
        for query in queries_on(help_page)
        if query not in plain
    }
    assert len(queries) > 50 and not any(queries.values()), queries
    for query in queries:
        assert results_of(parse_query(query)).total, query


def test_its_examples_in_plain_english_are_read_as_it_says(client: Client) -> None:
    plain = page(client, "/search/").one("section", id="plain")
    meanings = [meant.text for meant in plain.all("dd", class_="code")]
    queries = queries_on(plain)
    assert len(queries) == len(meanings) > 4
    for query, meant in zip(queries, meanings, strict=True):
        shown = listed(client, q=query)
        assert normal(shown.query.query) == meant and shown.total and not shown.query.query.faults


def queries_on(part: Part) -> list[str]:
    return [parse_qs(urlsplit(href).query)["q"][0] for href in part.links if href.startswith("/cards/?q=")]
