"""A collection is pasted as lists are: read by the one reader, and what is not read stays in the form."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from decks.models import Owned
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ADDRESS = "/collection/import/"


def paste(client: Client, text: str, **values: Any) -> Any:
    return client.post(ADDRESS, {"text": text, "game": "spycraft", **values})


def held() -> list[tuple[str, str, int]]:
    return sorted(Owned.objects.values_list("card__code", "set", "count"))


def test_a_list_is_read_as_decks_are(client: Client) -> None:
    answer = paste(client, "Leaders:\n- [ ] 2x Kai\nBait (3)\n\n**Recon**\n")
    assert (answer.status_code, answer["Location"]) == (302, "/collection/")
    assert held() == [("bait", "", 3), ("kai", "", 2), ("recon", "", 1)]


def test_the_game_is_taken_from_the_list(client: Client) -> None:
    paste(client, "Game: Spycraft\n2 Kai\n", game="")
    assert held() == [("kai", "", 2)]


def test_a_list_that_leaves_its_game_open_is_asked_for_it(client: Client) -> None:
    answer = paste(client, "2 Nobody\n", game="")
    found = page_of(answer, status=400)
    assert found.has(id="game-error")
    assert found.one("textarea").text.strip() == "2 Nobody" and held() == []


def test_cards_beside_a_deck_count_as_all_do(client: Client) -> None:
    paste(client, "2 Kai\n\nSideboard (2):\n1 Bait\nSB: 1 Recon\n// Maybeboard\n1 Termite\n")
    assert held() == [("bait", "", 1), ("kai", "", 2), ("recon", "", 1), ("termite", "", 1)]


def test_copies_go_to_the_print_that_the_line_names(client: Client) -> None:
    paste(client, "2 First Aid (TRU) 2\n1 First Aid\n", game="xfiles")
    assert held() == [("first-aid", "", 1), ("first-aid", "TRU", 2)]


def test_lines_that_are_not_read_stay_with_what_may_be_meant_and_the_others_are_taken(client: Client) -> None:
    found = page_of(
        paste(client, "2 Kai\n1 Baitt\n3 Recon\n1 Mine | agent\n2 Unheard | unknown\n", mode="replace")
    )
    assert found.one("textarea").text == "1 Baitt 1 Mine | agent 2 Unheard | unknown"
    assert "1:Bait" in [one["value"] for one in found.all("button", name="correct")]
    assert not found.has("button", text="Keep as an unknown card"), "nobody owns what the catalogue lacks"
    assert found.one("input", value="add").get("checked") is not None, (
        "the rest must not replace what was taken"
    )
    assert held() == [("kai", "", 2), ("recon", "", 3)]


def test_one_press_puts_a_line_right_and_takes_it(client: Client) -> None:
    answer = paste(client, "2 Baitt\n", correct="1:Bait")
    assert answer.status_code == 302 and held() == [("bait", "", 2)]


def test_what_is_set_aside_of_a_line_is_told(client: Client) -> None:
    answer = client.post(ADDRESS, {"text": "2 Kai (NOPE)\n", "game": "spycraft"}, follow=True)
    assert "No print “nope” of Kai is known" in page_of(answer).text


def test_more_copies_than_are_noted_stay_as_a_line(client: Client) -> None:
    for _ in range(10):
        paste(client, "99 Kai\n")
    found = page_of(paste(client, "1 Bait\n99 Kai\n"))
    assert found.one("textarea").text.strip() == "99 Kai" and "at most 999 are noted" in found.text
    assert held() == [("bait", "", 1), ("kai", "", 990)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("3 First Aid\n20 First Aid (TRU) 2\n", "20 First Aid (TRU) 2"),
        ("3 First Aid\n6 First Aid (TRU)\n5 First Aid (TRU)\n", "11 First Aid (TRU) 2"),
    ],
)
def test_of_several_lines_of_a_card_just_the_copies_that_are_refused_stay(
    client: Client, text: str, left: str
) -> None:
    for _ in range(10):
        paste(client, "99 First Aid (TRU) 2\n", game="xfiles")
    found = page_of(paste(client, text, game="xfiles"))
    assert found.one("textarea").text.strip() == left
    assert ("first-aid", "TRU", 990) in held() and len(held()) == 2


@pytest.mark.parametrize("text", ["", "  \n"])
def test_nothing_is_refused(client: Client, text: str) -> None:
    assert paste(client, text).status_code == 400


def test_a_list_without_a_card_of_the_catalogue_replaces_nothing(client: Client) -> None:
    paste(client, "2 Kai\n")
    paste(client, "2 Nobody At All\n", mode="replace")
    assert held() == [("kai", "", 2)]


def test_a_list_replaces_the_collection_where_that_is_asked(client: Client) -> None:
    paste(client, "2 Kai\n")
    paste(client, "1 Bait\n", mode="replace")
    assert held() == [("bait", "", 1)]


def test_a_file_of_another_program_is_read(client: Client) -> None:
    deck = (
        b"<deck version='0.8'><superzone name='Leaders'><card><name"
        b" id='x'>Kai</name></card></superzone></deck>"
    )
    client.post(ADDRESS, {"file": SimpleUploadedFile("my.dek", deck), "game": "spycraft"})
    assert held() == [("kai", "", 1)]


def test_a_file_that_is_no_list_is_refused_with_a_reason(client: Client) -> None:
    answer = client.post(
        ADDRESS, {"file": SimpleUploadedFile("my.zip", b"PK\x03\x04 and so on"), "game": "spycraft"}
    )
    assert answer.status_code == 400 and "This is an archive" in page_of(answer, status=400).text


def test_a_list_beyond_the_bounds_is_refused_and_stays(client: Client) -> None:
    text = "1 Kai\n" * 6_000
    answer = paste(client, text)
    assert answer.status_code == 413 and held() == []
