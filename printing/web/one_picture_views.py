"""One picture: as the card that it will be, its page with all that can be changed of it, and its files, for
its owner alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.box import picture_store as storage
from cardsdb.box.picture_files.names import card_called, cards_called
from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.picture_store import small_copy
from cardsdb.box.pictures import own_cards_of, own_names, ref_of
from cardsdb.box.placing import put
from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Refused
from cardsdb.games.kit import Card, Game
from cardsdb.identity.viewer import viewer_of
from cardsdb.models import TURNS, Edge, Fit, Side, UploadedPicture, Use
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from cardsdb.site.errors import try_later
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from printing.exports.card_pictures import with_bleed
from printing.faces.colours import INK, PAPER
from printing.faces.compose import compose
from printing.faces.own_pictures import GOOD_PPI, picture_drawing, ppi
from printing.faces.strokes import Drawing, Path, Stroke
from printing.job.pictures import on_drawings
from printing.options.sizes import INCH
from printing.render.svg import draw_svg, picture_svg
from printing.web.picture_forms import EDGES, USUAL_BLEED, PictureForm

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


# -- its page -----------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """One picture with all that can be changed of it, and a preview."""
    viewer = viewer_of(request)
    row = get_object_or_404(UploadedPicture.objects.of(viewer), pk=_number(pk))
    own = own_cards_of([row])
    form = PictureForm(
        request.POST if request.method == "POST" else None, initial=_initial(row, own), viewer=viewer
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        changed = {name: data[name] for name in ("turn", "mirrored", "fit", "edge")}
        # Bleed that was found stays known where it is shown on the card; a form without the use leaves it.
        changed |= {
            "bleed": form.bled or (row.bleed if data["edge"] == Edge.MIRRORED else 0),
            "use": data["use"] or row.use,
        }
        try:
            put(viewer, row, form.place, crop=form.crop, **changed)
        except Refused as refused:
            return try_later(request, refused)
        messages.success(request, "The picture is kept as you see it here.")
        return redirect("picture", pk=row.pk)
    game = game_named(row.game)
    context = {
        "picture": row,
        "form": form,
        "games": games().values(),
        "game": game,
        "choices": {
            "sides": Side.choices,
            "turns": TURNS,
            "fits": Fit.choices,
            "edges": Edge.choices,
            "uses": Use.choices,
        },
        "cuts": [(name, form[name]) for name in EDGES],
        "cards": (
            sorted({card.name for card in (*game.cards, *own_names(viewer, game).cards)}) if game else ()
        ),
        "tile": tile_of(row, own),
        "views": views_of(row, own),
        "good": GOOD_PPI,
        "here": "decks",
    }
    return render(request, "printing/picture.html", context, status=400 if form.errors else 200)


def _initial(row: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    game = game_named(row.game)
    card = game.card(row.card_code) if game and row.card_code else None
    made = own.get(row.card_code)
    label = game.name_index.label(card) if game and card else ""
    left, top, right, bottom = row.crop or (0, 0, 1000, 1000)
    cuts = dict(zip(EDGES, (left, top, 1000 - right, 1000 - bottom), strict=True))
    return {
        "game": row.game,
        "card": (
            label
            if game and card and card_called(label, game) is card
            else _called(game, made) or row.card_code
        ),
        "side": row.side,
        "turn": row.turn,
        "mirrored": row.mirrored,
        "fit": row.fit,
        "edge": row.edge,
        "use": row.use,
        "bleed": f"{row.bleed / 1000:g}" if row.bleed else USUAL_BLEED,
        **{name: f"{cut / 10:g}" if cut else "" for name, cut in cuts.items()},
    }


def _called(game: Game | None, made: Card | None) -> str:
    """The name of a card of one's own, where it is nothing else's."""
    return made.name if game and made and not cards_called(made.name, game) else ""


@require_POST
@private
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a picture; its file goes with the last picture that uses it."""
    row = get_object_or_404(UploadedPicture.objects.of(viewer_of(request)), pk=_number(pk))
    with transaction.atomic():
        note(Event.DELETED, row.owner_id, thing="picture", number=row.pk, name=row.label)
        row.delete()
    messages.success(request, f"{row.label or 'The picture'} is deleted.")
    return redirect("pictures")


def _number(pk: int) -> int:
    """The number of a picture; 404 for one that is too large for the database."""
    if pk >= 1 << 63:
        raise Http404
    return pk


# -- its files ----------------------------------------------------------------------

HEADERS = {
    # No other site may show it.
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Disposition": "inline",
    "Cache-Control": "private, max-age=3600",
}


@require_safe
@private
def file(request: HttpRequest, sha256: str) -> HttpResponse:
    """The picture as it is stored; 404 for all but its owners."""
    picture = _own_or_404(request, sha256)
    try:
        return _private(storage.read(sha256), f"image/{picture.kind}")
    except OSError:
        raise Http404 from None


@require_safe
@private
def small(request: HttpRequest, sha256: str) -> HttpResponse:
    """A small copy, encoded anew, made at the first request for it."""
    picture = _own_or_404(request, sha256)
    try:
        return _private(small_copy(picture), "image/webp")
    except Refused as refused:
        return try_later(request, refused)
    except OSError:
        raise Http404 from None


def _own_or_404(request: HttpRequest, sha256: str) -> UploadedPicture:
    """The picture, if it is one that the visitor sees: their own, or everyone's on a private site."""
    if not storage.NAME.fullmatch(sha256):
        raise Http404
    row = UploadedPicture.objects.visible_to(viewer_of(request)).filter(sha256=sha256).first()
    if row is None:
        raise Http404
    return row


def _private(data: bytes, kind: str) -> HttpResponse:
    response = HttpResponse(data, content_type=kind, headers=HEADERS)
    patch_vary_headers(response, ("Cookie",))
    return response
