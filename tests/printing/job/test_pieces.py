"""Drawn pieces of a job: own pictures, copies, styles, tiny type, and characters that no font has."""

from dataclasses import replace

import pytest

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games import games
from printing.faces.strokes import Drawing
from printing.faces.wording import OWN_PICTURES
from printing.job.job import Job
from printing.job.pieces import MissingCharacters, pieces_of, refuse_missing
from printing.options.values import read_options
from tests.support.drawings import texts

GAME = games()["spycraft"]
KAI = GAME.cards[0]
PICTURE = PictureRef("0" * 64, "jpeg", 750, 1_050, "", "")


def job(title: str = "Night Watch", **options: str) -> Job:
    return Job(GAME, ((KAI, 2),), title, read_options(options))


def front(title: str = "Night Watch", **options: str) -> Drawing:
    (piece,) = pieces_of(job(title, **options))
    return piece.front


def test_a_whole_picture_replaces_the_face_and_art_keeps_its_words():
    whole, art = (
        pieces_of(replace(job(), pictures={(KAI.code, "front"): PICTURE._replace(use=use)}))[0].front
        for use in ("card", "art")
    )
    assert not texts(whole) and KAI.name in " ".join(texts(art))


def test_the_margins_say_that_pictures_are_the_owners():
    with_picture = replace(job(), pictures={(KAI.code, "front"): PICTURE})
    assert OWN_PICTURES in with_picture.notes().credit
    assert OWN_PICTURES not in job().notes().credit


def test_a_test_print_has_no_words():
    assert texts(front()) and not texts(front(style="outline"))


@pytest.mark.parametrize("style", [{"ink": "grey"}, {"style": "saver"}])
def test_grey_ink_and_ink_saver_change_the_drawing_but_no_words(style):
    assert front(**style) != front() and set(texts(front(**style))) == set(texts(front()))


def test_the_option_micro_prints_the_deck_name_cut_to_the_width_of_the_card():
    assert texts(front(micro="yes"))[-1] == "Night Watch"
    (*_, long) = texts(front("W" * 190, micro="yes"))
    assert 20 < len(long) < 190 and set(long) == {"W"}


def test_a_character_that_no_font_has_is_refused_with_its_name_and_its_card():
    hieroglyph = replace(KAI, name="Kai 𓀀", code="odd")
    with_hieroglyph = Job(GAME, ((hieroglyph, 1),))
    with pytest.raises(MissingCharacters) as refused:
        refuse_missing(with_hieroglyph, pieces_of(with_hieroglyph))
    assert refused.value.field == "cards"
    assert str(refused.value) == "No font has these characters: Kai 𓀀: U+13000 EGYPTIAN HIEROGLYPH A001."


TWELVE = [("the title", chr(0x13000 + number)) for number in range(12)]


@pytest.mark.parametrize(
    ("missing", "field", "words"),
    [
        (TWELVE[:1], "title", "the title: U+13000 EGYPTIAN HIEROGLYPH A001."),
        ([*TWELVE[:1], ("Kai", "𓀀")], "cards", "; Kai: U+13000 EGYPTIAN HIEROGLYPH A001."),
        ([("Kai", "\ue000")], "cards", "U+E000 a character without a name"),
        (TWELVE, "title", "; and 2 more."),
    ],
    ids=["title", "title and card", "without a name", "more than ten"],
)
def test_missing_characters_are_named_at_the_field_at_fault(missing, field, words):
    refused = MissingCharacters(missing)
    assert refused.field == field and words in str(refused)
