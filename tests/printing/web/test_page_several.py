"""Several decks on the same sheets: the page adds and takes out, lists and pairs lead there; settings stay as
they are.
"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck, Favourite
from printing.request.lists import MAX_DECKS
from tests.support.pages import Page, page, page_of
from tests.support.print_decks import client_of, owner
from tests.support.public_decks import make_deck

__all__ = ["client_of", "owner"]


def buttons(page: Page, name: str) -> dict[str, str]:
    """The name of the deck on each button of this name -> what it sends."""
    pressed = page.one("form", id="print-form").all("button", name=name, formaction="/print/#print-page")
    return {button.one("span", class_="visually-hidden").text: button["value"] for button in pressed}


def shown(client: Client, **fields: object) -> Page:
    return page(client, "/print/", fields, follow=True)


def pressed(client: Client, page: Page, name: str, value: str) -> str:
    """Where a button of the page's form leads: its hidden decks, a setting, and what the button says."""
    form = page.one("form", id="print-form")
    decks = [field["value"] for field in form.all("input", type="hidden", name="deck")]
    fields = {"paper": "letter", "deck": [*decks, value] if name == "deck" else decks}
    answer = client.get("/print/", fields if name == "deck" else {**fields, name: value})
    assert answer.status_code == 302
    return str(answer["Location"])


def decks_in(address: str) -> list[str]:
    return parse_qs(urlsplit(address).query).get("deck", [])


def test_the_page_offers_the_visitors_own_decks_and_favourites_of_any_game(
    client_of: Client, owner: object
) -> None:
    one = make_deck(client_of, "One", "5 Kai")
    make_deck(client_of, "Two", "1 Fox Mulder", game="xfiles", visibility="private")
    liked, strange = make_deck(Client(), "Liked", "2 Kai"), make_deck(Client(), "Strange", "2 Kai")
    gone = make_deck(Client(), "Gone private", "2 Kai", visibility="private")
    for deck in (liked, gone):
        Favourite.objects.create(deck=deck, user=User.objects.get())
    offered = buttons(shown(client_of, deck=one.link), "deck")
    assert set(offered) == {"Two", "Liked"}
    assert not buttons(shown(Client(), deck=one.link), "deck") and strange.link not in offered.values()


def test_a_browser_without_an_account_is_offered_what_it_made(client: Client, db: None) -> None:
    one = make_deck(client, "One", "5 Kai")
    make_deck(client, "Two", "2 Termite")
    assert set(buttons(shown(client, deck=one.link), "deck")) == {"Two"}


def test_a_deck_is_added_and_taken_out_again_and_the_settings_stay(client_of: Client) -> None:
    one, two = make_deck(client_of, "One", "5 Kai"), make_deck(client_of, "Two", "4 Termite")
    first = shown(client_of, deck=one.link)
    address = pressed(client_of, first, "deck", buttons(first, "deck")["Two"])
    assert decks_in(address) == [one.link, two.link] and "paper=letter" in address
    both = page(client_of, address)
    assert (
        "9 cards, 1 sheet" in both.text
        and not buttons(both, "deck")
        and set(buttons(both, "without")) == {"One", "Two"}
    )
    address = pressed(client_of, both, "without", one.link)
    assert decks_in(address) == [two.link] and "without" not in address and "paper=letter" in address
    assert not buttons(page(client_of, address), "without"), "the last one cannot go"


def test_counts_of_cards_go_with_the_deck_that_had_them(client_of: Client) -> None:
    one, two = make_deck(client_of, "One", "5 Kai"), make_deck(client_of, "Two", "4 Termite")
    answer = client_of.get(
        "/print/",
        {"deck": [one.link, two.link], "paper": "a4", "counts": "kai=2,termite=1", "without": one.link},
    )
    assert answer.status_code == 302 and answer["Location"].endswith(
        f"?deck={two.link}&paper=a4&counts=termite=1"
    )


def test_a_pasted_list_takes_a_deck_along(client_of: Client) -> None:
    two = make_deck(client_of, "Two", "4 Termite")
    pasted = {"game": "spycraft", "text": "5 Kai"}
    assert buttons(page_of(client_of.post("/print/", pasted)), "deck") == {"Two": two.link}
    both = page_of(client_of.post("/print/", pasted | {"paper": "a4", "deck": two.link}))
    assert "9 cards, 1 sheet" in both.text and buttons(both, "without") == {"Two": two.link}


def test_no_more_decks_are_offered_than_one_print_takes(client_of: Client) -> None:
    made = [make_deck(client_of, f"Deck {number}", "1 Kai").link for number in range(MAX_DECKS + 1)]
    full = shown(client_of, deck=made[:MAX_DECKS])
    assert not buttons(full, "deck") and f"{MAX_DECKS} decks are the most" in full.text
    answer = client_of.get("/print/", {"deck": made})
    assert answer.status_code == 400 and "not 13" in answer.content.decode()


def test_ones_own_lists_have_boxes_to_tick_and_the_gallery_has_none(client_of: Client) -> None:
    made = [make_deck(client_of, name, "1 Kai").link for name in ("One", "Two")]
    mine = page(client_of, "/decks/?q=is:mine")
    assert mine.one("form", id="print-together")["action"] == "/print/"
    assert {box["value"] for box in mine.all("input", name="deck", form="print-together")} == set(made)
    assert "print-together" not in client_of.get("/decks/").content.decode()
    assert "2 cards, 1 sheet" in shown(client_of, deck=made).text


def test_what_can_be_built_at_once_can_be_printed_at_once(client_of: Client) -> None:
    make_deck(client_of, "One", "1 Kai")
    button = page(client_of, "/collection/decks/").one("button", text="Print the ticked ones together")
    assert button["formaction"] == "/print/"


def test_a_pair_of_decks_is_printed_together(client_of: Client) -> None:
    agency = make_deck(client_of, "Agency", "2 Kai", format="agency")
    mission = make_deck(client_of, "Mission", "1 Bait", format="mission-base")
    Deck.objects.filter(pk=agency.pk).update(partner=mission)
    assert (
        f"/print/?deck={agency.link}&deck={mission.link}" in page(client_of, f"/decks/{agency.link}/").links
    )
