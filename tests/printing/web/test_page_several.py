"""Several decks on the same sheets: the page adds and takes out, lists and pairs lead there; settings stay as
they are.
"""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck, Favourite
from printing.request.lists import MAX_DECKS
from tests.support.print_decks import client_of, owner
from tests.support.public_decks import make_deck

__all__ = ["client_of", "owner"]


def buttons(page: str, name: str) -> dict[str, str]:
    """The name of the deck on each button of this name -> what it sends."""
    button = rf'<button class="button-plain" formaction="/print/#print-page" name="{name}" value="([^"]*)">'
    pairs = re.findall(rf'{button}[^<]*<span class="visually-hidden"> ([^<]*)</span>', page)
    return {unescape(deck): value for value, deck in pairs}


def shown(client: Client, **fields: object) -> str:
    answer = client.get("/print/", fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def pressed(client: Client, page: str, name: str, value: str) -> str:
    """Where a button of the page's form leads: its hidden decks, a setting, and what the button says."""
    decks = re.findall(
        r'<input type="hidden" name="deck" value="([^"]*)">',
        page.split('id="print-form"')[1].split("</form>")[0],
    )
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
    page = shown(client_of, deck=one.link)
    address = pressed(client_of, page, "deck", buttons(page, "deck")["Two"])
    assert decks_in(address) == [one.link, two.link] and "paper=letter" in address
    both = client_of.get(f"/print/?{urlsplit(address).query}").content.decode()
    assert (
        "9 cards, 1 sheet" in both
        and not buttons(both, "deck")
        and set(buttons(both, "without")) == {"One", "Two"}
    )
    address = pressed(client_of, both, "without", one.link)
    assert decks_in(address) == [two.link] and "without" not in address and "paper=letter" in address
    assert not buttons(client_of.get(f"/print/?{urlsplit(address).query}").content.decode(), "without"), (
        "the last one cannot go"
    )


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
    page = client_of.post("/print/", {"game": "spycraft", "text": "5 Kai"}).content.decode()
    assert buttons(page, "deck") == {"Two": two.link}
    both = client_of.post(
        "/print/", {"game": "spycraft", "text": "5 Kai", "paper": "a4", "deck": two.link}
    ).content.decode()
    assert "9 cards, 1 sheet" in both and buttons(both, "without") == {"Two": two.link}


def test_no_more_decks_are_offered_than_one_print_takes(client_of: Client) -> None:
    made = [make_deck(client_of, f"Deck {number}", "1 Kai").link for number in range(MAX_DECKS + 1)]
    page = shown(client_of, deck=made[:MAX_DECKS])
    assert not buttons(page, "deck") and f"{MAX_DECKS} decks are the most" in page
    answer = client_of.get("/print/", {"deck": made})
    assert answer.status_code == 400 and "not 13" in answer.content.decode()


def test_ones_own_lists_have_boxes_to_tick_and_the_gallery_has_none(client_of: Client) -> None:
    made = [make_deck(client_of, name, "1 Kai").link for name in ("One", "Two")]
    for address in ("/decks/?q=is:mine", "/account/"):
        page = client_of.get(address).content.decode()
        assert 'id="print-together" action="/print/"' in page
        assert set(re.findall(r'name="deck" value="([^"]*)" form="print-together"', page)) == set(made)
    assert "print-together" not in client_of.get("/decks/").content.decode()
    assert "2 cards, 1 sheet" in shown(client_of, deck=made)


def test_what_can_be_built_at_once_can_be_printed_at_once(client_of: Client) -> None:
    make_deck(client_of, "One", "1 Kai")
    page = client_of.get("/collection/decks/").content.decode()
    assert (
        '<button class="button-secondary" formaction="/print/">Print the ticked ones together</button>'
        in page
    )


def test_a_pair_of_decks_is_printed_together(client_of: Client) -> None:
    agency = make_deck(client_of, "Agency", "2 Kai", format="agency")
    mission = make_deck(client_of, "Mission", "1 Bait", format="mission-base")
    Deck.objects.filter(pk=agency.pk).update(partner=mission)
    assert (
        f"/print/?deck={agency.link}&amp;deck={mission.link}"
        in client_of.get(f"/decks/{agency.link}/").content.decode()
    )
