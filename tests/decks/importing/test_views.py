"""Importing a deck on the site: read first, kept only when asked, and one report, on top, of all that changed
on the way, which stays until the deck is kept.
"""

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import FORMATS, export
from decks.models import Deck
from tests.support.imports import ADDRESS, again, fields, kept, pasted, report, sent
from tests.support.made_decks import make_deck
from tests.support.pages import page, page_of, post_bytes

# Files are read, and decks stored in the one way that tests/decks/saving/ tries on either engine.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
O8D = (
    '<deck game="d1d8cc2c-e817-4b4d-9449-3315bbd3c643"><section name="Deck"><card qty="2"'
    ' id="">Kai</card><card qty="1" id="">Termitte</card><card qty="3" id="">Nobody At'
    " All</card></section><notes>Mine to keep</notes></deck>"
)
UNREAD = ["1 Termitte", "3 Nobody At All"]
XFILES = games()["xfiles"]
STARTER = next(one for one in XFILES.starters if one.slug == "deck-mulder")


def test_a_file_is_shown_and_kept_as_a_deck_of_this_browser_when_that_is_asked(client):
    whole = O8D.replace("Termitte", "Termite").replace('<card qty="3" id="">Nobody At All</card>', "")
    shown = sent(client, whole.encode())
    assert "Read as: OCTGN. Game: Spycraft." in shown.text and not Deck.objects.exists()
    answer = kept(client, shown, tags="fast, blue")
    deck = Deck.objects.get()
    assert answer["Location"] == f"/decks/{deck.link}/"
    assert (deck.name, deck.notes, deck.tags) == ("Night Watch", "Mine to keep", ["fast", "blue"])
    assert deck.visibility == "private"
    assert [one.get(answer["Location"]).status_code for one in (client, Client())] == [200, 404]


def test_lines_that_nobody_knows_stop_the_keeping_until_they_are_put_right_or_kept_as_unknown_cards(client):
    shown = sent(client, O8D.encode())
    refused = again(client, shown, step="keep", status=400)
    assert [line.text for line in refused.context["form"].unread] == UNREAD
    assert fields(refused) == fields(shown) and not Deck.objects.exists()
    fix = next(one for one in shown.all("button", name="correct") if one["value"].endswith(":Termite"))
    first = again(client, shown, correct=fix["value"])
    assert "1 Termite" in fields(first)["text"]
    answer = kept(client, first, keep_unknown="yes")
    deck = Deck.objects.with_cards().get(link=answer["Location"].split("/")[2])
    (unknown,) = [entry for entry in deck.decklist() if entry.card.unknown]
    assert (unknown.count, unknown.card.name, unknown.section) == (3, "Nobody At All", "deck")
    assert deck.judged(games()["spycraft"]).report.codes()[0] == "unknown-card"
    assert "3 Nobody At All | unknown" in client.get(f"{answer['Location']}files/text/").text
    assert "Nobody At All" in page(client, answer["Location"]).text


def test_a_pasted_list_stays_as_it_was_pasted_and_one_line_can_be_kept_as_an_unknown_card(client):
    shown = pasted(client, "// Mine\r\n2 Kai #blue // early\r\n1 Nobody At All #maybe")
    assert fields(shown)["name"] == "Mine"
    lines = ["// Mine", "2 Kai #blue // early", "1 Nobody At All #maybe"]
    assert fields(shown)["text"].splitlines() == lines
    corrected = again(client, shown, correct="3:| unknown")
    assert fields(corrected)["text"].splitlines() == [*lines[:2], "1 Nobody At All | unknown | #maybe"]
    assert not corrected.context["form"].unread


@pytest.mark.parametrize(
    ("data", "said", "status"),
    [
        (b"", "There is nothing in it", 400),
        (b"<order>", "damaged", 400),
        (b"\x89PNG", "Unpack it", 400),
        (b"1 Ambush\n1 Disarm", "Choose the game it is for", 400),
        (b'{"cutout": 9}', "version 9", 400),
        (b"x" * 1_100_000, "too large", 400),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><deck>&b;</deck>', "entities", 400),
    ],
    ids=lambda one: repr(one)[:30],
)
def test_what_cannot_be_read_is_said(client, data, said, status):
    assert said in sent(client, data, "deck.o8d", status=status).text
    assert not Deck.objects.exists()


def test_an_empty_form_asks_for_something(client):
    assert client.get(ADDRESS).status_code == 200
    assert "Choose a file, or paste a list." in page_of(client.post(ADDRESS, {}), status=400).text


def test_names_in_a_file_are_shown_as_they_are_and_inert(client):
    bad = "&lt;script&gt;alert(1)&lt;/script&gt;"
    data = O8D.replace("Nobody At All", bad).replace("Mine to keep", bad).encode()
    shown = sent(client, data, "<script>x.o8d")
    assert "<script>alert(1)</script>" in shown.text
    assert not any("alert" in str(one._element.text) for one in shown.all("script"))


@pytest.mark.parametrize("text", ["\x00", "\ud800", "x" * 300_000, "\n" * 6_000])
@pytest.mark.parametrize("step", ["keep", "look"])
def test_no_second_step_whatever_is_a_server_error(client, text, step):
    for game in ("spycraft", "chess"):
        values = {"game": game, "format": "chess", "house": "x=\n", "tags": "," * 900, "step": step}
        assert post_bytes(client, ADDRESS, values | {"text": text}).status_code < 500


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_a_decks_file_is_imported_as_the_same_deck(client, agency_text, name):
    made = make_deck(client, agency_text, name="Night Watch", visibility="public")
    data = client.get(f"/decks/{made.link}/files/{name}/").content
    link = kept(client, sent(client, data, "x", game="spycraft"), name="Again")["Location"].split("/")[2]
    first, second = (Deck.objects.with_cards().get(link=one).decklist() for one in (made.link, link))
    assert {(e.card.code, e.section, e.count) for e in first} == {
        (e.card.code, e.section, e.count) for e in second
    }


@pytest.mark.parametrize("name", ["cod", "mpc"])
def test_a_legal_deck_of_our_own_export_is_legal_when_it_is_read(client, name):
    """Also where the file does not say which Agents stand in the deck."""
    written = export(name, XFILES, read_deck(XFILES, STARTER.text))
    shown = sent(client, written.data, written.filename, game="xfiles")
    assert shown.context["judged"].verdict == "legal"


# -- one report


def test_a_card_that_was_moved_a_print_that_was_dropped_and_a_line_that_was_not_read_stand_in_one_report(
    client,
):
    moved = "Starting Agents:\n1 Agent Fox Mulder\nMain:\n1 Agent Jack Willis\n"
    shown = pasted(client, f"{moved}1 Browning, MT (ZZ) 999\n3 Foo Barbaz\n", "xfiles")
    words = report(shown)
    assert "1 Agent Jack Willis was put into the Bureau deck" in words
    assert "of Browning, MT is known; the card was taken without it." in words
    assert "3 Foo Barbaz” was not read" in words and "Nothing" not in words
    assert shown.text.count("Browning, MT is known") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2 Kai\n", "Every line was read, and nothing was left out or moved."),
        ("// Mine\n// to be tried\n2 Kai\n", "1 comment was put into the notes."),
        ("2 Kai\n" + "".join(f"1 Nobody {n}\n" for n in range(90)), "and 70 lines more that were not read"),
    ],
    ids=["nothing", "a comment", "very much"],
)
def test_what_changed_on_the_way_is_told(client, text, said):
    shown = pasted(client, text)
    assert said in report(shown)
    assert "tried" not in text or fields(shown)["notes"] == "to be tried"


def test_the_enter_key_does_not_keep_the_deck(client):
    """It presses the first button of a form."""
    steps = [button["value"] for button in sent(client, O8D.encode()).all("button", name="step")]
    assert steps == ["look", "keep", "keep", "look"]


def test_what_it_was_taken_for_and_what_was_lost_stay_on_the_page(client):
    listed = STARTER.text.replace("1 Duane Barry", "1 Duane Barry\n1 Foo Barbaz")
    data = export("cod", XFILES, read_deck(XFILES, listed)).data
    first = sent(client, data.replace(b'name="Kick"', b'name="Kickk"'), "deck.cod")
    line = next(line for line in first.context["form"].unread if line.text == "1 Kickk")
    second = again(client, first, correct=f"{line.line}:| unknown")
    for shown in (first, second, again(client, second, step="look")):
        assert "Read as: Cockatrice. Game: The X-Files CCG." in shown.text
        assert "1 Agent Jack Willis was put into the Bureau deck" in report(shown)


def test_a_form_that_does_not_know_any_more_what_was_lost_says_so(client):
    first = pasted(client, "// a\n// b\n2 Kai\n")
    second = again(client, first, step="look", told="of before")
    for shown in (second, again(client, second, step="look")):
        assert report(shown).count("is not known here any more") == 1
        assert "nothing was left out" not in report(shown)


def test_what_is_sent_along_is_bounded_and_inert(client):
    bad = "<script>alert(1)</script>"
    sent_along = {"game": "spycraft", "text": "2 Kai", "name": "n", "visibility": "private"}
    answer = client.post(ADDRESS, {**sent_along, "told": bad * 9_000})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text and answer.text.count("alert(1)") < 1_200


@pytest.mark.parametrize("data", [b"Count,Name\n4,Counterspell\n20,Island\n", b"4 Counterspell\n20 Island\n"])
def test_a_deck_of_a_game_that_is_not_here_is_refused_in_one_sentence(client, data):
    shown = sent(client, data, "magic", status=400)
    assert shown.text.count("The list names no card of the games here") == 1
    assert all(game.name in shown.text for game in games().values())
    assert not shown.has(aria_invalid=True), "no field of the form is wrong"


def test_a_starters_source_and_note_are_kept_from_the_list_to_the_export(client):
    answer = kept(client, pasted(client, STARTER.text, "xfiles"))
    notes = Deck.objects.get().notes
    assert f"source: {STARTER.source}" in notes and STARTER.note in " ".join(notes.split())
    assert "// notes: source: " in client.get(f"{answer['Location']}files/text/").text
    assert STARTER.note in " ".join(make_deck(client, STARTER.text, "xfiles").notes.split())


# -- a game's cards


@pytest.mark.parametrize("slug", games())
def test_a_games_cards_are_to_be_had_for_other_programs(client, slug):
    archive = client.get(f"/games/{slug}/lackey.zip")
    assert archive["Content-Disposition"] == f'attachment; filename="{slug}.zip"'
    listed = client.get(f"/games/{slug}/lackey/updatelist.txt").text
    assert f"http://testserver/games/{slug}/lackey/plugininfo.txt" in listed
    assert client.get(f"/games/{slug}/lackey/../x").status_code == 404
    assert client.get(f"/games/{slug}/cockatrice.xml").content.startswith(b"<?xml")
    assert client.get("/games/chess/lackey.zip").status_code == 404


def test_the_files_page_shows_the_hash_and_leads_to_the_cards(client, agency_text):
    shown = page(client, f"/decks/{make_deck(client, agency_text).link}/files/")
    assert "/games/spycraft/lackey.zip" in shown.links and shown.has(class_="file-hash")
