"""Own pictures of a print: where they are used, their pixels per inch, remarks about them, and the window of
a face.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import has_window
from cardsdb.games import games
from cardsdb.games.kit import Card
from printing.faces.compose import compose
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
from printing.faces.strokes import Drawing, Picture, TextRun
from printing.options.values import read_options
from tests.support.drawings import runs

TRIM = (63_500, 88_900)


class Files:
    """A store of pictures in which all files exist, or none."""

    def __init__(self, there: bool = True) -> None:
        self.there = there

    def sizes(self, names: Any) -> Mapping[str, int]:
        return dict.fromkeys(names, 1) if self.there else {}


def picture(sha256: str = "a", there: bool = True, **values: Any) -> PictureRef:
    return PictureRef(sha256, "jpeg", 750, 1_050, Files(there), "", **values)


def used(name: str, ppi: int = 300, there: bool = True, **values: Any) -> UsedPicture:
    return UsedPicture(name, picture(name, there, **values), ppi)


# (card's code, side) -> picture. An empty code is the back of all cards.
PLACES = {
    ("kai", "front"): picture("a"),
    ("kai", "back"): picture("b"),
    ("", "back"): picture("c"),
    ("li", "front"): picture("d"),
}


@pytest.mark.parametrize(
    ("options", "printed"),
    [
        ({"backs": "none"}, {("kai", "front")}),
        ({"backs": "long"}, {("kai", "front"), ("kai", "back"), ("", "back")}),
        ({"backs": "long", "style": "outline"}, set()),
    ],
)
def test_pictures_are_printed_if_their_card_and_side_are(options, printed):
    assert set(places_used(PLACES, ["kai"], read_options(options))) == printed


def test_a_picture_that_is_a_whole_card_has_the_name_of_its_card_and_side():
    places = {**PLACES, ("nemo", "front"): picture("e", use="art")}
    found = {picture.name: picture.ppi for picture in on_cards(places, {"kai": "Kai", "li": "Li"}, TRIM)}
    assert found == dict.fromkeys(["Kai", "Kai, back", "all cards, back", "Li"], 300)


def test_a_picture_in_a_drawing_counts_once_without_its_mirrored_edges():
    strokes = (
        Picture(0, 0, *TRIM, picture(), (0, 0, 750, 1_050)),
        Picture(0, 0, 3_000, 88_900, picture(), (0, 0, 35, 1_050), "x"),
    )
    drawing = Drawing("Kai", *TRIM, strokes)
    assert [(name, ppi) for name, _, ppi in on_drawings([drawing, None, drawing])] == [("Kai", 300)]


def test_a_picture_whose_file_is_gone_stops_the_print():
    refuse_lost([used("Kai"), used("Li")])
    with pytest.raises(PictureLost):
        refuse_lost([used("Kai"), used("Li", there=False)])


def test_sentences_say_if_the_bleed_of_a_picture_is_cut_off_or_shown():
    cut, whole = used("Kai", bleed=2_000), used("Li", bleed=2_000, edge="included")
    sentences = list(about_pictures([cut, whole, used("Nemo")], []))
    (own,) = (picture for picture in (cut, whole) if picture.ref.own_bleed)
    assert len(sentences) == 2 and any("as you chose: " in sentence for sentence in sentences)
    assert any(f"cut off at the edge of the card: {own.name}." in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("names", "ending"),
    [("Kai", "1 card: Kai."), ("Kai Li Nemo Minx Vole", "5 cards: Kai, Li, Nemo and 2 more.")],
)
def test_faces_whose_text_leaves_no_room_for_the_window_are_named(names, ending):
    with_room = Drawing("Other", *TRIM, (Picture(0, 0, *TRIM, picture(), (0, 0, 750, 1_050)),))
    full = [Drawing(name, *TRIM, ()) for name in names.split()]
    sentence = f"The text leaves no room for a picture in the window of {ending}"
    assert list(about_pictures([], [*full, with_room])) == [sentence]


def test_pictures_of_too_few_pixels_are_named_softest_first():
    soft = soft_pictures([used("Kai", 212), used("Li", 150), used("Kai", 212), used("Nemo", 300)])
    assert in_words(soft) == "2 pictures under 300 ppi: Li 150 ppi, Kai 212 ppi"
    assert in_words(()) == ""


# -- in the window of a face ------------------------------------------------------------------

REF = picture()._replace(width=1200, height=800, use="art")
SPYCRAFT, DECKER = games()["spycraft"], games()["agentdecker"]
ACTION = replace(next(card for card in SPYCRAFT.cards if card.type == "action"), text="", sentences=())
LONG = " ".join(["The courier hides the parcel until somebody asks for it."] * 9)
# All faces except the one that is all numbers, which has no window.
FACES = [
    (game, kind.slug)
    for game in games().values()
    for kind in game.types
    if (game.slug, kind.slug) != ("agentdecker", "alarm")
]


def shown(drawing: Drawing) -> list[Picture]:
    return [stroke for stroke in drawing.strokes if isinstance(stroke, Picture)]


def over(run: TextRun, art: Picture) -> bool:
    """Return whether words stand on the picture."""
    right = run.x if run.turned else run.x + run.width
    return run.x < art.x + art.width and right > art.x and art.y < run.y <= art.y + art.height


@pytest.mark.parametrize(
    ("game", "card_type"), FACES, ids=lambda value: value if isinstance(value, str) else value.slug
)
def test_every_face_has_room_for_a_picture_beside_its_words(game, card_type):
    other = Card(game=game.slug, code="parcel", name="Parcel", type=card_type)
    card = next((card for card in game.cards if card.type == card_type), other)
    card = replace(card, text="", sentences=())
    usual, drawing = (compose(card, game, game.trim, art=art) for art in (None, REF))
    (art,) = shown(drawing)
    assert min(art.width, art.height) >= 10_000
    assert art.x >= 0 and art.x + art.width <= drawing.width
    assert art.y >= 0 and art.y + art.height <= drawing.height
    assert {run.text for run in runs(usual)} == {run.text for run in runs(drawing)}
    assert not any(over(run, art) for run in runs(drawing))


def test_only_a_text_that_needs_all_of_the_room_replaces_the_picture():
    (art,) = shown(compose(replace(ACTION, text=LONG[:200]), SPYCRAFT, art=REF))
    assert art.height > 12_000
    full, plain = (compose(replace(ACTION, text=LONG * 2), SPYCRAFT, art=art) for art in (REF, None))
    assert not shown(full)
    assert [run.text for run in runs(full)] == [run.text for run in runs(plain)]


@pytest.mark.parametrize("ref", [REF, REF._replace(width=800, height=1200)], ids=["wide", "tall"])
def test_a_picture_in_a_window_is_cropped_and_never_turned(ref):
    (art,) = shown(compose(ACTION, SPYCRAFT, art=ref))
    left, top, across, down = art.crop
    assert across / down == pytest.approx(art.width / art.height, rel=0.01)
    assert (left + across / 2, top + down / 2) == pytest.approx((ref.width / 2, ref.height / 2))
    assert art.image.turn == 0 and not art.flip


def test_a_face_that_is_all_numbers_has_no_window():
    alarm = next(card for card in DECKER.cards if card.type == "alarm")
    assert not has_window(DECKER, alarm.code) and has_window(SPYCRAFT, ACTION.code)
