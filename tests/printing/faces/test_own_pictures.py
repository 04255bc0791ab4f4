"""The own pictures of a print: where they stand, how sharp they are there, and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cardsdb.box.picture_files.ref import PictureRef
from printing.faces.own_pictures import (
    PictureLost,
    UsedPicture,
    about_pictures,
    in_words,
    on_cards,
    on_drawings,
    places_used,
    refuse_lost,
    soft_pictures,
)
from printing.faces.strokes import Drawing, Picture
from printing.options.values import Options, read_options

TRIM = (63_500, 88_900)


class Files:
    """Where pictures lie, but for those of whose ``sha256`` nothing is there."""

    def __init__(self, there: bool = True) -> None:
        self.there = there

    def sizes(self, names: Any) -> Mapping[str, int]:
        return dict.fromkeys(names, 1) if self.there else {}


def picture(sha256: str = "a", there: bool = True, **values: Any) -> PictureRef:
    return PictureRef(sha256, "jpeg", 750, 1_050, Files(there), "", **values)  # type: ignore[arg-type]


def used(name: str, ppi: int = 300, **values: Any) -> UsedPicture:
    return UsedPicture(name, picture(name, **values), ppi)


def options(**words: str) -> Options:
    return read_options(words)


PLACES = {
    ("kai", "front"): picture("a"),
    ("kai", "back"): picture("b"),
    ("", "back"): picture("c"),
    ("li", "front"): picture("d"),
}


@pytest.mark.parametrize(
    ("words", "there"),
    [
        ({"backs": "none"}, {("kai", "front")}),
        ({"backs": "long"}, {("kai", "front"), ("kai", "back"), ("", "back")}),
        ({"backs": "long", "style": "outline"}, set()),
    ],
)
def test_those_are_printed_whose_card_and_side_are(
    words: dict[str, str], there: set[tuple[str, str]]
) -> None:
    assert set(places_used(PLACES, ["kai"], options(**words))) == there


def test_a_picture_that_is_a_whole_card_is_called_by_card_and_side_and_has_the_pixels_of_its_size() -> None:
    places = {**PLACES, ("nemo", "front"): picture("e", use="art")}
    found = {one.name: one.ppi for one in on_cards(places, {"kai": "Kai", "li": "Li"}, TRIM)}
    assert found == dict.fromkeys(["Kai", "Kai, back", "all cards, back", "Li"], 300)


def test_a_picture_in_a_drawing_counts_once_and_its_mirrored_edges_not_at_all() -> None:
    strokes = (
        Picture(0, 0, *TRIM, picture(), (0, 0, 750, 1_050)),
        Picture(0, 0, 3_000, 88_900, picture(), (0, 0, 35, 1_050), "x"),
    )
    drawing = Drawing("Kai", *TRIM, strokes)
    assert [(one.name, one.ppi) for one in on_drawings([drawing, None, drawing])] == [("Kai", 300)]


def test_a_picture_whose_file_is_gone_stops_the_print_before_it_begins() -> None:
    refuse_lost([used("Kai"), used("Li")])
    with pytest.raises(PictureLost):
        refuse_lost([used("Kai"), used("Li", there=False)])


def test_what_becomes_of_bleed_that_pictures_have_is_said() -> None:
    cut, whole = used("Kai", bleed=2_000), used("Li", bleed=2_000, edge="included")
    sentences = list(about_pictures([cut, whole, used("Nemo")], []))
    own = [one for one in (cut, whole) if one.ref.own_bleed]
    assert len(sentences) == 2 and len(own) == 1
    assert any(f"cut off at the edge of the card: {own[0].name}." in one for one in sentences)
    assert any("as you chose: " in one for one in sentences)


def test_faces_whose_text_leaves_the_window_no_room_are_named() -> None:
    full, with_room = (
        Drawing("Kai", *TRIM, ()),
        Drawing("Li", *TRIM, (Picture(0, 0, *TRIM, picture(), (0, 0, 750, 1_050)),)),
    )
    assert list(about_pictures([], [full, with_room])) == [
        "The text leaves no room for a picture in the window of 1 card: Kai."
    ]


def test_of_many_three_are_named_and_the_rest_counted() -> None:
    full = [Drawing(name, *TRIM, ()) for name in ("Kai", "Li", "Nemo", "Minx", "Termite")]
    assert list(about_pictures([], full)) == [
        "The text leaves no room for a picture in the window of 5 cards: Kai, Li, Nemo and 2 more."
    ]


def test_pictures_that_print_softly_are_named_softest_first() -> None:
    soft = soft_pictures([used("Kai", 212), used("Li", 150), used("Kai", 212), used("Nemo", 300)])
    assert in_words(soft) == "2 pictures under 300 ppi: Li 150 ppi, Kai 212 ppi"
    assert in_words(()) == ""
