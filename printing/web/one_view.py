"""The page of one picture: which card it is for, what of it is shown and how."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.games import game_named, games
from cardsdb.games.kit.listtext.names import name_index
from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work
from decks.core.viewer import viewer_of
from printing.models import UploadedPicture
from printing.models.pictures import TURNS, Edge, Fit, Side
from printing.pictures.matching import card_called
from printing.pictures.ref import GOOD_PPI
from printing.uploads.own import put
from printing.web.busy import try_later
from printing.web.picture_forms import EDGES, USUAL_BLEED, PictureForm
from printing.web.picture_tiles import tile_of, views_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """One picture with all that can be changed of it, and a preview."""
    viewer = viewer_of(request)
    row = get_object_or_404(UploadedPicture.objects.of(viewer), pk=_number(pk))
    form = PictureForm(request.POST if request.method == "POST" else None, initial=_initial(row))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        changed = {name: data[name] for name in ("turn", "mirrored", "fit", "edge")}
        try:
            put(viewer, row, form.place, crop=form.crop, bleed=form.bled, **changed)
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
        "choices": {"sides": Side.choices, "turns": TURNS, "fits": Fit.choices, "edges": Edge.choices},
        "cuts": [(name, form[name]) for name in EDGES],
        "cards": sorted({card.name for card in game.cards}) if game else (),
        "tile": tile_of(row),
        "views": views_of(row),
        "good": GOOD_PPI,
        "here": "decks",
    }
    return render(request, "printing/picture.html", context, status=400 if form.errors else 200)


def _initial(row: UploadedPicture) -> dict[str, Any]:
    game = game_named(row.game)
    card = game.card(row.card_code) if game and row.card_code else None
    label = name_index(game).label(card) if game and card else ""
    left, top, right, bottom = row.crop or (0, 0, 1000, 1000)
    cuts = dict(zip(EDGES, (left, top, 1000 - right, 1000 - bottom), strict=True))
    return {
        "game": row.game,
        "card": label if game and card and card_called(label, game) is card else row.card_code,
        "side": row.side,
        "turn": row.turn,
        "mirrored": row.mirrored,
        "fit": row.fit,
        "edge": row.edge,
        "bleed": f"{row.bleed / 1000:g}" if row.bleed else USUAL_BLEED,
        **{name: f"{cut / 10:g}" if cut else "" for name, cut in cuts.items()},
    }


@require_POST
@never_cache
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a picture up; its file goes with the last that uses it."""
    row = get_object_or_404(UploadedPicture.objects.of(viewer_of(request)), pk=_number(pk))
    row.delete()
    messages.success(request, f"{row.label or 'The picture'} is deleted.")
    return redirect("pictures")


def _number(pk: int) -> int:
    """What no database can count to is nobody's picture."""
    if pk >= 1 << 63:
        raise Http404
    return pk
