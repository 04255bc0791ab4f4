"""The pages of own texts: bring a file or pasted table, see its dry run, take it in; and edit the text of one
card.

A file that was sent waits (``cardsdb/box/waiting.py``) under a token until its owner takes it in or drops it.
It is taken in completely or not at all. Small files are read while the visitor waits, larger ones by a stored
job. Zips that ``picture_views.py`` receives come here too (``look_at``)::

    own (POST) -> look_at -> dry run -> own_add -> look_at (is_sure) -> taken in
                     `-- a large file: a stored job -> own_job -> dry run -> own_add -> a job that takes it in

Tests in ``tests/printing``: dry run, taking in and export ``web/test_own_views.py``; stored jobs
``tasks/test_own_jobs.py``; the text of one card ``request/test_texts.py``.
"""

import io
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import HttpResponseClientRefresh

from cardsdb.box import waiting
from cardsdb.box.intake import bounds_here
from cardsdb.box.jobs import OWN, Bounds, make_rows, request_of
from cardsdb.box.pictures import pictures_by_game
from cardsdb.box.placing import forget_pictures
from cardsdb.box.reading.container import BadPackage, plain_name
from cardsdb.box.report import MAKE, shown
from cardsdb.box.texts import (
    BoxContent,
    as_table,
    cannot_show,
    clean_text,
    contents,
    forget,
    save_text,
    texts_of,
    with_text,
)
from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, some
from cardsdb.games.kit.model.cards import MAX_TEXT
from cardsdb.identity.viewer import Viewer, owner_of, viewer_of
from cardsdb.models import EVERYONE, OwnBox, OwnText
from cardsdb.site.errors import with_headers
from cardsdb.site.middleware import takes
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import (
    card_or_404,
    game_or_404,
    page_or_404,
    private_action,
    private_form,
    private_page,
    table_file,
)
from printing.faces import fonts
from printing.faces.compose import has_notes
from printing.models import PrintJob
from printing.request.printed_texts import MIN_POINTS, points_of
from printing.tasks import jobs
from printing.tasks.files import waited_for
from printing.tasks.jobs import ask_own, network_of

# Characters of a pasted table.
MAX_PASTED = 500_000
# Bytes of a file that is read while its owner waits. A larger one becomes a stored job.
MAX_AT_ONCE = 2 * waiting.MEGABYTE
# Bounds for such a file, which are counted while it is read: unpacked bytes, rows, pictures to decode.
BOUNDS_AT_ONCE = Bounds(32 * waiting.MEGABYTE, 5_000, 30)
# Characters of a token that are looked at; our own are shorter.
MAX_TOKEN = 2_000
# Codes of a BadPackage that exceeds these bounds; a stored job then makes it.
LARGE = {"too_long", "too_large"}
NOTHING = "Choose a file, or paste some text."


@takes(waiting.MAX_FILE, "Send its sets one after another.")
@private_form
def own(request: HttpRequest) -> HttpResponse:
    """Show a visitor's own texts and sets, and the form that brings more. A POST shows the dry run of
    a file.
    """
    if request.method != "POST":
        return _page(request)
    viewer = owner_of(request)
    sent, pasted = request.FILES.get("file"), request.POST.get("text", "")
    try:
        if sent is None and not pasted.strip():
            raise Refused(Fault("required", NOTHING, "file"))
        if len(pasted) > MAX_PASTED:
            why = f"The text has {len(pasted):,} letters; {MAX_PASTED:,} are the most. Send it as a file."
            raise Refused(Fault("too_long", why, "text"))
        data, name = io.BytesIO(pasted.encode("utf-8", "replace")), "pasted.txt"
        if sent:
            data, name = sent, plain_name(sent.name or "file")
        token = waiting.keep(viewer, data, name, waited_for())
    except Refused as refused:
        return _page(request, refused)
    return look_at(request, viewer, token)


@private_action
@counted_as_work()
def own_add(request: HttpRequest) -> HttpResponse:
    """Answer to the form of a dry run: look again with other columns or choices, take the file in, or drop it
    (``do=forget``).
    """
    viewer, token = owner_of(request), request.POST.get("token", "")[:MAX_TOKEN]
    if request.POST.get("do") == "forget":
        waiting.drop(viewer, token)
        _forget_jobs(viewer, token)
        return redirect("own")
    is_sure = request.POST.get("do") in ("add", MAKE)
    return look_at(request, viewer, token, is_sure=is_sure, is_new=False)


def look_at(
    request: HttpRequest, viewer: Viewer, token: str, *, is_sure: bool = False, is_new: bool = True
) -> HttpResponse:
    """Answer with the dry run of the file that waits under this token, or if ``is_sure`` with the report of
    taking it in.

    The file keeps waiting until it is taken in or dropped. A file that ``is_new`` (just sent) and cannot be
    read is dropped at once.
    """
    try:
        return _at_once_or_later(request, viewer, token, is_sure)
    except Refused as refused:
        # If only the game must be stated, the file is kept, so that it need not be sent again.
        if is_new and refused.faults[0].code != "unknown_game":
            waiting.drop(viewer, token)
            token = ""
        return _page(request, refused, "" if refused.status == HTTPStatus.GONE else token)
    except BaseException:
        if is_new:
            waiting.drop(viewer, token)
        raise


def _at_once_or_later(request: HttpRequest, viewer: Viewer, token: str, is_sure: bool) -> HttpResponse:
    """Make the request of a form now, or for a large file redirect to the page of a stored job that makes it.
    Raises Refused.
    """
    posted = request.POST.dict()
    size, name = waiting.size_of(viewer, token)
    box_request = request_of(token, name, posted, keep=is_sure)
    if size <= MAX_AT_ONCE:
        try:
            # The whole form is used, because nothing of it is stored; the row of a job keeps bounded fields.
            return _at_once(request, viewer, box_request | {"fields": posted})
        except BadPackage as bad:
            if bad.code not in LARGE:
                raise
    _forget_jobs(viewer, token)
    return redirect("own_job", ask_own(box_request, viewer, network_of(request)).link)


def _at_once(request: HttpRequest, viewer: Viewer, box_request: dict[str, Any]) -> HttpResponse:
    """Make a request of ``cardsdb.box.jobs`` now: the dry run of a small file, or the report of taking it in.
    If it cannot be taken in, show its dry run with the reason.

    Raises Refused, and BadPackage with a code in LARGE for a file that needs a stored job.
    """
    # Filled by ``make``: a ``report``, or what was taken in, as ``words`` and a ``set``.
    result: dict[str, Any] = {}
    refused = None

    def make(wanted: dict[str, Any]) -> None:
        """Fill ``result``; nobody is told of progress."""
        make_rows(wanted, viewer, None, lambda rows: None, result.update, BOUNDS_AT_ONCE)

    try:
        make(box_request)
    except Refused as error:
        if isinstance(error, BadPackage) or not box_request["keep"]:
            raise
        refused = error
        make(box_request | {"keep": False})
    if "report" in result:
        return _report(request, result["report"], box_request["token"], refused)
    messages.success(request, result["words"])
    return redirect("own_set", result["set"]) if result["set"] else redirect("own")


def _forget_jobs(viewer: Viewer, token: str) -> None:
    """Delete the ended jobs on a waiting file, because a new job or answer replaces their reports."""
    PrintJob.objects.of(viewer).filter(request__output=OWN, request__token=token).exclude(
        state__in=jobs.OPEN
    ).delete()


def _report(
    request: HttpRequest, stored: Mapping[str, Any], token: str, refused: Refused | None = None
) -> HttpResponse:
    """The page with the report of a dry run. ``stored`` is the report as JSON holds it."""
    report = shown(stored)
    context = {"report": report, "token": token, "game": report["game"]}
    return _answer(request, "printing/box/own_report.html", context, refused)


def _answer(
    request: HttpRequest, template: str, context: dict[str, Any], refused: Refused | None
) -> HttpResponse:
    """Render a page with the faults, status and headers of a refusal, if there is one."""
    context["faults"] = refused.faults if refused else ()
    status = refused.status if refused else 200
    return with_headers(render(request, template, context, status=status), refused)


@private_page
def own_job(request: HttpRequest, link: str) -> HttpResponse:
    """Show the progress of a stored job on a file, then its dry run, or the report of taking it in. The page
    reloads its state by htmx until the job has ended, then all of itself.
    """
    row = jobs.job_or_404(viewer_of(request), link)
    if row.request.get("output") != OWN:
        raise Http404
    is_open = row.state in jobs.OPEN
    if not is_open and request.htmx:  # type: ignore[attr-defined]
        return HttpResponseClientRefresh()
    report = row.request.get("report")
    if report and report["game_slug"] in games():
        return _report(request, report, row.request["token"])
    context = {
        "job": row,
        "open": is_open,
        "unattended": jobs.is_unattended(row),
        "games": games().values(),
        "chosen": row.request["fields"].get("game", ""),
    }
    template = "own_job_state" if request.htmx else "own_job"  # type: ignore[attr-defined]
    return render(request, f"printing/box/{template}.html", context)


@private_page
def own_export(request: HttpRequest) -> StreamingHttpResponse:
    """Send all own texts as a table that can be brought again."""
    box = OwnBox.objects.of(viewer_of(request)).first()
    slug = request.GET.get("game", "")
    lines = as_table(box, slug if slug in games() else "") if box else iter(())
    return table_file("cutout-own-texts.csv", lines)


@private_action
def own_forget(request: HttpRequest) -> HttpResponse:
    """Delete the visitor's texts of a game, or their pictures of it."""
    viewer, slug = viewer_of(request), request.POST.get("game", "")
    if request.POST.get("what") == "pictures":
        gone = forget_pictures(viewer, slug) if slug in games() else 0
        messages.success(request, f"{some(gone, 'picture')} deleted.")
        return redirect("own")
    box = OwnBox.objects.of(viewer).first()
    if box and slug in {content.game for content in contents([box])}:
        messages.success(request, f"{some(forget(box, slug), 'text')} deleted.")
    else:
        messages.warning(request, "Nothing was deleted: you have no texts of that game.")
    return redirect("own")


def _page(request: HttpRequest, refused: Refused | None = None, token: str = "") -> HttpResponse:
    """The page of own texts and sets. ``token``: a refused file that still waits, so that it need not be sent
    again.
    """
    viewer = viewer_of(request)
    context = {
        "mine": _contents(OwnBox.objects.of(viewer)),
        "everyones": _contents(OwnBox.objects.for_everyone()),
        "pictures": _pictures(viewer),
        "everyones_pictures": _pictures(EVERYONE),
        "games": games().values(),
        "chosen": request.POST.get("game") or request.GET.get("game", ""),
        "token": token,
        "pasted": request.POST.get("text", "")[:MAX_PASTED],
        "max_megabytes": waiting.MAX_FILE // waiting.MEGABYTE,
        "picture_megabytes": bounds_here().bytes // waiting.MEGABYTE,
    }
    return _answer(request, "printing/box/own.html", context, refused)


def _contents(boxes: Iterable[OwnBox]) -> list[tuple[BoxContent, Game | None]]:
    """The texts of these boxes by game; the game is None if it is no longer here."""
    return [(content, games().get(content.game)) for content in contents(list(boxes))]


def _pictures(owner: Viewer) -> list[tuple[Game, int]]:
    """The number of own pictures by game."""
    return [(games()[slug], number) for slug, number in pictures_by_game(owner).items() if slug in games()]


# Texts on one page.
PER_PAGE = 100


@private_page
def text_list(request: HttpRequest) -> HttpResponse:
    """List all texts of a visitor, by game and card."""
    viewer = viewer_of(request)
    page = page_or_404(request, OwnText.objects.of(viewer), PER_PAGE)
    known = catalogue()
    rows = []
    for row in page:
        entry = known.at(row.game, row.card_code)
        rows.append((row, games().get(row.game), entry.card.name if entry else row.card_code))
    context = {"rows": rows, "page": page, "games": games().values()}
    return render(request, "printing/box/card_texts.html", context)


@private_form
def card_text(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """Show one card as it is printed for this visitor, with a form for its own text. A POST saves the text;
    an empty one deletes it.
    """
    game = game_or_404(game_slug)
    card = card_or_404(game, code).card
    own, faults = texts_of(viewer_of(request), game), list[Fault]()
    typed = own.get(code, "")
    if request.method == "POST":
        typed = request.POST.get("text", "")
        try:
            for number, line in enumerate(clean_text(typed).split("\n"), 1):
                if bad := list(fonts.missing(line)):
                    raise Refused(Fault("missing_character", cannot_show(number, bad), "text"))
            has_text = save_text(owner_of(request), game, code, typed)
            messages.success(request, f"Your text for {card.name} is {'kept' if has_text else 'gone'}.")
            return redirect("card_text", game.slug, code)
        except Refused as error:
            faults = list(error.faults)
    drawn = with_text(card, own)
    points = points_of(drawn, game, game.trim) if code in own else 0
    context: dict[str, Any] = {
        "game": game,
        "card": card,
        "drawn": drawn,
        "points": f"{points:g}" if points else "",
        "is_small": points < MIN_POINTS,
        "typed": typed,
        "has_text": code in own,
        "room": has_notes(game, card.type),
        "faults": faults,
        "most": MAX_TEXT,
    }
    return render(request, "printing/box/card_text.html", context, status=400 if faults else 200)
