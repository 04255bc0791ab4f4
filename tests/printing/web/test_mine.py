"""Mine: what to go on with, and all that is one's own in drawers; nobody else's is there."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from decks.core.judging import judge_text
from decks.models import Deck
from printing.models import PastPrint
from tests.support.accounts import member
from tests.support.guests import guest
from tests.support.pages import Page, page
from tests.support.print_jobs import no_files_of_others, stored_job  # noqa: F401
from tests.support.public_decks import starter
from tests.support.saved_decks import save_list

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]


def deck_of(client: Client, name: str = "Dragons", text: str = "2 Kai\n1 Li", **values: str) -> Deck:
    answer = client.post("/decks/new/", {"game": "spycraft", "name": name, "text": text, **values})
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def changed(deck: Deck, text: str) -> None:
    save_list(Deck.objects.get(pk=deck.pk), judge_text(games()["spycraft"], text), name=deck.name)


def print_of(client: Client, address: str) -> None:
    """The sheets, asked for from the print page as a browser does."""
    assert client.get(f"/print/?{address}&paper=a4").status_code == 200
    assert client.get(f"/print/sheets.pdf?{address}&paper=a4").status_code == 200


def drawer(shown: Page, title: str) -> Any:
    return next(one for one in shown.all("section") if one.has("h2") and one.one("h2").text.startswith(title))


def test_an_empty_room_says_what_to_begin_with(client):
    shown = page(client, "/mine/")
    assert "kept in this browser" in shown.text
    to = [link["href"] for link in shown.one("ul", class_="go-on").all("a")]
    assert to == ["/decks/new/", "/print/", "/collection/"]
    assert not client.cookies, "who only looks gets no cookie"


@pytest.mark.parametrize("has_account", [True, False])
def test_each_drawer_shows_what_is_ones_own(client, has_account):
    client = member() if has_account else client
    deck = deck_of(client)
    print_of(client, f"deck={deck.link}")
    client.post("/search/saved/", {"name": "Krypt people", "q": "krypt"})
    client.post("/collection/import/", {"text": "count,code,game\n3,kai,spycraft\n"})
    client.post("/formats/", {"name": "Tuesday", "base": "spycraft/agency"})
    client.post("/own/sets/", {"game": "spycraft", "name": "Kitchen set"})
    client.post("/print/texts/spycraft/kai/", {"text": "It counts double."})
    shown = page(client, "/mine/")
    for title, words in {
        "Decks": "Dragons",
        "Prints": "Dragons 3 cards, 1 sheet",
        "Saved searches": "Krypt people",
        "Collection": "1 of",
        "Own box": "1 text",
        "Own sets": "Kitchen set",
        "Leagues": "Tuesday",
    }.items():
        assert words in drawer(shown, title).text, title
    assert [one.text for one in shown.one("ul", class_="go-on").all("a")] == [
        "Go on: Dragons",
        "Dragons",
        "3 cards owned",
    ]
    stranger = page(Client(), "/mine/").text
    assert not any(words in stranger for words in ("Dragons", "Krypt", "Kitchen", "Tuesday"))
    assert "Dragons" not in page(member("ben"), "/mine/").text


def test_a_drawer_has_four_lines_and_a_way_to_the_rest(client):
    for number in range(6):
        deck_of(client, f"Deck {number}")
        client.post("/search/saved/", {"name": f"Search {number}", "q": "krypt"})
    shown = page(client, "/mine/")
    decks, searches = drawer(shown, "Decks"), drawer(shown, "Saved searches")
    assert [link.text for link in decks.all("a", class_="name")] == [
        f"Deck {number}" for number in (5, 4, 3, 2)
    ]
    assert decks.one("h2").text == "Decks 6" and decks.has("a", text="All your decks")
    assert len(searches.all("button")) == 4 and searches.one("h2").text == "Saved searches 6"


def test_what_was_added_since_the_last_print_is_one_press_in_each_place(client):
    deck = deck_of(client)
    print_of(client, f"deck={deck.link}")
    for address in ("/mine/", f"/decks/{deck.link}/", f"/print/?deck={deck.link}&paper=a4"):
        assert "2 new" not in page(client, address).text
    changed(deck, "3 Kai\n2 Li")
    past = PastPrint.objects.get()
    to = f"/print/?deck={deck.link}&paper=a4&since=print+{past.pk}"
    shown = page(client, "/mine/")
    assert [one["href"] for one in shown.all("a") if "2 new" in one.text] == [to, to]
    assert shown.one("ul", class_="go-on").all("a")[1]["href"] == to
    for address in (f"/decks/{deck.link}/", f"/print/?deck={deck.link}&paper=a4"):
        found = page(client, address)
        assert [one["href"] for one in found.all("a") if "2 new" in one.text] == [to]
        assert "1 × Kai and 1 × Li" in found.text
    assert "2 cards added since" in page(client, to).text


def test_nobody_sees_on_a_public_deck_what_somebody_else_printed(client):
    deck = deck_of(client, visibility="public")
    print_of(client, f"deck={deck.link}")
    changed(deck, "3 Kai\n1 Li")
    assert "Print the 1 new" in page(client, f"/decks/{deck.link}/").text
    assert "Print the 1 new" not in page(Client(), f"/decks/{deck.link}/").text
    assert "Print the 1 new" not in page(member(), f"/decks/{deck.link}/").text


@pytest.mark.parametrize("gone", [False, True])
def test_a_printed_deck_of_another_is_among_the_prints_and_has_nothing_to_press_once_it_is_not_to_be_seen(
    client, gone
):
    deck = deck_of(member(), visibility="public")
    print_of(client, f"deck={deck.link}")
    changed(deck, "3 Kai\n1 Li")
    shown = page(client, "/mine/")
    assert "Print the 1 new" in drawer(shown, "Prints").text and "Dragons" not in drawer(shown, "Decks").text
    if gone:
        deck.delete()
    else:
        Deck.objects.filter(pk=deck.pk).update(visibility="private")
    prints = drawer(page(client, "/mine/"), "Prints")
    assert "Dragons" in prints.text and not [link for link in prints.links if link.startswith("/print/?")]


def test_a_starter_is_printed_again_from_its_print(client):
    print_of(client, "starter=spycraft/nine-tiger")
    again = drawer(page(client, "/mine/"), "Prints").all("a")[1]
    assert (
        again.text.startswith("Print again: Nine Tiger")
        and again["href"] == "/print/?starter=spycraft/nine-tiger&paper=a4"
    )


def test_a_program_that_takes_sheets_without_the_print_page_and_whoever_asks_for_their_head_leave_nothing(
    client,
):
    deck = deck_of(Client(), visibility="public")
    assert client.get(f"/print/sheets.pdf?deck={deck.link}").status_code == 200
    assert not PastPrint.objects.exists() and "browser" not in client.cookies
    own = deck_of(client)
    client.head(f"/print/sheets.pdf?deck={own.link}")
    assert not PastPrint.objects.exists()


def test_a_print_that_a_worker_makes_is_remembered(client):
    deck = deck_of(client)
    assert client.post("/print/jobs/", {"deck": deck.link, "copies": "20"}).status_code == 302
    assert PastPrint.objects.of(guest(client)).get().cards.keys() == {str(deck.pk)}


def test_all_prints_stand_on_their_page_with_the_jobs(client):
    assert "None yet. Your prints" in page(client, "/print/jobs/").text
    for number in range(5):
        print_of(client, f"deck={deck_of(client, f'Deck {number}').link}")
    stored_job(client)
    shown = page(client, "/print/jobs/").text
    assert all(f"Deck {number}" in shown for number in range(5)) and "Waiting" in shown
    assert "Deck 1" not in page(Client(), "/print/jobs/").text


def test_the_secret_of_anothers_deck_is_no_card_that_was_added(client):
    deck = deck_of(member(), text=starter("xfiles", "deck-mulder"), game="xfiles", visibility="public")
    print_of(client, f"deck={deck.link}")
    assert "new" not in drawer(page(client, "/mine/"), "Prints").text
