"""Notes, tags and comments that an author writes come back unchanged from a list, or are refused."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Marks, Prints
from cardsdb.games.kit.listtext.deck import read_deck, write_deck
from cardsdb.games.kit.listtext.reading import Reading
from cardsdb.games.kit.model.marks import MAX_NOTE, wrong_with
from decks.core.edits import EditRefused, marks_of, tags_of
from decks.formats import FORMATS

GAME = games()["spycraft"]
KAI = next(card for card in GAME.cards if card.code == "kai")
LONG = next(card for card in GAME.cards if "(" in card.name or "," in card.name)

# Pieces of notes and tags that mean something else in a list, or that are invisible.
AWKWARD = [
    "// name: x",
    "# tags: y",
    "2 ",
    " ",
    "\x02",
    "\u202e",
    "\x1c",
    "\x85",
    "\u2028",
    "\ufeff",
    "\u200b",
]
AWKWARD += "# // ^keep | \" ' ^Have,#37d67a^ [x] *CMDR* (EA) : é a \\ ^ keep x2 {noDeck}".split(" ")
texts = st.one_of(st.lists(st.sampled_from(AWKWARD), max_size=6).map("".join), st.text(max_size=20))


@given(
    note=texts,
    tags=st.lists(texts, max_size=3).map(",".join),
    keep=st.booleans(),
    card=st.sampled_from([KAI, LONG]),
)
def test_marks_that_are_accepted_come_back_from_a_list(note, tags, keep, card):
    try:
        marks = marks_of(note, tags, keep)
    except EditRefused:
        return
    text = write_deck(GAME, Decklist((Entry(card, 1, "deck", marks),), {}, "n"), GAME.formats[0])
    reading = read_deck(GAME, text)
    assert reading.unread == ()
    assert [entry.marks for entry in reading.deck] == [marks]


@pytest.mark.parametrize("bad", ["a\x02b", "\u202eabc", "a\x7f", "\u2066x", "\x00"])
def test_control_characters_are_refused_in_marks_and_in_the_tags_of_decks(bad):
    for marks in (Marks(bad), Marks(tags=(bad,))):
        assert "control character" in wrong_with(marks)
    with pytest.raises(EditRefused, match="control character"):
        marks_of(bad, "", False)
    with pytest.raises(EditRefused, match="control character"):
        tags_of(f"blue, {bad}")


def test_a_quotation_mark_in_a_tag_is_refused():
    with pytest.raises(EditRefused, match="quotation mark"):
        marks_of("", 'blue, "q"', False)
    assert read_deck(GAME, '1 Kai #5"').unread[0].code == "bad_marks"


MANY_PRINTS = Prints(tuple((f"ON {number}", 1) for number in range(12)))


@pytest.mark.parametrize(
    ("marks", "refusal"),
    [
        (Marks("n" * MAX_NOTE), ""),
        (
            Marks("n" * (MAX_NOTE + 1)),
            "A card's note has at most 300 characters; this one has 301.",
        ),
        (Marks(prints=MANY_PRINTS), "These are more prints than one line has room for: 12. Leave some open."),
    ],
    ids=["longest note", "too long a note", "too many prints"],
)
def test_marks_for_which_a_line_has_no_room_are_refused_with_the_number(marks, refusal):
    assert wrong_with(marks) == refusal


def test_only_notes_can_be_continued_by_another_comment():
    reading = read_deck(GAME, "// notes: One\n// notes> and more\n// tags> blue\n1 Kai")
    assert (reading.notes, reading.tags) == ("One and more", ())


# -- comments about the deck: none is lost


def written_and_read(reading: Reading) -> Reading:
    return read_deck(GAME, FORMATS["text"].write(GAME, reading)[0])


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("// notes: Play it fast.", "Play it fast."),
        ("// source: A club night", "source: A club night"),
        (
            "// note: One\n// source: Two\n// notes: Three\n// notes> and four",
            "One\nsource: Two\nThree and four",
        ),
    ],
)
def test_comments_without_a_field_of_their_own_are_in_the_notes(line, notes):
    reading = read_deck(GAME, f"// name: Mine\n{line}\n2 Kai\n")
    assert (reading.notes, reading.deck.name, reading.comments) == (notes, "Mine", ())
    assert written_and_read(reading).notes == notes


def test_the_note_and_source_of_a_starter_are_in_the_notes_of_its_list():
    for game in games().values():
        for starter in game.starters:
            notes = read_deck(game, starter.text).notes
            assert " ".join(starter.note.split()) in " ".join(notes.split())
            assert not starter.source or f"source: {starter.source}" in notes


def test_the_first_plain_comment_is_the_name_and_later_ones_stay_comments():
    reading = read_deck(GAME, "// Night Watch\n// Cards to come: three\n2 Kai\n")
    assert (reading.deck.name, reading.comments) == ("Night Watch", ("Cards to come: three",))
    nameless = Reading(replace(reading.deck, name=""), comments=("to be tried", "author: nobody"))
    again = written_and_read(nameless)
    assert (again.deck.name, again.comments) == ("", nameless.comments)
