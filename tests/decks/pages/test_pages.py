"""Checking, making and editing decks in the browser, without script."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from decks.models import Deck

pytestmark = pytest.mark.django_db


def test_a_pasted_list_is_judged_and_nothing_is_saved(client: Client, agency_text: str) -> None:
    page = client.post("/check/", {"game": "spycraft", "text": agency_text}).content.decode()
    assert '<h2 class="stamp" id="verdict-title">Legal</h2>' in page
    assert not Deck.objects.exists()


def test_a_violation_names_rule_document_and_line(client: Client, agency_text: str) -> None:
    page = client.post("/check/", {"game": "spycraft", "text": agency_text + "\nDeck:\n4 Termite"}).content.decode()
    assert "Not legal" in page
    assert "AG-4" in page
    assert "line 430" in page
    assert "Take out" in page


def test_an_unread_line_is_shown_with_its_number_and_a_suggestion(client: Client) -> None:
    page = client.post("/check/", {"game": "spycraft", "text": "2 Kai\n2 Termitte"}).content.decode()
    assert "Termitte" in page
    assert 'value="2:Termite"' in page
    assert "Legal</h2>" not in page


def test_a_list_with_an_unread_line_is_never_called_legal(client: Client, agency_text: str) -> None:
    page = client.post("/check/", {"game": "spycraft", "text": agency_text + "\n1 Nobody Knows"}).content.decode()
    assert "Undecided</h2>" in page


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        ({}, 400, "Paste a list"),
        ({"game": "chess", "text": "1 Kai"}, 400, "Choose one of the games"),
        ({"game": "spycraft", "text": "1 Kai", "format": "blitz"}, 400, "no such format"),
        ({"game": "spycraft", "text": "x" * 262_145}, 400, "larger than 256 KB"),
        ({"game": "spycraft", "text": "\n" * 5_001}, 413, "at most 5,000"),
    ],
)
def test_what_cannot_be_checked_says_why(client: Client, data: dict[str, str], status: int, message: str) -> None:
    answer = client.post("/check/", data)
    assert answer.status_code == status
    assert message in answer.content.decode()


@pytest.mark.parametrize(
    ("game", "text", "name"),
    [
        ("spycraft", "2 Kai", "New Spycraft deck"),
        ("xfiles", "1 First Aid", "New X-Files CCG deck"),
        ("spycraft", "// name: Dragons\n2 Kai", "Dragons"),
        ("spycraft", "// name: \u0301\n2 Kai", "New Spycraft deck"),
    ],
)
@pytest.mark.parametrize(("address", "more"), [("/decks/new/", {}), ("/decks/import/", {"step": "keep", "visibility": "private"})])
def test_a_list_that_is_given_no_name_has_its_own_or_its_games(
    client: Client, address: str, more: dict[str, str], game: str, text: str, name: str
) -> None:
    assert client.post(address, {"game": game, "text": text, "name": " ", **more}).status_code == 302
    assert Deck.objects.get().name == name


def test_a_stored_deck_cannot_lose_its_name(client: Client) -> None:
    client.post("/decks/new/", {"game": "spycraft", "text": "2 Kai", "name": "Dragons"})
    deck = Deck.objects.get()
    answer = client.post(f"/decks/{deck.link}/edit/text/", {"name": "", "text": "2 Kai", "revision": deck.revision})
    assert (answer.status_code, Deck.objects.get().name) == (400, "Dragons")


def test_a_refused_list_is_stored_nowhere_and_lost_nowhere(client: Client) -> None:
    answer = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai\n1 Kia Motors"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert '<span class="unread-line num">2</span>' in page
    assert "1 Kia Motors</textarea>" in page
    assert not Deck.objects.exists()


def test_a_deck_is_edited_as_text(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    edit = made["Location"] + "edit/text/"
    assert "Kai" in client.get(edit).content.decode()
    client.post(edit, {"name": "Tigers", "text": "3 Kai", "visibility": "public"})
    page = client.get(made["Location"]).content.decode()
    assert "Tigers" in page
    assert "Incomplete</h2>" in page


def test_a_failed_edit_leaves_the_deck_as_it_was(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    before = client.get(made["Location"]).content
    assert client.post(made["Location"] + "edit/text/", {"name": "Tigers", "text": "3 Kia"}).status_code == 400
    assert client.get(made["Location"]).content.count(b"Kai") == before.count(b"Kai")


@pytest.mark.parametrize("name", ["\u202egnp.exe", "a\x00b", "\u200b", "x" * 121])
def test_a_decks_name_must_be_visible(client: Client, name: str) -> None:
    assert client.post("/decks/new/", {"game": "spycraft", "name": name, "text": "1 Kai"}).status_code == 400


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img src=x>', "Агент & スパイ", "={1+1}", "O'Brien\u00e9"])
def test_any_visible_name_is_shown_as_typed(client: Client, name: str) -> None:
    from django.utils.html import escape

    made = client.post("/decks/new/", {"game": "spycraft", "name": name, "text": "1 Kai"})
    page = client.get(made["Location"]).content.decode()
    assert f"<h1>{escape(name)}</h1>" in page
    assert "<script>alert" not in page


def test_a_starter_fills_the_form(client: Client) -> None:
    from cardsdb.games import games

    for game in games().values():
        for starter in game.starters:
            page = client.get("/decks/new/", {"game": game.slug, "starter": starter.slug}).content.decode()
            assert starter.text.splitlines()[-1].replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#x27;") in page


def test_written_in_cards_are_kept(client: Client) -> None:
    text = "1 Nightingale | agent | power: 3 | branches: tech, infiltration"
    made = client.post("/decks/new/", {"game": "spynet", "name": "Ours", "text": text})
    assert "Nightingale" in client.get(made["Location"]).content.decode()
    assert "Branches: tech, infiltration" in client.get(made["Location"] + "edit/text/").content.decode()


def test_deck_pages_need_few_queries(client: Client, agency_text: str, django_assert_max_num_queries: Any) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    client.get(made["Location"])
    # Session, deck, lines with cards, prints, whether the browser holds it; comments, forks, the deck it is played with.
    with django_assert_max_num_queries(8):
        client.get(made["Location"])
    with django_assert_max_num_queries(5):  # session, edition, count, decks, their sizes
        client.get("/decks/")
    with django_assert_max_num_queries(1):
        client.post("/check/", {"game": "spycraft", "text": agency_text})


def test_saving_any_deck_needs_few_queries(client: Client, agency_text: str, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(18):  # whatever the number of cards; its first state in the history too
        client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})


def test_a_deck_that_is_saved_again_shows_when(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    Deck.objects.update(created=long_ago, changed=long_ago)
    client.post(made["Location"] + "edit/text/", {"name": "Dragons", "text": "3 Kai"})
    deck = Deck.objects.get()
    assert (deck.created, deck.changed.year > 2020) == (long_ago, True)


def test_a_retired_card_stays_in_its_decks(client: Client) -> None:
    from cardsdb.models import Card

    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    assert "Kai" in client.get(made["Location"]).content.decode()


def opened_at(client: Client, edit: str) -> str:
    return client.get(edit).content.decode().split('name="revision" value="')[1].split('"')[0]


def test_two_people_saving_the_same_deck_lose_nothing(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    edit = made["Location"] + "edit/text/"
    opened = opened_at(client, edit)
    first = client.post(edit, {"name": "First", "text": "3 Kai", "revision": opened})
    second = client.post(edit, {"name": "Second", "text": "2 Kai", "revision": opened})
    assert (first.status_code, second.status_code) == (302, 409)
    page = second.content.decode()
    assert "was changed twice" in page
    assert "3 copies" in page and "2 copies" in page and "First" in page and "Second" in page
    assert Deck.objects.get().name == "First"


def test_what_two_people_changed_in_different_places_is_saved_together(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai\n1 Termite"})
    edit = made["Location"] + "edit/text/"
    opened = opened_at(client, edit)
    client.post(edit, {"name": "Dragons", "text": "3 Kai\n1 Termite", "revision": opened})
    assert client.post(edit, {"name": "Tigers", "text": "2 Kai\n2 Termite", "revision": opened}).status_code == 302
    deck = Deck.objects.with_cards().get()
    assert (deck.name, {entry.card.code: entry.count for entry in deck.decklist()}) == ("Tigers", {"kai": 3, "termite": 2})


@pytest.mark.parametrize(("whose", "count", "name"), [("mine", 2, "Second"), ("theirs", 3, "First")])
def test_whoever_saves_last_says_whose_value_holds(client: Client, whose: str, count: int, name: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "1 Kai"})
    edit = made["Location"] + "edit/text/"
    opened = opened_at(client, edit)
    client.post(edit, {"name": "First", "text": "3 Kai", "revision": opened})
    answer = client.post(edit, {"name": "Second", "text": "2 Kai\n1 Termite", "revision": opened})
    form = answer.context["theirs"] if whose == "theirs" else answer.context["form"].initial
    assert client.post(edit, form).status_code == 302
    deck = Deck.objects.with_cards().get()
    assert (deck.name, {entry.card.code: entry.count for entry in deck.decklist()}) == (name, {"kai": count, "termite": 1})


def test_the_edit_page_offers_the_decks_format(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    assert '<option value="agency" selected>' in client.get(made["Location"] + "edit/text/").content.decode()


def test_deleting_asks_first(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    assert "for good" in client.get(made["Location"] + "delete/").content.decode()
    assert Deck.objects.exists()
    assert "is deleted" in client.post(made["Location"] + "delete/", follow=True).content.decode()
    assert not Deck.objects.exists()


def test_a_card_that_is_not_loaded_yet_is_no_server_error_and_nothing_is_stored(client: Client) -> None:
    from cardsdb.models import Card

    Card.objects.filter(game="spycraft", code="kai").update(code="kai-elsewhere")
    answer = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    assert answer.status_code == 400
    assert "brought up to date" in answer.content.decode()
    assert not Deck.objects.exists()


def test_a_typo_does_not_hide_that_the_deck_was_changed_elsewhere(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    edit = made["Location"] + "edit/text/"
    client.post(edit, {"name": "Elsewhere", "text": "3 Kai", "revision": "0"})
    typo = client.post(edit, {"name": "Here", "text": "2 Kia Motors", "revision": "0"}).content.decode()
    assert 'name="revision" value="0"' in typo
    assert client.post(edit, {"name": "Here", "text": "2 Kai", "revision": "0"}).status_code == 409
    assert Deck.objects.get().name == "Elsewhere"


def test_a_look_at_the_headers_does_not_use_up_the_edit_link(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    client.head(made["Location"])
    assert "edit/?key=" in client.get(made["Location"]).content.decode()


def test_cards_of_a_section_that_is_gone_are_placed_by_their_type(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "visibility": "public"})
    Deck.objects.get().lines.update(section="gone")
    for visitor in (client, Client()):
        assert "Kai" in visitor.get(made["Location"]).content.decode()


def test_two_decks_saved_at_once_by_one_browser_are_both_remembered(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    import decks.editor.new as new

    client.post("/decks/new/", {"game": "spycraft", "name": "First", "text": "2 Kai"})
    twin = Client()
    twin.cookies = client.cookies
    keep, made = new.save_form, []

    def keep_and_be_overtaken(deck: Any, form: Any) -> bool:
        monkeypatch.setattr(new, "save_form", keep)
        made.append(twin.post("/decks/new/", {"game": "spycraft", "name": "Twin", "text": "2 Kai"})["Location"])
        return keep(deck, form)

    monkeypatch.setattr(new, "save_form", keep_and_be_overtaken)
    made.append(client.post("/decks/new/", {"game": "spycraft", "name": "Second", "text": "2 Kai"})["Location"])
    assert [client.get(address).status_code for address in made] == [200, 200]


def test_the_pages_of_the_deck_list_keep_the_game(client: Client) -> None:
    for number in range(51):
        client.post("/decks/new/", {"game": "spycraft", "name": f"Deck {number}", "text": "2 Kai"})
    assert "?game=spycraft&amp;page=2" in client.get("/decks/?game=spycraft").content.decode()


def test_a_deck_prints_whatever_its_name(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "スパイ Club", "text": "2 Kai"})
    assert client.get(f"/print/sheets.pdf?deck={made['Location'].split('/')[2]}").content.startswith(b"%PDF")
