"""The card list: what a visitor's words find, what the filter form and the facets do, and what is suggested."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from cardsdb.search.card_query import parse_query
from cardsdb.search.query.filter_form import parts_of
from cardsdb.search.query.normal_form import normal
from tests.support.card_lists import listed, names

pytestmark = pytest.mark.django_db


# -- finding --------------------------------------------------------------------------


def test_the_question_of_the_krypt_agents_is_answered(client: Client) -> None:
    found = listed(client, q="game:spycraft krypt agents craft>=4").cards
    assert found
    assert all(card.type == "agent" and card.facts["craft"] >= 4 for card in found)


def test_a_fact_that_was_asked_for_stands_in_the_row(client: Client) -> None:
    assert "craft 7" in client.get("/cards/", {"q": "game:spycraft krypt craft=7"}).content.decode()


def test_the_card_of_the_name_comes_first(client: Client) -> None:
    assert names(client, q="game:spycraft li")[:2] == ["Li", "Li Cong"]


def test_a_misspelt_name_is_answered_with_likely_ones(client: Client) -> None:
    assert "Agent Fox Mulder" in client.get("/cards/", {"q": "agent fox muldar"}).content.decode()


def test_a_games_name_leads_to_the_game(client: Client) -> None:
    assert "/games/steamspy/" in client.get("/cards/", {"q": "steam spy"}).content.decode()


def test_of_a_query_of_which_nothing_is_understood_nothing_is_shown(client: Client) -> None:
    assert names(client, q="foo:bar") == []


def test_a_value_that_no_card_has_is_answered_with_what_to_ask_instead(client: Client) -> None:
    page = client.get("/cards/", {"q": "game:spycraft type:agnet"}).content.decode()
    assert "type:agent" in unescape(page).replace("%3A", ":").casefold()


def test_cards_like_another_say_why(client: Client) -> None:
    page = client.get("/cards/", {"q": 'similar:!"Glock 17"'}).content.decode()
    assert "same expense" in page


def test_a_card_list_from_bad_input_is_no_fault_of_the_site(client: Client) -> None:
    for value in ("", "x", "1_0", "²", "9" * 40, '"', "-1", "4 or craft<1"):
        assert client.get("/cards/", {"game": "spycraft", "type": "agent", "craft_from": value}, follow=True).status_code == 200


# -- the form and the query are one --------------------------------------------------------


def test_the_filter_form_leads_to_the_query_it_amounts_to(client: Client) -> None:
    answer = client.get("/cards/", {"game": "spycraft", "type": "agent", "craft_from": "4", "q": "krypt", "order": "-craft"})
    assert answer.status_code == 302
    assert parse_qs(urlsplit(answer["Location"]).query) == {"q": ["game=spycraft type=agent craft>=4 krypt order:-craft"]}


def test_the_form_shows_what_the_query_asks(client: Client) -> None:
    controls = parse_query("type:agent game:spycraft craft>=4 combat<=6 -faction:krypt kai").controls
    assert (controls.low, controls.high, controls.words) == ({"craft": "4"}, {"combat": "6"}, "-faction:krypt kai")
    assert controls.only("type") == "agent"


def test_an_alternative_stays_among_the_words() -> None:
    assert parse_query("game:spycraft (craft>=4 or combat>=6)").controls.words == "craft>=4 or combat>=6"


def test_sending_the_form_again_changes_nothing(client: Client) -> None:
    query = "game=spycraft type=agent craft>=4 krypt order:-craft"
    shown = client.get("/cards/", {"q": query}).context
    again = {"q": shown["words_box"], "craft_from": "4", "order": "-craft", **dict(shown["kept"])}
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
        'similar:"Glock 17" order:-prints',
        "type:agent crfat>4 (krypt",
        "-",
    ],
)
def test_showing_an_untouched_form_asks_the_same(client: Client, query: str) -> None:
    shown = client.get("/cards/", {"q": query}).context
    form = re.search(r"<form action=\"/cards/\">.*?</form>", client.get("/cards/", {"q": query}).content.decode(), re.DOTALL)
    assert form
    sent = {unescape(name): unescape(value) for name, value in re.findall(r'<input[^>]* name="([^"]*)" value="([^"]*)"', form[0])}
    selected = re.search(r'<option value="([^"]*)" selected', form[0])
    sent["order"] = unescape(selected[1]) if selected else ""
    again = client.get("/cards/", sent, follow=True).context["browse"]
    before = shown["browse"]
    assert (set(parts(again)), again.asked.query.order, again.total) == (set(parts(before)), before.asked.query.order, before.total)
    assert [problem.code for problem in again.asked.query.problems] == [problem.code for problem in before.asked.query.problems]


def parts(shown: Any) -> list[str]:
    return [normal(part) for part in parts_of(shown.asked.query.tree)]


def test_alternatives_typed_beside_a_picked_game_stay_within_it(client: Client) -> None:
    found = client.get("/cards/", {"with": "game=spycraft", "q": "agent or kai order:-craft"}, follow=True).context["browse"]
    assert {card.game for card in found.cards} == {"spycraft"}
    assert found.asked.query.order[0].key == "craft"


def test_facets_beside_a_faulty_alternative_count_what_their_links_find(client: Client) -> None:
    shown = listed(client, q="kai or agent foo:1")
    for choice in next(facet for facet in shown.facets if facet.key == "game").choices:
        assert client.get(f"/cards/{choice.href}").context["browse"].total == choice.count


def test_a_facets_link_keeps_what_is_still_to_be_mended(client: Client) -> None:
    shown = listed(client, q="typ:agent krypt")
    leader = next(choice for facet in shown.facets for choice in facet.choices if choice.shown == "Leader")
    after = client.get(f"/cards/{leader.href}").context["browse"]
    assert "typ:agent" in after.asked.text and after.advice


def test_cards_of_one_game_can_be_told_apart_though_the_query_does_not_name_it(client: Client) -> None:
    shown = listed(client, q="craft>=4", view="table")
    assert "craft" in {fact.key for fact in shown.columns}
    assert {"game", "faction"} <= {facet.key for facet in shown.facets}


def test_the_whole_name_of_one_card_leads_to_the_card(client: Client) -> None:
    assert client.get("/cards/", {"q": '!"Glock 17"'})["Location"].startswith("/cards/spycraft/glock-17")


def test_an_order_alone_is_said_in_words(client: Client) -> None:
    assert "sorted by" in client.get("/cards/", {"q": "order:-prints"}).context["browse"].words


def test_a_query_with_faults_stays_as_it_was_typed(client: Client) -> None:
    answer = client.get("/cards/", {"game": "spycraft", "q": "craft>= (kai"})
    assert parse_qs(urlsplit(answer["Location"]).query)["q"] == ["game=spycraft craft>= (kai"]


# -- facets -----------------------------------------------------------------------------


def test_a_facet_counts_what_its_link_finds(client: Client) -> None:
    shown = listed(client, q="game:spycraft craft>=4")
    choices = [choice for facet in shown.facets for choice in facet.choices if not choice.picked]
    assert len(choices) > 10
    for choice in choices[:25]:
        found = client.get(f"/cards/{choice.href}").context["browse"].total
        assert found == choice.count, choice


def test_a_picked_value_can_be_dropped_and_the_others_be_had_instead(client: Client) -> None:
    shown = listed(client, q="game:spycraft type:agent")
    types = next(facet for facet in shown.facets if facet.key == "type")
    picked = next(choice for choice in types.choices if choice.picked)
    assert picked.shown == "Agent"
    assert "type" not in unescape(picked.href)
    gear = next(choice for choice in types.choices if choice.shown == "Gear")
    assert client.get(f"/cards/{gear.href}").context["browse"].total == gear.count > 0


# -- suggestions ----------------------------------------------------------------------------


def offers(client: Client, typed: str, at: int | None = None) -> list[str]:
    params = {"q": typed} | ({} if at is None else {"at": str(at)})
    return [choice["text"] for choice in client.get("/search/suggest/", params).json()["choices"]]


def test_a_beginning_is_completed_to_fields_and_cards(client: Client) -> None:
    found = offers(client, "cra")
    assert "craft>=" in found


def test_a_name_of_several_words_is_completed(client: Client) -> None:
    assert '!"Glock 17"' in offers(client, "glock 1")


def test_a_field_is_completed_to_its_values(client: Client) -> None:
    assert '"The Krypt"' in offers(client, "type:agent faction:kr")


def test_a_value_is_completed_inside_quotes(client: Client) -> None:
    assert '"The Krypt"' in offers(client, 'faction:"the k')


def test_what_stands_behind_the_caret_is_left_alone(client: Client) -> None:
    choice = client.get("/search/suggest/", {"q": "cra kai", "at": "3"}).json()["choices"][0]
    assert (choice["text"], choice["start"]) == ("craft>=", 0)


@pytest.mark.parametrize("typed", ["", " ", '"', "((((", "-", "!", "a" * 2000, ":", "craft>=", 'x:"'])
def test_whatever_is_typed_something_or_nothing_is_offered(client: Client, typed: str) -> None:
    assert len(offers(client, typed)) <= 10


# -- queries to the database -----------------------------------------------------------------


def test_a_list_needs_one_query_and_no_more_with_more_rows(client: Client, django_assert_max_num_queries: Any) -> None:
    for address, most in (("/cards/", 1), ("/cards/?q=kai", 1), ("/cards/?q=game:spycraft+craft>=4", 1), ("/search/suggest/?q=gl", 1)):
        client.get(address)
        with django_assert_max_num_queries(most):
            client.get(address)
