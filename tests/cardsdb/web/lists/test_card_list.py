"""The card list: what a visitor's words find, what the filter form and the facets do, and what is
suggested.
"""

from __future__ import annotations

from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.search.query.tree import normal, parts_of
from cardsdb.search.results import parse_query
from tests.support.card_lists import listed
from tests.support.pages import page, page_of

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


# -- finding --------------------------------------------------------------------------


def test_a_fact_that_was_asked_for_stands_in_the_row(client: Client) -> None:
    rows = page(client, "/cards/", {"q": "craft=7 or cost=12"}).one("ul", class_="rows").all("li")
    said = [row.text.casefold() for row in rows]
    assert said and all("craft 7" in one or "cost 12" in one or "expense 12" in one for one in said)


def test_a_misspelt_name_is_answered_with_likely_ones(client: Client) -> None:
    nothing = page(client, "/cards/", {"q": "agent fox muldar", "as_typed": "1"}).one(class_="empty")
    assert "Did you mean" in nothing.text and nothing.link("Agent Fox Mulder").startswith("/cards/xfiles/")


def test_of_a_question_with_fields_the_words_alone_may_be_a_name(client: Client) -> None:
    nothing = page(client, "/cards/", {"q": "game:xfiles cost>=3 muldar type:agent", "as_typed": "1"}).one(
        class_="empty"
    )
    assert nothing.link("Agent Fox Mulder").startswith("/cards/xfiles/")
    assert (
        "Did you mean" not in page(client, "/cards/", {"q": "game:xfiles cost>=90"}).one(class_="empty").text
    )


@pytest.mark.parametrize(
    ("query", "offers"),
    [("name:muldar cost>=90", True), ('!"Agent Fox Muldar"', True), ("name!=muldar cost>=90", False)],
)
def test_a_name_that_is_asked_for_may_be_meant_otherwise_one_that_is_not_wanted_may_not(
    client: Client, query: str, offers: bool
) -> None:
    nothing = page(client, "/cards/", {"q": f"game:xfiles {query}", "as_typed": "1"}).one(class_="empty")
    assert ("Agent Fox Mulder" in nothing.text) == offers


def test_a_games_name_leads_to_the_game(client: Client) -> None:
    notice = page(client, "/cards/", {"q": "steam spy"}).one("p", class_="notice")
    assert (notice.link("its page"), notice.link("its cards")) == (
        "/games/steamspy/",
        "/cards/?q=game%3Asteamspy",
    )


def test_a_value_that_no_card_has_is_answered_with_what_to_ask_instead(client: Client) -> None:
    problem = page(client, "/cards/", {"q": "game:spycraft type:agnet", "as_typed": "1"}).one(
        class_="query-problem"
    )
    assert problem.one("mark").text == "agnet"
    assert parse_qs(urlsplit(problem.link("type:Agent")).query)["q"] == ["game:spycraft type:Agent"]


def test_cards_like_another_say_why(client: Client) -> None:
    rows = (
        page(client, "/cards/", {"q": 'similar:!"Glock 17"'})
        .one("table", class_="cards-table")
        .all("th", scope="row")
    )
    assert any("same expense" in row.text for row in rows)


# -- the form and the query are one --------------------------------------------------------


def test_the_filter_form_leads_to_the_query_it_amounts_to(client: Client) -> None:
    answer = client.get(
        "/cards/", {"game": "spycraft", "type": "agent", "craft_from": "4", "q": "krypt", "order": "-craft"}
    )
    assert answer.status_code == 302
    assert parse_qs(urlsplit(answer["Location"]).query) == {
        "q": ["game=spycraft type=agent craft>=4 krypt order:-craft"]
    }


def test_the_form_shows_what_the_query_asks(client: Client) -> None:
    controls = parse_query("type:agent game:spycraft craft>=4 combat<=6 -faction:krypt kai").controls
    assert (controls.low, controls.high, controls.words) == (
        {"craft": "4"},
        {"combat": "6"},
        "-faction:krypt kai",
    )
    assert controls.only("type") == "agent"


def test_sending_the_form_again_changes_nothing(client: Client) -> None:
    query = "game=spycraft type=agent craft>=4 krypt order:-craft"
    shown = client.get("/cards/", {"q": query}).context["page"]
    again = {"q": shown.search_box, "craft_from": "4", "order": "-craft", **dict(shown.hidden_fields)}
    assert parse_qs(urlsplit(client.get("/cards/", again)["Location"]).query)["q"] == [query]


@pytest.mark.parametrize(
    "query",
    [
        "type:agent craft>=4 krypt",
        "craft>=4",
        "order:-craft type:agent",
        "game:spycraft order:-craft,name",
        "game:spycraft type:gear craft>=4",
        "game:spycraft craft>=4 craft>=5",
        "agent or (gear craft<=2)",
        "game:spycraft (kai or agent)",
        "game:spycraft type:agent (kai or van) order:-craft",
        'game:spycraft (faction=Bloodvine or faction="The Krypt") kai',
        "faction=Bloodvine or faction=Freelancer",
        "type=agent or type=gear order:-prints",
        'similar:"Glock 17" order:-prints',
        "type:agent crfat>4 (krypt",
        "-",
    ],
)
def test_showing_an_untouched_form_asks_the_same(client: Client, query: str) -> None:
    shown = page(client, "/cards/", {"q": query})
    before = shown.context["page"]
    again = client.get("/cards/", shown.one(class_="filters").one("form").sent, follow=True).context["page"]
    assert (set(parts(again)), again.query.query.order, again.total) == (
        set(parts(before)),
        before.query.query.order,
        before.total,
    )
    assert [problem.code for problem in again.query.query.problems] == [
        problem.code for problem in before.query.query.problems
    ]


def parts(shown: Any) -> list[str]:
    return [normal(part) for part in parts_of(shown.query.query.tree)]


def test_alternatives_typed_beside_a_picked_game_stay_within_it(client: Client) -> None:
    found = client.get(
        "/cards/", {"with": "game=spycraft", "q": "agent or kai order:-craft"}, follow=True
    ).context["page"]
    assert {card.game for card in found.cards} == {"spycraft"}
    assert found.query.query.order[0].key == "craft"


def test_a_facets_link_keeps_what_is_still_to_be_mended(client: Client) -> None:
    shown = listed(client, q="typ:agent krypt")
    leader = next(choice for facet in shown.facets for choice in facet.choices if choice.shown == "Leaders")
    after = client.get(f"/cards/{leader.href}").context["page"]
    assert "typ:agent" in after.query.text and after.advice


def test_cards_of_one_game_can_be_told_apart_though_the_query_does_not_name_it(client: Client) -> None:
    shown = listed(client, q="craft>=4", view="table")
    assert "craft" in {fact.key for fact in shown.columns}
    assert {"game", "faction"} <= {facet.key for facet in shown.facets}


def test_the_whole_name_of_one_card_leads_to_the_card(client: Client) -> None:
    assert client.get("/cards/", {"q": '!"Glock 17"'})["Location"].startswith("/cards/spycraft/glock-17")


@pytest.mark.parametrize(
    ("typed", "more"), [("Glock 17", False), ("glock  17", False), ('!"Glock 17"', False), ("Li", True)]
)
def test_a_box_opens_the_card_of_the_name_typed_into_it(client: Client, typed: str, more: bool) -> None:
    leads_to = urlsplit(client.get("/cards/", {"q": typed, "open": "1"})["Location"])
    assert leads_to.path in ("/cards/spycraft/glock-17/", "/cards/spycraft/li/")
    # The other cards with the word are a press away.
    assert bool(parse_qs(leads_to.query)) is more
    assert client.get(leads_to.geturl()).status_code == 200


@pytest.mark.parametrize(
    "params",
    [{"q": "Li"}, {"q": "Glock 17"}, {"q": "glock", "open": "1"}, {"q": "Glock 17 order:name", "open": "1"}],
)
def test_a_link_or_a_word_opens_no_card(client: Client, params: dict[str, str]) -> None:
    assert client.get("/cards/", params).status_code == 200


def test_every_box_for_names_says_that_it_opens_cards(client: Client) -> None:
    assert page(client, "/cards/").one("form", class_="site-search").sent["open"] == "1"
    assert not page(client, "/cards/", {"q": "glock"}).one(class_="filters").one("form").sent.get("open")


def test_an_order_alone_is_said_in_words(client: Client) -> None:
    assert "sorted by" in client.get("/cards/", {"q": "order:-prints"}).context["page"].words


# -- facets -----------------------------------------------------------------------------


def test_a_facet_counts_what_its_link_finds(client: Client) -> None:
    shown = listed(client, q="game:spycraft craft>=4")
    choices = [choice for facet in shown.facets for choice in facet.choices if not choice.picked]
    assert len(choices) > 10
    for choice in choices[:25]:
        found = client.get(f"/cards/{choice.href}").context["page"].total
        assert found == choice.count, choice


def facet(shown: Any, key: str) -> Any:
    return next(facet for facet in shown.facets if facet.key == key)


def choice(shown: Any, key: str, value: str) -> Any:
    return next(choice for choice in facet(shown, key).choices if choice.shown == value)


def follow(client: Client, href: str) -> Any:
    return client.get(f"/cards/{href}").context["page"]


def test_a_picked_value_can_be_dropped_and_others_be_had_as_well(client: Client) -> None:
    shown = listed(client, q="game:spycraft type:agent")
    [picked] = facet(shown, "type").picked
    assert picked.shown == "Agents"
    assert "type" not in unescape(picked.href)
    gear = choice(shown, "type", "Gear")
    both = follow(client, gear.href)
    assert both.total == shown.total + gear.count > shown.total
    assert {one.shown: one.count for one in facet(both, "type").picked} == {
        "Agents": shown.total,
        "Gear": gear.count,
    }
    assert follow(client, choice(both, "type", "Agents").href).text == "game:spycraft type=gear"


def test_the_values_beside_several_picked_ones_say_how_many_cards_each_would_add(client: Client) -> None:
    shown = listed(client, q='game:spycraft type:agent (faction:bloodvine or faction="The Krypt")')
    assert {one.shown for one in facet(shown, "faction").picked} == {"Bloodvine", "The Krypt"}
    others = [one for one in facet(shown, "faction").choices if not one.picked]
    assert len(others) > 2
    for one in others:
        more = follow(client, one.href)
        assert (more.total, len(facet(more, "faction").picked)) == (shown.total + one.count, 3)


@pytest.mark.parametrize(
    "query",
    ["faction=Bloodvine", "faction=Bloodvine or faction=Freelancer", "faction=Bloodvine order:-craft"],
)
def test_a_second_value_stands_in_the_query_as_it_would_be_typed(client: Client, query: str) -> None:
    words, _, order = query.partition(" order:")
    added = follow(client, choice(listed(client, q=query), "faction", "Nine Tiger").href)
    alternatives = f'{words} or faction="Nine Tiger"'
    assert added.query.text == added.text == (f"({alternatives}) order:{order}" if order else alternatives)
    assert follow(client, choice(added, "faction", "Nine Tiger").href).text == query


def test_several_games_may_be_picked(client: Client) -> None:
    one = listed(client, q="game:spycraft kai")
    two = follow(client, choice(listed(client, q="game:spycraft"), "game", games()["spynet"].name).href)
    assert two.game is None
    assert len(facet(two, "game").picked) == 2
    assert one.game is not None


def test_a_rare_value_beside_others_says_how_many_cards_have_it(client: Client) -> None:
    names = [one.shown for one in facet(listed(client, q="game:xfiles"), "episode").choices]
    rare = next(
        value for value in games()["xfiles"].cards if (value.facts.get("episode") or names[0]) not in names
    ).facts["episode"]
    shown = listed(client, q=f'game:xfiles (episode="{names[0]}" or episode="{rare}")')
    counts = {one.shown: one.count for one in facet(shown, "episode").picked}
    assert counts.keys() == {names[0], rare} and sum(counts.values()) == shown.total


def test_of_values_that_are_joined_by_or_the_words_name_the_field_once(client: Client) -> None:
    assert (
        listed(client, q="faction=Bloodvine or faction=Freelancer").words
        == "faction is Bloodvine or Freelancer"
    )
    assert listed(client, q="faction=Bloodvine or type=gear").words == "faction is Bloodvine or type is Gear"


def test_a_facet_shows_the_marks_of_its_values(client: Client) -> None:
    filters = page(client, "/cards/", {"q": "game:spycraft"}).one(class_="filters")
    of_types = next(
        facet for facet in filters.all("details", class_="facet") if facet.one("summary").text == "Type"
    )
    krypt = next(link for link in filters.all("a") if link.text == "The Krypt")
    assert krypt.one(class_="value-spycraft-the-krypt")["aria-hidden"] == "true"
    assert len(of_types.all("a")) == 5 and all(link.has(class_="mark-type") for link in of_types.all("a"))


def test_facets_stand_in_the_order_in_which_people_narrow_a_list(client: Client) -> None:
    spycraft = [facet.key for facet in listed(client, q="game:spycraft").facets]
    assert spycraft[:7] == ["game", "type", "faction", "mission_types", "does", "set", "traits"]
    assert (
        spycraft.index("target")
        < spycraft.index("expense")
        < spycraft.index("rules_text")
        < spycraft.index("certainty")
    )
    assert [facet.key for facet in listed(client, q="game:xfiles type:event").facets][:6] == [
        "game",
        "type",
        "pool",
        "does",
        "set",
        "keywords",
    ]
    assert [facet.key for facet in listed(client).facets] == ["game", "type", "does", "rarity", "certainty"]


@pytest.mark.parametrize(
    ("query", "opened"),
    [
        ("", ["game", "type", "does"]),
        ("game:spycraft", ["type", "faction", "does"]),
        ("game:spycraft type:mission", ["mission_types", "does", "set"]),
        ("game:xfiles", ["type", "pool", "does"]),
        ("game:agentdecker", ["type", "cost_kind", "does"]),
        ("game:spycraft traits:soldier", ["type", "faction", "does", "traits"]),
        ("game:spycraft or game:xfiles", ["game", "type", "does"]),
    ],
)
def test_what_most_people_narrow_by_is_open(client: Client, query: str, opened: list[str]) -> None:
    assert [facet.key for facet in listed(client, q=query).facets if facet.is_open] == opened


def test_every_value_of_what_cards_do_can_be_picked(client: Client) -> None:
    does = facet(listed(client, q="game:spycraft"), "does")
    known = {value for card in games()["spycraft"].cards for value in card.facts.get("does", ())}
    assert len(does.choices) == len(known) > 40
    assert len(does.first) == 8


def test_the_one_game_is_folded_and_still_named(client: Client) -> None:
    filters = page(client, "/cards/", {"q": "game:spycraft"}).one(class_="filters")
    first = filters.all("details", class_="facet")[0]
    assert first.one("summary").text == "Game: Spycraft" and first.get("open") is None


# -- suggestions ----------------------------------------------------------------------------


# -- queries to the database -----------------------------------------------------------------


# -- why a row is there --------------------------------------------------------------------------


def test_a_row_shows_the_sentence_that_matched_with_its_words_marked(client: Client) -> None:
    answer = client.get("/cards/", {"q": "game:spycraft cards that heal"})
    first = page_of(answer).all("tbody", class_="card-row")[0]
    assert "heal" in first.one("tr", class_="told").one("mark").text.casefold()


def test_numbers_only_are_without_the_sentence(client: Client) -> None:
    answer = client.get("/cards/", {"q": "game:spycraft cards that heal", "view": "numbers"})
    assert page_of(answer).has(class_="card-row") and not page_of(answer).has(class_="row-told")


def test_with_the_line_chosen_a_query_of_facts_alone_shows_the_first_sentence_of_each(client: Client) -> None:
    answer = client.get("/cards/", {"q": "game:spycraft !Beowulf", "view": "line"})
    said = answer.context["page"].cards[0].told.partition("\n")[0]
    assert page_of(answer).one(class_="row-told").text == said and not page_of(answer).has("mark")


def test_a_row_of_a_query_of_facts_alone_shows_no_sentence(client: Client) -> None:
    answer = client.get("/cards/", {"q": "game:spycraft craft>=6"})
    assert not page_of(answer).has(class_="row-told")
