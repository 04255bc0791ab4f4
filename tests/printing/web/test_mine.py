"""The page "Mine": a visitor's own decks, prints, cards and so on, links to continue, and nothing of other
visitors. The imported fixture ``no_files_of_others`` gives each test an empty folder of jobs.
"""

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
    """Print from the print page, as a browser does."""
    assert client.get(f"/print/?{address}&paper=a4").status_code == 200
    assert client.get(f"/print/sheets.pdf?{address}&paper=a4").status_code == 200


def section(shown: Page, title: str):
    """The section of the page whose heading begins with this title."""
    sections = (part for part in shown.all("section") if part.has("h2"))
    return next(part for part in sections if part.one("h2").text.startswith(title))


def test_the_page_of_a_new_visitor_suggests_how_to_begin_and_sets_no_cookie(client):
    shown = page(client, "/mine/")
    assert "kept in this browser" in shown.text
    links = [link["href"] for link in shown.one("ul", class_="go-on").all("a")]
    assert links == ["/decks/new/", "/print/", "/collection/"]
    assert not client.cookies


@pytest.mark.parametrize("has_account", [True, False])
def test_each_section_shows_the_visitors_own_things_to_that_visitor_alone(client, has_account):
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
        assert words in section(shown, title).text, title
    assert [link.text for link in shown.one("ul", class_="go-on").all("a")] == [
        "Go on: Dragons",
        "Dragons",
        "3 cards owned",
    ]
    stranger = page(Client(), "/mine/").text
    assert not any(words in stranger for words in ("Dragons", "Krypt", "Kitchen", "Tuesday"))
    assert "Dragons" not in page(member("ben"), "/mine/").text


def test_a_section_has_four_rows_and_a_link_to_all(client):
    for number in range(6):
        deck_of(client, f"Deck {number}")
    decks = section(page(client, "/mine/"), "Decks")
    names = [link.text for link in decks.all("a", class_="name")]
    assert names == ["Deck 5", "Deck 4", "Deck 3", "Deck 2"]
    assert decks.one("h2").text == "Decks 6" and decks.has("a", text="All your decks")


def test_each_page_of_a_deck_links_the_visitor_who_printed_it_to_the_print_of_added_cards(client):
    deck = deck_of(client, visibility="public")
    print_of(client, f"deck={deck.link}")
    for address in ("/mine/", f"/decks/{deck.link}/", f"/print/?deck={deck.link}&paper=a4"):
        assert "2 new" not in page(client, address).text
    changed(deck, "3 Kai\n2 Li")
    past = PastPrint.objects.get()
    print_added = f"/print/?deck={deck.link}&paper=a4&since=print+{past.pk}"
    mine, others = page(client, "/mine/"), (Client(), member())
    assert [link["href"] for link in mine.all("a") if "2 new" in link.text] == [print_added, print_added]
    assert mine.one("ul", class_="go-on").all("a")[1]["href"] == print_added
    for address in (f"/decks/{deck.link}/", f"/print/?deck={deck.link}&paper=a4"):
        shown = page(client, address)
        assert [link["href"] for link in shown.all("a") if "2 new" in link.text] == [print_added]
        assert "1 × Kai and 1 × Li" in shown.text
        assert not any("2 new" in page(other, address).text for other in others)
    assert "2 cards added since" in page(client, print_added).text


@pytest.mark.parametrize("gone", [False, True])
def test_a_print_of_a_deck_that_is_gone_cannot_be_repeated(client, gone):
    deck = deck_of(member(), visibility="public")
    print_of(client, f"deck={deck.link}")
    changed(deck, "3 Kai\n1 Li")
    shown = page(client, "/mine/")
    assert (
        "Print the 1 new" in section(shown, "Prints").text and "Dragons" not in section(shown, "Decks").text
    )
    if gone:
        deck.delete()
    else:
        Deck.objects.filter(pk=deck.pk).update(visibility="private")
    prints = section(page(client, "/mine/"), "Prints")
    assert "Dragons" in prints.text and not [link for link in prints.links if link.startswith("/print/?")]


def test_the_print_of_a_starter_can_be_repeated(client):
    print_of(client, "starter=spynet/draw-3")
    again = section(page(client, "/mine/"), "Prints").all("a")[1]
    assert again["href"] == "/print/?starter=spynet/draw-3&paper=a4"


def test_sheets_fetched_without_any_cookie_or_by_a_head_request_are_not_remembered(client):
    address = f"/print/sheets.pdf?deck={deck_of(client, visibility='public').link}"
    client.head(address)
    program = Client()
    assert program.get(address).status_code == 200
    assert not PastPrint.objects.exists() and "browser" not in program.cookies


def test_the_page_of_prints_lists_all_prints_and_jobs_of_the_visitor(client):
    assert "None yet. Your prints" in page(client, "/print/jobs/").text
    print_of(client, f"deck={deck_of(client, 'Small').link}")
    large = deck_of(client, "Large")
    assert client.post("/print/jobs/", {"deck": large.link, "copies": "20"}).status_code == 302
    assert str(large.pk) in PastPrint.objects.of(guest(client)).latest("pk").cards, "a job is a print too"
    shown = page(client, "/print/jobs/").text
    assert all(words in shown for words in ("Small", "Large", "Waiting"))
    assert "Small" not in page(Client(), "/print/jobs/").text


def test_hidden_cards_of_anothers_deck_do_not_count_as_added(client):
    deck = deck_of(member(), text=starter("xfiles", "deck-mulder"), game="xfiles", visibility="public")
    print_of(client, f"deck={deck.link}")
    assert "new" not in section(page(client, "/mine/"), "Prints").text
