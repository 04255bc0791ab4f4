"""Cards over HTTP: pages that follow one another, and the parts that were asked for."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.models import Card

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def cards(client: Client, **params: object) -> Any:
    answer = client.get("/api/v1/cards/", params)
    assert answer.status_code == 200, answer.content
    return answer.json()


def refused(client: Client, **params: object) -> dict[str, Any]:
    answer = client.get("/api/v1/cards/", params)
    assert answer.status_code == 400, answer.content
    (fault,) = answer.json()
    assert {"code", "message", "where"} <= set(fault) <= {"code", "message", "where", "suggestions"}
    return dict(fault)


def walk(client: Client, address: str, way: str = "next") -> list[list[str]]:
    """The keys on every page from an address on."""
    pages, link = [], address
    while link:
        found = client.get(link).json()
        pages.append([card["key"] for card in found["results"]])
        link = found[way]
    return pages


# -- pages -------------------------------------------------------------------------


@pytest.mark.both_databases
def test_following_next_gives_every_card_once_and_in_order(client: Client) -> None:
    pages = walk(client, "/api/v1/cards/?game=xfiles&page_size=100")
    expected = [
        f"xfiles/{code}"
        for code in Card.objects.current().in_game("xfiles").by_name().values_list("code", flat=True)
    ]
    assert [key for page in pages for key in page] == expected


def test_following_previous_leads_back_over_the_same_pages(client: Client) -> None:
    there, link = [], "/api/v1/cards/?game=spynet&page_size=10"
    while link:
        here, found = link, client.get(link).json()
        there.append([card["key"] for card in found["results"]])
        link = found["next"]
    assert walk(client, here, "previous") == there[::-1]


def test_pages_keep_the_query_and_its_parts(client: Client) -> None:
    found = cards(client, q="type:agent", game="spycraft", page_size=3, fields="name")
    onward = client.get(found["next"]).json()
    assert onward["count"] == found["count"]
    assert [list(card) for card in onward["results"]] == [["name"]] * 3


def test_the_first_page_has_no_previous_and_the_last_no_next(client: Client) -> None:
    found = cards(client, q="!kai")
    assert (found["previous"], found["next"]) == (None, None)


@pytest.mark.parametrize("order", ["", "order:-prints"])
def test_a_page_beyond_either_end_leads_back(client: Client, order: str) -> None:
    pages = walk(client, f"/api/v1/cards/?game=spynet&page_size=10&q={order}")
    beyond = cards(client, game="spynet", page_size=10, q=order, after=pages[-1][-1])
    assert (beyond["results"], beyond["next"]) == ([], None)
    assert [card["key"] for card in client.get(beyond["previous"]).json()["results"]] == [
        key for page in pages for key in page
    ][-10:]
    ahead = cards(client, game="spynet", page_size=10, q=order, before=pages[0][0])
    assert (ahead["results"], ahead["previous"]) == ([], None)
    assert [card["key"] for card in client.get(ahead["next"]).json()["results"]] == pages[0]


def test_an_empty_result_leads_nowhere(client: Client) -> None:
    found = cards(client, q="craft>900", before="end")
    assert (found["results"], found["next"], found["previous"]) == ([], None, None)


@pytest.mark.parametrize("name", ["after", "before"])
@pytest.mark.parametrize(
    "key",
    [
        "garbage",
        "spycraft/nobody",
        "\x00",
        "x" * 9_000,
    ],
)
def test_a_place_that_was_never_handed_out_is_refused(client: Client, name: str, key: str) -> None:
    assert refused(client, **{name: key})["where"] == name


def test_a_place_outside_the_results_is_refused_rather_than_begun_anew(client: Client) -> None:
    for name in ("after", "before"):
        assert (
            refused(client, game="xfiles", q="order:-cost", **{name: "spycraft/kai"})["code"] == "lost_cursor"
        )


def test_two_places_at_once_are_refused(client: Client) -> None:
    assert refused(client, after="spycraft/kai", before="spycraft/li")["code"] == "two_cursors"


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [("limit", "100000", ["page_size"]), ("cursor", "garbage", ["after"]), ("pagesize", "3", ["page_size"])],
)
def test_a_parameter_that_does_not_exist_is_refused_and_the_one_meant_is_named(
    client: Client, name: str, value: str, meant: list[str]
) -> None:
    fault = refused(client, **{name: value})
    assert (fault["code"], fault["where"], fault["suggestions"]) == ("unknown_parameter", name, meant)
    assert "q, game, fields" in fault["message"]


def test_page_numbers_are_refused_with_advice(client: Client) -> None:
    assert "next" in refused(client, page=2)["message"]


def test_a_page_needs_the_same_queries_whatever_its_size_and_depth(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    deep = client.get(cards(client, page_size=100)["next"]).json()["next"]
    with django_assert_max_num_queries(9):
        client.get(deep)
    with django_assert_max_num_queries(9):
        cards(client, page_size=2)


def test_prints_that_nobody_asked_for_are_not_read(client: Client) -> None:
    with CaptureQueriesContext(connection) as asked:
        cards(client, fields="name,facts")
    assert not [query["sql"] for query in asked if 'FROM "cardsdb_print"' in query["sql"]]


# -- slips -------------------------------------------------------------------------


def test_a_value_no_card_has_is_told_beside_what_was_meant(client: Client) -> None:
    found = cards(client, q="faction:krpyt", game="spycraft")
    assert found["count"] > 0 and found["understood"]["query"] == "faction:krypt"
    (problem,) = found["problems"]
    assert set(problem) == {"code", "message", "where", "suggestions"}
    assert (problem["code"], problem["where"]) == ("unknown-value", "columns 8-13")
    assert '"The Krypt"' in problem["suggestions"]


def test_a_name_no_card_has_is_told_with_the_names_like_it(client: Client) -> None:
    (problem,) = cards(client, q='!"Adam Razzir"')["problems"]
    assert any("Adam Razir" in one for one in problem["suggestions"])


def test_an_empty_result_that_was_meant_has_no_problems(client: Client) -> None:
    found = cards(client, q="craft>900")
    assert (found["count"], found["problems"]) == (0, [])


# -- parts -------------------------------------------------------------------------


def test_a_list_gives_what_it_always_gave(client: Client) -> None:
    (card,) = cards(client, q="!kai", game="spycraft")["results"]
    assert list(card) == ["key", "game", "code", "name", "type", "facts", "prints"]


def test_further_parts_may_be_included(client: Client) -> None:
    (card,) = cards(client, q="!kai", game="spycraft", include="prints,sources")["results"]
    assert list(card) == ["key", "game", "code", "name", "type", "facts", "prints", "sources"]
    assert card["sources"]["craft"]


def test_only_what_was_asked_for_is_given(client: Client) -> None:
    (card,) = cards(client, q="!kai", game="spycraft", fields="name,facts.craft,prints")["results"]
    assert list(card) == ["name", "facts", "prints"]
    assert list(card["facts"]) == ["craft"]


def test_parts_stand_in_one_order_however_they_are_asked_for(client: Client) -> None:
    answers = [
        client.get("/api/v1/cards/", {"q": "!kai", "fields": fields}).json()["results"]
        for fields in ("name,key,facts", "facts,key,name")
    ]
    assert (
        [list(card) for card in answers[0]]
        == [list(card) for card in answers[1]]
        == [["key", "name", "facts"]]
    )


def test_facts_stand_in_the_order_the_game_declares(client: Client) -> None:
    from cardsdb.games import games

    declared = [fact.key for fact in games()["spycraft"].facts]
    for card in cards(client, game="spycraft", page_size=100)["results"]:
        assert list(card["facts"]) == [key for key in declared if key in card["facts"]]


def test_a_part_of_each_print_may_be_picked(client: Client) -> None:
    (card,) = cards(client, q="!kai", game="spycraft", fields="prints.set,prints.number")["results"]
    assert card["prints"] and all(list(one) == ["set", "number"] for one in card["prints"])


def test_a_fact_nobody_states_is_absent_even_when_asked_for(client: Client) -> None:
    found = cards(client, q="type:mission", game="spycraft", fields="facts.craft")
    assert found["results"] and all(card == {"facts": {}} for card in found["results"])


def test_a_single_card_may_be_asked_for_in_parts(client: Client) -> None:
    assert list(client.get("/api/v1/cards/spycraft/kai/?fields=name,sources.craft").json()) == [
        "name",
        "sources",
    ]


@pytest.mark.parametrize("name", ["fields", "include"])
@pytest.mark.parametrize(
    "value",
    ["nmae", "facts.", "facts.nothing", "__class__", "x" * 500],
)
def test_a_part_that_does_not_exist_is_refused_by_name(client: Client, name: str, value: str) -> None:
    fault = refused(client, **{name: value})
    assert (fault["code"], fault["where"]) == ("unknown_field", name)
    assert value[:40] in fault["message"]


def test_a_fact_asked_for_as_a_part_is_told_by_its_whole_name(client: Client) -> None:
    fault = refused(client, fields="craft")
    assert "facts.craft" in fault["message"].partition("There are")[0]
    assert fault["suggestions"][0] == "facts.craft"


def test_the_refusal_names_what_there_is(client: Client) -> None:
    assert "key, game, code, name" in refused(client, fields="nmae")["message"]
    assert "facts.craft" in refused(client, fields="facts.crfat", game="spycraft")["message"]


@pytest.mark.parametrize("value", ["name," * 61, "n" * 1_001])
def test_the_list_of_parts_is_bounded(client: Client, value: str) -> None:
    assert refused(client, fields=value)["code"] in ("too_many", "too_long")


@pytest.mark.parametrize(("path", "part"), [("games/", "slug"), ("sets/", "known"), ("rules/", "lines")])
def test_other_lists_take_parts_too(client: Client, path: str, part: str) -> None:
    assert {tuple(one) for one in client.get(f"/api/v1/{path}?fields={part}").json()["results"]} == {(part,)}
    assert client.get(f"/api/v1/{path}?fields=nothing").status_code == 400
