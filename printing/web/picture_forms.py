"""The forms of the pages of pictures."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from cardsdb.box.intake import Wish
from cardsdb.box.pictures import own_names
from cardsdb.box.placing import ALL_BACKS, BACKS, FRONTS, Place
from cardsdb.box.reading.matching import card_called
from cardsdb.catalogue.current import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import TURNS, Edge, Fit, Side, Use

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
MEANT = {
    FRONTS: "Fronts; a file whose name ends with “back” is a back",
    BACKS: "Backs of the cards they are named after",
    ALL_BACKS: "The one back of all cards of this game",
}


class GameForm(forms.Form):
    """A game by its slug."""

    game = forms.ChoiceField(
        choices=lambda: [(slug, slug) for slug in games()],
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose one of the games."),
    )


class EdgeForm(GameForm):
    """Tells what is printed outside the cut line. ``bled`` is what a picture has of its own, in
    micrometres.
    """

    edge = forms.ChoiceField(
        choices=Edge.choices,
        required=False,
        error_messages={"invalid_choice": "Choose what is printed outside the cut line."},
    )
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


# What pictures that come together are of their cards, and what is printed outside of them, where nothing is
# said for all.
USES = {"": "As its shape tells: the whole card, or art in the face’s window", **dict(Use.choices)}
ALL_USES = [
    ("shape", "Each as its shape tells"),
    ("card", "All are whole cards"),
    ("art", "All stand in the windows of faces"),
]
ALL_BLEEDS = [("cut", "Cut off at the card’s edge"), ("keep", "Shown on the card")]
AS_FOUND = "As it is found: bleed is cut off at the card’s edge, an edge without bleed is mirrored"


class UseForm(GameForm):
    """Tells what pictures are of their cards."""

    use = forms.ChoiceField(
        choices=list(USES.items()),
        required=False,
        error_messages={"invalid_choice": "Choose whether it is the whole card or art in its window."},
    )


class ChangeAllForm(GameForm):
    """Tells what changes of all pictures of a game; what is left out stays."""

    use = forms.ChoiceField(
        choices=[("", "Leave them"), *ALL_USES],
        required=False,
        error_messages={"invalid_choice": "Choose what they are."},
    )
    bleed = forms.ChoiceField(
        choices=[("", "Leave it"), *ALL_BLEEDS],
        required=False,
        error_messages={"invalid_choice": "Choose what becomes of bleed."},
    )


class UploadForm(EdgeForm, UseForm):
    """Tells what pictures are that are brought together. ``wish``: once the form is clean."""

    wish: Wish

    meant = forms.ChoiceField(
        choices=list(MEANT.items()),
        required=False,
        error_messages={"invalid_choice": "Choose what the pictures are for."},
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self.wish = Wish(cleaned.get("use", ""), cleaned.get("edge", ""), self.bled)  # type: ignore[arg-type]
        # A field that is left out has its usual value.
        return cleaned | {"meant": cleaned.get("meant") or FRONTS}


class PlaceForm(GameForm):
    """Tells where a picture is printed: ``place``, once the form is clean. A back without a card is the
    back of all cards.

    ``viewer``: whose own cards may be named, too.
    """

    card = forms.CharField(max_length=200, required=False)
    side = forms.ChoiceField(
        choices=Side.choices,
        required=False,
        error_messages={"invalid_choice": "Choose front, back or not used."},
    )
    place: Place

    def __init__(self, *args: Any, viewer: Viewer, **options: Any) -> None:
        super().__init__(*args, **options)
        self.viewer = viewer

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        game, words, side = (
            games().get(cleaned.get("game", "")),
            cleaned.get("card", "").strip(),
            cleaned.get("side", ""),
        )
        card = (
            card_called(words, game) or card_called(words, game, own_names(self.viewer, game))
            if game and words
            else None
        )
        if words and game and card is None:
            sentence = (
                f"“{words[:60]}” is no card of {game.name}, or several. Give its whole name, its code or its"
                " collector number."
            )
            self.add_error("card", ValidationError(sentence, code="unknown_card"))
        elif side == Side.FRONT and not words:
            self.add_error("card", ValidationError("Say which card has this front.", code="required"))
        self.place = (game.slug if game else "", card.code if card else "", side)
        return cleaned


class PlacedForm(PlaceForm, EdgeForm):
    """Tells where a picture is printed, and what is printed outside the cut line. A picture keeps the
    edge that it has if the form names none.
    """


class PictureForm(PlaceForm, EdgeForm):
    """All that can be changed of a picture. ``crop`` has the four numbers, once the form is clean."""

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
        for name, one, other in (("right", left, right), ("bottom", top, bottom)):
            if one + other > 1000 - MIN_SHOWN:
                self.add_error(
                    name,
                    ValidationError(
                        "The two sides cut off all of the picture; leave 2 per cent.", code="nothing_left"
                    ),
                )
        self.crop = [left, top, 1000 - right, 1000 - bottom] if left or top or right or bottom else []
        return cleaned
