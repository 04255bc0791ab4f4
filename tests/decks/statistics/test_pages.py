"""The pages of a deck's numbers, and the same over HTTP: open to who may see the deck, and to nobody else."""

from __future__ import annotations

import json
from math import comb
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from decks.models import Deck
from tests.support.pages import page

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

PAGES = ("/decks/{}/numbers/", "/decks/{}/numbers/odds/?a=t:agent", "/decks/{}/numbers/hands/?seed=a")
ADDRESSES = (*PAGES, *(address.replace("/decks/", "/api/v1/decks/") for address in PAGES))


def made(client: Client, game: str, text: str, visibility: str = "unlisted") -> Deck:
    answer = client.post(
        "/decks/new/", {"game": game, "name": "Dragons", "text": text, "visibility": visibility}
    )
    assert answer.status_code == 302, answer.content.decode()[:2000]
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def starter(client: Client, game: str, slug: str) -> Deck:
    found = next(one for one in games()[game].starters if one.slug == slug)
    body = json.dumps(
        {
            "game": game,
            "name": found.name,
            "text": found.text,
            "format": found.format,
            "visibility": "unlisted",
        }
    )
    return Deck.objects.get(
        link=client.post("/api/v1/decks/", body, content_type="application/json").json()["id"]
    )


def odds(client: Client, deck: Deck, **asked: Any) -> Any:
    return client.get(f"/api/v1/decks/{deck.link}/numbers/odds/?{urlencode(asked, doseq=True)}")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_private_deck_has_no_numbers_for_strangers(client: Client, agency_text: str, address: str) -> None:
    deck = made(client, "spycraft", agency_text, visibility="private")
    assert Client().get(address.format(deck.link)).status_code == 404
    if "api" not in address:
        assert client.get(address.format(deck.link)).status_code == 200


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_unlisted_deck_has_numbers_for_whoever_has_the_link(
    client: Client, agency_text: str, address: str
) -> None:
    deck = made(client, "spycraft", agency_text)
    assert Client().get(address.format(deck.link)).status_code == 200


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_every_ready_deck_of_every_game_has_its_pages(client: Client, game: Any) -> None:
    for one in game.starters[:4]:
        deck = starter(client, game.slug, one.slug)
        for address in PAGES:
            answer = client.get(address.format(deck.link))
            assert answer.status_code == 200, (one.slug, address)
            assert " style=" not in answer.content.decode()


def test_the_page_shows_the_same_values_as_the_api(client: Client, agency_text: str) -> None:
    deck = made(client, "spycraft", agency_text)
    shown = page(client, f"/decks/{deck.link}/numbers/").all("section", class_="statistics-part")
    tables = client.get(f"/api/v1/decks/{deck.link}/numbers/").json()["tables"]
    assert [part.one(class_="statistics-title").all("p")[0].text for part in shown] == [
        table["title"] for table in tables
    ]
    for part, table in zip(shown, tables, strict=True):
        if table["title"] == "Cards by type":
            assert [part.row(row["label"])[0].text for row in table["rows"]] == [
                str(row["cells"][0]) for row in table["rows"]
            ]
            break
    else:
        raise AssertionError("no table of types")


def test_every_picture_has_its_table_and_says_nothing_of_its_own(client: Client, agency_text: str) -> None:
    deck = made(client, "spycraft", agency_text)
    bars = page(client, f"/decks/{deck.link}/numbers/").all("svg", class_="bar")
    assert bars and all(bar["aria-hidden"] == "true" for bar in bars)


def test_a_secret_x_file_is_counted_for_its_owner_alone(client: Client) -> None:
    deck = made(
        client,
        "xfiles",
        "X-File:\n1 Duane Barry\nStarting Agents:\n1 Agent Fox Mulder\nBureau:\n2 Newark, NJ",
    )
    for visitor, known in ((client, False), (Client(), True)):
        assert ("keeps secret" in page(visitor, f"/decks/{deck.link}/numbers/").main.text) is known
    for address in ADDRESSES:
        assert "Duane Barry" not in Client().get(address.format(deck.link)).content.decode()
    assert Client().get(f"/decks/{deck.link}/numbers/odds/?a_card=duane-barry").status_code == 400


def test_a_partner_is_counted_only_for_those_who_may_see_it(client: Client, agency_text: str) -> None:
    missions = next(one.text for one in games()["spycraft"].starters if one.slug == "mission-deck-base")
    deck, partner = (
        made(client, "spycraft", agency_text),
        made(client, "spycraft", missions, visibility="private"),
    )
    Deck.objects.filter(pk=deck.pk).update(partner=partner)
    for visitor, seen in ((client, True), (Client(), False)):
        titles = [
            shown.table.title for shown, _, _ in visitor.get(f"/decks/{deck.link}/numbers/").context["tables"]
        ]
        assert ("Team and missions" in titles) is seen


@pytest.mark.parametrize(("address", "most"), [(PAGES[0], 12), (PAGES[1], 14), (PAGES[2], 12)])
def test_a_large_deck_costs_no_more_queries_than_a_small_one(
    client: Client, agency_text: str, address: str, most: int
) -> None:
    counts = []
    for text in ("1 Kai\n1 Termite", agency_text):
        deck = made(client, "spycraft", text)
        client.get(address.format(deck.link))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(address.format(deck.link))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= most


# -- odds ------------------------------------------------------------------------------------


def test_odds_are_exact_and_drawn_from_the_opening_hand(client: Client) -> None:
    deck = starter(client, "xfiles", "deck-mulder")
    found = odds(client, deck, a="t:site").json()
    assert (found["total"], found["drawn"], found["kinds"]["a"]["size"]) == (60, 7, 15)
    numerator, denominator = found["kinds"]["a"]["chance"]["exact"].split("/")
    assert int(numerator) * comb(60, 7) == int(denominator) * (comb(60, 7) - comb(45, 7))
    assert [turn["seen"] for turn in found["turns"][:3]] == [7, 8, 9]


def test_two_kinds_that_overlap_are_not_counted_twice(client: Client, agency_text: str) -> None:
    deck = made(client, "spycraft", agency_text)
    found = odds(client, deck, a="t:agent", b="t:agent", draw=3).json()
    assert found["together"] == found["kinds"]["a"]["chance"] == found["kinds"]["b"]["chance"]


def test_ticked_cards_join_those_that_the_query_finds(client: Client) -> None:
    deck = made(client, "spycraft", "3 Kai\n2 Termite\n1 Glock 17")
    found = odds(client, deck, a="t:gear", a_card=["kai"], draw=2).json()["kinds"]["a"]
    assert {card["name"] for card in found["cards"]} == {"Kai", "Glock 17"}
    assert (found["size"], found["words"]) == (4, "type is Gear or 1 ticked card")


def test_a_card_written_in_is_ticked_since_no_search_finds_it(client: Client) -> None:
    deck = starter(client, "steamspy", "worked-cell")
    form = page(client, f"/decks/{deck.link}/numbers/odds/").one("form", class_="odds-form")
    assert "written in by its author; tick those" in form.text
    code = form.all("input", name="a_card")[0]["value"]
    assert odds(client, deck, a_card=code).json()["kinds"]["a"]["size"] == 1


def test_a_query_finds_the_same_cards_without_the_index(
    client: Client, agency_text: str, settings: Any, tmp_path: Any
) -> None:
    deck = made(client, "spycraft", agency_text)
    with_index = odds(client, deck, a="expense>=5 -t:leader").json()
    settings.VAR_DIR = tmp_path
    assert odds(client, deck, a="expense>=5 -t:leader").json() == with_index


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"a": "nonsense:3"}, "a"),
        ({"a": "order:name"}, "a"),
        ({"a": "t:agent", "b": "foo>1"}, "b"),
        ({"draw": 0}, "draw"),
        ({"draw": 61}, "draw"),
        ({"draw": 60}, "draw"),
        ({"draw": "many"}, "draw"),
        ({"a": "t:agent", "a_count": 21}, "a_count"),
        ({"a": "t:agent", "a_count": -1}, "a_count"),
        ({"a": "t:agent", "a_is": "about"}, "a_is"),
        ({"a_card": "no-such-card"}, "a_card"),
        ({"a": "x" * 201}, "a"),
        ({"pile": "cellar"}, "pile"),
    ],
)
def test_what_cannot_be_reckoned_is_said_beside_its_field(
    client: Client, asked: dict[str, Any], where: str
) -> None:
    deck = made(client, "spycraft", "3 Kai\n2 Termite")
    answer = odds(client, deck, **asked)
    assert (answer.status_code, [fault["where"] for fault in answer.json()]) == (400, [where])
    refused = page(client, f"/decks/{deck.link}/numbers/odds/?{urlencode(asked)}", status=400)
    assert refused.one(class_="error-summary").links == [f"#id_{where}"]
    assert refused.has(id=f"id_{where}")


def test_what_was_typed_is_kept_beside_the_fault_and_is_no_markup(client: Client) -> None:
    deck = made(client, "spycraft", "3 Kai")
    typed = '"><script>:3'
    refused = page(client, f"/decks/{deck.link}/numbers/odds/", {"a": typed, "a_count": "2"}, status=400)
    assert (refused.field("a").value, refused.field("a_count").value) == (typed, "2")
    assert all(script.get("src") for script in refused.all("script"))


def test_a_format_without_cards_to_draw_says_so(client: Client) -> None:
    text = "Mission 1: 12\nTotal: 12"
    body = json.dumps(
        {"game": "agentdecker", "format": "score", "name": "Sheet", "text": text, "visibility": "unlisted"}
    )
    link = client.post("/api/v1/decks/", body, content_type="application/json").json()["id"]
    assert "no odds to reckon" in page(client, f"/decks/{link}/numbers/odds/").one(class_="empty").text
    assert "nothing to count yet" in page(client, f"/decks/{link}/numbers/").one(class_="empty").text
    assert client.get(f"/api/v1/decks/{link}/numbers/odds/").json()[0]["code"] == "nothing_to_draw"
    assert client.get(f"/decks/{link}/numbers/hands/?seed=a").status_code == 200


# -- hands -----------------------------------------------------------------------------------


def test_without_a_seed_a_new_one_is_given_in_the_address(client: Client, agency_text: str) -> None:
    deck = made(client, "spycraft", agency_text)
    answers = [client.get(f"/decks/{deck.link}/numbers/hands/") for _ in range(2)]
    assert all(answer.status_code == 302 and "?seed=" in answer["Location"] for answer in answers)
    assert answers[0]["Location"] != answers[1]["Location"]


def test_the_same_seed_shows_everybody_the_same_hand(client: Client, agency_text: str) -> None:
    deck = made(client, "spycraft", agency_text)
    address = f"/api/v1/decks/{deck.link}/numbers/hands/?seed=friday&turns=2"
    mine, theirs = client.get(address).json(), Client().get(address).json()
    assert mine == theirs
    (pile,) = mine["piles"]
    assert [(part["turn"], len(part["cards"])) for part in pile["drawn"]] == [(0, 7), (1, 5), (2, 5)]
    hand = page(client, f"/decks/{deck.link}/numbers/hands/?seed=friday").one("ul", class_="hand")
    assert [card.text for card in hand.all("a", class_="name")] == [
        card["name"] for card in pile["drawn"][0]["cards"]
    ]


def test_a_mulligan_is_offered_only_where_a_source_knows_one(client: Client, agency_text: str) -> None:
    spycraft, xfiles = made(client, "spycraft", agency_text), starter(client, "xfiles", "deck-mulder")
    assert "?seed=a&mulligans=1" in page(client, f"/decks/{spycraft.link}/numbers/hands/?seed=a").links
    without = page(client, f"/decks/{xfiles.link}/numbers/hands/?seed=a").main
    assert not any("mulligans" in href for href in without.links)
    assert without.has("p", text="No source we cite states a mulligan, so none is offered.")
    given_back = client.get(f"/api/v1/decks/{xfiles.link}/numbers/hands/?seed=a&mulligans=1").json()["piles"]
    assert given_back == client.get(f"/api/v1/decks/{xfiles.link}/numbers/hands/?seed=a").json()["piles"]


@pytest.mark.parametrize(
    "query",
    ["seed=a b", "seed=" + "a" * 41, "seed=a&turns=13", "seed=a&turns=-1", "seed=a&mulligans=2", "seed=é"],
)
def test_an_address_that_asks_for_no_hand_says_why(client: Client, agency_text: str, query: str) -> None:
    deck = made(client, "spycraft", agency_text)
    for base in ("/decks", "/api/v1/decks"):
        assert client.get(f"{base}/{deck.link}/numbers/hands/?{query}").status_code == 400


def test_a_game_that_declares_nothing_has_all_three_pages(client: Client, sixth_game: Any) -> None:
    from cardsdb.catalogue.loader import load

    load(sixth_game)
    deck = made(client, "deaddrop", "2 Zorka\n1 Sealed Box")
    pages = [page(client, address.format(deck.link).replace("t:agent", "t:courier")) for address in PAGES]
    assert "Trieste" in pages[0].main.text
    assert pages[1].context["odds"].kinds[0].size == 2
