"""The numbers of a deck: odds are exact, and what cannot be calculated is reported; a visitor's own texts are
counted by the game's verbs, for that visitor alone.
"""

from functools import partial
from math import comb
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.box.texts import save_text
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from decks.statistics.numbers import TITLE, table_of_texts
from tests.support.made_decks import made, make_deck, starter
from tests.support.own_sets import own_card, own_set
from tests.support.pages import Page, page
from tests.support.queries import queries_of

# SQLite is enough here: tests/house/test_permissions.py asks for each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SPYCRAFT = games()["spycraft"]


def odds(client, deck: Deck, **asked):
    """The answer of the API to this request for odds."""
    return client.get(f"/api/v1/decks/{deck.link}/numbers/odds/?{urlencode(asked, doseq=True)}")


def odds_page(client, text, **asked) -> Page:
    return page(client, f"/decks/{made(client, text).link}/numbers/odds/", asked)


def test_odds_are_exact_and_start_from_the_opening_hand(client):
    deck = made(client, starter("xfiles", "deck-mulder"), "xfiles")
    found = odds(client, deck, a="t:site").json()
    assert (found["total"], found["drawn"], found["kinds"]["a"]["size"]) == (60, 7, 15)
    # The chance that not all of 7 cards are among the 45 of 60 that are no sites.
    numerator, denominator = found["kinds"]["a"]["chance"]["exact"].split("/")
    assert int(numerator) * comb(60, 7) == int(denominator) * (comb(60, 7) - comb(45, 7))
    assert [turn["seen"] for turn in found["turns"][:3]] == [7, 8, 9]


def test_cards_of_both_kinds_are_counted_once_and_ticked_cards_are_added_to_those_found(client):
    deck = made(client, "3 Kai\n2 Termite\n1 Glock 17")
    found = odds(client, deck, a="t:agent", b="t:agent", draw=3).json()
    assert found["together"] == found["kinds"]["a"]["chance"] == found["kinds"]["b"]["chance"]
    found = odds(client, deck, a="t:gear", a_card=["kai"], draw=2).json()["kinds"]["a"]
    assert {card["name"] for card in found["cards"]} == {"Kai", "Glock 17"}
    assert (found["size"], found["words"]) == (4, "type is Gear or 1 ticked card")


def test_a_written_in_card_which_no_search_finds_can_be_ticked(client):
    deck = made(client, starter("steamspy", "worked-cell"), "steamspy")
    form = page(client, f"/decks/{deck.link}/numbers/odds/").one("form", class_="odds-form")
    assert "written in by its author; tick those" in form.text
    code = form.all("input", name="a_card")[0]["value"]
    assert odds(client, deck, a_card=code).json()["kinds"]["a"]["size"] == 1


def test_odds_are_the_same_without_the_search_index(client, agency_text, settings, tmp_path):
    deck = made(client, agency_text)
    with_index = odds(client, deck, a="expense>=5 -t:leader").json()
    settings.VAR_DIR = tmp_path
    assert odds(client, deck, a="expense>=5 -t:leader").json() == with_index


def test_a_kind_without_a_card_in_the_pile_is_reported_instead_of_a_chance_of_zero(client, agency_text):
    cards, none = "3 Kai\n2 Termite\n", "No such card is drawn from this pile."
    drawn = odds_page(client, cards, a="t:agent")
    assert drawn.has(class_="odds-answer") and none not in drawn.text
    nothing = odds_page(client, cards, a="t:gear")
    assert none in nothing.text and not nothing.has(class_="odds-answer")
    leader = agency_text.partition("Leaders:\n1 ")[2].partition("\n")[0]
    shown = odds_page(client, agency_text, a="t:leader").text
    assert leader in shown.partition(none)[2], "cards of the deck that are not drawn are named"
    two = odds_page(client, cards, a="t:agent", b="t:gear")
    assert "B: type is Gear. No card of the deck is meant." in two.text
    assert "A: type is" not in two.text and not two.has(class_="odds-answer")


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"a": "nonsense:3"}, "a"),
        ({"a": "t:agent", "b": "foo>1"}, "b"),
        ({"draw": 0}, "draw"),
        ({"draw": 60}, "draw"),
        ({"a": "t:agent", "a_count": 21}, "a_count"),
        ({"a": "t:agent", "a_is": "about"}, "a_is"),
        ({"a_card": "no-such-card"}, "a_card"),
        ({"a": "x" * 201}, "a"),
        ({"pile": "cellar"}, "pile"),
    ],
)
def test_odds_that_cannot_be_calculated_are_reported_at_their_field(client, asked, where):
    deck = made(client, "3 Kai\n2 Termite")
    answer = odds(client, deck, **asked)
    assert (answer.status_code, [fault["where"] for fault in answer.json()]) == (400, [where])
    refused = page(client, f"/decks/{deck.link}/numbers/odds/?{urlencode(asked)}", status=400)
    assert refused.one(class_="error-summary").links == [f"#id_{where}"]
    assert refused.has(id=f"id_{where}")


def test_a_format_without_cards_to_draw_has_a_notice_instead_of_odds(client):
    deck = made(client, "Mission 1: 12\nTotal: 12", "agentdecker", format="score")
    address = f"/decks/{deck.link}/numbers/"
    assert "there are no odds" in page(client, f"{address}odds/").one(class_="empty").text
    assert "nothing to count yet" in page(client, address).one(class_="empty").text
    assert odds(client, deck).json()[0]["code"] == "nothing_to_draw"
    assert client.get(f"{address}hands/?seed=a").status_code == 200


# -- own texts: counting


LIST = "3 Kai\n2 Li\n"


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("Draws two cards.", ("draw",)),
        ("While discarding, HEALED agents are moved.", ("discard", "heal", "move")),
        ("Cancelled once it is copied.", ("cancel", "copy")),
        ("A drawer; re-draw; quickdraw.", ()),
        ("", ()),
    ],
)
def test_a_verb_is_counted_in_any_regular_form_as_a_whole_word(text, verbs):
    assert SPYCRAFT.effect_words is not None
    assert SPYCRAFT.effect_words.verbs_in(text) == verbs


def test_the_table_counts_copies_by_verb_and_the_cards_with_a_text():
    deck = read_deck(SPYCRAFT, LIST).deck
    table = table_of_texts(SPYCRAFT, deck, {"kai": "Draw a zeppelin, then heal.", "li": "Draw it."})
    assert table is not None
    assert [(row.label, *row.cells) for row in table.rows] == [("draw", 5), ("heal", 3)]
    assert [(row.label, *row.cells) for row in table.feet] == [("Cards with a text", 5), ("All cards", 5)]
    table = table_of_texts(SPYCRAFT, deck, {"kai": "Zeppelin."})
    assert table is not None and [(row.label, *row.cells) for row in table.rows] == [("none of these", 3)]
    assert table_of_texts(SPYCRAFT, deck, {}) is None


# -- own texts: the pages


@pytest.fixture
def ada(client):
    """A client whose account has a text for Kai."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    save_text(Viewer(user.pk), SPYCRAFT, "kai", "Draw a zeppelin.")
    return client


def test_the_table_of_own_texts_is_shown_only_to_their_owner_and_only_on_the_numbers(ada):
    link, bob = made(ada, LIST, visibility="public").link, Client()
    address = f"/decks/{link}/numbers/"
    mine = ada.get(address)
    assert TITLE in mine.text and "private" in mine["Cache-Control"]
    make_deck(bob, "2 Kai\n")
    for other in (Client(), bob):
        assert TITLE not in other.get(address).text
    for shared in ("", "share/", "embed/", "numbers/odds/", "numbers/hands/?seed=1"):
        assert TITLE not in ada.get(f"/decks/{link}/{shared}").text, shared
    assert TITLE not in ada.get(f"/api/v1/decks/{link}/numbers/").text


def test_the_numbers_of_a_pasted_list_have_the_table_of_own_texts_too(ada):
    mine, others = (
        client.post("/check/numbers/", {"game": "spycraft", "text": LIST}) for client in (ada, Client())
    )
    assert TITLE in mine.text and "private" in mine["Cache-Control"] and TITLE not in others.text


def test_the_text_of_an_own_card_is_not_counted_for_visitors_who_may_not_see_its_set(ada):
    own_card(own_set(Viewer(User.objects.get().pk)))
    address = f"/decks/{made(ada, '1 Brass Falcon', visibility='public').link}/numbers/"
    assert TITLE in ada.get(address).text and TITLE not in Client().get(address).text


def test_the_table_of_own_texts_costs_one_query(ada, agency_text):
    for text in ("1 Kai\n", agency_text):
        address = f"/decks/{made(ada, text).link}/numbers/"
        ada.get(address)
        queries = queries_of(partial(ada.get, address))
        assert sum("cardsdb_owntext" in sql or "cardsdb_owncard" in sql for sql in queries) == 1
