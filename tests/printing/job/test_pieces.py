"""The pieces of a print: cards in its style, and letters that no font has."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games import games
from printing.faces.strokes import Drawing, TextRun
from printing.job.job import Job
from printing.job.pieces import MissingCharacters, pieces_of, refuse_missing
from printing.options.values import read_options

GAME = games()["spycraft"]
KAI = GAME.cards[0]
PICTURE = PictureRef("0" * 64, "jpeg", 750, 1_050, "", "")


def job(title: str = "Night Watch", **options: str) -> Job:
    return Job(GAME, ((KAI, 2),), title, read_options(options))


def front(title: str = "Night Watch", **options: str) -> Drawing:
    (piece,) = pieces_of(job(title, **options))
    return piece.front


def words(drawing: Drawing) -> list[str]:
    return [one.text for one in drawing.strokes if isinstance(one, TextRun)]


def test_art_stands_in_the_window_of_a_face_and_a_picture_of_the_whole_card_in_its_place():
    whole, art = (
        pieces_of(replace(job(), pictures={(KAI.code, "front"): PICTURE._replace(use=use)}))[0].front
        for use in ("card", "art")
    )
    assert not words(whole) and KAI.name in " ".join(words(art))


def test_copies_of_the_whole_are_copies_of_each_card():
    assert [piece.count for piece in pieces_of(job(copies="3"))] == [6]


def test_an_outline_says_nothing():
    assert words(front()) and not words(front(style="outline"))


@pytest.mark.parametrize("style", [{"ink": "grey"}, {"style": "saver"}])
def test_a_style_changes_the_ink_and_not_the_words(style):
    assert front(**style) != front() and set(words(front(**style))) == set(words(front()))


def test_the_decks_name_stands_on_the_card_in_tiny_type_as_far_as_it_fits():
    assert words(front(micro="yes"))[-1] == "Night Watch"
    (*_, long) = words(front("W" * 190, micro="yes"))
    assert 20 < len(long) < 190 and set(long) == {"W"}


def test_a_letter_that_no_font_has_is_named_with_its_card_before_anything_is_drawn():
    odd = replace(KAI, name="Kai 𓀀", code="odd")
    made = Job(GAME, ((odd, 1),))
    with pytest.raises(MissingCharacters) as refused:
        refuse_missing(made, pieces_of(made))
    assert refused.value.field == "cards"
    assert str(refused.value) == "No font has these characters: Kai 𓀀: U+13000 EGYPTIAN HIEROGLYPH A001."
    refuse_missing(job(), pieces_of(job()))


def test_of_the_title_the_field_is_told_and_of_many_letters_ten_are_named():
    missing = tuple(("the title", chr(0x13000 + number)) for number in range(12))
    assert MissingCharacters(missing).field == "title"
    assert str(MissingCharacters(missing)).endswith("; and 2 more.")
    assert "U+E000 a character without a name" in str(MissingCharacters([("x", "\ue000")]))
