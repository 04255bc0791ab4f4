"""The cards that a deck or a starter lacks of a collection, and the decks that can be built at the
same time.
"""

from datetime import UTC, datetime
from itertools import combinations

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.collection.deck_views import MAX_TRIED, most_together, scarce
from decks.models import Deck
from tests.support.collected import held, note
from tests.support.made_decks import make_deck
from tests.support.pages import page

# Card -> copies.
COPIES = st.dictionaries(st.sampled_from("abcde"), st.integers(1, 4))


def test_a_card_is_scarce_if_several_decks_compete_for_it_or_one_deck_lacks_it():
    found = scarce({"one": {"kai": 2, "recon": 1}, "two": {"kai": 1, "bait": 1}}, {"kai": 2, "bait": 1})
    assert [(card.key, card.wants, card.missing) for card in found] == [
        ("kai", (("one", 2), ("two", 1)), 1),
        ("recon", (("one", 1),), 1),
    ]


@given(st.dictionaries(st.sampled_from(["one", "two", "three", "four", "five"]), COPIES), COPIES)
def test_the_largest_selection_that_can_be_built_at_once_is_found(decks, owned):
    found = most_together(decks, owned)
    possible = [
        chosen
        for size in range(len(decks) + 1)
        for chosen in combinations(decks, size)
        if not scarce({deck: decks[deck] for deck in chosen}, owned)
    ]
    assert found in possible
    assert len(found) == max(map(len, possible))


def test_more_decks_than_can_be_tried_give_no_selection():
    assert most_together({str(n): {} for n in range(MAX_TRIED + 1)}, {}) is None


# -- pages


def together(client, *links, **asked):
    """The context of the page on which these decks are ticked to be built together."""
    return client.get("/collection/decks/", {"deck": links, **asked}).context


def own(context) -> dict[str, int]:
    """Name -> number of missing cards, for the visitor's decks on that page."""
    (rows,) = [rows for _, field, rows in context["tables"] if field == "deck"]
    return {row["name"]: row["missing"] for row in rows}


@pytest.mark.django_db
def test_a_deck_lists_what_it_lacks_and_all_of_it_can_be_noted_as_owned(client):
    note(client, "1")
    made = make_deck(client, "3 Kai\n2 Bait", visibility="public")
    deck = f"/decks/{made.link}/missing/"
    context = client.get(deck).context
    assert {card.code: lacking for card, _, _, lacking in context["rows"]} == {"bait": 2, "kai": 2}
    assert sorted(context["text"].split("\n")) == ["", "2 Bait", "2 Kai"]
    assert Client().get(deck).context["missing"] == 5, "compared with the visitor's own collection"
    client.post(deck)
    assert held() == [("bait", "", 2), ("kai", "", 3)]
    assert client.get(deck).context["missing"] == 0


@pytest.mark.django_db
def test_decks_that_compete_for_a_card_cannot_be_built_together(client):
    note(client, "3")
    one, two = (make_deck(client, text, name=text) for text in ("2 Kai", "2 Kai\n1 Recon"))
    context = together(client, one.link, two.link)
    assert own(context) == {"2 Kai": 0, "2 Kai 1 Recon": 1} and len(context["together"]) == 1
    (title, contested), (_, lacking) = context["scarce"]
    assert title == "Where they get in each other’s way"
    assert [(row["name"], row["scarce"].missing) for row in contested] == [("Kai", 1)]
    assert [(row["name"], row["wants"]) for row in lacking] == [("Recon", [(two.name, 1)])]
    alone = together(client, two.link)["scarce"]
    assert [title for title, _ in alone] != [title, title], "a single deck competes with no other"
    stranger = together(Client(), one.link)
    assert (own(stranger), stranger["chosen"]) == ({}, []), "decks of others cannot be chosen"


@pytest.mark.django_db
def test_decks_of_the_same_name_are_told_apart_by_their_dates(client):
    for day, (name, text) in enumerate((("Dragons", "2 Kai"), ("Dragons", "3 Kai"), ("Others", "1 Kai")), 1):
        made = make_deck(client, text, name=name, format="agency")
        Deck.objects.filter(pk=made.pk).update(changed=datetime(2024, 5, day, 9, 30, tzinfo=UTC))
    links = list(Deck.objects.order_by("pk").values_list("link", flat=True))
    ((_, (kai,)),) = together(client, *links)["scarce"]
    assert kai["wants"] == [
        ("Dragons (1 May 2024, 09:30 UTC)", 2),
        ("Dragons (2 May 2024, 09:30 UTC)", 3),
        ("Others", 1),
    ]


# -- starters

TIGER = "/collection/starters/spycraft/nine-tiger/"


@pytest.mark.django_db
def test_starters_are_listed_with_the_one_that_lacks_least_first(client):
    game = games()["spycraft"]
    starter = next(starter for starter in game.starters if starter.slug == "nine-tiger")
    first = next(entry for entry in read_deck(game, starter.text).deck if not entry.card.written)
    note(client, "1", card=first.card.key)
    row = page(client, "/collection/decks/").one("table").all("tr")[1]
    assert (row.one("label").text, row.one("td", class_="num").text) == (starter.name, "1 of 59")
    assert row.link("58 missing") == TIGER


@pytest.mark.django_db
def test_a_starter_can_be_noted_as_owned_and_competes_with_own_decks(client):
    assert "59 are missing" in page(client, TIGER).text
    assert client.post(TIGER)["Location"] == TIGER
    assert "You own every card of it." in page(client, TIGER).text
    assert sum(count for *_, count in held()) == 59
    deck = make_deck(client, "1 Kai")
    ((title, rows),) = together(client, deck.link, starter="spycraft/nine-tiger")["scarce"]
    assert title == "Where they get in each other’s way" and [row["name"] for row in rows] == ["Kai"]


@pytest.mark.django_db
def test_an_unknown_starter_is_404_and_cannot_be_ticked(client):
    for address in ("spycraft/none", "chess/nine-tiger"):
        assert client.get(f"/collection/starters/{address}/").status_code == 404
        assert together(client, starter=address)["chosen"] == []
