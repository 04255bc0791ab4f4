"""What a list says of itself in comments: nothing of it is lost."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import Reading
from decks.formats import FORMATS

GAME = games()["spycraft"]


def again(reading: Reading) -> Reading:
    return read_deck(GAME, FORMATS["text"].write(GAME, reading)[0])


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("// note: Play it fast.", "Play it fast."),
        ("// notes: Play it fast.", "Play it fast."),
        ("// Note: Play it fast.", "Play it fast."),
        ("// source: A club night", "source: A club night"),
        ("// author: Jim", "author: Jim"),
        (
            "// note: One\n// source: Two\n// notes: Three\n// notes> and four",
            "One\nsource: Two\nThree and four",
        ),
    ],
)
def test_what_has_no_place_of_its_own_is_in_the_notes(line: str, notes: str) -> None:
    reading = read_deck(GAME, f"// name: Mine\n{line}\n2 Kai\n")
    assert (reading.notes, reading.deck.name, reading.comments) == (notes, "Mine", ())
    assert again(reading).notes == notes


@pytest.mark.parametrize("slug", games())
def test_every_word_about_a_starter_is_in_its_notes(slug: str) -> None:
    game = games()[slug]
    for starter in game.starters:
        notes = read_deck(game, starter.text).notes
        assert " ".join(starter.note.split()) in " ".join(notes.split())
        assert not starter.source or f"source: {starter.source}" in notes


def test_a_plain_comment_is_the_name_first_and_a_comment_after() -> None:
    reading = read_deck(GAME, "// Night Watch\n// Cards to come: three\n2 Kai\n")
    assert (reading.deck.name, reading.comments, reading.notes) == (
        "Night Watch",
        ("Cards to come: three",),
        "",
    )


def test_a_list_without_a_name_keeps_its_comments() -> None:
    reading = Reading(read_deck(GAME, "2 Kai\n").deck, comments=("to be tried", "author: nobody"))
    assert (again(reading).comments, again(reading).deck.name) == (reading.comments, "")
