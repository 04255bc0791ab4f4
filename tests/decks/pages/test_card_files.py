"""Files of cards and decks with one's own texts: for whoever asks for them, with theirs, and in no cache."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from cardsdb.box.texts import box_for_everyone, save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.search import results
from decks.formats.card_files import CARD_FILES

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
CANARY = "Zeppelinade"
FOUND = "/cards/file/?q=game%3Aspycraft+!Kai"


@pytest.fixture
def ada() -> Client:
    user = User.objects.create_user("ada")
    save_text(Viewer(user.pk), games()["spycraft"], "kai", f"{CANARY}.")
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def deck(ada: Client) -> str:
    return str(
        ada.post("/decks/new/", {"game": "spycraft", "text": "2 Kai\n1 Li", "visibility": "public"})[
            "Location"
        ]
    )


def addresses(deck: str) -> list[str]:
    return [
        *(f"{FOUND}&to={name}&texts=mine" for name in CARD_FILES),
        *(f"{deck}cards/?to={name}&texts=mine" for name in CARD_FILES),
        *(f"{deck}files/{name}/?texts=mine" for name in ("csv", "json", "tts")),
    ]


def test_who_asks_for_their_texts_gets_them_and_nobody_else_does(ada: Client, deck: str) -> None:
    for address in addresses(deck):
        mine, theirs = ada.get(address), Client().get(address)
        assert CANARY in mine.content.decode(), address
        assert "private" in mine["Cache-Control"] and "no-store" in mine["Cache-Control"]
        assert theirs.status_code == 200 and CANARY not in theirs.content.decode(), address
        assert CANARY not in ada.get(address.replace("texts=mine", "")).content.decode(), address


def test_the_pages_offer_it_to_who_has_texts(ada: Client, deck: str) -> None:
    files, found = (
        ada.get(address).content.decode() for address in (f"{deck}files/", "/cards/?q=game%3Aspycraft+kai")
    )
    assert (
        "With your texts" in files
        and "files/csv/?texts=mine" in files
        and "cards/?to=octgn&amp;texts=mine" in files
    )
    assert 'name="texts" value="mine"' in found
    files, found = (
        Client().get(address).content.decode()
        for address in (f"{deck}files/", "/cards/?q=game%3Aspycraft+kai")
    )
    assert "With your texts" not in files and 'name="texts"' not in found and "These cards as a file" in found


def test_a_format_without_a_place_for_texts_has_none(ada: Client, deck: str) -> None:
    assert CANARY not in ada.get(f"{deck}files/o8d/?texts=mine").content.decode()


def test_what_is_no_file_of_one_game_is_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get(f"{FOUND}&to=doc").status_code == 404
    for address, sentence in (
        ("?to=csv", "of several"),
        ("?to=csv&q=game%3Aspycraft+nothingofthesort", "No card is found"),
    ):
        answer = client.get(f"/cards/file/{address}")
        assert answer.status_code == 400 and sentence in answer.content.decode()
    monkeypatch.setattr(results, "MAX_CARDS", 3)
    assert client.get("/cards/file/?to=csv&q=game%3Aspycraft").status_code == 400


def test_secret_cards_are_in_no_file_that_strangers_get(client: Client) -> None:
    text = "X-File:\n1 Duane Barry\nAgents:\n1 Agent Fox Mulder"
    deck = client.post("/decks/new/", {"game": "xfiles", "text": text, "visibility": "public"})["Location"]
    mine, theirs = (one.get(f"{deck}cards/?to=csv").content.decode() for one in (client, Client()))
    assert "Duane Barry" in mine and "Duane Barry" not in theirs and "Mulder" in theirs


def export(*words: str) -> str:
    out = io.StringIO()
    call_command("export_cards", *words, stdout=out)
    return out.getvalue()


def test_the_command_writes_the_same_with_the_texts_of_an_account_of_everyone_or_of_a_file(
    ada: Client, tmp_path: Path
) -> None:
    asked = ("!Kai", "--game", "spycraft", "--to", "json")
    text = "text" in json.loads(export(*asked))["cards"][0]
    assert (
        CANARY not in export(*asked)
        and CANARY not in export(*asked, "--with-texts")
        and text in (True, False)
    )
    assert CANARY in export(*asked, "--with-texts", "--owner", "ada")
    box_for_everyone().owntexts.create(game="spycraft", card_code="kai", text="For all.")
    assert "For all." in export(*asked, "--with-texts")
    table = tmp_path / "mine.csv"
    table.write_text("name,text\nKai,Out of a file.\n", encoding="utf-8")
    assert "Out of a file." in export(*asked, "--texts", str(table))
    export(*asked, "-o", str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["game"] == "spycraft"


def test_a_deck_is_converted_with_the_texts_of_a_file(tmp_path: Path, capsysbinary: Any) -> None:
    deck, table = tmp_path / "deck.txt", tmp_path / "mine.csv"
    deck.write_text("2 Kai\n", encoding="utf-8")
    table.write_text("name,text\nKai,Out of a file.\n", encoding="utf-8")
    call_command(
        "convert_deck",
        str(deck),
        "--game",
        "spycraft",
        "--to",
        "csv",
        "--texts",
        str(table),
        "-o",
        str(tmp_path / "out.csv"),
    )
    assert "Out of a file." in (tmp_path / "out.csv").read_text(encoding="utf-8")
