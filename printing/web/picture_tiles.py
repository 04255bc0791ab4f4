"""Own pictures on pages: as the card they will be, and with the lines by which they are cut."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from printing.exports.card_pictures import with_bleed
from printing.faces.colours import INK, PAPER
from printing.faces.picture_face import picture_drawing
from printing.faces.strokes import Path, Stroke
from printing.models import UploadedPicture
from printing.options.sizes import INCH
from printing.pictures.ref import GOOD_PPI, ppi
from printing.render.svg import draw_svg, picture_svg
from printing.uploads.pictures import ref_of

# What print services ask for outside of the cut and inside of it.
EIGHTH = INCH // 8
THIN, THICK = 300, 600


def tile_of(picture: UploadedPicture) -> dict[str, Any]:
    """A picture as its card, from the small copy, with how fine it is printed on a card of the game's own size."""
    game = _game_of(picture)
    ref = ref_of(picture)
    found = ppi(ref, game.trim)
    drawing = picture_drawing(picture.label, ref._replace(address=reverse("picture_small", args=[picture.sha256])), game.trim)
    place = _words(picture, game)
    svg = mark_safe(draw_svg(drawing, f"{place}: {picture.label}"))  # noqa: S308  it escapes every word it draws
    return {"picture": picture, "place": place, "ppi": found, "soft": found < GOOD_PPI, "svg": svg}


def views_of(picture: UploadedPicture) -> dict[str, Any]:
    """``printed``: the card with an eighth of an inch of bleed, the cut line and the safe zone. ``whole``: the picture with its frame.

    ``trim`` and ``eighth`` are what a script needs to draw the same while one moves the frame; all in micrometres.
    """
    game, ref = _game_of(picture), ref_of(picture)
    drawing = with_bleed(picture_drawing(picture.label, ref, game.trim, EIGHTH), EIGHTH)
    lines = (*_line(drawing.width, drawing.height, EIGHTH), *_line(drawing.width, drawing.height, 2 * EIGHTH, thin=True))
    drawn = draw_svg(drawing._replace(strokes=(*drawing.strokes, *lines)), f"As it is printed: {picture.label}")
    whole = picture_svg(ref, f"The whole picture {picture.label}, with a frame round what is shown")
    return {"printed": _safe(drawn), "whole": _safe(whole), "address": ref.address, "trim": game.trim, "eighth": EIGHTH}


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


def _words(picture: UploadedPicture, game: Game) -> str:
    """``Kai, front``; what card it is for, as far as the catalogue still has it."""
    if not picture.side:
        return "Not used yet"
    if not picture.card_code:
        return "Back of all cards"
    card = game.card(picture.card_code)
    return f"{card.name if card else picture.card_code}, {picture.get_side_display().lower()}"
