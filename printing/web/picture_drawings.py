"""An own picture drawn for its pages: as the card that it will be, and with its frame as it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import ref_of
from cardsdb.catalogue.current import game_named, games
from cardsdb.games.kit import Card, Game
from cardsdb.models import UploadedPicture
from printing.exports.card_pictures import with_bleed
from printing.faces.colours import INK, PAPER
from printing.faces.compose import compose
from printing.faces.own_pictures import GOOD_PPI, on_drawings, picture_drawing, ppi
from printing.faces.strokes import Drawing, Path, Stroke
from printing.options.sizes import INCH
from printing.render.svg import draw_svg, picture_svg

# What print services ask for outside of the cut and inside of it.
EIGHTH = INCH // 8
THIN, THICK = 300, 600


def tile_of(picture: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    """A picture as its card, from the small copy, with how fine it is printed on a card of the game's own
    size.

    ``own``: code -> card, of those of the owner's own that pictures are of.
    """
    game = _game_of(picture)
    ref = ref_of(picture, own.get(picture.card_code))
    drawing = _drawn(
        picture, ref._replace(address=reverse("picture_small", args=[picture.sha256])), game, own
    )
    resolution = (
        next((used.ppi for used in on_drawings([drawing])), 0) if ref.use == "art" else ppi(ref, game.trim)
    )
    place = _words(picture, game, own)
    svg = mark_safe(draw_svg(drawing._replace(turned=False), f"{place}: {picture.label}"))  # noqa: S308  it escapes every word it draws
    soft = 0 < resolution < GOOD_PPI
    return {
        "picture": picture,
        "place": place,
        "ppi": resolution,
        "soft": soft,
        "svg": svg,
        "bleed": _about_bleed(ref),
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


def _about_bleed(ref: PictureRef) -> str:
    """``3.2 mm of bleed, cut off``; empty for a picture without, and in a window, where bleed says
    nothing.
    """
    if not ref.bleed or ref.use == "art":
        return ""
    return (
        f"{ref.bleed / 1000:.1f} mm of bleed,"
        f" {'cut off at the edge of the card' if ref.own_bleed else 'shown on the card'}"
    )


def views_of(picture: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    """``printed``: the card with an eighth of an inch of bleed, the cut line and the safe zone. ``whole``:
    the picture with its frame.

    ``trim`` and ``eighth`` are what a script needs to draw the same while one moves the frame; all in
    micrometres.
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
    """``Kai, front``; what card it is for, as far as the catalogue still has it."""
    if not picture.side:
        return "Not used yet"
    if not picture.card_code:
        return "Back of all cards"
    card = game.card(picture.card_code) or own.get(picture.card_code)
    return f"{card.name if card else picture.card_code}, {picture.get_side_display().lower()}"
