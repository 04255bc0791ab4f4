"""The page of somebody's own pictures: upload them, and say where they belong."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.exceptions import TooManyFilesSent
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.box import waiting
from cardsdb.box.jobs import request_of_pictures, take_long
from cardsdb.box.picture_files import bounds as limits
from cardsdb.box.picture_store import queue_small_copies
from cardsdb.box.pictures import own_cards_of
from cardsdb.box.placing import FRONTS, change_pictures, put, quota_of, room_left
from cardsdb.box.uploading import Uploaded, upload
from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import plural
from cardsdb.identity.viewer import Viewer, browser_of, viewer_of
from cardsdb.models import Edge, Side, UploadedPicture
from cardsdb.site.errors import try_later, with_headers
from cardsdb.site.middleware import takes
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from printing.tasks.files import waited_for
from printing.tasks.jobs import ask_own, network_of
from printing.web.one_picture_views import tile_of
from printing.web.picture_forms import (
    AS_FOUND,
    MEANT,
    USES,
    USUAL_BLEED,
    ChangeAllForm,
    PlacedForm,
    UploadForm,
)

# Pictures without a place on a page: each has three fields, and a form may have two hundred.
PER_PAGE = 50
TOO_MANY = f"These are too many files: at most {limits.MAX_UPLOAD_FILES} pictures are taken at once."


@takes(limits.MAX_UPLOAD_BYTES, "Send fewer pictures at once.")
@csrf_exempt
@private
def pictures(request: HttpRequest) -> HttpResponse:
    """All of a visitor's pictures, and the form that brings more.

    The form's token is looked at within, where too many files are refused with how many may be sent.
    """
    try:
        return _pictures(request)
    except TooManyFilesSent:
        raise Refused(Fault("too_many", TOO_MANY, "files"), status=413) from None


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work("POST")
def _pictures(request: HttpRequest) -> HttpResponse:
    faults: list[Fault] = []
    refused: Refused | None = None
    form = UploadForm(request.POST if request.method == "POST" else None, initial=_usual(request))
    if request.method == "POST":
        sent = request.FILES.getlist("files")
        if not form.is_valid():
            faults = [
                Fault("bad_choice", error, field) for field, errors in form.errors.items() for error in errors
            ]
        elif not sent:
            faults = [Fault("required", "Choose at least one picture.", "files")]
        else:
            data = form.cleaned_data
            if take_long(sent):
                return _later(request, sent, form)
            made = upload(_owner(request), sent, games()[data["game"]], data["meant"], form.wish)
            faults, refused = made.faults, made.refused
            if made.stored:
                queue_small_copies(_owner(request))
            if made.stored or made.already:
                _say(request, made)
                return redirect(f"{reverse('pictures')}?game={data['game']}")
    status = (refused.status if refused else 400) if faults else 200
    answer = render(
        request,
        "printing/pictures.html",
        _all(request) | {"faults": faults, "form": form},
        status=status,
    )
    return with_headers(answer, refused)


def _later(request: HttpRequest, sent: Sequence[Any], form: UploadForm) -> HttpResponse:
    """Have a worker take them in; the answer is the page that says how far it is. Raises Refused."""
    owner, data = _owner(request), form.cleaned_data
    wanted = request_of_pictures(owner, sent, data["game"], data["meant"], form.wish, waited_for())
    try:
        return redirect("own_job", ask_own(wanted, owner, network_of(request)).link)
    except Refused:
        waiting.drop(owner, wanted["token"])
        raise


def _usual(request: HttpRequest) -> dict[str, Any]:
    return {"game": request.GET.get("game", ""), "meant": FRONTS, "use": "", "edge": "", "bleed": USUAL_BLEED}


def _say(request: HttpRequest, made: Uploaded) -> None:
    """Say what came of an upload that was good at least in part."""
    messages.success(request, " ".join(made.sentences))
    for sentence in (*made.notes, *(fault.message for fault in made.faults)):
        messages.warning(request, sentence)


def _all(request: HttpRequest) -> dict[str, Any]:
    viewer = viewer_of(request)
    mine = UploadedPicture.objects.of(viewer)
    loose = Paginator(mine.filter(side=Side.UNPLACED), PER_PAGE)
    placed = Paginator(mine.exclude(side=Side.UNPLACED), PER_PAGE)
    page, shown = loose.get_page(request.GET.get("page")), placed.get_page(request.GET.get("placed"))
    left, quota = room_left(viewer), quota_of(viewer)
    numbers = dict(
        mine.exclude(side=Side.UNPLACED).order_by("game").values_list("game").annotate(number=Count("pk"))
    )
    own = own_cards_of((*shown, *page))
    tiles = groupby((tile_of(row, own) for row in shown), lambda tile: tile["picture"].game)
    return {
        "groups": [(games().get(slug), numbers.get(slug, 0), list(of)) for slug, of in tiles],
        "placed": shown,
        "placed_pages": placed.get_elided_page_range(shown.number),
        "loose": [tile_of(row, own) for row in page],
        "page": page,
        "pages": loose.get_elided_page_range(page.number),
        "games": games().values(),
        "choices": {
            "meant": MEANT.items(),
            "edges": [("", AS_FOUND), *Edge.choices],
            "loose_edges": Edge.choices,
            "uses": USES.items(),
        },
        "change": {
            name: ChangeAllForm.base_fields[field].choices
            for name, field in (("uses", "use"), ("bleeds", "bleed"))
        },  # type: ignore[attr-defined]
        "used": quota.pictures - left.pictures,
        "max_pictures": quota.pictures,
        "used_megabytes": f"{(quota.bytes - left.bytes) / limits.MEGABYTE:.1f}",
        "max_megabytes": quota.bytes // limits.MEGABYTE,
        "limits": limits,
        "usual_bleed": USUAL_BLEED,
        "elsewhere": bool(viewer.user_id and viewer.browser)
        and UploadedPicture.objects.of(Viewer(browser=viewer.browser)).exists(),
        "here": "decks",
    }


@require_POST
@private
def change_all(request: HttpRequest) -> HttpResponse:
    """Say of all one's pictures of a game whether each is the whole card, and what becomes of bleed that was
    found.
    """
    form = ChangeAllForm(request.POST)
    if not form.is_valid():
        for errors in form.errors.values():
            messages.warning(request, errors[0])
        return redirect("pictures")
    game = games()[form.cleaned_data["game"]]
    changed = change_pictures(viewer_of(request), game, form.cleaned_data["use"], form.cleaned_data["bleed"])
    messages.success(request, f"{changed:,} {plural(changed, 'picture')} of {game.name} changed.")
    return redirect("pictures")


@require_POST
@private
def place(request: HttpRequest) -> HttpResponse:
    """Put the pictures that are used nowhere where their owner says: ``card:7`` and ``side:7`` for picture 7.

    ``edge`` and ``bleed`` are for all pictures that are placed now; without them each keeps those of its
    upload.
    """
    viewer = viewer_of(request)
    outside = {name: request.POST.get(name, "") for name in ("edge", "bleed")}
    done = wrong = 0
    for picture in UploadedPicture.objects.of(viewer).filter(side=Side.UNPLACED):
        side = request.POST.get(f"side:{picture.pk}", "")
        if not side:
            continue
        sent = {name: request.POST.get(f"{name}:{picture.pk}", "") for name in ("game", "card")}
        form = PlacedForm(
            {**sent, **outside, "game": sent["game"] or picture.game, "side": side}, viewer=viewer
        )
        if form.is_valid():
            try:
                put(
                    viewer,
                    picture,
                    form.place,
                    **({"edge": outside["edge"], "bleed": form.bled} if outside["edge"] else {}),
                )
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


def _owner(request: HttpRequest) -> Viewer:
    """The visitor; the browser of one without an account gets a token now."""
    viewer = viewer_of(request)
    return viewer if viewer.user_id else Viewer(browser=browser_of(request))
