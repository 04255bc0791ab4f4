"""Own cards in decks: put in, judged, printed and exported like others; kept when they are gone; shown to
others as their set says. A journey through cardsdb.box.sets, decks.editor and printing.web.
"""

from __future__ import annotations

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
    """A card whose text and one of whose facts have the word that nobody else may see."""
    return own_card(own_set(viewer, visibility=visibility), craft="9", faction=CANARY)


def pressed(client: Client, deck: Deck, **data: str) -> Any:
    return client.post(f"/decks/{deck.link}/edit/", data)


def lines_of(deck: Deck) -> list[tuple[int, str, dict[str, Any]]]:
    stored = Deck.objects.with_cards().get(pk=deck.pk).decklist()
    return [(entry.count, entry.card.code, dict(entry.card.facts)) for entry in stored]


def read(client: Client, address: str) -> str:
    return words(body(client.get(address)))


# -- put into decks -----------------------------------------------------------------------


def test_ones_own_card_is_found_in_the_editor_and_put_in_there_and_from_its_page(ada, viewer):
    deck, card = named_deck(ada, "Balloons", "2 Kai\n"), falcon(viewer)
    assert CANARY in page(ada, f"/decks/{deck.link}/edit/?q=falcon&peek={card.code}").text
    pressed(ada, deck, edit=f"+1 deck {card.code} found")
    pressed(ada, deck, edit="add", q="2 brass falcon")
    ada.post(f"/cards/spycraft/{card.code}/add/", {"deck": deck.link})
    assert lines_of(deck)[1] == (4, card.code, {"craft": 9, "faction": CANARY})


def test_a_list_names_it_and_its_text_is_read_again_as_the_same_card(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    before = lines_of(deck)
    assert before[1][:2] == (3, card.code)
    form = ada.get(f"/decks/{deck.link}/edit/text/").context["form"].initial
    assert ada.post(f"/decks/{deck.link}/edit/text/", form).status_code == 302
    assert lines_of(deck) == before


def test_it_is_judged_by_its_facts_as_any_card_is(ada, viewer, agency_text):
    """A legal deck stays legal when a card of it is replaced by one's own copy, and not by one that costs
    more than its leaders allow.
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


def test_a_deck_keeps_a_card_that_is_changed_or_deleted_and_takes_the_change_when_it_is_put_in_anew(
    ada, viewer
):
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


def test_nobody_elses_card_goes_into_a_deck_by_its_code_or_name(bob, viewer):
    card, deck = falcon(viewer, "public"), named_deck(bob, "Bob's", "2 Kai\n")
    pressed(bob, deck, edit=f"+1 deck {card.code} found")
    pressed(bob, deck, edit="add", q="2 brass falcon")
    assert len(lines_of(deck)) == 1


# -- printed, exported, shown to others ----------------------------------------------------


def test_its_face_has_its_text_on_ones_own_sheets_of_decks_cards_and_lists(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    for asked in (f"deck={deck.link}", f"card=2.spycraft/{card.code}"):
        assert SECRET in read(ada, f"/print/sheets.pdf?{asked}"), asked
    pasted = {"game": "spycraft", "text": "1 Brass Falcon"}
    assert SECRET in words(body(ada.post("/print/sheets.pdf", pasted)))


@pytest.mark.both_databases
def test_a_deck_that_others_open_has_a_shared_card_with_facts_and_text(ada, viewer):
    card, deck = falcon(viewer), named_deck(ada, "Balloons", LIST)
    assert SECRET not in read(Client(), f"/print/sheets.pdf?deck={deck.link}")
    change_set(card.in_set, {"name": "Balloons", "visibility": "unlisted"})
    assert SECRET in read(Client(), f"/print/sheets.pdf?deck={deck.link}")
    answer = Client().get(f"/cards/spycraft/{card.code}/face.svg")
    assert answer.status_code == 200 and "private" in answer["Cache-Control"]
    assert "Cutout-Offline" not in answer


def test_no_repair_is_tried_on_names_alone(ada, viewer):
    falcon(viewer)
    deck = named_deck(ada, "Balloons", "9 Brass Falcon\n99 Kai\n")
    deck = Deck.objects.with_cards().get(pk=deck.pk)
    repairs = {
        who: [view.repair for view in deck.judged_for(who, SPYCRAFT).violation_views() if view.repair]
        for who in (viewer, Viewer())
    }
    assert repairs[viewer] and not repairs[Viewer()]


def test_a_fork_has_of_a_private_card_what_its_maker_may_see(ada, bob, viewer):
    falcon(viewer)
    deck = named_deck(ada, "Balloons", "1 Brass Falcon\n")
    bob.post(f"/decks/{deck.link}/fork/")
    fork = Deck.objects.exclude(pk=deck.pk).get()
    assert [(count, facts) for count, _, facts in lines_of(fork)] == [(1, {})]


# -- known in lists and suggestions, to their owner alone -----------------------------------


def answers_to_lists(client: Client) -> Iterator[str]:
    """Every page that reads a pasted list without storing it."""
    for address in ("/check/", "/check/verdict/", "/check/repairs/"):
        yield words(body(client.post(address, {"game": "spycraft", "text": LIST})))
    yield words(body(client.post("/decks/import/", {"game": "spycraft", "pasted": LIST})))
    posted = {"text": LIST, "game": "spycraft", "format": "", "house": "", "repair": False}
    yield words(body(client.post("/api/v1/decks/validate", posted, content_type="application/json")))


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_pasted_lists_name_ones_own_cards_and_nobody_elses(ada, bob, viewer, visibility):
    falcon(viewer, visibility)
    for answer in answers_to_lists(ada):
        for said in ("unknown_card", "No card is called", "could not be read"):
            assert said not in answer
    for other in (bob, Client()):
        assert not any(CANARY in answer or "own_" in answer for answer in answers_to_lists(other))


def test_a_checked_list_is_kept_with_ones_own_card(ada, viewer):
    card = falcon(viewer)
    ada.post("/check/save/", {"game": "spycraft", "text": LIST}, headers={"Origin": "http://testserver"})
    assert (3, card.code) in [(count, code) for count, code, _ in lines_of(Deck.objects.get())]


def test_names_of_ones_own_are_suggested_to_their_owner_alone(ada, bob, viewer):
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
