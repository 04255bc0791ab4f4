"""The import page of a collection: lists are read as decks are, and lines that are not read stay in
the form.
"""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.support.collected import held
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ADDRESS = "/collection/import/"


def paste(client, text, **values):
    return client.post(ADDRESS, {"text": text, "game": "spycraft", **values})


def test_a_list_is_read_as_decks_are(client):
    answer = paste(client, "Leaders:\n- [ ] 2x Kai\nBait (3)\n\n**Recon**\n")
    assert (answer.status_code, answer["Location"]) == (302, "/collection/")
    assert held() == [("bait", "", 3), ("kai", "", 2), ("recon", "", 1)]


def test_the_game_is_read_from_the_list_or_asked_for(client):
    paste(client, "Game: Spycraft\n2 Kai\n", game="")
    assert held() == [("kai", "", 2)]
    found = page_of(paste(client, "2 Nobody\n", game=""), status=400)
    assert found.has(id="game-error") and found.one("textarea").text == "2 Nobody"


def test_cards_of_sideboards_are_taken_in_too(client):
    paste(client, "2 Kai\n\nSideboard (2):\n1 Bait\nSB: 1 Recon\n// Maybeboard\n1 Termite\n")
    assert held() == [("bait", "", 1), ("kai", "", 2), ("recon", "", 1), ("termite", "", 1)]


def test_copies_are_noted_for_the_print_that_the_line_names(client):
    paste(client, "2 First Aid (TRU) 2\n1 First Aid\n", game="xfiles")
    assert held() == [("first-aid", "", 1), ("first-aid", "TRU", 2)]


def test_lines_that_are_not_read_stay_with_suggestions_and_the_others_are_taken_in(client):
    found = page_of(
        paste(client, "2 Kai\n1 Baitt\n3 Recon\n1 Mine | agent\n2 Unheard | unknown\n", mode="replace")
    )
    assert found.one("textarea").text == "1 Baitt 1 Mine | agent 2 Unheard | unknown"
    assert "1:Bait" in [button["value"] for button in found.all("button", name="correct")]
    assert not found.has("button", text="Keep as an unknown card"), "only cards of the catalogue are owned"
    assert found.one("input", value="add").get("checked") is not None, (
        "the rest must not replace what was taken in"
    )
    assert held() == [("kai", "", 2), ("recon", "", 3)]
    assert paste(client, "2 Baitt\n", correct="1:Bait").status_code == 302
    assert ("bait", "", 2) in held()


def test_an_unknown_print_in_a_line_is_reported(client):
    answer = client.post(ADDRESS, {"text": "2 Kai (NOPE)\n", "game": "spycraft"}, follow=True)
    assert "No print “nope” of Kai is known" in page_of(answer).text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("3 First Aid\n20 First Aid (TRU) 2\n", "20 First Aid (TRU) 2"),
        ("3 First Aid\n6 First Aid (TRU)\n5 First Aid (TRU)\n", "11 First Aid (TRU) 2"),
    ],
)
def test_of_several_lines_of_a_card_only_the_refused_copies_stay(client, text, left):
    # After this the collection has 990 copies, of at most 999.
    for _ in range(10):
        paste(client, "99 First Aid (TRU) 2\n", game="xfiles")
    found = page_of(paste(client, text, game="xfiles"))
    assert found.one("textarea").text.strip() == left and "at most 999 are noted" in found.text
    assert ("first-aid", "TRU", 990) in held() and len(held()) == 2


def test_a_list_without_a_card_of_the_catalogue_is_refused_and_replaces_nothing(client):
    paste(client, "2 Kai\n")
    assert paste(client, "  \n").status_code == 400
    paste(client, "2 Nobody At All\n", mode="replace")
    assert paste(client, "1 Kai\n" * 6_000).status_code == 413
    assert held() == [("kai", "", 2)]


def test_a_list_replaces_the_collection_on_request(client):
    paste(client, "2 Kai\n")
    paste(client, "1 Bait\n", mode="replace")
    assert held() == [("bait", "", 1)]


def test_a_file_of_another_program_is_read(client):
    deck = (
        b"<deck version='0.8'><superzone name='Leaders'><card><name"
        b" id='x'>Kai</name></card></superzone></deck>"
    )
    client.post(ADDRESS, {"file": SimpleUploadedFile("my.dek", deck), "game": "spycraft"})
    assert held() == [("kai", "", 1)]


def test_a_file_that_is_no_list_is_refused_with_a_reason(client):
    sent = {"file": SimpleUploadedFile("my.zip", b"PK\x03\x04 and so on"), "game": "spycraft"}
    assert "This is an archive" in page_of(client.post(ADDRESS, sent), status=400).text
