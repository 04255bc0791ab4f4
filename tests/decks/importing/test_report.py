"""What importing tells: one report, on top, of all that changed on the way, and it stays until the deck is
kept.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import export
from decks.models import Deck
from tests.decks.importing.test_importing import O8D, form_of, sent

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
XFILES = games()["xfiles"]
STARTER = next(one for one in XFILES.starters if one.slug == "deck-mulder")


def report(page: Any) -> str:
    """The words of the report, tags left out."""
    found = re.search(r'<section class="import-losses".*?</section>', page.content.decode(), re.DOTALL)
    assert found
    return " ".join(re.sub("<[^>]+>", " ", found[0]).split())


def hidden(page: Any) -> dict[str, Any]:
    """What the page sends along besides what its author can change."""
    return {"told": page.context["told"]}


def second_step(client: Client, page: Any, **values: str) -> Any:
    return client.post("/decks/import/", {**form_of(page), **hidden(page), **values})


# -- one report ----------------------------------------------------------------------


def test_a_card_that_was_moved_a_print_that_was_dropped_and_a_line_that_was_not_read_stand_in_one_report(
    client: Client,
) -> None:
    pasted = (
        "Starting Agents:\n1 Agent Fox Mulder\nMain:\n1 Agent Jack Willis\n1 Browning, MT (ZZ) 999\n3 Foo"
        " Barbaz\n"
    )
    page = client.post("/decks/import/", {"pasted": pasted, "game": "xfiles"})
    words = report(page)
    assert "1 Agent Jack Willis was put into the Bureau deck" in words
    assert "of Browning, MT is known; the card was taken without it." in words
    assert "3 Foo Barbaz” was not read" in words
    assert "Nothing" not in words
    assert page.content.decode().count("Browning, MT is known") == 1


def test_nothing_is_said_to_be_lost_only_where_nothing_is(client: Client) -> None:
    page = client.post("/decks/import/", {"pasted": "2 Kai\n", "game": "spycraft"})
    assert "Every line was read, and nothing was left out or moved." in report(page)


def test_comments_that_go_to_the_notes_are_told(client: Client) -> None:
    page = client.post("/decks/import/", {"pasted": "// Mine\n// to be tried\n2 Kai\n", "game": "spycraft"})
    assert form_of(page)["notes"] == "to be tried"
    assert "1 comment was put into the notes." in report(page)


def test_a_long_report_says_how_much_more_there_is(client: Client) -> None:
    page = client.post(
        "/decks/import/",
        {"pasted": "2 Kai\n" + "".join(f"1 Nobody {n}\n" for n in range(90)), "game": "spycraft"},
    )
    assert "and 70 lines more that were not read" in report(page)


# -- the verdict and the button come first ----------------------------------------------


def test_the_verdict_and_the_button_to_keep_it_stand_above_the_details(client: Client) -> None:
    text = sent(client, O8D.encode()).content.decode()
    assert (
        text.index('value="keep"')
        < text.index('class="import-losses"')
        < text.index('class="deck-list"')
        < text.index('id="id_text"')
    )
    assert text.count('value="keep">') == 1
    # The first button of a form answers the Enter key: that must not be the one that keeps the deck.
    assert text.index('form="list-form" name="step" value="look" hidden') < text.index('value="keep"')


# -- what was read is not forgotten -----------------------------------------------------


def test_what_it_was_taken_for_and_what_was_lost_stay_on_the_page(client: Client) -> None:
    data = export(
        "cod", XFILES, read_deck(XFILES, STARTER.text.replace("1 Duane Barry", "1 Duane Barry\n1 Foo Barbaz"))
    ).data
    first = sent(client, data.replace(b'name="Kick"', b'name="Kickk"'), "deck.cod")
    line = next(line for line in first.context["form"].unread if line.text == "1 Kickk")
    second = second_step(client, first, correct=f"{line.line}:| unknown")
    third = second_step(client, second, step="look")
    for page in (first, second, third):
        assert "Taken for: Cockatrice. Game: The X-Files CCG." in page.content.decode()
        assert "1 Agent Jack Willis was put into the Bureau deck" in report(page)


def test_a_form_that_does_not_know_any_more_what_was_lost_says_so(client: Client) -> None:
    first = client.post("/decks/import/", {"pasted": "// a\n// b\n2 Kai\n", "game": "spycraft"})
    second = second_step(client, first, step="look", told="of before")
    for page in (second, second_step(client, second, step="look")):
        assert report(page).count("is not known here any more") == 1
        assert "nothing was left out" not in report(page)


def test_what_is_sent_along_is_bounded_and_inert(client: Client) -> None:
    bad = "<script>alert(1)</script>"
    page = client.post(
        "/decks/import/",
        {
            "game": "spycraft",
            "text": "2 Kai",
            "name": "n",
            "visibility": "private",
            "told": bad * 9_000,
        },
    )
    text = page.content.decode()
    assert page.status_code == 200
    assert "<script>alert" not in text
    assert text.count("alert(1)") < 1_200


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("magic.csv", b"Count,Name\n4,Counterspell\n20,Island\n"),
        ("magic.txt", b"4 Counterspell\n20 Island\n"),
    ],
)
def test_a_deck_of_a_game_that_is_not_here_is_refused_in_one_sentence(
    client: Client, name: str, data: bytes
) -> None:
    page = sent(client, data, name)
    text = page.content.decode()
    assert page.status_code == 400
    assert text.count("The list names no card of the games here") == 1
    assert all(game.name in text for game in games().values())
    assert "aria-invalid" not in text, "no field of the form is wrong"


# -- notes ------------------------------------------------------------------------------


def test_a_starters_source_and_note_are_kept_from_the_list_to_the_export(client: Client) -> None:
    page = client.post("/decks/import/", {"pasted": STARTER.text, "game": "xfiles"})
    answer = second_step(client, page, step="keep")
    deck = Deck.objects.get()
    assert f"source: {STARTER.source}" in deck.notes
    assert STARTER.note in " ".join(deck.notes.split())
    assert "// notes: source: " in client.get(f"{answer['Location']}files/text/").content.decode()


def test_they_are_kept_of_a_list_pasted_for_a_new_deck_too(client: Client) -> None:
    client.post(
        "/decks/new/", {"game": "xfiles", "name": "Mine", "text": STARTER.text, "visibility": "private"}
    )
    assert STARTER.note in " ".join(Deck.objects.get().notes.split())


# -- the X-Files deck that was legal is legal --------------------------------------------


@pytest.mark.parametrize("name", ["cod", "mpc", "o8d", "text"])
def test_a_legal_deck_of_our_own_export_is_legal_when_it_is_read(client: Client, name: str) -> None:
    written = export(name, XFILES, read_deck(XFILES, STARTER.text))
    page = sent(client, written.data, written.filename, game="xfiles")
    assert page.context["judged"].verdict == "legal"
