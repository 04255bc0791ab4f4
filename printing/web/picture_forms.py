"""The forms of the pages of own pictures, and the drawings that these pages show: a picture as its card, and
the whole picture with a frame round the part that is printed.

``picture_views.py`` shows both. Tests in ``tests/printing/web``: ``test_picture_views.py``; for the frame
``test_picture_browser.py``.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import own_names, ref_of
from cardsdb.box.placing import ALL_BACKS, BACKS, FRONTS
from cardsdb.box.reading.matching import cards_called
from cardsdb.box.wish import Wish
from cardsdb.catalogue.current import game_named, games
from cardsdb.games.kit import Card, Game
from cardsdb.identity.viewer import Viewer
from cardsdb.models import TURNS, Edge, Fit, Side, UploadedPicture, Use
from cardsdb.models.box import Place
from printing.exports.card_pictures import with_bleed
from printing.faces.colours import INK, PAPER
from printing.faces.compose import compose
from printing.faces.own_pictures import GOOD_PPI, on_drawings, picture_drawing, ppi
from printing.faces.strokes import Drawing, Path, Stroke
from printing.options.sizes import INCH
from printing.render.svg import draw_svg, picture_svg

# A whole side of a picture in thousandths, the unit of ``crop``; the form's fields are per cent.
WHOLE_SIDE = 1000
# Thousandths of a side that must be left of a picture after cutting.
MIN_SHOWN = 20
# Names of cards that are suggested for one that no card has.
MAX_NEAR = 2
# Codes that are suggested for a name that several cards have.
MAX_SAME = 5
# The sides of a picture from which the form cuts, in the order of ``crop``.
EDGES = ("left", "top", "right", "bottom")
CUT = "Cut off at most 98 per cent of a side, as a number like 4.5."
# Millimetres of bleed that a picture may include.
MAX_BLEED = 10
# The initial value of the field, in millimetres: that of print services, 1/8 in.
USUAL_BLEED = Decimal("3.175")
BLED = (
    f"Say how many millimetres of bleed the picture has on each side: more than 0, at most {MAX_BLEED}, such"
    " as 3.175."
)
# Codes of Django's errors of a number field, all with one message here.
NUMBERS = ("invalid", "min_value", "max_value", "max_digits", "max_decimal_places", "max_whole_digits")


def _choice(choices: Any, message: str) -> forms.ChoiceField:
    """An optional choice field. ``message`` is the error for an unknown choice."""
    return forms.ChoiceField(choices=choices, required=False, error_messages={"invalid_choice": message})


class GameForm(forms.Form):
    """A form with the slug of a game."""

    game = forms.ChoiceField(
        choices=lambda: [(slug, slug) for slug in games()],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose one of the games."),
    )


class EdgeForm(GameForm):
    """A form with what is printed outside the cut line. Once it is clean, ``bled`` is the bleed that the
    picture includes, in micrometres; 0 if it includes none.
    """

    edge = _choice(Edge.choices, "Choose what is printed outside the cut line.")
    bleed = forms.DecimalField(
        max_value=MAX_BLEED,
        max_digits=5,
        decimal_places=3,
        required=False,
        error_messages=dict.fromkeys(NUMBERS, BLED),
    )
    bled: int

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        has_bleed = cleaned.get("edge") == Edge.INCLUDED
        self.bled = int((cleaned.get("bleed") or 0) * 1000) if has_bleed else 0
        if not has_bleed:
            # The number is not used then, so a wrong one is no error.
            self.errors.pop("bleed", None)
        elif self.bled <= 0 and "bleed" not in self.errors:
            self.add_error("bleed", ValidationError(BLED, code="required"))
        return cleaned


class ChangeAllForm(GameForm):
    """Changes to all pictures of a game. An empty field changes nothing."""

    use = _choice(
        [
            ("", "Leave them"),
            ("shape", "Each as its shape tells"),
            ("card", "All are whole cards"),
            ("art", "All stand in the windows of faces"),
        ],
        "Choose what they are.",
    )
    bleed = _choice(
        [("", "Leave it"), ("cut", "Cut off at the card’s edge"), ("keep", "Shown on the card")],
        "Choose what becomes of bleed.",
    )


class UploadForm(EdgeForm):
    """The choices for pictures that are uploaded together. ``wish`` has them once the form is clean."""

    # Errors are reported in this order.
    field_order = ("game", "use", "edge", "bleed", "meant")
    wish: Wish

    edge = _choice(
        [
            (
                "",
                "As suits each picture: bleed is cut off, a narrow border repeated, any other edge mirrored",
            ),
            *Edge.choices,
        ],
        "Choose what is printed outside the cut line.",
    )
    use = _choice(
        [("", "As its shape tells: the whole card, or art in the face’s window"), *Use.choices],
        "Choose whether it is the whole card or art in its window.",
    )
    meant = _choice(
        [
            (FRONTS, "Fronts; a file whose name ends with “back” is a back"),
            (BACKS, "Backs of the cards they are named after"),
            (ALL_BACKS, "The one back of all cards of this game"),
        ],
        "Choose what the pictures are for.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.wish = Wish(cleaned.get("use", ""), cleaned.get("edge", ""), self.bled)  # type: ignore[arg-type]
        # Programs may leave this field out.
        return cleaned | {"meant": cleaned.get("meant") or FRONTS}


class PlaceForm(GameForm):
    """The place of a picture. Once the form is clean, ``place`` says which; a back with an empty code is the
    back of all cards.

    ``viewer``: own cards of this viewer may be named too.
    """

    card = forms.CharField(max_length=200, required=False)
    side = _choice(Side.choices, "Choose front, back or not used.")
    place: Place

    def __init__(self, *args: Any, viewer: Viewer, **options: Any) -> None:
        super().__init__(*args, **options)
        self.viewer = viewer

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        game, side = games().get(cleaned.get("game", "")), cleaned.get("side", "")
        words = cleaned.get("card", "").strip()
        found: tuple[Card, ...] = ()
        if words and game:
            found = cards_called(words, game, own_names(self.viewer, game))
            if len(found) != 1:
                # Cards of this name are told apart by their codes; own cards are not found by theirs.
                same = [like.code for like in found if not like.own][:MAX_SAME]
                names = dict.fromkeys(like.name for like in game.name_index.cards_like(words, MAX_NEAR))
                near = " or ".join(same or [*names][:MAX_NEAR])
                guess = f" Did you mean {near}?" if near else ""
                fault = f"“{words[:60]}” is no card of {game.name}, or several.{guess}"
                sentence = f"{fault} Give its whole name, its code or its collector number."
                self.add_error("card", ValidationError(sentence, code="unknown_card"))
        if side == Side.FRONT and not words:
            self.add_error("card", ValidationError("Say which card has this front.", code="required"))
        self.place = Place(game.slug if game else "", found[0].code if len(found) == 1 else "", side)
        return cleaned


class PlacedForm(PlaceForm, EdgeForm):
    """The place of a picture that had none, and its edge. Without an edge, the picture keeps that of its
    upload.
    """


class PictureForm(PlaceForm, EdgeForm):
    """All settings of one picture. Once the form is clean, ``crop`` is the shown part as left, top, right and
    bottom in thousandths of the picture; empty for all of it.
    """

    turn = forms.TypedChoiceField(
        choices=[(turn, f"{turn}°") for turn in TURNS], coerce=int, required=False, empty_value=0
    )
    mirrored = forms.BooleanField(required=False)
    # Per cent that are cut off from each side.
    left, top, right, bottom = (
        forms.DecimalField(min_value=0, max_value=98, max_digits=4, decimal_places=1, required=False,
                           error_messages=dict.fromkeys(NUMBERS, CUT))
        for _ in EDGES
    )  # fmt: skip
    fit = forms.ChoiceField(choices=Fit.choices)
    use = forms.ChoiceField(choices=Use.choices, required=False)
    edge = forms.ChoiceField(choices=Edge.choices)
    crop: list[int]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        # Per cent, with one decimal, to thousandths.
        left, top, right, bottom = (int((cleaned.get(name) or 0) * 10) for name in EDGES)
        for name, cut in (("right", left + right), ("bottom", top + bottom)):
            if cut > WHOLE_SIDE - MIN_SHOWN:
                message = "The two sides cut off all of the picture; leave 2 per cent."
                self.add_error(name, ValidationError(message, code="nothing_left"))
        self.crop = []
        if left or top or right or bottom:
            self.crop = [left, top, WHOLE_SIDE - right, WHOLE_SIDE - bottom]
        return cleaned


# -- drawings --------------------------------------------------------------------------

# The bleed, and the safe zone inside the cut line, that print services ask for: 1/8 in, in micrometres.
EIGHTH = INCH // 8
# Widths of the lines in micrometres: of the safe zone, and of the cut.
THIN = 300
THICK = 600


def tile_of(picture: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    """A picture for the list of pictures: the ``svg`` of its card (with the small copy), its ``place`` in
    words, its ``ppi`` on a card of the game's own size, whether that is ``soft``, and its ``bleed`` in words.

    ``own``: the owner's own cards that have pictures, by code.
    """
    game = _game_of(picture)
    ref = ref_of(picture, own.get(picture.card_code))
    small = ref._replace(address=reverse("picture_small", args=[picture.sha256]))
    drawing = _drawn(picture, small, game, own)
    # Art has the resolution of the window that it is drawn in.
    in_art = (used.ppi for used in on_drawings([drawing]))
    resolution = next(in_art, 0) if ref.use == "art" else ppi(ref, game.trim)
    place = _words(picture, game, own)
    bleed = ""
    if ref.bleed and ref.use != "art":
        # A picture in the window of a face has no use for bleed.
        becomes = "cut off at the edge of the card" if ref.own_bleed else "shown on the card"
        bleed = f"{ref.bleed / 1000:.1f} mm of bleed, {becomes}"
    return {
        "picture": picture,
        "place": place,
        "ppi": resolution,
        "soft": 0 < resolution < GOOD_PPI,
        "svg": _safe(draw_svg(drawing._replace(turned=False), f"{place}: {picture.label}")),
        "bleed": bleed,
    }


def _drawn(
    picture: UploadedPicture, ref: PictureRef, game: Game, own: Mapping[str, Card], bleed: int = 0
) -> Drawing:
    """The card as it is printed with this picture: the picture alone, or the drawn face with it in the
    window.
    """
    card = game.card(picture.card_code) or own.get(picture.card_code)
    if card and ref.use == "art":
        return compose(card, game, game.trim, bleed, art=ref)
    return picture_drawing(picture.label, ref, game.trim, bleed)


def views_of(picture: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    """The two drawings on the page of a picture: ``printed``, the card with 1/8 in of bleed, cut line and
    safe zone, and ``whole``, the picture with a frame. The other values (lengths in micrometres) are for the
    script that draws the same while the frame is moved::

        edge of the paper | 1/8 in of bleed | cut line (thick) | 1/8 in of safe zone | thin line | the card
    """
    game, ref = _game_of(picture), ref_of(picture, own.get(picture.card_code))
    drawing = with_bleed(_drawn(picture, ref, game, own, EIGHTH)._replace(turned=False), EIGHTH)
    lines = (
        *_line(drawing.width, drawing.height, EIGHTH),
        *_line(drawing.width, drawing.height, 2 * EIGHTH, thin=True),
    )
    drawn = draw_svg(
        drawing._replace(strokes=(*drawing.strokes, *lines)), f"As it is printed: {picture.label}"
    )
    whole = picture_svg(ref, f"The whole picture {picture.label}, with a frame round what is shown")
    return {
        "printed": _safe(drawn),
        "whole": _safe(whole),
        "address": ref.address,
        "trim": game.trim,
        "eighth": EIGHTH,
        "use": ref.use,
        "edge_colour": ref.edge_colour,
    }


def _safe(svg: str) -> SafeString:
    return mark_safe(svg)  # noqa: S308  (draw_svg and picture_svg escape every word)


def _line(width: int, height: int, inset: int, *, thin: bool = False) -> tuple[Stroke, ...]:
    """A rectangle ``inset`` from the edges: a dark line on a wider light one, which shows on any picture."""
    left, top, right, foot = inset, inset, width - inset, height - inset
    steps = (("M", (left, top)), ("L", (right, top)), ("L", (right, foot)), ("L", (left, foot)), ("Z", ()))
    pen = THIN if thin else THICK
    return Path(steps, PAPER, pen), Path(steps, INK, pen // 2)


def _game_of(picture: UploadedPicture) -> Game:
    """The game of a picture. A picture without one is drawn as a card of the first game."""
    return game_named(picture.game) or next(iter(games().values()))


def _words(picture: UploadedPicture, game: Game, own: Mapping[str, Card]) -> str:
    """The place of a picture: ``Kai, front``. A card that is no longer in the catalogue is named by
    its code.
    """
    if not picture.side:
        return "Not used yet"
    if not picture.card_code:
        return "Back of all cards"
    card = game.card(picture.card_code) or own.get(picture.card_code)
    return f"{card.name if card else picture.card_code}, {picture.get_side_display().lower()}"
