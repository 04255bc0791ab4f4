"""The pages of somebody's own pictures: bring them, say where they belong, cut and turn them, give them up."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.exceptions import TooManyFilesSent
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.games import games
from cardsdb.games.kit.model.text import plural, whole_number
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.ratelimits import counted_as_work
from decks.identity.viewer import Viewer, browser_of, viewer_of
from printing.models import UploadedPicture
from printing.models.pictures import Edge, Side
from printing.pictures import limits
from printing.uploads.batch import FRONTS, Uploaded, upload
from printing.uploads.pictures import claim_pictures, put, room_left
from printing.web.busy import try_later, with_headers
from printing.web.picture_forms import MEANT, USUAL_BLEED, PlacedForm, UploadForm
from printing.web.picture_tiles import tile_of

# Of pictures that are used nowhere so many stand on a page: each has three fields, and a form may have two hundred.
PER_PAGE = 50
TOO_MUCH = f"This is more than {limits.MAX_UPLOAD_BYTES // limits.MEGABYTE} MB. Send fewer pictures at once."
TOO_MANY = f"These are too many files: at most {limits.MAX_UPLOAD_FILES} pictures are taken at once."


@csrf_exempt
def pictures(request: HttpRequest) -> HttpResponse:
    """All of a visitor's pictures, and the form that brings more.

    What is too large is refused before it is read, which looking for the form's token would do.
    """
    length = request.META.get("CONTENT_LENGTH") or "0"
    if request.method == "POST" and whole_number(length, limits.MAX_UPLOAD_BYTES) is None:
        return _too_much(request, TOO_MUCH)
    try:
        return _pictures(request)
    except TooManyFilesSent:
        return _too_much(request, TOO_MANY)


def _too_much(request: HttpRequest, message: str) -> HttpResponse:
    context = {"title": "Too much at once", "message": message, "advice": "Nothing was kept. Go back and choose fewer files."}
    return render(request, "error.html", context, status=413)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def _pictures(request: HttpRequest) -> HttpResponse:
    faults: list[Fault] = []
    refused: Refused | None = None
    form = UploadForm(request.POST if request.method == "POST" else None, initial=_usual(request))
    if request.method == "POST":
        sent = request.FILES.getlist("files")
        if not form.is_valid():
            faults = [Fault("bad_choice", error, field) for field, errors in form.errors.items() for error in errors]
        elif not sent:
            faults = [Fault("required", "Choose at least one picture.", "files")]
        else:
            data = form.cleaned_data
            made = upload(_owner(request), sent, games()[data["game"]], data["meant"], edge=data["edge"], bleed=form.bled)
            faults, refused = made.faults, made.refused
            if made.kept or made.already:
                _say(request, made)
                return redirect(f"{reverse('pictures')}?game={data['game']}")
    status = (refused.status if refused else 400) if faults else 200
    answer = render(request, "printing/pictures.html", _all(request) | {"faults": faults, "form": form}, status=status)
    return with_headers(answer, refused)


def _usual(request: HttpRequest) -> dict[str, Any]:
    return {"game": request.GET.get("game", ""), "meant": FRONTS, "edge": Edge.MIRRORED, "bleed": USUAL_BLEED}


def _say(request: HttpRequest, made: Uploaded) -> None:
    """What came of an upload that was good at least in part."""
    kept, already = len(made.kept), len({picture.pk for picture in made.already})
    said = [f"{kept} {plural(kept, 'picture is', 'pictures are')} kept."] if kept else []
    if already:
        # What was said of them this time changes nothing.
        same = plural(already, "was already yours: its cut, turn and bleed stay", "were already yours: their cuts, turns and bleed stay")
        said.append(f"{already} {plural(already, 'picture')} {same} as you set them.")
    loose = len({picture.pk for picture in (*made.kept, *made.already) if not picture.side})
    if loose:
        said.append(f"{loose} could not be matched to a card: say below where {plural(loose, 'it belongs', 'they belong')}.")
    messages.success(request, " ".join(said))
    for fault in made.faults:
        messages.warning(request, fault.message)


def _all(request: HttpRequest) -> dict[str, Any]:
    viewer = viewer_of(request)
    rows = list(UploadedPicture.objects.of(viewer))
    placed = [tile_of(row) for row in rows if row.side]
    loose = Paginator([row for row in rows if not row.side], PER_PAGE)
    page = loose.get_page(request.GET.get("page"))
    pictures_left, bytes_left = room_left(viewer)
    return {
        "groups": [(games().get(slug), list(tiles)) for slug, tiles in groupby(placed, lambda tile: tile["picture"].game)],
        "loose": [tile_of(row) for row in page],
        "page": page,
        "pages": loose.get_elided_page_range(page.number),
        "soft": sum(tile["soft"] for tile in placed),
        "games": games().values(),
        "choices": {"meant": MEANT.items(), "edges": Edge.choices},
        "used": limits.MAX_PICTURES - pictures_left,
        "used_megabytes": f"{(limits.MAX_STORED - bytes_left) / limits.MEGABYTE:.1f}",
        "max_megabytes": limits.MAX_STORED // limits.MEGABYTE,
        "limits": limits,
        "usual_bleed": USUAL_BLEED,
        "elsewhere": bool(viewer.user_id and viewer.browser) and UploadedPicture.objects.of(Viewer(browser=viewer.browser)).exists(),
        "here": "decks",
    }


@require_POST
@never_cache
def place(request: HttpRequest) -> HttpResponse:
    """Put the pictures that are used nowhere where their owner says: ``card:7`` and ``side:7`` for picture 7.

    ``edge`` and ``bleed`` are for all that are put in place now; without them each keeps what was said when it was brought.
    """
    viewer = viewer_of(request)
    outside = {name: request.POST.get(name, "") for name in ("edge", "bleed")}
    done = wrong = 0
    for picture in UploadedPicture.objects.of(viewer).filter(side=Side.UNPLACED):
        side = request.POST.get(f"side:{picture.pk}", "")
        if not side:
            continue
        given = {name: request.POST.get(f"{name}:{picture.pk}", "") for name in ("game", "card")}
        form = PlacedForm({**given, **outside, "game": given["game"] or picture.game, "side": side})
        if form.is_valid():
            try:
                put(viewer, picture, form.place, **({"edge": outside["edge"], "bleed": form.bled} if outside["edge"] else {}))
            except Refused as refused:
                return try_later(request, refused)
            done += 1
        else:
            wrong += 1
            for fault in form.errors.values():
                messages.warning(request, f"{picture.label}: {fault[0]}")
    if done:
        messages.success(request, f"{done} {plural(done, 'picture is', 'pictures are')} in place.")
    elif not wrong:
        messages.warning(request, "Nothing was changed: choose front or back for a picture.")
    return redirect("pictures")


@require_POST
@never_cache
def take_along(request: HttpRequest) -> HttpResponse:
    """Into the account, what this browser brought before its visitor logged in."""
    viewer = viewer_of(request)
    if not viewer.user_id:
        raise Http404
    try:
        moved = claim_pictures(viewer)
        messages.success(request, f"{moved} {plural(moved, 'picture is', 'pictures are')} now your account’s.")
    except Refused as error:
        if error.status >= 500:
            return try_later(request, error)
        messages.warning(request, error.faults[0].message)
    return redirect("pictures")


def _owner(request: HttpRequest) -> Viewer:
    """The visitor, whose browser gets a token now if there is no account."""
    viewer = viewer_of(request)
    return viewer if viewer.user_id else Viewer(browser=browser_of(request))
