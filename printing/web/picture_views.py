"""The pages of a visitor's own pictures: upload them, give each its place (game, card, side), adjust one,
send files.

``cardsdb/box`` stores pictures and decides where they belong; ``picture_forms.py`` has the forms. Many or
large pictures are taken in by a stored job, and a zip is first looked at by ``own_views.look_at``.
Tests: ``tests/printing/web/test_picture_views.py``; of the files that are sent
``tests/cardsdb/box/test_pictures.py``, of small copies ``test_picture_store.py`` there.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.exceptions import TooManyFilesSent
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from cardsdb.box import picture_store as storage
from cardsdb.box import waiting
from cardsdb.box.intake import bounds_here
from cardsdb.box.jobs import request_of_pictures, take_long, upload
from cardsdb.box.picture_files import bounds as limits
from cardsdb.box.picture_store import edge_colour_of, queue_small_copies, small_copy
from cardsdb.box.pictures import own_cards_of, own_names
from cardsdb.box.placing import FRONTS, change_pictures, put, quota_of, room_left
from cardsdb.box.reading.container import is_archive, plain_name
from cardsdb.box.reading.matching import card_called, cards_called
from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, some
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.models import Edge, Side, UploadedPicture
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from cardsdb.site.errors import with_headers
from cardsdb.site.middleware import takes
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import private_action, private_form, private_page
from printing.faces.own_pictures import GOOD_PPI
from printing.tasks.files import waited_for
from printing.tasks.jobs import ask_own, network_of
from printing.web.own_views import look_at
from printing.web.picture_forms import (
    EDGES,
    USUAL_BLEED,
    WHOLE_SIDE,
    ChangeAllForm,
    PictureForm,
    PlacedForm,
    UploadForm,
    tile_of,
    views_of,
)

# Pictures on one page. Each without a place has three fields, and a form may have 200 fields.
PER_PAGE = 50
TOO_MANY = f"These are too many files: at most {limits.MAX_UPLOAD_FILES} pictures are taken at once."
OF_A_ZIP = (
    "Your choices of use, cut line and backs do not apply to a zip: the names and shapes of its pictures"
    " decide. Choose again here, or send the pictures without a zip."
)
ONE_ZIP = "Send a zip by itself: you see what is in it before anything is kept. Send the other files next."


@takes(limits.MAX_UPLOAD_BYTES, "Send fewer pictures at once.")
@csrf_exempt
@private
def pictures(request: HttpRequest) -> HttpResponse:
    """Show all of a visitor's pictures, and the form that uploads more.

    The CSRF token is checked by ``_pictures``: reading it parses the upload, and TooManyFilesSent must be
    caught.
    """
    try:
        return _pictures(request)
    except TooManyFilesSent:
        raise Refused(Fault("too_many", TOO_MANY, "files"), status=413) from None


@csrf_protect
@private_form
def _pictures(request: HttpRequest) -> HttpResponse:
    """Answer to a GET with the page. A POST brings pictures: a zip is looked at first, many or large ones are
    left to a stored job, all others are taken in at once.
    """
    usual = {
        "game": request.GET.get("game", ""),
        "meant": FRONTS,
        "use": "",
        "edge": "",
        "bleed": USUAL_BLEED,
    }
    form = UploadForm(request.POST if request.method == "POST" else None, initial=usual)
    if not form.is_bound:
        return _page(request, form)
    sent = request.FILES.getlist("files")
    if faults := _faults_of(form, sent):
        return _page(request, form, faults)
    owner, data = owner_of(request), form.cleaned_data
    if is_archive(sent[0]):
        if any(data[name] != usual[name] for name in ("meant", "use", "edge")):
            messages.warning(request, OF_A_ZIP)
        token = waiting.keep(owner, sent[0], plain_name(sent[0].name or ""), waited_for())
        return look_at(request, owner, token)
    if take_long(sent):
        return _later(request, owner, sent, form)
    made = upload(owner, sent, games()[data["game"]], data["meant"], form.wish)
    if made.stored:
        queue_small_copies(owner)
    if not (made.stored or made.already):
        return _page(request, form, made.faults, made.refused)
    messages.success(request, " ".join(made.sentences))
    for sentence in (*made.notes, *(fault.message for fault in made.faults)):
        messages.warning(request, sentence)
    return redirect(f"{reverse('pictures')}?game={data['game']}")


def _faults_of(form: UploadForm, sent: Sequence[Any]) -> list[Fault]:
    """The faults of a sent form and its files, as far as they are seen without reading the files."""
    if not form.is_valid():
        return [
            Fault("bad_choice", error, field) for field, errors in form.errors.items() for error in errors
        ]
    if not sent:
        return [Fault("required", "Choose at least one picture.", "files")]
    if len(sent) > 1 and any(map(is_archive, sent)):
        return [Fault("one_zip", ONE_ZIP, "files")]
    return []


def _page(
    request: HttpRequest, form: UploadForm, faults: Sequence[Fault] = (), refused: Refused | None = None
) -> HttpResponse:
    """The page of all pictures. ``refused``: the refusal, with its status, that one of the faults is of."""
    status = (refused.status if refused else 400) if faults else 200
    context = _all(request) | {"faults": faults, "form": form}
    return with_headers(render(request, "printing/box/pictures.html", context, status=status), refused)


def _later(request: HttpRequest, owner: Viewer, sent: Sequence[Any], form: UploadForm) -> HttpResponse:
    """Store a job that takes the pictures in, and redirect to its page. Raises Refused if there are too many
    jobs.
    """
    data = form.cleaned_data
    wanted = request_of_pictures(owner, sent, data["game"], data["meant"], form.wish, waited_for())
    try:
        return redirect("own_job", ask_own(wanted, owner, network_of(request)).link)
    except Refused:
        waiting.drop(owner, wanted["token"])
        raise


def _all(request: HttpRequest) -> dict[str, Any]:
    """The template context of all pictures: placed ones by game, those without a place, and the room left."""
    viewer = viewer_of(request)
    mine = UploadedPicture.objects.of(viewer)
    loose, placed = mine.filter(side=Side.UNPLACED), mine.placed()
    # The two lists are paged apart from each other.
    loose_page = Paginator(loose, PER_PAGE).get_page(request.GET.get("page"))
    placed_page = Paginator(placed, PER_PAGE).get_page(request.GET.get("placed"))
    left, quota = room_left(viewer), quota_of(viewer)
    # Game -> number of its placed pictures, on all pages.
    numbers = dict(placed.order_by("game").values_list("game").annotate(number=Count("pk")))
    own = own_cards_of((*placed_page, *loose_page))
    # ``placed`` has the pictures of one game after another, as ``groupby`` needs them.
    tiles = groupby((tile_of(row, own) for row in placed_page), lambda tile: tile["picture"].game)
    return {
        "groups": [(games().get(slug), numbers.get(slug, 0), list(group)) for slug, group in tiles],
        "placed": placed_page,
        "loose": [tile_of(row, own) for row in loose_page],
        "page": loose_page,
        "games": games().values(),
        "edges": Edge.choices,
        "change": ChangeAllForm(),
        "used": quota.pictures - left.pictures,
        "max_pictures": quota.pictures,
        "used_megabytes": f"{(quota.bytes - left.bytes) / limits.MEGABYTE:.1f}",
        "max_megabytes": quota.bytes // limits.MEGABYTE,
        "limits": limits,
        "bounds": bounds_here(),
        "usual_bleed": USUAL_BLEED,
    }


@private_action
def change_all(request: HttpRequest) -> HttpResponse:
    """Change all of a visitor's pictures of a game: their use (whole card or art), and what becomes of their
    bleed.
    """
    form = ChangeAllForm(request.POST)
    if not form.is_valid():
        for errors in form.errors.values():
            messages.warning(request, errors[0])
        return redirect("pictures")
    game = games()[form.cleaned_data["game"]]
    changed = change_pictures(viewer_of(request), game, form.cleaned_data["use"], form.cleaned_data["bleed"])
    messages.success(request, f"{some(changed, 'picture')} of {game.name} changed.")
    return redirect("pictures")


@private_action
def place(request: HttpRequest) -> HttpResponse:
    """Give places to pictures that have none. The fields of picture 7 are ``game:7``, ``card:7`` and
    ``side:7``.

    ``edge`` and ``bleed`` apply to all pictures placed now; without them each keeps those of its upload.
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
            edge = {"edge": outside["edge"], "bleed": form.bled} if outside["edge"] else {}
            put(viewer, picture, form.place, **edge)
            done += 1
        else:
            wrong += 1
            for fault in form.errors.values():
                messages.warning(request, f"{picture.label}: {fault[0]}")
    if done:
        messages.success(request, f"{some(done, 'picture is', 'pictures are')} in place.")
    elif not wrong:
        messages.warning(request, "Nothing was changed: choose front or back for a picture.")
    return redirect("pictures")


# -- one picture --------------------------------------------------------------------


@private_form
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one picture with all its settings, and a preview."""
    viewer = viewer_of(request)
    row = get_object_or_404(UploadedPicture.objects.of(viewer), pk=pk)
    own = own_cards_of([row])
    form = PictureForm(
        request.POST if request.method == "POST" else None, initial=_initial(row, own), viewer=viewer
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        changed = {name: data[name] for name in ("turn", "mirrored", "fit", "edge")}
        # A bleed found at the upload is kept if the edge is mirrored: it is then shown as part of the card.
        # An empty use leaves the use as it is.
        changed |= {
            "bleed": form.bled or (row.bleed if data["edge"] == Edge.MIRRORED else 0),
            "use": data["use"] or row.use,
        }
        if data["edge"] == Edge.COLOUR and not row.edge_colour:
            changed["edge_colour"] = edge_colour_of(row)
        put(viewer, row, form.place, crop=form.crop, **changed)
        messages.success(request, "The picture is kept as you see it here.")
        return redirect("picture", pk=row.pk)
    game = game_named(row.game)
    cards = (*game.cards, *own_names(viewer, game).cards) if game else ()
    context = {
        "picture": row,
        "form": form,
        "games": games().values(),
        "game": game,
        "cuts": [(name, form[name]) for name in EDGES],
        "cards": sorted({card.name for card in cards}),
        "tile": tile_of(row, own),
        "views": views_of(row, own),
        "good": GOOD_PPI,
    }
    return render(request, "printing/box/picture.html", context, status=400 if form.errors else 200)


def _initial(row: UploadedPicture, own: Mapping[str, Card]) -> dict[str, Any]:
    """The initial values of a picture's form. Its card is named by its name if that means no other card, else
    by its code. ``own``: own cards by code.
    """
    game, own_card = game_named(row.game), own.get(row.card_code)
    card = game.card(row.card_code) if game and row.card_code else None
    label = game.name_index.label(card) if game and card else ""
    called = row.card_code
    if game and card and card_called(label, game) is card:
        called = label
    elif game and own_card and not cards_called(own_card.name, game):
        called = own_card.name
    # Crops are stored as the shown part in thousandths of a side, and typed as per cent cut off from each
    # side: (45, 0, 1000, 1000) -> left 4.5.
    left, top, right, bottom = row.crop or (0, 0, WHOLE_SIDE, WHOLE_SIDE)
    cuts = dict(zip(EDGES, (left, top, WHOLE_SIDE - right, WHOLE_SIDE - bottom), strict=True))
    same = ("game", "side", "turn", "mirrored", "fit", "edge", "use")
    return {
        "card": called,
        "bleed": f"{row.bleed / 1000:g}" if row.bleed else USUAL_BLEED,
        **{name: getattr(row, name) for name in same},
        **{name: f"{cut / 10:g}" if cut else "" for name, cut in cuts.items()},
    }


@private_action
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a picture. Its file is deleted with the last picture that uses it."""
    row = get_object_or_404(UploadedPicture.objects.of(viewer_of(request)), pk=pk)
    with transaction.atomic():
        note(Event.DELETED, row.owner_id, thing="picture", number=row.pk, name=row.label)
        row.delete()
    messages.success(request, f"{row.label or 'The picture'} is deleted.")
    return redirect("pictures")


# -- picture files ------------------------------------------------------------------

HEADERS = {
    # Other sites may not embed it.
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Disposition": "inline",
    "Cache-Control": "private, max-age=3600",
}


@private_page
def file(request: HttpRequest, sha256: str) -> HttpResponse:
    """Send a picture as it is stored. Answers 404 to visitors who may not see it."""
    return _sent(request, sha256, lambda row: (storage.read(sha256), row.kind))


@private_page
def small(request: HttpRequest, sha256: str) -> HttpResponse:
    """Send a small copy of a picture, which is made at the first request for it."""
    return _sent(request, sha256, lambda row: (small_copy(row), "webp"))


def _sent(
    request: HttpRequest, sha256: str, read: Callable[[UploadedPicture], tuple[bytes, str]]
) -> HttpResponse:
    """The response with the (bytes, image type) that ``read`` returns for a picture. Raises Http404 if the
    visitor may not see the picture (their own, or a shared one of a private site), or its file is missing.
    """
    row = UploadedPicture.objects.visible_to(viewer_of(request)).filter(sha256=sha256).first()
    if row is None:
        raise Http404
    try:
        data, kind = read(row)
    except OSError:
        raise Http404 from None
    response = HttpResponse(data, content_type=f"image/{kind}", headers=HEADERS)
    patch_vary_headers(response, ("Cookie",))
    return response
