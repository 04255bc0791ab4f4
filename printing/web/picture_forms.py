"""The forms of the pages of pictures, and own pictures drawn for them: as the card that a picture will be,
and with its frame.
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
from cardsdb.box.reading.matching import card_called
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

# The least that must be left of a picture, in thousandths of a side.
MIN_SHOWN = 20
EDGES = ("left", "top", "right", "bottom")
CUT = "Cut off at most 98 per cent of a side, as a number like 4.5."
# Millimetres of bleed that a picture may have of its own; the usual one is that of print services.
MAX_BLEED, USUAL_BLEED = 10, Decimal("3.175")
BLED = (
    f"Say how many millimetres of bleed the picture has on each side: more than 0, at most {MAX_BLEED}, such"
    " as 3.175."
)
NUMBERS = ("invalid", "min_value", "max_value", "max_digits", "max_decimal_places", "max_whole_digits")


def _choice(choices: Any, message: str) -> forms.ChoiceField:
    """A field that may be left out; ``message`` is the fault of any other choice."""
    return forms.ChoiceField(choices=choices, required=False, error_messages={"invalid_choice": message})


class GameForm(forms.Form):
    """A game by its slug."""

    game = forms.ChoiceField(
        choices=lambda: [(slug, slug) for slug in games()],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose one of the games."),
    )


class EdgeForm(GameForm):
    """The edge of a picture outside the cut line. ``bled`` is the picture's own bleed, in micrometres."""

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
        own = cleaned.get("edge") == Edge.INCLUDED
        self.bled = int((cleaned.get("bleed") or 0) * 1000) if own else 0
        if not own:
            # A picture without bleed of its own needs no number, and a wrong one is no fault.
            self.errors.pop("bleed", None)
        elif self.bled <= 0 and "bleed" not in self.errors:
            self.add_error("bleed", ValidationError(BLED, code="required"))
        return cleaned


class ChangeAllForm(GameForm):
    """The changes to all pictures of a game; a field that is left out changes nothing."""

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
    """The use of pictures that are brought together. ``wish`` is there once the form is clean."""

    # The order in which their faults are reported.
    field_order = ("game", "use", "edge", "bleed", "meant")
    wish: Wish

    edge = _choice(
        [
            (
                "",
                "As each picture tells: bleed is cut off, a narrow border repeated, any other edge mirrored",
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
        # A field that is left out has its usual value.
        return cleaned | {"meant": cleaned.get("meant") or FRONTS}


class PlaceForm(GameForm):
    """The place where a picture is printed: ``place``, once the form is clean. A back without a card is the
    back of all cards.

    ``viewer``: the owner of own cards that may be named, too.
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
        words, card = cleaned.get("card", "").strip(), None
        if words and game:
            card = card_called(words, game) or card_called(words, game, own_names(self.viewer, game))
            if card is None:
                called = f"“{words[:60]}” is no card of {game.name}, or several"
                sentence = f"{called}. Give its whole name, its code or its collector number."
                self.add_error("card", ValidationError(sentence, code="unknown_card"))
        if side == Side.FRONT and not words:
            self.add_error("card", ValidationError("Say which card has this front.", code="required"))
        self.place = (game.slug if game else "", card.code if card else "", side)
        return cleaned


class PlacedForm(PlaceForm, EdgeForm):
    """The place where a picture is printed, and its edge outside the cut line. A picture keeps its edge if
    the form names none.
    """


class PictureForm(PlaceForm, EdgeForm):
    """All settings of a picture that can be changed. ``crop`` has the four numbers, once the form is
    clean.
    """

    turn = forms.TypedChoiceField(
        choices=[(turn, f"{turn}°") for turn in TURNS], coerce=int, required=False, empty_value=0
    )
    mirrored = forms.BooleanField(required=False)
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
        left, top, right, bottom = (int((cleaned.get(name) or 0) * 10) for name in EDGES)
        for name, cut in (("right", left + right), ("bottom", top + bottom)):
            if cut > 1000 - MIN_SHOWN:
                message = "The two sides cut off all of the picture; leave 2 per cent."
                self.add_error(name, ValidationError(message, code="nothing_left"))
        self.crop = [left, top, 1000 - right, 1000 - bottom] if left or top or right or bottom else []
        return cleaned


# -- drawn -----------------------------------------------------------------------------

# The bleed and the safe zone that print services ask for.
EIGHTH = INCH // 8
THIN, THICK = 300, 600


def tile_of(picture: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    """A picture as its card, from the small copy, with its pixels an inch on a card of the game's own size.

    ``own``: the owner's own cards that have pictures, by code.
    """
    game = _game_of(picture)
    ref = ref_of(picture, own.get(picture.card_code))
    drawing = _drawn(
        picture, ref._replace(address=reverse("picture_small", args=[picture.sha256])), game, own
    )
    in_art = (used.ppi for used in on_drawings([drawing]))
    resolution = next(in_art, 0) if ref.use == "art" else ppi(ref, game.trim)
    place = _words(picture, game, own)
    bleed = ""
    if ref.bleed and ref.use != "art":
        # Bleed has no effect in a window.
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
    """The card as it is printed with this picture: the picture alone, or our face with the picture in its
    window.
    """
    card = (game.card(picture.card_code) or own.get(picture.card_code)) if ref.use == "art" else None
    return (
        compose(card, game, game.trim, bleed, art=ref)
        if card
        else picture_drawing(picture.label, ref, game.trim, bleed)
    )


def views_of(picture: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    """The two drawings of a picture. ``printed``: the card with an eighth of an inch of bleed, the cut line
    and the safe zone. ``whole``: the picture with its frame.

    A script draws the same from ``trim`` and ``eighth`` while the frame is moved; all are in micrometres.
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
    return mark_safe(svg)  # noqa: S308  both escape every word they draw


def _line(width: int, height: int, inset: int, *, thin: bool = False) -> tuple[Stroke, ...]:
    """A rectangle so far inside, dark in light, so that it shows on any picture."""
    left, top, right, foot = inset, inset, width - inset, height - inset
    steps = (("M", (left, top)), ("L", (right, top)), ("L", (right, foot)), ("L", (left, foot)), ("Z", ()))
    pen = THIN if thin else THICK
    return Path(steps, PAPER, pen), Path(steps, INK, pen // 2)


def _game_of(picture: UploadedPicture) -> Game:
    return game_named(picture.game) or next(iter(games().values()))


def _words(picture: UploadedPicture, game: Game, own: Mapping[str, Card]) -> str:
    """``Kai, front``: the card and the side of a picture, if the catalogue still has the card."""
    if not picture.side:
        return "Not used yet"
    if not picture.card_code:
        return "Back of all cards"
    card = game.card(picture.card_code) or own.get(picture.card_code)
    return f"{card.name if card else picture.card_code}, {picture.get_side_display().lower()}"
