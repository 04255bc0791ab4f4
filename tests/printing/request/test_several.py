"""What is printed: several decks at once, single cards, what a visitor may see; the same over HTTP."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import connection
from django.http import Http404
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.box.texts import save_text
from cardsdb.catalogue.current import catalogue, working_with
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from printing.job.pieces import pieces_of
from printing.request.lists import pasted_list, single_cards, stored_decks
from tests.support.print_decks import STRANGER, client_of, edit, owner, printed, tiger
from tests.support.print_lists import job_for, parse_lists, stored_deck
from tests.support.public_decks import make_deck, starter
from tests.support.sheets import make_sheets

__all__ = ["client_of", "owner", "tiger"]


def test_several_decks_of_one_size_are_on_the_same_sheets(client_of: Client) -> None:
    one, other = make_deck(client_of, "One", "5 Kai"), make_deck(client_of, "Other", "4 Termite")
    job = job_for(parse_lists({"deck": [one.link, other.link]}, STRANGER), {})
    assert (job.sheets, job.heading) == (1, "One + Other")
    assert printed(job) == Counter({"Kai": 5, "Termite": 4})


@pytest.mark.django_db
def test_cards_of_another_size_begin_sheets_of_their_own() -> None:
    lists = single_cards(["3.spycraft/kai", "spynet/hitman"])
    job = job_for(lists, {})
    assert job.sheets == 2 and printed(job) == Counter({"Kai": 3, "Hitman": 1})
    assert any("begin sheets of their own" in remark for remark in job.remarks())
    made = make_sheets(job)
    assert made.pages == 2


@pytest.mark.django_db
def test_one_card_size_packs_the_cards_of_two_games_and_names_both() -> None:
    job = job_for(single_cards(["3.spycraft/kai", "spynet/hitman"]), {"trim": "poker", "backs": "long"})
    assert job.sheets == 1 and printed(job) == Counter({"Kai": 3, "Hitman": 1})
    assert "Spycraft and SpyNet" in job.notes().about
    assert "Alderac" in job.notes().credit and "Z-Man" in job.notes().credit
    backs = {piece.name: piece.back for piece in pieces_of(job)}
    assert backs["Kai"] != backs["Hitman"]


def test_one_deck_that_is_not_yours_hides_the_whole_print(client_of: Client) -> None:
    shown, hidden = (
        make_deck(client_of, "Shown", "2 Kai"),
        make_deck(client_of, "Hidden", "2 Kai", visibility="private"),
    )
    with pytest.raises(Http404):
        parse_lists({"deck": f"{shown.link},{hidden.link}"}, STRANGER)


def test_several_decks_cost_as_many_queries_as_one(client_of: Client) -> None:
    links = [make_deck(client_of, f"Deck {number}", "2 Kai\n1 Termite").link for number in range(4)]
    with working_with(catalogue()), CaptureQueriesContext(connection) as one:
        stored_decks(links[:1], STRANGER)
    with working_with(catalogue()), CaptureQueriesContext(connection) as four:
        stored_decks(links, STRANGER)
    assert len(four) == len(one)


def test_the_secret_part_of_a_deck_is_printed_for_its_owner_alone(client_of: Client, owner: Viewer) -> None:
    deck = make_deck(client_of, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    secret = {
        entry.card.name
        for entry in deck.decklist()
        if games()["xfiles"].is_secret(entry.section, entry.card.type)
    }
    everything = printed(job_for(stored_deck(deck.link, owner), {}, owner))
    shown = printed(job_for(stored_deck(deck.link, STRANGER), {}, STRANGER))
    assert secret and set(everything) - set(shown) == secret


@pytest.mark.django_db
@pytest.mark.parametrize("card", ["spycraft/nobody", "nogame/kai", "kai", "spycraft/KAI\0"])
def test_a_single_card_that_there_is_not_is_refused_by_name(card: str) -> None:
    with pytest.raises(Refused) as refused:
        single_cards([card])
    assert refused.value.faults[0].where == "card"


@pytest.mark.django_db
def test_single_cards_add_up() -> None:
    assert printed(
        job_for(parse_lists({"card": ["spycraft/kai", "2.spycraft/kai"]}, STRANGER), {})
    ) == Counter({"Kai": 3})


def test_somebodys_own_text_is_on_their_cards_and_on_nobody_elses(tiger: Deck, owner: Viewer) -> None:
    save_text(owner, games()["spycraft"], "kai", "House text.")
    lists = stored_deck(tiger.link, owner)
    texts = {
        visitor: next(card.text for card, _ in job_for(lists, {}, visitor).entries if card.code == "kai")
        for visitor in (owner, STRANGER)
    }
    assert texts[owner] == "House text." and texts[STRANGER] != "House text."


# -- over HTTP --------------------------------------------------------------------------


def test_the_page_prints_several_decks_and_says_what_was_chosen(client_of: Client) -> None:
    one, other = make_deck(client_of, "One", "5 Kai"), make_deck(client_of, "Other", "4 Termite\n1 Clocked")
    answer = Client().get(
        "/print/", {"deck": [one.link, other.link], "only": "t:agent", "paper": "a4"}, follow=True
    )
    assert answer.status_code == 200 and "9 cards found by “t:agent”, 1 sheet" in answer.content.decode()


def test_a_stranger_who_asks_what_changed_is_told_that_this_is_the_authors(
    tiger: Deck, owner: Viewer
) -> None:
    edit(tiger, owner, blindside=2)
    answer = Client().get("/print/sheets.pdf", {"deck": tiger.link, "since": "0"})
    page = answer.content.decode()
    assert answer.status_code == 403 and "its author" in page and 'id="preview"' not in page


def test_the_author_gets_the_sheets_of_what_changed(tiger: Deck, owner: Viewer, client_of: Client) -> None:
    edit(tiger, owner, blindside=2)
    answer = client_of.get(
        "/print/sheets.pdf", {"deck": tiger.link, "since": "0", "qr": "page", "extras": "register"}
    )
    assert answer.status_code == 200 and answer["Content-Type"] == "application/pdf"


@pytest.mark.django_db
def test_the_api_prints_single_cards_and_refuses_them_together_with_a_list(client: Client) -> None:
    sheets = {"card": "spycraft/kai,2.spycraft/termite", "qr": "list"}
    answer = client.post("/api/v1/sheets/", sheets, content_type="application/json")
    assert answer.status_code == 200 and answer["Content-Type"] == "application/pdf"
    both = client.post(
        "/api/v1/sheets/", {**sheets, "game": "spycraft", "text": "1 Kai"}, content_type="application/json"
    )
    assert both.status_code == 400 and both.json()[0]["code"] == "deck_or_text"


def test_a_private_deck_is_a_404_in_the_api_however_many_are_asked_for(
    client_of: Client, client: Client
) -> None:
    shown, hidden = (
        make_deck(client_of, "Shown", "2 Kai"),
        make_deck(client_of, "Hidden", "2 Kai", visibility="private"),
    )
    answer = client.post(
        "/api/v1/sheets/", {"deck": f"{shown.link},{hidden.link}"}, content_type="application/json"
    )
    assert answer.status_code == 404


def test_too_many_cards_are_counted_to_the_end_and_how_many_copies_fit_is_said() -> None:
    lists = pasted_list("spycraft", "50 Kai\n50 Li")
    several = (lists, pasted_list("xfiles", f"99 {games()['xfiles'].cards[0].name}"))
    for trim in ("", "poker"):
        with pytest.raises(Refused) as error:
            job_for(several, {"copies": "15", "trim": trim})
        assert (
            "at most 2,000 cards, not 2,985: 10 copies of everything would fit"
            in error.value.faults[0].message
        )
