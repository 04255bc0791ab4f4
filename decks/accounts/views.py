"""The pages of the visitor's own account: log-ins, favourites, history, taking things along from the browser,
export and deletion.

Most things come as kinds (``kinds.py``), so that a new kind needs no change here. Logging in and addresses
are allauth's pages (``adapter.py``, ``backend.py``); decks, searches and prints of the account are listed on
the page Mine (``printing.web``). Tests: ``tests/decks/accounts/test_views.py``; taking each kind along:
``test_account_kinds.py`` there; log-ins: ``test_backend.py`` there; history:
``tests/cardsdb/site/test_audit.py``.
"""

import time

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from cardsdb.faults import Refused
from cardsdb.games.kit import plural, some, whole_number
from cardsdb.identity.staff import acts_as_staff, wants_passkey
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import AuditEntry
from cardsdb.models.audit import Event
from cardsdb.site.audit import browser_in, network_in, note
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import form_page, page_or_404, private_action, private_page
from decks.accounts.account_kinds import browser_decks, take_decks_along
from decks.accounts.backend import end_sessions, sessions_of
from decks.accounts.kinds import Kind, account_files, delete_user, held_by_browser, kinds
from decks.models import Comment, Deck, Visibility
from decks.public.listing import IN_LISTS, deck_rows
from decks.saving.room import MAX_OF_ACCOUNT, room_for_decks

PER_PAGE = 50
# Decks of the browser that the account's page lists, and that one request takes along.
MAX_HELD = 100
# Decisions of moderators that the account's page shows.
MAX_DECISIONS = 5
# Faults that one message names.
MAX_FAULTS = 5


@private_page
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """The page of the account: comments that wait for the owner, ways to log in, export, deletion, and what
    this browser has apart from the account.
    """
    viewer = viewer_of(request)
    # ``viewer`` is the account and the browser; these are the decks of the account alone.
    mine = Deck.objects.editable_by(Viewer(viewer.user_id))
    # Decks with comments that wait, each with their ``number``.
    waiting = mine.filter(comments__state=Comment.State.WAITING).order_by().values("link", "name")
    waiting = waiting.annotate(number=Count("comments")).order_by("name", "link")
    unowned = list(browser_decks(viewer).only("link", "name", "game", "changed")[: MAX_HELD + 1])
    context = {
        "waiting": list(waiting[:PER_PAGE]),
        "held": unowned[:MAX_HELD],
        "held_more": len(unowned) > MAX_HELD,
        "held_kinds": [(kind, number) for kind, number in held_by_browser(viewer) if kind.key != "decks"],
        "addresses": list(EmailAddress.objects.filter(user=viewer.user_id).order_by("-primary", "email")),
        "moderation": AuditEntry.objects.of(viewer).moderation()[:MAX_DECISIONS],
        "staff": acts_as_staff(request) or wants_passkey(request),
        "passkeys": Authenticator.objects.filter(user=viewer.user_id, type="webauthn").count(),
    }
    return render(request, "decks/accounts/account.html", context)


@private_page
@login_required
def account_favourites(request: HttpRequest) -> HttpResponse:
    """The account's favourite decks, the latest first, without those that it may no longer see."""
    viewer = viewer_of(request)
    found = Deck.objects.visible_to(viewer).filter(kept_by__user=viewer.user_id)
    favourites = found.order_by("-kept_by__made", "-kept_by__id").select_related("owner").only(*IN_LISTS)
    page = page_or_404(request, favourites, PER_PAGE)
    context = {"page": page, "rows": deck_rows(list(page), viewer)}
    return render(request, "decks/accounts/favourites.html", context)


@private_action
@login_required
@counted_as_work()
def account_take(request: HttpRequest) -> HttpResponse:
    """Move what is ticked from this browser to the account: single decks by their links (``deck``), because
    the page lists each, and whole kinds (``kind``). Messages tell what was moved, what stays, and why.
    """
    viewer, asked = viewer_of(request), request.POST.getlist("deck")[:MAX_HELD]
    keys = request.POST.getlist("kind")
    ticked = [kind for kind in kinds() if kind.take and kind.key in keys]
    if not asked and not ticked:
        messages.warning(request, "Nothing was ticked, so nothing was moved.")
    if asked:
        _take_decks(request, viewer, asked)
    for kind in ticked:
        _take_kind(request, viewer, kind)
    return redirect("account")


def _take_decks(request: HttpRequest, viewer: Viewer, links: list[str]) -> None:
    """Take these decks along, with messages. Links of decks that cannot be taken along are ignored."""
    if taken := take_decks_along(viewer, links):
        _say_taken(request, some(taken, "deck"), taken)
    if taken < len(links) and not room_for_decks(Viewer(viewer.user_id)):
        sentence = (
            f"Your account has {MAX_OF_ACCOUNT:,} decks now, the most that it may have. The others stay"
            " with this browser."
        )
        messages.warning(request, sentence)


def _take_kind(request: HttpRequest, viewer: Viewer, kind: Kind) -> None:
    """Take all things of a kind along, with messages. Raise Refused only if the site is busy (503): its error
    page asks the visitor to try again.
    """
    try:
        # A ``Taken``.
        moved, stayed, why, besides = kind.take(viewer)  # type: ignore[misc]
    except Refused as refused:
        if refused.status >= 500:
            raise
        faults = " ".join(fault.message for fault in refused.faults[:MAX_FAULTS])
        messages.warning(
            request, f"{kind.what}: what could not be taken along stays with this browser. {faults}"
        )
        return
    if moved or not stayed:
        _say_taken(request, kind.amount(moved), moved)
    if stayed:
        stay = f"{kind.amount(stayed)} {plural(stayed, 'stays', 'stay')} with this browser: {why}."
        messages.warning(request, stay)
    if besides:
        messages.warning(request, besides)


def _say_taken(request: HttpRequest, what: str, number: int) -> None:
    messages.success(request, f"{what} {plural(number, 'is', 'are')} now your account’s.")


@private_page
@login_required
def account_history(request: HttpRequest) -> HttpResponse:
    """The audit log of the account, newest first: log-ins, changes to the account, and what was done with
    what it shares.
    """
    viewer = viewer_of(request)
    page = page_or_404(request, AuditEntry.objects.of(viewer), PER_PAGE)
    context = {
        "page": page,
        "entries": list(page),
        "days": settings.CUTOUT_AUDIT_DAYS,
        "browser_tag": browser_in(request),
        "network": network_in(request),
    }
    return render(request, "decks/accounts/history.html", context)


@form_page
@private
@login_required
@reauthentication_required
def account_log_ins(request: HttpRequest) -> HttpResponse:
    """The browsers in which the account is logged in. POST with ``session``, the number of a session or
    "others", ends that session, or all but this one.
    """
    viewer, here = viewer_of(request), request.session.session_key
    if request.method != "POST":
        context = {"sessions": sessions_of(viewer), "session_key": here}
        return render(request, "decks/accounts/log_ins.html", context)
    asked = request.POST.get("session", "")
    # None means all but this one; 0 is the number of no session.
    only = None if asked == "others" else whole_number(asked) or 0
    if ended := end_sessions(viewer, here, only):
        note(Event.LOGOUT, viewer.user_id, detail=f"of {ended} other {plural(ended, 'browser')}")
        messages.success(request, f"{some(ended, 'browser')} logged out.")
    return redirect("account_log_ins")


@private_page
@login_required
@counted_as_work()
def account_export(request: HttpRequest) -> HttpResponseBase:
    """The export: a ZIP of all that the account has, made while it is sent."""
    # Keep the middleware from compressing the ZIP a second time.
    request.META["HTTP_ACCEPT_ENCODING"] = "identity"
    name = f"cutout-{timezone.now():%Y-%m-%d}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    note(Event.EXPORT, request.user.pk)
    return StreamingHttpResponse(
        account_files(request.user.pk), content_type="application/zip", headers=headers
    )


@form_page
@private
@login_required
def account_delete(request: HttpRequest) -> HttpResponse:
    """Tell what will be deleted; POST with ``sure=yes`` deletes the account and redirects to the home page.

    Raise ReauthenticationRequired, so that allauth asks who the visitor is, unless they have just confirmed
    it. A recent log-in is not enough. An account without any way to confirm is not asked.
    """
    since = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
    records = get_authentication_records(request, request.user)
    has_confirmed = any(record.get("reauthenticated") and record["at"] > since for record in records)
    if not has_confirmed and get_adapter().get_reauthentication_methods(request.user):
        raise ReauthenticationRequired
    # Read before the log-out, which would otherwise delete the browser's token together with the session.
    user, viewer = request.user.pk, viewer_of(request)
    is_posted = request.method == "POST"
    if is_posted and request.POST.get("sure") == "yes":
        with transaction.atomic():
            delete_user(user)
        logout(request)
        done = (
            "Your account and all that belonged to it are deleted. What this browser has without it stays"
            " here."
        )
        messages.success(request, done)
        return redirect("home")
    account = Viewer(user)
    counted = ((kind, kind.count(account)) for kind in kinds() if kind.what)
    context = {
        "public": Deck.objects.editable_by(account).filter(visibility=Visibility.PUBLIC).count(),
        "kinds": [(kind, kind.amount(number)) for kind, number in counted if number],
        "held": [kind.amount(number) for kind, number in held_by_browser(viewer)],
        "unsure": is_posted,
    }
    return render(request, "decks/accounts/delete.html", context, status=400 if is_posted else 200)
