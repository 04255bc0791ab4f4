"""Checking, making and editing decks in the browser, without script."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_a_pasted_list_is_judged_and_nothing_is_saved(client: Client, agency_text: str) -> None:
    checked = page_of(client.post("/check/", {"game": "spycraft", "text": agency_text}))
    assert checked.one("h2", id="verdict-title").text == "Legal"
    assert checked.field("text").value == agency_text
    assert not Deck.objects.exists()


def test_a_violation_names_rule_document_and_line(client: Client, agency_text: str) -> None:
    checked = page_of(
        client.post("/check/", {"game": "spycraft", "text": agency_text + "\nDeck:\n4 Termite"})
    )
    assert checked.one("h2", id="verdict-title").text == "Not legal"
    source, *_ = checked.all("p", class_="check-source")
    assert source.link("AG-4") == "/games/spycraft/rules/#AG-4" and "line 430" in source.text
    assert "Take out" in checked.one("p", class_="check-repair").text


def test_an_unread_line_is_shown_with_its_number_and_a_suggestion(client: Client) -> None:
    checked = page_of(client.post("/check/", {"game": "spycraft", "text": "2 Kai\n2 Termitte"}))
    (line,) = checked.one("ol", class_="unread").all("li")
    assert (line.one(class_="unread-line").text, line.one(class_="unread-text").text) == ("2", "2 Termitte")
    assert line.one("button", text="Termite")["value"] == "2:Termite"
    assert checked.one("h2", id="verdict-title").text != "Legal"


def test_a_list_with_an_unread_line_is_never_called_legal(client: Client, agency_text: str) -> None:
    checked = page_of(client.post("/check/", {"game": "spycraft", "text": agency_text + "\n1 Nobody Knows"}))
    assert checked.one("h2", id="verdict-title").text == "Undecided"


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
def test_what_cannot_be_checked_says_why(
    client: Client, data: dict[str, str], status: int, message: str
) -> None:
    refused = page_of(client.post("/check/", data), status=status)
    assert message in refused.one(class_="error-summary").text


@pytest.mark.parametrize(
    ("game", "text", "name"),
    [
        ("spycraft", "2 Kai", "New Spycraft deck"),
        ("xfiles", "1 First Aid", "New X-Files CCG deck"),
        ("spycraft", "// name: Dragons\n2 Kai", "Dragons"),
        ("spycraft", "// name: \u0301\n2 Kai", "New Spycraft deck"),
    ],
)
@pytest.mark.parametrize(
    ("address", "more"), [("/decks/new/", {}), ("/decks/import/", {"step": "keep", "visibility": "private"})]
)
def test_a_list_that_is_given_no_name_has_its_own_or_its_games(
    client: Client, address: str, more: dict[str, str], game: str, text: str, name: str
) -> None:
    assert client.post(address, {"game": game, "text": text, "name": " ", **more}).status_code == 302
    assert Deck.objects.get().name == name


def test_a_stored_deck_cannot_lose_its_name(client: Client) -> None:
    client.post("/decks/new/", {"game": "spycraft", "text": "2 Kai", "name": "Dragons"})
    deck = Deck.objects.get()
    answer = client.post(
        f"/decks/{deck.link}/edit/text/", {"name": "", "text": "2 Kai", "revision": deck.revision}
    )
    assert (answer.status_code, Deck.objects.get().name) == (400, "Dragons")


def test_a_refused_list_is_stored_nowhere_and_lost_nowhere(client: Client) -> None:
    refused = page_of(
        client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai\n1 Kia Motors"}),
        status=400,
    )
    assert refused.one(class_="unread-line").text == "2"
    assert (refused.field("name").value, refused.field("text").value) == ("Dragons", "2 Kai\n1 Kia Motors")
    assert not Deck.objects.exists()


def test_a_deck_is_edited_as_text(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    edit = made["Location"] + "edit/text/"
    assert "1 Nathan Sparks" in str(page(client, edit).field("text").value).splitlines()
    client.post(edit, {"name": "Tigers", "text": "3 Kai", "visibility": "public"})
    deck = page(client, made["Location"])
    assert deck.one("h1").text == "Tigers"
    assert deck.one("h2", id="verdict-title").text == "Incomplete"


def test_a_failed_edit_leaves_the_deck_as_it_was(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    before = Deck.objects.get().content()
    assert (
        client.post(made["Location"] + "edit/text/", {"name": "Tigers", "text": "3 Kia"}).status_code == 400
    )
    assert Deck.objects.get().content() == before


@pytest.mark.parametrize("name", ["\u202egnp.exe", "a\x00b", "\u200b", "x" * 121])
def test_a_decks_name_must_be_visible(client: Client, name: str) -> None:
    assert client.post("/decks/new/", {"game": "spycraft", "name": name, "text": "1 Kai"}).status_code == 400


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><img src=x>', "Агент & スパイ", "={1+1}", "O'Brien\u00e9"]
)
def test_any_visible_name_is_shown_as_typed(client: Client, name: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": name, "text": "1 Kai"})
    deck = page(client, made["Location"])
    assert deck.one("h1").text == name
    assert not deck.has("img", src="x") and all(script.get("src") for script in deck.all("script"))


def test_a_starter_fills_the_form(client: Client) -> None:
    from cardsdb.games import games

    for game in games().values():
        for starter in game.starters:
            form = page(client, "/decks/new/", {"game": game.slug, "starter": starter.slug})
            assert starter.text.splitlines()[-1] in str(form.field("text").value).splitlines()


def test_written_in_cards_are_kept(client: Client) -> None:
    text = "1 Nightingale | agent | power: 3 | branches: tech, infiltration"
    made = client.post("/decks/new/", {"game": "spynet", "name": "Ours", "text": text})
    assert "Nightingale" in page(client, made["Location"] + "?view=rows").one(class_="deck-list").text
    assert "Branches: tech, infiltration" in str(
        page(client, made["Location"] + "edit/text/").field("text").value
    )


def test_deck_pages_need_few_queries(
    client: Client, agency_text: str, django_assert_max_num_queries: Any
) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    client.get(made["Location"])
    # Edition, session, deck, lines with cards, prints, whether the browser holds it; comments, forks, the
    # deck it is played with; own faces.
    with django_assert_max_num_queries(10):
        client.get(made["Location"])
    with django_assert_max_num_queries(
        10
    ):  # session, edition, two counts, decks, their sizes, their cards, three for own faces
        client.get("/decks/")
    with django_assert_max_num_queries(4):  # edition, session, two for own faces
        client.post("/check/", {"game": "spycraft", "text": agency_text})


def test_saving_any_deck_needs_few_queries(
    client: Client, agency_text: str, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(
        18
    ):  # whatever the number of cards; its first state in the history too
        client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})


@pytest.mark.both_databases
def test_a_deck_that_is_saved_again_shows_when(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    Deck.objects.update(created=long_ago, changed=long_ago)
    client.post(made["Location"] + "edit/text/", {"name": "Dragons", "text": "3 Kai"})
    deck = Deck.objects.get()
    assert (deck.created, deck.changed.year > 2020) == (long_ago, True)


def test_a_retired_card_stays_in_its_decks(client: Client) -> None:
    from cardsdb.models import Card, Edition

    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    Card.objects.filter(game="spycraft", code="kai").update(retired=True)
    Edition.objects.create()
    assert "Kai" in page(client, made["Location"] + "?view=rows").one(class_="deck-list").text


def opened_at(client: Client, edit: str) -> str:
    return page(client, edit).one("input", name="revision")["value"]


def test_two_people_saving_the_same_deck_lose_nothing(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    edit = made["Location"] + "edit/text/"
    opened = opened_at(client, edit)
    first = client.post(edit, {"name": "First", "text": "3 Kai", "revision": opened})
    second = client.post(edit, {"name": "Second", "text": "2 Kai", "revision": opened})
    assert (first.status_code, second.status_code) == (302, 409)
    words = page_of(second, status=409).main.text
    assert "was changed twice" in words
    assert all(theirs_or_ours in words for theirs_or_ours in ("3 copies", "2 copies", "First", "Second"))
    assert Deck.objects.get().name == "First"


def test_what_two_people_changed_in_different_places_is_saved_together(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai\n1 Termite"})
    edit = made["Location"] + "edit/text/"
    opened = opened_at(client, edit)
    client.post(edit, {"name": "Dragons", "text": "3 Kai\n1 Termite", "revision": opened})
    assert (
        client.post(edit, {"name": "Tigers", "text": "2 Kai\n2 Termite", "revision": opened}).status_code
        == 302
    )
    deck = Deck.objects.with_cards().get()
    assert (deck.name, {entry.card.code: entry.count for entry in deck.decklist()}) == (
        "Tigers",
        {"kai": 3, "termite": 2},
    )


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
    assert (deck.name, {entry.card.code: entry.count for entry in deck.decklist()}) == (
        name,
        {"kai": count, "termite": 1},
    )


def test_the_edit_page_offers_the_decks_format(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    assert page(client, made["Location"] + "edit/text/").field("format").value == "agency"


def test_deleting_asks_first(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})
    question = page(client, made["Location"] + "delete/").main
    assert question.one("h1").text == "Delete “Dragons”?" and "for good" in question.text
    assert Deck.objects.exists()
    assert (
        "is deleted"
        in page_of(client.post(made["Location"] + "delete/", follow=True)).one(class_="notice").text
    )
    assert not Deck.objects.exists()


@pytest.mark.both_databases
def test_a_card_that_is_not_loaded_yet_is_no_server_error_and_nothing_is_stored(client: Client) -> None:
    from cardsdb.models import Card

    Card.objects.filter(game="spycraft", code="kai").update(code="kai-elsewhere")
    refused = page_of(
        client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"}), status=503
    )
    assert "brought up to date" in refused.one(class_="error-summary").text
    assert not Deck.objects.exists()


def test_a_typo_does_not_hide_that_the_deck_was_changed_elsewhere(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    edit = made["Location"] + "edit/text/"
    client.post(edit, {"name": "Elsewhere", "text": "3 Kai", "revision": "0"})
    typo = page_of(client.post(edit, {"name": "Here", "text": "2 Kia Motors", "revision": "0"}), status=400)
    assert typo.one("input", name="revision")["value"] == "0"
    assert client.post(edit, {"name": "Here", "text": "2 Kai", "revision": "0"}).status_code == 409
    assert Deck.objects.get().name == "Elsewhere"


def test_a_look_at_the_headers_does_not_use_up_the_edit_link(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai"})
    client.head(made["Location"])
    assert "/decks/edit/#" in page(client, made["Location"]).one(class_="notice").text


@pytest.mark.both_databases
def test_cards_of_a_section_that_is_gone_are_placed_by_their_type(client: Client) -> None:
    made = client.post(
        "/decks/new/", {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "visibility": "public"}
    )
    Deck.objects.get().lines.update(section="gone")
    for visitor in (client, Client()):
        assert "Kai" in page(visitor, made["Location"] + "?view=rows").one(class_="deck-list").text


def test_two_decks_saved_at_once_by_one_browser_are_both_remembered(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    import decks.editor.new as new

    client.post("/decks/new/", {"game": "spycraft", "name": "First", "text": "2 Kai"})
    twin = Client()
    twin.cookies = client.cookies
    keep, made = new.save_form, []

    def keep_and_be_overtaken(deck: Any, form: Any, viewer: Any) -> bool:
        monkeypatch.setattr(new, "save_form", keep)
        made.append(
            twin.post("/decks/new/", {"game": "spycraft", "name": "Twin", "text": "2 Kai"})["Location"]
        )
        return keep(deck, form, viewer)

    monkeypatch.setattr(new, "save_form", keep_and_be_overtaken)
    made.append(
        client.post("/decks/new/", {"game": "spycraft", "name": "Second", "text": "2 Kai"})["Location"]
    )
    assert [client.get(address).status_code for address in made] == [200, 200]


@pytest.mark.engine("sqlite")
def test_the_pages_of_the_deck_list_keep_the_game(client: Client) -> None:
    for number in range(51):
        client.post("/decks/new/", {"game": "spycraft", "name": f"Deck {number}", "text": "2 Kai"})
    assert (
        page(client, "/decks/?game=spycraft").one("nav", class_="pagination").link("Next")
        == "?game=spycraft&page=2"
    )


def test_a_deck_prints_whatever_its_name(client: Client) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "スパイ Club", "text": "2 Kai"})
    assert client.get(f"/print/sheets.pdf?deck={made['Location'].split('/')[2]}").content.startswith(b"%PDF")


# -- faces -----------------------------------------------------------------------


def test_the_cards_of_a_deck_are_faces_in_a_fan_for_each_type(client: Client, agency_text: str) -> None:
    shown = page(
        client,
        client.post("/decks/new/", {"game": "spycraft", "name": "Dragons", "text": agency_text})["Location"],
    )
    fans = {group.one("h2").text: group for group in shown.all("section", class_="fan-group")}
    assert {"Leaders 4"} < set(fans)
    for group in fans.values():
        assert all(face["aria-label"] and face["viewbox"] for face in group.all("svg"))


def test_a_secret_card_has_no_face_for_others(client: Client) -> None:
    made = client.post(
        "/decks/new/",
        {"game": "xfiles", "name": "Hidden", "text": "X-File:\n1 Ancestor Spirits", "visibility": "public"},
    )
    Deck.objects.update(visibility="public")
    assert page(client, made["Location"]).has("svg", aria_label="Ancestor Spirits")
    assert "ancestor-spirits" not in Client().get(f"/decks/{Deck.objects.get().link}/").content.decode()
