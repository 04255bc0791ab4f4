"""Importing a deck on the site: a file is read and shown first, saved only on request, and one report lists
all that changed on the way until the deck is saved.
"""

import pytest
from django.test import Client

from cardsdb.games import games
from decks.models import Deck
from tests.support.imports import ADDRESS, again, fields, kept, pasted, report, sent
from tests.support.made_decks import make_deck
from tests.support.pages import page, page_of, post_bytes

# SQLite is enough: tests/decks/saving/ tests the saving of decks on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
O8D = (
    '<deck game="d1d8cc2c-e817-4b4d-9449-3315bbd3c643"><section name="Deck"><card qty="2"'
    ' id="">Kai</card><card qty="1" id="">Termitte</card><card qty="3" id="">Nobody At'
    " All</card></section><notes>Mine to keep</notes></deck>"
)
UNREAD = ["1 Termitte", "3 Nobody At All"]
XFILES = games()["xfiles"]


def test_a_file_is_shown_first_and_saved_as_a_private_deck_on_request(client):
    whole = O8D.replace("Termitte", "Termite").replace('<card qty="3" id="">Nobody At All</card>', "")
    shown = sent(client, whole.encode())
    assert "Read as: OCTGN. Game: Spycraft." in shown.text
    assert not Deck.objects.exists()
    answer = kept(client, shown, tags="fast, blue")
    deck = Deck.objects.get()
    assert answer["Location"] == f"/decks/{deck.link}/"
    assert (deck.name, deck.notes, deck.tags) == ("Night Watch", "Mine to keep", ["fast", "blue"])
    assert deck.visibility == "private"
    statuses = [visitor.get(answer["Location"]).status_code for visitor in (client, Client())]
    assert statuses == [200, 404]


def test_unread_lines_stop_saving_until_corrected_or_kept_as_unknown(client):
    shown = sent(client, O8D.encode())
    refused = again(client, shown, step="keep", status=400)
    assert [line.text for line in refused.context["form"].unread] == UNREAD
    before, after = fields(shown), fields(refused)
    # The signature behind the colon contains the time in seconds.
    assert after.pop("told").partition(":")[0] == before.pop("told").partition(":")[0]
    assert after == before
    assert not Deck.objects.exists()
    corrections = [button["value"] for button in shown.all("button", name="correct")]
    fix = next(value for value in corrections if value.endswith(":Termite"))
    first = again(client, shown, correct=fix)
    assert "1 Termite" in fields(first)["text"]
    answer = kept(client, first, keep_unknown="yes")
    deck = Deck.objects.with_cards().get(link=answer["Location"].split("/")[2])
    (unknown,) = [entry for entry in deck.decklist() if entry.card.unknown]
    assert (unknown.count, unknown.card.name, unknown.section) == (3, "Nobody At All", "deck")
    assert deck.judged(games()["spycraft"]).report.codes()[0] == "unknown-card"
    assert "3 Nobody At All | unknown" in client.get(f"{answer['Location']}files/text/").text
    assert "Nobody At All" in page(client, answer["Location"]).text


def test_a_pasted_list_stays_as_typed_and_a_line_can_be_kept_as_unknown(client):
    shown = pasted(client, "// Mine\r\n2 Kai #blue // early\r\n1 Nobody At All #maybe")
    assert fields(shown)["name"] == "Mine"
    lines = ["// Mine", "2 Kai #blue // early", "1 Nobody At All #maybe"]
    assert fields(shown)["text"].splitlines() == lines
    corrected = again(client, shown, correct="3:| unknown")
    assert fields(corrected)["text"].splitlines() == [*lines[:2], "1 Nobody At All | unknown | #maybe"]
    assert not corrected.context["form"].unread


def test_an_empty_form_asks_for_a_file_or_a_list(client):
    assert "Choose a file, or paste a list." in page_of(client.post(ADDRESS, {}), status=400).text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "There is nothing in it"),
        (b"<order>", "damaged"),
        (b"1 Ambush\n1 Disarm", "Choose the game it is for"),
        (b"x" * 1_100_000, "too large"),
    ],
    ids=["nothing", "damaged", "of several games", "too large"],
)
def test_an_unreadable_file_is_refused_with_a_message(client, data, message):
    assert message in sent(client, data, "deck.o8d", status=400).text
    assert not Deck.objects.exists()


@pytest.mark.parametrize("text", ["\x00", "\ud800", "x" * 300_000, "\n" * 6_000])
@pytest.mark.parametrize("step", ["keep", "look"])
def test_no_second_step_causes_a_server_error(client, text, step):
    for game in ("spycraft", "chess"):
        values = {"game": game, "format": "chess", "house": "x=\n", "tags": "," * 900, "step": step}
        assert post_bytes(client, ADDRESS, values | {"text": text}).status_code < 500


def test_a_decks_file_is_imported_as_the_same_deck(client, agency_text):
    made = make_deck(client, agency_text, name="Night Watch", visibility="public")
    data = client.get(f"/decks/{made.link}/files/o8d/").content
    link = kept(client, sent(client, data, "x", game="spycraft"), name="Again")["Location"].split("/")[2]
    first, second = (Deck.objects.with_cards().get(link=each).decklist() for each in (made.link, link))
    assert {(e.card.code, e.section, e.count) for e in first} == {
        (e.card.code, e.section, e.count) for e in second
    }


# -- the report


def test_one_report_lists_moved_cards_dropped_prints_and_unread_lines(client):
    moved = "Starting Agents:\n1 Agent Fox Mulder\nMain:\n1 Agent Jack Willis\n"
    shown = pasted(client, f"{moved}1 Browning, MT (ZZ) 999\n3 Foo Barbaz\n", "xfiles")
    words = report(shown)
    assert "1 Agent Jack Willis was put into the Bureau deck" in words
    assert "of Browning, MT is known; the card was taken without it." in words
    assert "3 Foo Barbaz” was not read" in words
    assert "Nothing" not in words
    assert shown.text.count("Browning, MT is known") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 Kai\n", "Every line was read, and nothing was left out or moved."),
        ("// Mine\n// to be tried\n2 Kai\n", "1 comment was put into the notes."),
        ("2 Kai\n" + "".join(f"1 Nobody {n}\n" for n in range(90)), "and 70 lines more that were not read"),
    ],
    ids=["nothing", "a comment", "very much"],
)
def test_the_report_says_what_changed(client, text, message):
    shown = pasted(client, text)
    assert message in report(shown)
    assert fields(shown)["notes"] == ("to be tried" if "tried" in text else "")


def test_the_enter_key_does_not_save_the_deck(client):
    """It presses the first button of a form, which must be the one that only looks."""
    steps = [button["value"] for button in sent(client, O8D.encode()).all("button", name="step")]
    assert steps == ["look", "keep", "keep", "look"]


def test_a_form_with_a_broken_signature_says_that_losses_are_forgotten(client):
    first = pasted(client, "// a\n// b\n2 Kai\n")
    second = again(client, first, step="look", told="of before")
    for shown in (second, again(client, second, step="look")):
        assert report(shown).count("Choose the file again to see it") == 1
        assert "nothing was left out" not in report(shown)


def test_what_is_sent_along_is_bounded_and_inert(client):
    bad = "<script>alert(1)</script>"
    sent_along = {"game": "spycraft", "text": "2 Kai", "name": "n", "visibility": "private"}
    answer = client.post(ADDRESS, {**sent_along, "told": bad * 9_000})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text
    assert answer.text.count("alert(1)") < 1_200


def test_a_deck_of_an_unknown_game_is_refused_once(client):
    shown = sent(client, b"4 Counterspell\n20 Island\n", "magic", status=400)
    assert shown.text.count("The list names no card of the games here") == 1
    assert all(game.name in shown.text for game in games().values())
    assert not shown.has(aria_invalid=True), "no field of the form is wrong"
