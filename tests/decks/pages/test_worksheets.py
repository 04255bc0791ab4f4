"""Worksheets: filled in by their address and judged, opened on a deck and put into it. A deck's page links to
every sheet of its game, and the sheet links back.
"""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.play.worksheet import Calculation, Field, Outcome, Worksheet
from decks.models import Deck
from tests.support.made_decks import named_deck, starter
from tests.support.pages import page, page_of

# SQLite is enough here: sheets are filled in and judged in memory, and tests/decks/saving saves decks on
# PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

SHEET = "/games/steamspy/aids/character-sheet/"
BOOK = "/games/agentdecker/aids/score-book/"
NORA = {"name": "Nora Field", "corporation": "Das Wort", "body": "4", "xp": "10"}


@pytest.fixture
def cell(client):
    """A deck with one written-in character and one of the catalogue."""
    text = "1 Nora Field | character | corporation: Das Wort | body: 4\n1 Ivy Brass"
    return named_deck(client, "Mine", text, game="steamspy", visibility="unlisted", format="character")


def into(deck: Deck) -> str:
    """The address that puts a character sheet into the deck."""
    return f"{SHEET}into/{deck.link}/"


def cards_of(deck: Deck) -> dict[str, Any]:
    """Name -> facts of the deck's cards."""
    stored = Deck.objects.with_cards().get(pk=deck.pk)
    return {entry.card.name: dict(entry.card.facts) for entry in stored.decklist()}


def nora_in(deck: Deck) -> str:
    """The code of Nora's card in the deck."""
    stored = Deck.objects.with_cards().get(pk=deck.pk)
    return next(entry.card.code for entry in stored.decklist() if entry.card.name == "Nora Field")


# -- pages ----------------------------------------------------------------------


def test_a_game_lists_its_worksheets_and_links_to_them(client):
    for game in ("steamspy", "agentdecker", "spynet"):
        aids = f"/games/{game}/aids/"
        assert aids in page(client, f"/games/{game}/").links
        links = page(client, aids).links
        for sheet in games()[game].worksheets:
            assert f"{aids}{sheet.slug}/" in links and page(client, f"{aids}{sheet.slug}/")


def test_a_worksheet_that_a_game_declares_gets_a_page_and_a_printed_sheet(client, sixth_game):
    def reckon(game, values) -> Calculation:
        return Calculation((Outcome("Load", str(2 * values["parcels"]), "total", cites=("DD-1",)),))

    sheet = Worksheet("load", "Load", "How much is carried.", (Field("parcels", "Parcels", start=1),), reckon)
    object.__setattr__(sixth_game, "worksheets", (sheet,))
    assert "How much is carried." in page(client, "/games/deaddrop/aids/").text
    filled = page(client, "/games/deaddrop/aids/load/?parcels=21").one(id="worksheet-result")
    assert filled.has("strong", text="42") and filled.link("DD-1") == "/games/deaddrop/rules/#DD-1"
    assert client.get("/games/deaddrop/aids/load/sheet.pdf?parcels=21").content[:5] == b"%PDF-"


def test_a_sheet_is_filled_in_by_its_address_and_judged(client):
    sheet = page(client, SHEET, NORA)
    assert sheet.field("name").value == "Nora Field"
    assert "4 = 1 + 2 bonus + 1 bought" in sheet.one(id="note-body").text
    assert sheet.one(id="verdict-title").text == "Legal"
    assert str(sheet.one(id="worksheet-list").value).startswith("1 Nora Field | character")


def test_spending_too_much_is_reported_by_sheet_and_verdict_without_repetition(client):
    told = client.get(SHEET, {"name": "Nora", "body": "99", "intelligence": "99"}).text
    assert len(re.findall(r"Nora: \d+ XP spent of 10\.", told)) == 1 and "XP of Nora" not in told


def test_a_script_gets_only_the_outcome_and_its_address(client):
    answer = client.get(SHEET, NORA | {"organisation": ""}, headers={"HX-Request": "true"})
    assert "<html" not in answer.text
    note = page_of(answer).one(id="note-body", hx_swap_oob="true")
    assert note.text.startswith("4 = 1 + 2 bonus + 1 bought")
    assert answer["HX-Replace-Url"] == f"{SHEET}?{urlencode(NORA)}"


def test_a_mistake_is_reported_at_its_field_and_everything_typed_is_kept(client):
    sheet = page(client, SHEET, NORA | {"body": "strong"}, status=400)
    problem = "Body must be a whole number from 1 to 99, not “strong”."
    assert sheet.one(id="errors").link(problem) == "#f-body"
    assert (sheet.field("body").value, sheet.field("name").value) == ("strong", "Nora Field")


@pytest.mark.parametrize(
    "query",
    ["name=%00", "name=a%0Ab", "body=" + "9" * 500, "corporation=%F0", "deck=%00", "deck=nobody", "seed=x"],
)
def test_no_parameter_breaks_a_sheet(client, query):
    assert client.get(f"{SHEET}?{query}").status_code in (200, 400, 404)


# -- with a deck -----------------------------------------------------------------


def test_a_character_is_filled_in_from_the_deck_and_changed_there(client, cell):
    answer = client.get(f"{SHEET}?deck={cell.link}&card={nora_in(cell)}", follow=True)
    assert "body=4" in answer.redirect_chain[-1][0]
    form = page_of(answer).one("form", action=into(cell))
    assert form.one("button").text == "Change it in the deck"
    changed = client.post(into(cell), form.sent | {"name": "Nora Vale", "body": "5"})
    assert changed["Location"] == f"/decks/{cell.link}/"
    assert set(cards_of(cell)) == {"Nora Vale", "Ivy Brass"} and cards_of(cell)["Nora Vale"]["body"] == 5


def test_a_new_character_is_added_and_a_changed_one_of_the_catalogue_is_written_in(client, cell):
    client.post(into(cell), NORA | {"name": "Tom Reed"})
    client.post(into(cell), {"name": "Ivy Brass", "charisma": "3", "card": "ivy-brass"})
    assert set(cards_of(cell)) == {"Nora Field", "Ivy Brass", "Tom Reed"}
    assert cell.lines.get(written__name="Ivy Brass").written["facts"]["charisma"] == 3


@pytest.mark.parametrize(
    ("typed", "status", "message"),
    [
        (NORA, 400, "is in the deck already"),
        (NORA | {"card": "ivy-brass"}, 400, "is in the deck already"),
        (NORA | {"name": "X1", "card": "written-gone"}, 409, "no longer in the deck"),
        (NORA | {"name": "X1", "body": "0"}, 400, "Body must be a whole number"),
        (NORA | {"name": "…"}, 400, "needs a name"),
        ({}, 400, "Fill something in first"),
    ],
)
def test_a_refused_sheet_changes_nothing_in_the_deck(client, cell, typed, status, message):
    before = cards_of(cell)
    assert message in page_of(client.post(into(cell), typed), status=status).one(id="errors").text
    assert cards_of(cell) == before


def test_a_stranger_cannot_put_anything_into_a_deck(cell):
    stranger = Client()
    assert stranger.post(into(cell), NORA | {"name": "X1"}).status_code == 404
    assert "Put it into the deck" not in page(stranger, SHEET, {"deck": cell.link}).text
    Deck.objects.update(visibility="private")
    page(stranger, SHEET, {"deck": cell.link}, status=404)


def test_nothing_goes_into_a_deck_of_another_game(client):
    deck = named_deck(client, "Mine", "2 Kai")
    assert client.post(into(deck), NORA).status_code == 404
    page(client, SHEET, {"deck": deck.link}, status=404)


@pytest.mark.parametrize(
    ("stars", "funding", "outcome"),
    [
        ("75", "09", "Player 1 wins. "),
        ("77", "12", "Player 2 wins. The stars are equal; more funding decides: 2."),
        ("477", "122", "Player 2 and Player 3 share the win. As many stars, and as much funding."),
        ("4541", "0000", "Player 1 and Player 3 win. "),
    ],
    ids=["stars", "funding", "shared", "two teams"],
)
def test_stars_decide_then_funding_and_four_players_are_two_teams(stars, funding, outcome):
    game = games()["spynet"]
    sheet = next(sheet for sheet in game.worksheets if sheet.slug == "count-the-end")
    typed = {f"stars_{seat}": number for seat, number in enumerate(stars, 1)}
    typed |= {f"funding_{seat}": number for seat, number in enumerate(funding, 1)}
    first, *_ = sheet.fill_in(game, typed).calculation.outcomes
    assert f"{first.value}. {first.note}" == outcome


def test_a_score_sheet_is_stored_as_a_deck_filled_in_from_it_and_stored_again(client):
    sheet = page(client, BOOK, {f"mission_{n}": "9" for n in range(1, 6)})
    client.post("/decks/new/", sheet.one("form", action="/decks/new/").sent)
    deck = Deck.objects.get()
    assert deck.details["total"] == 45
    assert "mission_1=9" in client.get(f"{BOOK}?deck={deck.link}")["Location"]
    client.post(f"{BOOK}into/{deck.link}/", {"mission_1": "12", "mission_2": "30"})
    assert Deck.objects.get().details == {"mission_1": 12, "mission_2": 30}


# -- from the page of a deck ----------------------------------------------------------


@pytest.mark.parametrize(("game", "slug"), [("agentdecker", "campaign"), ("steamspy", "worked-cell")])
def test_the_page_of_a_deck_links_to_every_sheet_of_its_game_and_back(client, game, slug):
    deck = named_deck(client, "Mine", starter(game, slug), game=game)
    links = page(client, f"/decks/{deck.link}/").links
    for sheet in games()[game].worksheets:
        if sheet.card_type:
            continue
        begins = f"/games/{game}/aids/{sheet.slug}/?deck={deck.link}"
        (address,) = {link for link in links if link.startswith(begins)}
        opened = page(client, address, follow=True)
        assert opened.all(class_="meta")[0].link("Mine") == f"/decks/{deck.link}/"
        assert opened.has("a", text="As in the deck") == (sheet.format == deck.format)


CAMPAIGN = re.sub(r"(?m)^Alarm: .*$", "Alarm: 12", starter("agentdecker", "campaign"))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            CAMPAIGN.replace("Mission: A", "Mission: 2"),
            {"mission": "B", "alarm": 12, "alarm_card": 1, "line": 6, "hand": 4},
        ),
        ("Hand:\n1 Punch", {"mission": "A", "alarm": 0, "turn": 1, "line": 0}),
    ],
    ids=["filled in", "a head that says nothing"],
)
def test_the_sheet_of_a_campaign_is_filled_in_from_its_deck(client, text, values):
    deck = named_deck(client, "Mine", text, game="agentdecker", format="campaign")
    opened = page(client, "/games/agentdecker/aids/campaign-state/", {"deck": deck.link}, follow=True)
    filled = opened.context["filled"].result.values
    assert {key: filled[key] for key in values} == values
