"""The pages of somebody's own pictures: bring them, say where they belong, cut and turn them, give them up."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.errors import Fault, Refused
from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.games.kit.names import name_index
from cardsdb.limits import counted_as_work
from decks.visitors import Visitor, browser_of, visitor_of
from printing.models import UploadedPicture
from printing.models.pictures import TURNS, Edge, Fit, Side
from printing.pictures import bounds
from printing.pictures.forms import EDGES, GameForm, PictureForm, PlaceForm
from printing.pictures.matching import card_called
from printing.pictures.own import put, ref_of, room_left
from printing.pictures.own import take_along as take_rows_along
from printing.pictures.placing import picture_drawing
from printing.pictures.reference import GOOD_PPI, ppi
from printing.pictures.uploading import ALL_BACKS, BACKS, FRONTS, upload
from printing.svg import draw_svg, picture_svg

TOO_MUCH = f"This is more than {bounds.MOST_BYTES_AT_ONCE // bounds.MEGABYTE} MB. Send fewer pictures at once."
MEANT = {
    FRONTS: "Fronts; a file whose name ends with “back” is a back",
    BACKS: "Backs of the cards they are named after",
    ALL_BACKS: "The one back of all cards of this game",
}


@csrf_exempt
def pictures(request: HttpRequest) -> HttpResponse:
    """All of a visitor's pictures, and the form that brings more.

    What is too large is refused before it is read, which looking for the form's token would do.
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    if request.method == "POST" and (not length.isdigit() or int(length) > bounds.MOST_BYTES_AT_ONCE):
        advice = "Go back and choose fewer files."
        return render(request, "error.html", {"title": "Too large", "message": TOO_MUCH, "advice": advice}, status=413)
    return _pictures(request)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def _pictures(request: HttpRequest) -> HttpResponse:
    faults: list[Fault] = []
    if request.method == "POST":
        form = GameForm(request.POST)
        sent = request.FILES.getlist("files")
        meant = request.POST.get("meant", FRONTS)
        if not form.is_valid():
            faults = [Fault("unknown_game", "Choose the game whose cards these are.", "game")]
        elif not sent:
            faults = [Fault("required", "Choose at least one picture.", "files")]
        elif meant not in MEANT:
            faults = [Fault("bad_choice", "Choose what the pictures are for.", "meant")]
        else:
            made = upload(_owner(request), sent, games()[form.cleaned_data["game"]], meant)
            faults = made.faults
            if made.kept:
                _say(request, made.kept, faults)
                return redirect(f"{reverse('pictures')}?game={form.cleaned_data['game']}")
    status = 507 if any(fault.code == "no_room" for fault in faults) else 400 if faults else 200
    return render(request, "printing/pictures.html", _all(request) | {"faults": faults}, status=status)


def _say(request: HttpRequest, kept: list[UploadedPicture], faults: list[Fault]) -> None:
    """What came of an upload that was good at least in part."""
    loose = sum(not picture.side for picture in kept)
    sentence = f"{len(kept)} picture{' is' if len(kept) == 1 else 's are'} kept."
    if loose:
        sentence += f" {loose} could not be matched to a card: say below where {'it belongs' if loose == 1 else 'they belong'}."
    messages.success(request, sentence)
    for fault in faults:
        messages.warning(request, fault.message)


def _all(request: HttpRequest) -> dict[str, Any]:
    visitor = visitor_of(request)
    shown = [_tile(picture) for picture in UploadedPicture.objects.of(visitor)]
    placed = [tile for tile in shown if tile["picture"].side]
    pictures_left, bytes_left = room_left(visitor)
    return {
        "groups": [(games().get(slug), list(tiles)) for slug, tiles in groupby(placed, lambda tile: tile["picture"].game)],
        "loose": [tile for tile in shown if not tile["picture"].side],
        "number": len(shown),
        "soft": sum(tile["soft"] for tile in placed),
        "games": games().values(),
        "game_asked": request.POST.get("game", request.GET.get("game", "")),
        "meant": MEANT,
        "meant_asked": request.POST.get("meant", FRONTS),
        "used": bounds.MOST_PICTURES - pictures_left,
        "used_megabytes": f"{(bounds.MOST_STORED - bytes_left) / bounds.MEGABYTE:.1f}",
        "bounds": bounds,
        "elsewhere": bool(visitor.user_id and visitor.browser) and UploadedPicture.objects.of(Visitor(browser=visitor.browser)).exists(),
        "here": "decks",
    }


def _tile(picture: UploadedPicture) -> dict[str, Any]:
    """A picture as its card, from the small copy, with how fine it is printed on a card of the game's own size."""
    game = game_named(picture.game) or next(iter(games().values()))
    ref = ref_of(picture)
    found = ppi(ref, game.trim)
    drawing = picture_drawing(picture.label, ref._replace(address=reverse("picture_small", args=[picture.sha256])), game.trim)
    place = _words(picture, game)
    # draw_svg escapes every word it draws.
    svg = mark_safe(draw_svg(drawing, f"{place}: {picture.label}"))  # noqa: S308
    return {"picture": picture, "place": place, "ppi": found, "soft": found < GOOD_PPI, "svg": svg}


def _words(picture: UploadedPicture, game: Game) -> str:
    """``Kai, front``; what card it is for, as far as the catalogue still has it."""
    if not picture.side:
        return "Not used yet"
    if not picture.card_code:
        return "Back of all cards"
    card = game.card(picture.card_code)
    return f"{card.name if card else picture.card_code}, {picture.get_side_display().lower()}"


@require_POST
@never_cache
def place(request: HttpRequest) -> HttpResponse:
    """Put the pictures that are used nowhere where their owner says: ``card:7`` and ``side:7`` for picture 7."""
    visitor = visitor_of(request)
    done = 0
    for picture in UploadedPicture.objects.of(visitor).filter(side=Side.UNPLACED):
        side = request.POST.get(f"side:{picture.pk}", "")
        if not side:
            continue
        given = {name: request.POST.get(f"{name}:{picture.pk}", "") for name in ("game", "card")}
        form = PlaceForm({**given, "game": given["game"] or picture.game, "side": side})
        if form.is_valid():
            put(visitor, picture, form.place)
            done += 1
        else:
            for fault in form.errors.values():
                messages.warning(request, f"{picture.label}: {fault[0]}")
    if done:
        messages.success(request, f"{done} picture{' is' if done == 1 else 's are'} in place.")
    return redirect("pictures")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """One picture: which card it is for, what of it is shown and how, with a preview."""
    visitor = visitor_of(request)
    row = get_object_or_404(UploadedPicture.objects.of(visitor), pk=_number(pk))
    form = PictureForm(request.POST if request.method == "POST" else None, initial=_initial(row))
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        changed = {"crop": form.crop, "turn": data["turn"], "mirrored": data["mirrored"], "fit": data["fit"], "edge": data["edge"]}
        put(visitor, row, form.place, **changed)
        messages.success(request, "The picture is kept as you see it here.")
        return redirect("picture", pk=row.pk)
    game = game_named(row.game)
    ref = ref_of(row)
    context = {
        "picture": row,
        "form": form,
        "games": games().values(),
        "game": game,
        "choices": {"sides": Side.choices, "turns": TURNS, "fits": Fit.choices, "edges": Edge.choices},
        "cuts": [(name, form[name]) for name in EDGES],
        "cards": sorted({card.name for card in game.cards}) if game else (),
        "tile": _tile(row),
        "whole": mark_safe(picture_svg(ref, f"The whole picture {row.label}, with a frame round what is shown")),  # noqa: S308
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
        **{name: f"{cut / 10:g}" if cut else "" for name, cut in cuts.items()},
    }


@require_POST
@never_cache
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a picture up; its file goes with the last that uses it."""
    row = get_object_or_404(UploadedPicture.objects.of(visitor_of(request)), pk=_number(pk))
    row.delete()
    messages.success(request, f"{row.label or 'The picture'} is deleted.")
    return redirect("pictures")


@require_POST
@never_cache
def take_along(request: HttpRequest) -> HttpResponse:
    """Into the account, what this browser brought before its visitor logged in."""
    visitor = visitor_of(request)
    if not visitor.user_id:
        raise Http404
    try:
        moved = take_rows_along(visitor)
        messages.success(request, f"{moved} picture{' is' if moved == 1 else 's are'} now your account’s.")
    except Refused as error:
        messages.warning(request, error.faults[0].message)
    return redirect("pictures")


def _owner(request: HttpRequest) -> Visitor:
    """The visitor, whose browser gets a token now if there is no account."""
    visitor = visitor_of(request)
    return visitor if visitor.user_id else Visitor(browser=browser_of(request))


def _number(pk: int) -> int:
    """What no database can count to is nobody's picture."""
    if pk >= 1 << 63:
        raise Http404
    return pk
