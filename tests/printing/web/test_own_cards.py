"""Own cards in decks: added, judged and printed like other cards, kept if they are deleted, and shown to
others only as their set allows. These tests go through cardsdb.box.sets, decks.editor and printing.web.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from cardsdb.box.card_form import typed_of
from cardsdb.box.sets import change_set, delete_set, save_card
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard
from decks.models import Deck
from tests.support.answers import body, words
from tests.support.made_decks import named_deck
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
LIST = "2 Kai\n3 Brass Falcon\n"
SECRET = f"{CANARY}: hide it."


def falcon(viewer: Viewer, visibility: str = "private") -> OwnCard:
    """An own card with a text and a fact that have the word CANARY, which other viewers must not see."""
    return own_card(own_set(viewer, visibility=visibility), craft="9", faction=CANARY)


def pressed(client: Client, deck: Deck, **data: str):
    """Press a button of the deck's editor."""
    return client.post(f"/decks/{deck.link}/edit/", data)


def lines_of(deck: Deck) -> list[tuple[int, str, dict[str, Any]]]:
    """(count, card code, facts) of the deck's entries, as they are stored."""
    stored = Deck.objects.with_cards().get(pk=deck.pk).decklist()
    return [(entry.count, entry.card.code, dict(entry.card.facts)) for entry in stored]


def read(client: Client, address: str) -> str:
    """All words of the page or PDF at this address."""
    return words(body(client.get(address)))


# -- added to decks -----------------------------------------------------------------------


def test_an_own_card_is_found_and_added_in_the_editor_and_added_from_its_page(ada, viewer):
    deck, card = named_deck(ada, "Balloons", "2 Kai\n"), falcon(viewer)
    assert CANARY in page(ada, f"/decks/{deck.link}/edit/?q=falcon&peek={card.code}").text
    pressed(ada, deck, edit=f"+1 deck {card.code} found")
    pressed(ada, deck, edit="add", q="2 brass falcon")
    ada.post(f"/cards/spycraft/{card.code}/add/", {"deck": deck.link})
    assert lines_of(deck)[1] == (4, card.code, {"craft": 9, "faction": CANARY})


def test_an_own_card_in_a_list_is_read_by_name_and_written_back_unchanged(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    before = lines_of(deck)
    assert before[1][:2] == (3, card.code)
    form = ada.get(f"/decks/{deck.link}/edit/text/").context["form"].initial
    assert ada.post(f"/decks/{deck.link}/edit/text/", form).status_code == 302
    assert lines_of(deck) == before


def test_an_own_card_is_judged_by_its_facts(ada, viewer, agency_text):
    """A legal deck stays legal if a leader is replaced by an own copy, but not by a copy of another
    faction.
    """
    leader = next(
        entry.card for entry in read_deck(SPYCRAFT, agency_text).deck if entry.card.type == "leader"
    )
    typed = typed_of(SPYCRAFT, leader)
    save_card(own_set(viewer), SPYCRAFT, typed._replace(name="Tin Boss"))
    other = {**typed.facts, "faction": CANARY}
    save_card(own_set(viewer), SPYCRAFT, typed._replace(name="Tin Bosses", facts=other))
    for boss, legal in ((leader.name, True), ("Tin Boss", True), ("Tin Bosses", False)):
        deck = named_deck(ada, boss, agency_text.replace(leader.name, boss))
        assert (deck.verdict == "legal") is legal, boss


def test_a_deck_keeps_an_own_card_as_it_was_until_it_is_added_again(ada, viewer):
    card = falcon(viewer)
    deck = named_deck(ada, "Balloons", "1 Brass Falcon\n")
    before = lines_of(deck)
    ada.post(f"/own/cards/{card.code}/change/", {"name": "Brass Falcon", "type": "agent", "fact-craft": "4"})
    assert lines_of(deck) == before
    pressed(ada, deck, edit=f"+1 deck {card.code}")
    assert lines_of(deck) == [(2, card.code, {"craft": 4})]
    delete_set(OwnCard.objects.select_related("in_set__box").get().in_set)
    for part in ("", "edit/", "history/"):
        assert ada.get(f"/decks/{deck.link}/{part}").status_code == 200, part
    assert ada.get(f"/print/sheets.pdf?deck={deck.link}").status_code == 200
    pressed(ada, deck, edit=f"-1 deck {card.code}")
    assert lines_of(deck) == [(1, card.code, {"craft": 4})]


def test_another_viewers_own_card_cannot_be_added_to_a_deck(bob, viewer):
    card, deck = falcon(viewer, "public"), named_deck(bob, "Bob's", "2 Kai\n")
    pressed(bob, deck, edit=f"+1 deck {card.code} found")
    pressed(bob, deck, edit="add", q="2 brass falcon")
    assert len(lines_of(deck)) == 1


# -- printed, and shown to others ----------------------------------------------------------


def test_an_own_card_is_printed_with_its_text(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    for query in (f"deck={deck.link}", f"card=2.spycraft/{card.code}"):
        assert SECRET in read(ada, f"/print/sheets.pdf?{query}"), query
    pasted = {"game": "spycraft", "text": "1 Brass Falcon"}
    assert SECRET in words(body(ada.post("/print/sheets.pdf", pasted)))


@pytest.mark.both_databases
def test_others_print_an_own_card_with_its_text_only_if_its_set_is_shared(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    assert SECRET not in read(Client(), f"/print/sheets.pdf?deck={deck.link}")
    change_set(card.in_set, {"name": "Balloons", "visibility": "unlisted"})
    assert SECRET in read(Client(), f"/print/sheets.pdf?deck={deck.link}")
    answer = Client().get(f"/cards/spycraft/{card.code}/face.svg")
    assert answer.status_code == 200 and "private" in answer["Cache-Control"]
    assert "Cutout-Offline" not in answer


def test_a_viewer_who_sees_only_the_name_of_a_card_gets_no_repair(ada, viewer):
    falcon(viewer)
    deck = named_deck(ada, "Balloons", "9 Brass Falcon\n99 Kai\n")
    deck = Deck.objects.with_cards().get(pk=deck.pk)
    repairs = {
        who: [view.repair for view in deck.judged_for(who, SPYCRAFT).violation_views() if view.repair]
        for who in (viewer, Viewer())
    }
    assert repairs[viewer] and not repairs[Viewer()]


def test_a_fork_has_no_facts_of_a_card_that_its_maker_may_not_see(ada, bob, viewer):
    falcon(viewer)
    deck = named_deck(ada, "Balloons", "1 Brass Falcon\n")
    bob.post(f"/decks/{deck.link}/fork/")
    fork = Deck.objects.exclude(pk=deck.pk).get()
    assert [(count, facts) for count, _, facts in lines_of(fork)] == [(1, {})]


# -- in lists and suggestions, for their owner alone ----------------------------------------


def answers_to_lists(client: Client) -> Iterator[str]:
    """The words of every page that reads a pasted list without storing it."""
    for address in ("/check/", "/check/verdict/", "/check/repairs/"):
        yield words(body(client.post(address, {"game": "spycraft", "text": LIST})))
    yield words(body(client.post("/decks/import/", {"game": "spycraft", "pasted": LIST})))
    posted = {"text": LIST, "game": "spycraft", "format": "", "house": "", "repair": False}
    yield words(body(client.post("/api/v1/decks/validate", posted, content_type="application/json")))


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_pasted_lists_may_name_own_cards_but_not_those_of_others(ada, bob, viewer, visibility):
    falcon(viewer, visibility)
    for answer in answers_to_lists(ada):
        for refusal in ("unknown_card", "No card is called", "could not be read"):
            assert refusal not in answer
    for other in (bob, Client()):
        assert not any(CANARY in answer or "own_" in answer for answer in answers_to_lists(other))


def test_a_checked_list_is_stored_with_its_own_card(ada, viewer):
    card = falcon(viewer)
    ada.post("/check/save/", {"game": "spycraft", "text": LIST}, headers={"Origin": "http://testserver"})
    assert (3, card.code) in [(count, code) for count, code, _ in lines_of(Deck.objects.get())]


def test_names_of_own_cards_are_suggested_to_their_owner_alone(ada, bob, viewer):
    falcon(viewer, "public")
    misspelt = {"game": "spycraft", "text": "3 Brass Falkon\n"}
    answer = ada.get("/search/saved/own/")
    suggested = {"name": "Brass Falcon", "query": '!"Brass Falcon"', "game": "Spycraft"}
    assert answer.json()["cards"] == [suggested]
    assert "no-store" in answer["Cache-Control"] and "private" in answer["Cache-Control"]
    assert "Put Brass Falcon into line 1" in words(body(ada.post("/check/", misspelt)))
    for other in (bob, Client()):
        assert other.get("/search/saved/own/").json()["cards"] == []
        assert "Brass Falcon" not in words(body(other.post("/check/", misspelt)))
    assert CANARY not in read(ada, "/search/suggest/?q=brass")
