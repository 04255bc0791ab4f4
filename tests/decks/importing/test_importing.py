"""Importing a deck on the site, over the API and from the command line: read first, kept only when asked."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from cardsdb.games import games
from decks.formats import FORMATS, export
from decks.formats.text import read
from decks.models import Deck
from tests.support.pages import post_bytes

# Files are read, and decks stored in the one way that tests/decks/saving/ tries on either engine.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
O8D = (
    '<deck game="d1d8cc2c-e817-4b4d-9449-3315bbd3c643"><section name="Deck"><card qty="2"'
    ' id="">Kai</card><card qty="1" id="">Termitte</card><card qty="3" id="">Nobody At'
    " All</card></section><notes>Mine to keep</notes></deck>"
)


def sent(client: Client, data: bytes, name: str = "Night_Watch.o8d", **values: str) -> Any:
    return client.post("/decks/import/", {"file": SimpleUploadedFile(name, data), **values})


def form_of(page: Any) -> dict[str, str]:
    """The second step's fields, as the page has them."""
    form = page.context["form"]
    names = ("game", "format", "name", "notes", "tags", "house", "visibility", "text")
    return {name: form[name].value() or "" for name in names}


# -- the page -------------------------------------------------------------------


def test_a_file_is_shown_and_nothing_is_kept(client: Client) -> None:
    page = sent(client, O8D.encode())
    text = page.content.decode()
    assert page.status_code == 200
    assert "Taken for: OCTGN. Game: Spycraft." in text
    assert form_of(page)["name"] == "Night Watch"
    assert form_of(page)["notes"] == "Mine to keep"
    assert "3 Nobody At All" in form_of(page)["text"]
    assert 'value="7:Termite"' in text or ":Termite" in text
    assert not Deck.objects.exists()


def test_what_was_read_is_kept_as_a_deck_of_this_browser(client: Client) -> None:
    page = sent(
        client,
        O8D.replace("Termitte", "Termite").replace('<card qty="3" id="">Nobody At All</card>', "").encode(),
    )
    answer = client.post("/decks/import/", {**form_of(page), "tags": "fast, blue", "step": "keep"})
    deck = Deck.objects.get()
    assert answer["Location"] == f"/decks/{deck.link}/"
    assert (deck.name, deck.notes, deck.tags, deck.visibility) == (
        "Night Watch",
        "Mine to keep",
        ["fast", "blue"],
        "private",
    )
    assert client.get(answer["Location"]).status_code == 200
    assert Client().get(answer["Location"]).status_code == 404


def test_lines_that_nobody_knows_stop_the_keeping_and_are_listed(client: Client) -> None:
    page = sent(client, O8D.encode())
    answer = client.post("/decks/import/", {**form_of(page), "step": "keep"})
    assert answer.status_code == 400
    assert [line.text for line in answer.context["form"].unread] == ["1 Termitte", "3 Nobody At All"]
    assert form_of(answer) == form_of(page)
    assert not Deck.objects.exists()


def test_they_are_kept_as_unknown_cards_when_that_is_asked_for(client: Client) -> None:
    page = sent(client, O8D.encode())
    first = client.post(
        "/decks/import/", {**form_of(page), "correct": f"{page.context['form'].unread[0].line}:Termite"}
    )
    assert "1 Termite" in form_of(first)["text"]
    answer = client.post("/decks/import/", {**form_of(first), "step": "keep", "keep_unknown": "yes"})
    deck = Deck.objects.with_cards().get(link=answer["Location"].split("/")[2])
    (unknown,) = [entry for entry in deck.decklist() if entry.card.unknown]
    assert (unknown.count, unknown.card.name, unknown.section) == (3, "Nobody At All", "deck")
    assert deck.judged(games()["spycraft"]).report.codes()[0] == "unknown-card"
    text = client.get(f"{answer['Location']}files/text/").content.decode()
    assert "3 Nobody At All | unknown" in text
    assert "Nobody At All" in client.get(answer["Location"]).content.decode()


def test_one_line_can_be_kept_as_an_unknown_card(client: Client) -> None:
    page = client.post("/decks/import/", {"pasted": "2 Kai\n1 Nobody At All #maybe", "game": "spycraft"})
    answer = client.post("/decks/import/", {**form_of(page), "correct": "2:| unknown"})
    assert form_of(answer)["text"].splitlines()[1] == "1 Nobody At All | unknown | #maybe"
    assert not answer.context["form"].unread


def test_a_pasted_list_stays_as_it_was_pasted(client: Client) -> None:
    page = client.post("/decks/import/", {"pasted": "// Mine\r\n2 Kai #blue // early\r\n"})
    assert form_of(page)["text"].splitlines() == ["// Mine", "2 Kai #blue // early"]
    assert form_of(page)["name"] == "Mine"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "There is nothing in it"),
        (b"<order>", "damaged"),
        (b"\x89PNG", "Unpack it"),
        (b"1 Ambush\n1 Disarm", "Choose the game it is for"),
        (b'{"cutout": 9}', "version 9"),
        (b"x" * 1_100_000, "too large"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><deck>&b;</deck>', "entities"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_is_lost(client: Client, data: bytes, said: str) -> None:
    page = sent(client, data, "deck.o8d")
    assert page.status_code in (400, 413)
    assert said in page.content.decode()
    assert not Deck.objects.exists()


def test_an_empty_form_asks_for_something(client: Client) -> None:
    assert "Choose a file, or paste a list." in client.post("/decks/import/", {}).content.decode()
    assert client.get("/decks/import/").status_code == 200


def test_names_in_a_file_are_shown_as_they_are_and_inert(client: Client) -> None:
    bad = "&lt;script&gt;alert(1)&lt;/script&gt;"
    page = sent(
        client, O8D.replace("Nobody At All", bad).replace("Mine to keep", bad).encode(), "<script>x.o8d"
    ).content.decode()
    assert bad in page
    assert "<script>alert" not in page


@pytest.mark.parametrize("text", ["\x00", "\ud800", "x" * 300_000, "\n" * 6_000, "2 Kai"])
@pytest.mark.parametrize("step", ["keep", "look", ""])
@pytest.mark.parametrize("game", ["spycraft", "chess", ""])
def test_no_second_step_whatever_is_a_server_error(client: Client, text: str, step: str, game: str) -> None:
    values = {
        "game": game,
        "format": "chess",
        "text": text,
        "house": "x=\n",
        "tags": "," * 900,
        "step": step,
    }
    assert post_bytes(client, "/decks/import/", values).status_code < 500


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_decks_file_is_imported_as_the_same_deck(client: Client, agency_text: str, name: str) -> None:
    made = client.post(
        "/decks/new/",
        {"game": "spycraft", "name": "Night Watch", "text": agency_text, "visibility": "public"},
    )["Location"]
    data = b"".join([client.get(f"{made}files/{name}/").content])
    page = sent(client, data, "x", game="spycraft")
    kept = client.post("/decks/import/", {**form_of(page), "name": "Again", "step": "keep"})["Location"]
    first, second = (
        Deck.objects.with_cards().get(link=link.split("/")[2]).decklist() for link in (made, kept)
    )
    assert {(e.card.code, e.section, e.count) for e in first} == {
        (e.card.code, e.section, e.count) for e in second
    }


# -- the API ----------------------------------------------------------------------


def asked(client: Client, **values: Any) -> Any:
    return client.post("/api/v1/decks/import/", json.dumps(values), content_type="application/json")


@pytest.mark.parametrize("encoding", ["text", "base64"])
def test_the_api_reports_what_it_read_and_stores_nothing(client: Client, encoding: str) -> None:
    content = base64.b64encode(O8D.encode()).decode() if encoding == "base64" else O8D
    answer = asked(client, content=content, encoding=encoding, filename="Night_Watch.o8d").json()
    assert answer["taken_for"] == {"format": "o8d", "title": "OCTGN", "dialect": ""}
    assert (answer["game"], answer["name"], answer["notes"]) == ("spycraft", "Night Watch", "Mine to keep")
    assert [line["text"] for line in answer["report"]["unread"]] == ["1 Termitte", "3 Nobody At All"]
    assert answer["report"]["unread"][0]["suggestions"] == ["Termite"]
    assert not Deck.objects.exists()


@pytest.mark.parametrize(
    ("values", "status", "code"),
    [
        ({"content": "<order>"}, 400, "bad_xml"),
        ({"content": "*", "encoding": "base64"}, 400, "bad_base64"),
        ({"content": "2 Kai", "game": "chess"}, 400, "unknown_game"),
        ({"content": "2 Kai", "format": "chess"}, 400, "unknown_format"),
        ({"content": "2 Kai", "taken_for": "doc"}, 400, "invalid_choice"),
        ({"content": "2 Kai\n" * 60_000}, 413, "too_large"),
        ({}, 400, "required"),
    ],
)
def test_the_api_refuses_in_the_one_shape(
    client: Client, values: dict[str, str], status: int, code: str
) -> None:
    answer = asked(client, **values)
    assert (answer.status_code, answer.json()[0]["code"]) == (status, code)


# -- the command --------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_command_reads_every_format(tmp_path: Path, capfdbinary: Any, name: str) -> None:
    from tests.decks.management.commands.test_convert_deck import convert

    game = games()["spycraft"]
    source = tmp_path / "deck"
    source.write_bytes(export(name, game, read(game, b"2 Kai\n1 Termite", "").reading).data)
    status, out, err = convert(capfdbinary, str(source), "--to", "json", "--from", name)
    assert status == 0
    assert {(card["name"], card["count"]) for card in json.loads(out)["cards"]} == {
        ("Kai", 2),
        ("Termite", 1),
    }
    assert all(set(json.loads(line)) == {"code", "message", "where"} for line in err.splitlines())


def test_the_command_says_what_was_lost_on_the_way_in(tmp_path: Path, capfdbinary: Any) -> None:
    from tests.decks.management.commands.test_convert_deck import convert

    source = tmp_path / "deck.cod"
    source.write_text(
        '<cockatrice_deck version="1"><bannerCard>x</bannerCard><zone name="main"><card number="1"'
        ' name="Kai"/></zone></cockatrice_deck>'
    )
    status, _, err = convert(capfdbinary, str(source), "--to", "text")
    assert (status, [json.loads(line)["code"] for line in err.splitlines()]) == (0, ["element_dropped"])


# -- a game's cards -------------------------------------------------------------------


@pytest.mark.parametrize("slug", games())
def test_a_games_cards_are_to_be_had_for_other_programs(client: Client, slug: str) -> None:
    archive = client.get(f"/games/{slug}/lackey.zip")
    assert archive["Content-Disposition"] == f'attachment; filename="{slug}.zip"'
    assert archive.content == client.get(f"/games/{slug}/lackey.zip").content
    listed = client.get(f"/games/{slug}/lackey/updatelist.txt").content.decode()
    assert f"http://testserver/games/{slug}/lackey/plugininfo.txt" in listed
    assert client.get(f"/games/{slug}/lackey/../x").status_code == 404
    assert client.get(f"/games/{slug}/cockatrice.xml").content.startswith(b"<?xml")
    assert client.get("/games/chess/lackey.zip").status_code == 404


def test_the_files_page_shows_the_hash_and_leads_to_the_cards(client: Client, agency_text: str) -> None:
    made = client.post("/decks/new/", {"game": "spycraft", "name": "N", "text": agency_text})["Location"]
    page = client.get(f"{made}files/").content.decode()
    assert 'href="/games/spycraft/lackey.zip"' in page
    assert 'class="file-hash"' in page
