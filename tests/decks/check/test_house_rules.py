"""House rules on pages, over HTTP and on the command line: kept with a deck, or whole in an address."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from cardsdb.identity.viewer import Viewer, hashed
from decks.core.used_format import format_with
from decks.models import Deck, Visibility
from decks.saving.history import undo

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def deck(client: Client, agency_text: str) -> Deck:
    """A legal agency deck that this client may edit."""
    client.post(
        "/decks/new/", {"game": "spycraft", "format": "agency", "name": "Dragons", "text": agency_text}
    )
    return Deck.objects.get()


def page(answer: Any) -> str:
    return answer.content.decode()


def test_the_page_shows_every_number_with_its_rule(client: Client, deck: Deck) -> None:
    shown = page(client.get(f"/decks/{deck.link}/house/"))
    assert 'name="AG-3.at_least" value="50"' in shown
    assert "/games/spycraft/rules/#AG-3" in shown


def test_saved_numbers_are_those_the_deck_is_judged_by(client: Client, deck: Deck) -> None:
    client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90"})
    deck.refresh_from_db()
    assert (deck.house, deck.verdict) == ("AG-3.at_least=90", "incomplete")
    shown = page(client.get(f"/decks/{deck.link}/"))
    assert "Agency Deck with house rules" in shown
    assert "By house rule 90; the rulebook says 50." in shown


def test_the_other_formats_name_the_rulebooks_own(client: Client, deck: Deck) -> None:
    client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90"})
    table = page(client.get(f"/decks/{deck.link}/")).split('class="other-formats"')[1].split("</table>")[0]
    assert "Agency Deck</th>" in table.replace(" </th>", "</th>") and "Legal" in table
    assert "Mission Deck" not in table, "no card of it has a place there"


def test_trying_saves_nothing(client: Client, deck: Deck) -> None:
    answer = client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90", "try": "1"})
    deck.refresh_from_db()
    assert "Nothing is saved yet" in page(answer)
    assert "Incomplete" in page(answer)
    assert deck.house == ""


def test_house_rules_are_undone_like_any_change(client: Client, deck: Deck) -> None:
    client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90"})
    Deck.objects.update(edit_hash=hashed("key"))
    undo(deck.link, Viewer(key_hash=hashed("key")))
    deck.refresh_from_db()
    assert (deck.house, deck.verdict) == ("", "legal")


def test_clearing_goes_back_to_the_rulebook(client: Client, deck: Deck) -> None:
    client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90"})
    client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90", "clear": "1"})
    deck.refresh_from_db()
    assert deck.house == ""


@pytest.mark.parametrize("number", ["many", "-3", "1000", "4.5"])
def test_what_is_no_number_is_refused_beside_its_field(client: Client, deck: Deck, number: str) -> None:
    answer = client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": number})
    deck.refresh_from_db()
    assert answer.status_code == 400
    assert 'href="#house-ag-3-at_least"' in page(answer)
    assert "A whole number from 0 to 999." in page(answer)
    assert deck.house == ""


def test_an_emptied_number_is_the_rulebooks(client: Client, deck: Deck) -> None:
    client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90"})
    client.post(f"/decks/{deck.link}/house/", {"AG-3.at_least": " ", "AG-4.limit": "04", "AG-5.limit": "1"})
    deck.refresh_from_db()
    assert deck.house == "AG-4.limit=4"


def test_only_an_author_has_the_page(deck: Deck) -> None:
    Deck.objects.update(visibility=Visibility.PUBLIC)
    assert Client().get(f"/decks/{deck.link}/house/").status_code == 404
    assert Client().post(f"/decks/{deck.link}/house/", {"AG-3.at_least": "90"}).status_code == 404


def test_an_address_holds_all_the_rules(client: Client) -> None:
    shown = page(client.get("/games/spycraft/house/?format=agency&AG-3.at_least=40&AG-4.limit=4"))
    assert "at least 40, where the rulebook says 50" in shown
    assert (
        "http://testserver/games/spycraft/house/?format=agency&amp;AG-3.at_least=40&amp;AG-4.limit=4" in shown
    )
    assert "/check/?game=spycraft&amp;format=agency&amp;house=AG-3.at_least%3D40%3BAG-4.limit%3D4" in shown


def test_an_address_with_no_number_is_refused_in_words(client: Client) -> None:
    answer = client.get("/games/spycraft/house/?format=agency&AG-3.at_least=forty")
    assert (answer.status_code, "A whole number from 0 to 999." in page(answer)) == (400, True)


def test_a_deck_can_begin_with_the_rules_of_an_address(client: Client) -> None:
    answer = client.post("/games/spycraft/house/", {"format": "agency", "AG-3.at_least": "40"})
    deck = Deck.objects.get()
    assert answer["Location"] == f"/decks/{deck.link}/edit/"
    assert (deck.house, deck.format) == ("AG-3.at_least=40", "agency")


def test_a_list_is_checked_by_house_rules(client: Client, agency_text: str) -> None:
    form = {"game": "spycraft", "format": "agency", "text": agency_text}
    assert "Incomplete" in page(client.post("/check/", form | {"house": "AG-3.at_least=90"}))
    refused = client.post("/check/", form | {"house": "AG-99.limit=1"})
    assert (refused.status_code, "has no number called" in page(refused)) == (400, True)
    assert 'name="house"' in page(client.get("/check/?game=spycraft&house=AG-3.at_least%3D90"))


def test_the_api_judges_by_house_rules(client: Client, agency_text: str) -> None:
    form = {"game": "spycraft", "format": "agency", "text": agency_text, "house": "AG-3.at_least=90"}
    answer = client.post("/api/v1/decks/validate/", form, content_type="application/json").json()
    assert (answer["verdict"], answer["house"]) == ("incomplete", "AG-3.at_least=90")
    assert answer["violations"][0]["house"] == "By house rule 90; the rulebook says 50."
    assert answer["violations"][0]["citation"]["code"] == "AG-3"
    refused = client.post(
        "/api/v1/decks/validate/", form | {"house": "nonsense"}, content_type="application/json"
    )
    assert (refused.status_code, refused.json()[0]["code"], refused.json()[0]["where"]) == (
        400,
        "bad_house_rule",
        "house",
    )


def test_the_command_judges_by_house_rules(tmp_path: Any, agency_text: str) -> None:
    path, out = tmp_path / "deck.txt", io.StringIO()
    path.write_text(agency_text)
    with pytest.raises(SystemExit, match="1"):
        call_command(
            "check_deck",
            str(path),
            game="spycraft",
            format="agency",
            house="AG-3.at_least=90",
            json=True,
            stdout=out,
        )
    assert json.loads(out.getvalue())["house"] == "AG-3.at_least=90"


def test_stored_rules_that_are_gone_do_no_harm(deck: Deck) -> None:
    from cardsdb.games import games

    game = games()["spycraft"]
    assert format_with(game, "agency", "GONE-1.limit=3") is game.formats_by_slug["agency"]
